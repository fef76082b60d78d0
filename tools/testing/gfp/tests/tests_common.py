# SPDX-License-Identifier: GPL-2.0
"""What the tests share; importing it makes the tool's modules importable."""

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

# pylint: disable=wrong-import-position
from boot import Boot

MM_KCONFIG = b'menu "Memory"\n\nconfig X\n\tbool\n\nsource "mm/damon/Kconfig"\n\nendmenu\n'
MM_MAKEFILE = b"obj-y := page_alloc.o\n"
FS_KCONFIG = b'menu "Files"\n\nmenu "Pseudo"\nendmenu\n\nconfig IO_WQ\n\tbool\n\nendmenu\n'
IOMAP_MAKEFILE = b"obj-$(CONFIG_FS_IOMAP)\t\t+= iomap.o\n\niomap-y := iter.o\n"


def boot_of(stopped: str = "", status: int = 0) -> Boot:
    """A boot that ended in a given way."""
    return Boot(Path("/nowhere/ktap.log"), ["linux"], status, 1.0, stopped)


def kunit_of(**counts: int) -> dict[str, Any]:
    """A summary as parse_ktap() returns it."""
    found = {"passed": 0, "failed": 0, "skipped": 0, "crashed": 0, **counts}
    return {"tests": sum(found.values()), "errors": 0, **found}


def make_kernel(root: Path, version: str = "7.3.4") -> Path:
    """The least that passes for a kernel tree."""
    major, minor, patch = version.split(".")
    contents = {
        "Makefile": f"VERSION = {major}\nPATCHLEVEL = {minor}\nSUBLEVEL = {patch}\n"
                    "EXTRAVERSION =\n".encode(),
        "mm/page_alloc.c": b"int costly;\nint main(void)\n{\n\treturn costly;\n}\n",
        "mm/Kconfig": MM_KCONFIG,
        "mm/Makefile": MM_MAKEFILE,
        "fs/Kconfig": FS_KCONFIG,
        "fs/iomap/Makefile": IOMAP_MAKEFILE,
        "include/linux/pagemap.h": b"static inline fgf_t fgf_set_order(size_t size);\n",
        "include/kunit/resource.h": b"int kunit_add_action(struct kunit *test);\n",
    }
    for path, content in contents.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content)
    return root
