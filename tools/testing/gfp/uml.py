# SPDX-License-Identifier: GPL-2.0
"""Guests of User-mode Linux, where the kernel is a program."""

import os
import shutil
from pathlib import Path

from errors import GfpError
from guest import Guest
from settings import Settings, mem_text


def command(program: Path, folder: Path, settings: Settings, arguments: list[str],
            initramfs: Path | None = None) -> list[str]:
    """The command that boots a UML image with its files under @folder."""
    words = [str(program), f"mem={mem_text(settings.mem)}", "console=tty",
             f"initrd={initramfs}" if initramfs else "kunit_shutdown=halt",
             f"uml_dir={folder}/", "umid=guest"]
    if settings.cpus > 1:
        # More than one CPU works in seccomp mode only.
        words += ["seccomp=on", f"ncpus={settings.cpus}"]
    return words + arguments


def prepare(image: Path, folder: Path, settings: Settings, arguments: list[str],
            initramfs: Path | None = None) -> Guest:
    """The guest that runs @image, with what it needs in @folder."""
    memory = memory_folder(settings.mem)
    program = _private_program(image, folder)
    words = command(program, folder, settings, arguments, initramfs)
    return Guest(words, [str(image), *words[1:]], {"TMPDIR": str(memory)},
                 others=lambda: _running(program))


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
