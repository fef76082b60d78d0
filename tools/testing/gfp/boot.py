# SPDX-License-Identifier: GPL-2.0
"""Booting a kernel image once, bounded in time and leaving nothing behind."""

import os
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import process
from build import Image
from console import Progress
from errors import GfpError
from settings import Settings, mem_text

# A whole sweep takes less than this even on a slow machine, so a guest that
# says nothing for as long hangs.
SILENCE_SECONDS = 120


@dataclass(frozen=True)
class Boot:
    """How one boot went.

    @stopped: why it was killed, empty if the guest halted by itself
    """

    log: Path
    command: list[str]
    status: int
    seconds: float
    stopped: str


def guest_arguments(settings: Settings, contract: str) -> list[str]:
    """The guest's command line, apart from what the machine itself needs."""
    arguments = ["kunit.enable=1", "kunit_shutdown=halt",
                 f"gfp_test_lib.contract={contract}"]
    if settings.filter:
        arguments.append(f"kunit.filter_glob={settings.filter}")
    return arguments


def uml_command(image: Path, folder: Path, settings: Settings, contract: str) -> list[str]:
    """The command that boots a UML image with its files under @folder."""
    command = [str(image), f"mem={mem_text(settings.mem)}", "console=tty",
               f"uml_dir={folder}/", "umid=guest"]
    if settings.cpus > 1:
        # More than one CPU works in seccomp mode only.
        command += ["seccomp=on", f"ncpus={settings.cpus}"]
    return command + guest_arguments(settings, contract)


def memory_folder(size: int) -> Path:
    """A folder in which UML can map a file of @size bytes.

    UML's memory is a sparse file that it maps executable.  On a file system
    without room the guest dies by SIGBUS in the middle, so look first.
    """
    candidates = [Path("/dev/shm")]
    candidates += [Path(os.environ[v]) for v in ("TMPDIR",) if os.environ.get(v)]
    candidates += [Path("/tmp"), Path("/var/tmp")]
    best = 0
    for folder in candidates:
        if not os.access(folder, os.W_OK | os.X_OK):
            continue
        vfs = os.statvfs(folder)
        free = vfs.f_bavail * vfs.f_frsize
        if vfs.f_flag & os.ST_NOEXEC:
            continue
        if free >= size + size // 16:
            return folder
        best = max(best, free)
    raise GfpError(f"no room for a guest of MEM={mem_text(size)}: /dev/shm and /tmp have"
                   f" {best >> 20} MiB free at most; choose a smaller MEM or set TMPDIR")


def boot(image: Image, settings: Settings, contract: str, log: Path) -> Boot:
    """Boot @image under @contract with its console in @log."""
    memory = memory_folder(settings.mem)
    with tempfile.TemporaryDirectory(prefix="gfp-boot-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        program = _private_program(image.kernel, folder)
        command = uml_command(program, folder, settings, contract)
        env = process.clean_environment({"TMPDIR": str(memory)})

        def survivors() -> list[int]:
            return _running(program)

        started = time.monotonic()
        progress = Progress(f"running {log.parent.name}")
        stopped = ""
        with open(log, "wb") as out, process.started(
                command, cwd=folder, env=env, stdout=out, stderr=out) as proc:
            try:
                stopped = _watch(proc.poll, log, settings.timeout, progress)
            finally:
                process.kill_session(proc.pid, survivors)
            status = proc.wait()
        progress.clear()
        return Boot(log, [str(image.kernel), *command[1:]], status,
                    time.monotonic() - started, stopped)


def _private_program(image: Path, folder: Path) -> Path:
    """A name for the image that only this boot uses, to find its processes by."""
    program = folder / "linux"
    try:
        os.link(image, program)
    except OSError:
        shutil.copy2(image, program)
    return program


def _running(program: Path) -> list[int]:
    """Processes that run @program."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                target = os.readlink(f"/proc/{entry}/exe")
            except OSError:
                continue
            if target.removesuffix(" (deleted)") == str(program):
                found.append(int(entry))
    return found


def _watch(poll: Callable[[], int | None], log: Path, limit: int, progress: Progress) -> str:
    """Wait for the guest to halt; return why it has to be killed, if it has."""
    silence = min(limit, SILENCE_SECONDS)
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
