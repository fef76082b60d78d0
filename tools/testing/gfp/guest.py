# SPDX-License-Identifier: GPL-2.0
"""Running one guest, bounded in time and leaving nothing behind."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import process
from console import Progress


@dataclass(frozen=True)
class Emulator:
    """What ran a guest, if the kernel was not a program itself."""

    version: str
    accelerator: str


def _no_others() -> list[int]:
    return []


@dataclass(frozen=True)
class Guest:
    """A guest that can be started.

    @shown: the command as a person can repeat it
    @env: variables that it needs, beside the usual ones
    @others: its processes that may have left its session
    """

    command: list[str]
    shown: list[str]
    env: dict[str, str] = field(default_factory=dict)
    others: Callable[[], list[int]] = _no_others
    emulator: Emulator | None = None


@dataclass(frozen=True)
class Ended:
    """How a guest ended.

    @stopped: why it was killed, empty if it ended by itself
    """

    status: int
    seconds: float
    stopped: str


def run(guest: Guest, folder: Path, log: Path,
        watch: Callable[[Callable[[], int | None]], str]) -> Ended:
    """Run @guest in @folder with its console in @log, for as long as @watch waits.

    @watch is given poll() of the process, and returns why to kill it.
    """
    began = time.monotonic()
    with open(log, "wb") as out, process.started(
            guest.command, cwd=folder, env=process.clean_environment(guest.env),
            stdout=out, stderr=out) as proc:
        try:
            stopped = watch(proc.poll)
        finally:
            process.kill_session(proc.pid, guest.others)
        return Ended(proc.wait(), time.monotonic() - began, stopped)


def wait(poll: Callable[[], int | None], log: Path, limit: int, silence: int,
         progress: Progress) -> str:
    """Wait for a guest to halt; return why it has to be killed, if it has."""
    silence = min(limit, silence)
    size, changed = 0, time.monotonic()
    while poll() is None:
        time.sleep(0.05)
        now = time.monotonic()
        if (grown := log.stat().st_size) != size:
            size, changed = grown, now
        if process.stopping.is_set():
            return "interrupted"
        if progress.seconds > limit:
            return f"timeout: the guest did not halt within {limit} s (TIMEOUT)"
        if now - changed > silence:
            return f"hang: the guest printed nothing for {silence} s"
        progress.update(f"{size >> 10} KiB of log")
    return ""
