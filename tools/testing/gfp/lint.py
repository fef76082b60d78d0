# SPDX-License-Identifier: GPL-2.0
"""The linters that `make test` runs over our files."""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import process
from settings import REPO
from tree import Tree

# May differ from the style (one header for all kernel series).
CHECKPATCH_EXCEPTIONS = ("gfp_test_compat.h",)
CHECKPATCH_IGNORED = "FILE_PATH_CHANGES,LINUX_VERSION_CODE"


@dataclass
class Outcome:
    """What a linter said; @missing names it if it is not installed."""

    complaints: list[str] = field(default_factory=list)
    missing: str = ""


def _c_files() -> list[Path]:
    return sorted(p for folder in ("mm/tests", "fs/iomap/tests")
                  for p in (REPO / folder).glob("*.[ch]"))


def _run(command: Sequence[str | Path], tool: str, silent: bool = True) -> Outcome:
    """Run a linter; it is content if it exits 0 and (if @silent) prints nothing."""
    if not shutil.which(tool):
        return Outcome(missing=tool)
    result = process.run(command, cwd=REPO, timeout=600)
    lines = [line for line in result.output.splitlines()
             if line.strip() and not line.startswith("Info: ")]  # kernel-doc -v, at work
    if result.status == 0 and (not silent or not lines):
        return Outcome()
    return Outcome(lines or [f"{tool} exited with status {result.status}"])


def mypy() -> Outcome:
    """mypy --strict over the host tool."""
    folder = REPO / "tools/testing/gfp"
    return _run(["mypy", "--strict", "--no-error-summary", "--cache-dir=/dev/null",
                 *sorted(folder.glob("*.py"))], "mypy")


def shellcheck() -> Outcome:
    """shellcheck over our shell."""
    return _run(["shellcheck", REPO / ".ci/run", REPO / "tools/testing/gfp/guest-init.sh"],
                "shellcheck")


def checkpatch(tree: Tree) -> Outcome:
    """checkpatch --strict over our C files, with the kernel's own rules."""
    files = [p for p in _c_files() if p.name not in CHECKPATCH_EXCEPTIONS]
    return _run(["perl", tree.src / "scripts/checkpatch.pl", "--strict", "--no-tree", "--terse",
                 "--quiet", "--no-summary", f"--ignore={CHECKPATCH_IGNORED}", "-f", *files], "perl")


def kernel_doc(tree: Tree) -> Outcome:
    """kernel-doc over our C files."""
    for script in ("tools/docs/kernel-doc", "scripts/kernel-doc"):
        if (tree.src / script).exists():
            return _run([tree.src / script, "-v", "-none", *_c_files()], "python3")
    return Outcome(missing="kernel-doc")


def checks(tree: Tree | None) -> list[tuple[str, Callable[[], Outcome]]]:
    """All linters by name; those of the kernel need a tree."""
    found: list[tuple[str, Callable[[], Outcome]]] = [
        ("mypy --strict", mypy), ("shellcheck", shellcheck)]
    if tree is not None and _c_files():
        found += [("checkpatch --strict", partial(checkpatch, tree)),
                  ("kernel-doc", partial(kernel_doc, tree))]
    return found
