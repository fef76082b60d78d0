# SPDX-License-Identifier: GPL-2.0
"""The files that this project adds to a kernel tree."""

from pathlib import Path

import hooks
from errors import GfpError
from settings import REPO
from variant import Changes, Reader

# Folders of the repository whose files go to the same path in a kernel tree.
FOLDERS = ("mm/tests", "fs/iomap/tests")

# The machine on which `make test` proves each suite: UML where that will do.
MACHINES = {
    "gfp_compaction": "um",
    "gfp_nodes": "x86_64",  # two nodes
    "filemap_fallback": "x86_64",  # no large folios in the page cache of UML
    "iomap_folio": "x86_64",
    "vmalloc_fallback": "x86_64",  # no huge mappings either
}


def arch_of(suite: str) -> str:
    """The machine on which `make test` runs @suite."""
    if suite not in MACHINES:
        raise GfpError(f"no suite {suite}, there are {' '.join(MACHINES)}")
    return MACHINES[suite]


# Files that another project may one day own; ours name an option of ours.
SHARED_NAMES = tuple(f"{folder}/{name}" for folder in FOLDERS
                     for name in ("Kconfig", "Makefile", ".kunitconfig"))
OUR_MARKS = (b"GFP_COMPACTION", b"IOMAP_FOLIO_KUNIT_TEST")


def our_files(repo: Path = REPO) -> dict[str, bytes]:
    """Path in the tree and content of each file that we add."""
    return {str(path.relative_to(repo)): path.read_bytes()
            for folder in FOLDERS
            for path in sorted((repo / folder).rglob("*"))
            if path.is_file() and not path.name.endswith((".o", ".cmd", "~", ".swp"))}


def check_free(what: str, read: Reader) -> None:
    """Refuse a tree in which a file that is not ours has one of our names."""
    ours = our_files()
    for path in SHARED_NAMES:
        there = read(path)
        if there is None or path not in ours or there == ours[path]:
            continue
        if not any(mark in there for mark in OUR_MARKS):
            raise GfpError(f"{what}: has a {path} of its own, which gfp-kunit would overwrite")
    for hook in hooks.HOOKS:
        if read(hook.path) is None:
            raise GfpError(f"{what}: has no {hook.path}")


def overlay(what: str, read: Reader) -> Changes:
    """All that a build needs on top of the tree behind @read: files and hooks."""
    check_free(what, read)
    changes: Changes = {**our_files()}
    for hook in hooks.HOOKS:
        content = read(hook.path)
        assert content is not None  # check_free() saw it
        changes[hook.path] = hooks.add(hook, content)
    return changes


def with_suites(what: str, read: Reader, variant: Changes) -> Changes:
    """The changes of a variant together with our files, as one overlay."""
    def read_variant(path: str) -> bytes | None:
        return variant[path] if path in variant else read(path)

    return {**variant, **overlay(what, read_variant)}
