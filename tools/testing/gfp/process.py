# SPDX-License-Identifier: GPL-2.0
"""Running other programs so that none of them outlives us."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from errors import GfpError

# What our own make, or the user's shell, may have set for another build.
FOREIGN_VARIABLES = (
    "MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL", "MAKEFILES", "GNUMAKEFLAGS",
    "MAKE_TERMOUT", "MAKE_TERMERR",
    "O", "V", "KBUILD_OUTPUT", "KBUILD_EXTMOD", "KBUILD_VERBOSE", "KCONFIG_CONFIG",
    "KCONFIG_ALLCONFIG", "KERNELRELEASE", "KERNELVERSION", "LOCALVERSION",
    "ARCH", "SUBARCH", "CROSS_COMPILE", "CC", "LLVM", "HOSTCC", "LD",
    "KDIR", "KERNEL", "VARIANT", "CONTRACT", "FILTER", "MEM", "CPUS", "NODES", "ACCEL", "OUT",
    "MAKE_OPTIONS", "KERNEL_ARGS", "TIMEOUT", "JSON", "BENCH", "REPEAT", "BASE", "HEAD", "THRESHOLD",
    "MODULES", "ROUNDS", "MUTANTS", "GENERATED", "SEED", "FULL",
    "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE",
)


# Set when we are asked to stop: threads that wait for a guest or a build look at it.
stopping = threading.Event()


def python() -> str:
    """The Python to run a kernel's scripts with: the one that runs us."""
    return sys.executable or "python3"


def clean_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment without what would leak into a kernel build."""
    env = {k: v for k, v in os.environ.items() if k not in FOREIGN_VARIABLES}
    env.update(LC_ALL="C", PYTHONDONTWRITEBYTECODE="1", GIT_OPTIONAL_LOCKS="0")
    env.update(extra or {})
    return env


# What subprocess takes as a standard stream.
Stream = int | IO[bytes] | None


@dataclass(frozen=True)
class Finished:
    """How a program ended: exit status, and its stdout and stderr as one text."""

    status: int
    output: str


def session_members(session: int) -> list[int]:
    """Processes that belong to the session @session."""
    members = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            stat = Path("/proc", entry, "stat").read_text(errors="replace")
        except OSError:
            continue
        # pid (comm) state ppid pgrp session ...; comm may hold anything
        fields = stat.rpartition(")")[2].split()
        if fields[3] == str(session) and fields[0] != "Z":
            members.append(int(entry))
    return members


def kill_session(leader: int, also: Callable[[], list[int]] = list) -> None:
    """Kill every process of the session that @leader leads, and those of @also."""
    for _ in range(50):
        pids = set(session_members(leader)) | set(also())
        if not pids:
            return
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.02)


def end_session(leader: int) -> None:
    """Ask the session that @leader leads to end, as make needs to drop half a target."""
    for pid in session_members(leader):
        try:
            os.kill(pid, signal.SIGTERM)
        except ProcessLookupError:
            pass
    deadline = time.monotonic() + 5
    while session_members(leader) and time.monotonic() < deadline:
        time.sleep(0.05)


@contextmanager
def started(command: Sequence[str | Path], cwd: Path | None = None,
            env: Mapping[str, str] | None = None, stdin: Stream = subprocess.DEVNULL,
            stdout: Stream = None, stderr: Stream = None) -> Iterator[subprocess.Popen[bytes]]:
    """Start @command in a session of its own; leave nothing of it behind."""
    with subprocess.Popen([str(c) for c in command], start_new_session=True, cwd=cwd,
                          env=env or clean_environment(),
                          stdin=stdin, stdout=stdout, stderr=stderr) as proc:
        try:
            yield proc
        finally:
            kill_session(proc.pid)


def run(command: Sequence[str | Path], cwd: Path | None = None, timeout: float | None = None,
        env: Mapping[str, str] | None = None, stdin: bytes | None = None) -> Finished:
    """Run @command to its end and return its status and output."""
    with started(command, cwd=cwd, env=env,
                 stdin=subprocess.PIPE if stdin is not None else subprocess.DEVNULL,
                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as proc:
        try:
            output, _ = proc.communicate(stdin, timeout)
        except subprocess.TimeoutExpired:
            kill_session(proc.pid)
            output, _ = proc.communicate()
            return Finished(124, output.decode(errors="replace"))
        return Finished(proc.returncode, output.decode(errors="replace"))


def run_logged(command: Sequence[str | Path], log: IO[bytes], env: Mapping[str, str],
               tick: Callable[[], None], cwd: Path | None = None) -> int:
    """Run @command with its output in @log; call @tick about twice a second."""
    with started(command, cwd=cwd, env=env, stdout=log, stderr=subprocess.STDOUT) as proc:
        try:
            while True:
                try:
                    return proc.wait(0.5)
                except subprocess.TimeoutExpired:
                    tick()
                if stopping.is_set():
                    raise GfpError("interrupted")
        finally:
            end_session(proc.pid)
