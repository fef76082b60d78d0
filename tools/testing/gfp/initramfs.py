# SPDX-License-Identifier: GPL-2.0
"""The user space of a guest whose suites are modules: busybox, a script, and them."""

import platform
import shlex
import shutil
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import machine
from build import Image
from errors import GfpError
from settings import REPO, Settings

SCRIPT = REPO / "tools" / "testing" / "gfp" / "guest-init.sh"
BUSYBOX = "busybox"

# The module that the parameters are of.
LIBRARY = "gfp_test_lib"

# Rounds after the first are about loading and unloading: of the cells of a sweep,
# one in so many will do.
LATER_ONE_IN = 200

# The magic of cpio's "new ASCII" format, and what ends an archive.
MAGIC = b"070701"
TRAILER = "TRAILER!!!"

# e_ident, e_type, e_machine, e_version, e_entry, e_phoff of an ELF64 header.
PT_INTERP = 3


@dataclass(frozen=True)
class Entry:
    """One file of an archive; @device is (major, minor) of a device."""

    name: str
    mode: int
    content: bytes = b""
    device: tuple[int, int] = (0, 0)


def archive(entries: Iterable[Entry]) -> bytes:
    """A cpio archive, as the kernel unpacks it; the same for the same entries."""
    written = b""
    for number, entry in enumerate([*entries, Entry(TRAILER, 0)]):
        name = entry.name.encode() + b"\0"
        #         inode   mode        uid gid links mtime size
        fields = (number, entry.mode, 0, 0, 1, 0, len(entry.content),
                  0, 0, *entry.device, len(name), 0)
        written += MAGIC + b"".join(b"%08X" % field for field in fields) + name
        written += b"\0" * (-len(written) % 4) + entry.content
        written += b"\0" * (-len(written) % 4)
    return written


def _is_static(program: bytes) -> bool:
    """Whether an ELF64 program needs no loader."""
    at = int.from_bytes(program[32:40], "little")
    size, count = (int.from_bytes(program[i:i + 2], "little") for i in (54, 56))
    return program[:5] == b"\x7fELF\2" and all(
        int.from_bytes(program[p:p + 4], "little") != PT_INTERP
        for p in range(at, at + size * count, size))


def check(settings: Settings) -> None:
    """Refuse, before anything is built, a host whose busybox no guest could run."""
    qemu = machine.find(settings.arch).qemu
    if qemu and platform.machine() != qemu.kvm_host:
        raise GfpError(f"MODULES=1: the busybox of {platform.machine()} does not run"
                       f" on ARCH={settings.arch}")
    _busybox()


def _busybox() -> bytes:
    path = shutil.which(BUSYBOX)
    if path is None:
        raise GfpError("MODULES=1: no busybox; install Debian's busybox-static")
    program = Path(path).read_bytes()
    if not _is_static(program):
        raise GfpError(f"MODULES=1: {path} is linked dynamically, which no guest can run;"
                       " install Debian's busybox-static")
    return program


def _shell_lines(variables: Mapping[str, str]) -> bytes:
    return "".join(f"{name}={shlex.quote(value)}\n" for name, value in variables.items()).encode()


def _entries(image: Image, settings: Settings, parameters: Mapping[str, str]) -> Iterator[Entry]:
    later = {**parameters, "one_in": str(max(settings.one_in, LATER_ONE_IN))}
    for folder in ("bin", "dev", "modules", "proc"):
        yield Entry(folder, stat.S_IFDIR | 0o755)
    yield Entry("dev/console", stat.S_IFCHR | 0o600, device=(5, 1))
    yield Entry("dev/kmsg", stat.S_IFCHR | 0o600, device=(1, 11))
    yield Entry("bin/busybox", stat.S_IFREG | 0o755, _busybox())
    yield Entry("init", stat.S_IFREG | 0o755, SCRIPT.read_bytes())
    yield Entry("settings", stat.S_IFREG | 0o644, _shell_lines({
        "ROUNDS": str(settings.rounds),
        "FIRST": " ".join(f"{name}={value}" for name, value in parameters.items()),
        "LATER": " ".join(f"{name}={value}" for name, value in later.items()),
        "OFF": machine.find(settings.arch).off}))
    yield Entry("modules/order", stat.S_IFREG | 0o644,
                "".join(f"{module.name}\n" for module in image.modules).encode())
    for module in image.modules:
        yield Entry(f"modules/{module.name}", stat.S_IFREG | 0o644, module.read_bytes())


def write(path: Path, image: Image, settings: Settings, parameters: Mapping[str, str]) -> None:
    """Write what boots with @image: @parameters are those of LIBRARY."""
    path.write_bytes(archive(_entries(image, settings, parameters)))
