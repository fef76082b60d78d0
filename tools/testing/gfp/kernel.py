# SPDX-License-Identifier: GPL-2.0
"""What a kernel tree is: its version, and whether our suites fit it."""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import process
from errors import GfpError

OLDEST = (6, 6)


@dataclass(frozen=True)
class Api:
    """Something our C code calls that old kernels lack."""

    name: str
    header: str
    pattern: str


# In the order of their age; the first one missing is named.
APIS = (
    Api("__filemap_get_folio() with an order (fgf_set_order())", "include/linux/pagemap.h",
        r"\bfgf_set_order\b"),
    Api("kunit_add_action()", "include/kunit/resource.h", r"\bkunit_add_action\b"),
)


def version_of(makefile: str) -> str:
    """What `make kernelversion` prints, read from the top Makefile."""
    found: dict[str, str] = dict(re.findall(r"^(VERSION|PATCHLEVEL|SUBLEVEL|EXTRAVERSION)\s*=\s*(\S*)\s*$",
                                            makefile, re.MULTILINE))
    if not found.get("VERSION") or not found.get("PATCHLEVEL"):
        return ""
    version = f"{found['VERSION']}.{found['PATCHLEVEL']}"
    if found.get("SUBLEVEL"):
        version += f".{found['SUBLEVEL']}"
    return version + found.get("EXTRAVERSION", "")


def check(what: str, read: Callable[[str], bytes | None]) -> str:
    """Refuse a tree that is no kernel or too old; return its version."""
    makefile = read("Makefile")
    version = version_of(makefile.decode(errors="replace")) if makefile is not None else ""
    if not version or read("mm/page_alloc.c") is None:
        raise GfpError(f"{what}: not a kernel tree"
                       " (no top Makefile with VERSION, or no mm/page_alloc.c)")
    numbers = tuple(int(n) for n in re.findall(r"\d+", version)[:2])
    for api in APIS:
        header = read(api.header)
        if header is None or not re.search(api.pattern, header.decode(errors="replace")):
            raise GfpError(f"{what}: Linux {version} is too old, it lacks {api.name};"
                           f" {OLDEST[0]}.{OLDEST[1]} or newer is needed")
    if numbers < OLDEST:
        raise GfpError(f"{what}: Linux {version} is too old;"
                       f" {OLDEST[0]}.{OLDEST[1]} or newer is needed")
    return version


def reader(root: Path) -> Callable[[str], bytes | None]:
    """Read files of the tree at @root; None where there is none."""
    def read(path: str) -> bytes | None:
        try:
            return (root / path).read_bytes()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None
    return read


def check_folder(kdir: Path) -> None:
    """Refuse a KDIR that is no folder we can read."""
    what = f"KDIR={kdir}"
    if not kdir.exists():
        raise GfpError(f"{what}: no such folder")
    if not kdir.is_dir():
        raise GfpError(f"{what}: not a folder")
    if not os.access(kdir, os.R_OK | os.X_OK):
        raise GfpError(f"{what}: not readable")


def check_kdir(kdir: Path) -> str:
    """Refuse a KDIR that cannot be judged, in one line; return its version."""
    what = f"KDIR={kdir}"
    check_folder(kdir)
    try:
        return check(what, reader(kdir))
    except PermissionError as error:
        raise GfpError(f"{what}: not readable: {error.filename}") from None


def git_command(kdir: Path) -> list[str]:
    """git on @kdir, whoever owns it, without writing to it."""
    return ["git", "-c", "safe.directory=*", "-c", "core.fsmonitor=false", "-C", str(kdir)]


def is_git_top(kdir: Path) -> bool:
    """Whether @kdir is the top of a git checkout (and git is there to ask)."""
    if not (kdir / ".git").exists():
        return False
    try:
        result = process.run(git_command(kdir) + ["rev-parse", "--show-toplevel"])
    except FileNotFoundError:
        return False
    return result.status == 0 and Path(result.output.rstrip("\n")).resolve() == kdir.resolve()


def git_description(kdir: Path) -> dict[str, str | bool]:
    """The commit of a git checkout, for the record."""
    git = git_command(kdir)
    head = process.run(git + ["rev-parse", "HEAD"])
    if head.status != 0:
        return {}
    described = process.run(git + ["describe", "--tags", "--always"], timeout=60)
    # GIT_OPTIONAL_LOCKS=0 (see process) keeps this from refreshing the index.
    status = process.run(git + ["status", "--porcelain", "--untracked-files=no"], timeout=120)
    return {"head": head.output.strip(), "describe": described.output.strip(),
            "dirty": bool(status.output.strip())}
