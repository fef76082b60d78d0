# SPDX-License-Identifier: GPL-2.0
"""Kernel trees of our own in the cache, which we may change.

A user's tree is never written to and a fetched one must stay as it came, yet
each build needs our files and a variant in the source.  So we build from a
copy of ours, which looks like this:

  origin.json	where it came from, its version, its identity
  src/		the source, with our files and one variant in it,
		and its build-*/ folders
  pristine/	the originals of those files of src/ that are changed now
  overlay.json	which files those are, and which were added
  manifest.json	(copies of a KDIR) what each file was when we copied it
  lock

Only files whose content changes are written, so make(1) rebuilds only them;
and each write gives a fresh mtime, so make never misses one.
"""

import hashlib
import json
import os
import re
import shutil
import stat
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import kernel
import process
from console import Progress
from errors import GfpError
from files import locked, naming, remove_if_there, write_atomically, write_json
from variant import Changes

CHANGED = "changed"
ADDED = "added"


def origin_file(folder: Path) -> Path:
    """What exists only once a tree is complete."""
    return folder / "origin.json"


class Tree:
    """One kernel tree in the cache."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.src = folder / "src"
        self._pristine = folder / "pristine"
        self._journal = folder / "overlay.json"

    def lock(self) -> AbstractContextManager[None]:
        """Hold the tree; a second run waits."""
        return locked(self.folder / "lock", f"the kernel tree {self.folder.name}")

    @property
    def origin(self) -> dict[str, Any]:
        """The record of where the tree came from."""
        record: dict[str, Any] = json.loads(origin_file(self.folder).read_text())
        return record

    @property
    def version(self) -> str:
        """What `make kernelversion` prints."""
        return str(self.origin["version"])

    @property
    def identity(self) -> str:
        """Equal for two trees with the same pristine content."""
        return str(self.origin["identity"])

    @property
    def kconfig_identity(self) -> str:
        """Equal for two trees with the same Kconfig files."""
        return str(self.origin.get("kconfig_identity", self.identity))

    def _overlaid(self) -> dict[str, str]:
        if not self._journal.is_file():
            return {}
        journal: dict[str, str] = json.loads(self._journal.read_text())
        return journal

    def pristine_path(self, path: str) -> Path:
        """Where the original of @path is kept right now."""
        saved = self._pristine / path
        return saved if saved.exists() or saved.is_symlink() else self.src / path

    def read(self, path: str) -> bytes | None:
        """The original content of @path, None if the kernel has no such file."""
        if self._overlaid().get(path) == ADDED:
            return None
        return kernel.reader(self.pristine_path(path).parent)(Path(path).name)

    def apply(self, changes: Changes) -> None:
        """Make src/ the original tree with @changes, and no other ones.

        The journal is written before the first file and says what each entry
        was, so that an interrupted apply() is made good by the next.
        """
        old = self._overlaid()
        new = {path: old.get(path) or (CHANGED if os.path.lexists(self.src / path) else ADDED)
               for path in changes}
        if old != new:
            write_json(self._journal, {**old, **new})
        for path in old.keys() - new.keys():
            self._restore(path, old[path])
        for path, content in changes.items():
            self._change(path, new[path], content)
        if old != new:
            write_json(self._journal, new)

    def check_applied(self, changes: Changes) -> None:
        """See that src/ still is what apply() made of it, so that it is what was built."""
        for path, content in changes.items():
            if kernel.reader(self.src)(path) != content:
                raise GfpError(f"{self.src / path} changed while the kernel was built")

    def _restore(self, path: str, how: str) -> None:
        target, saved = self.src / path, self._pristine / path
        if how == ADDED:
            remove_if_there(target)
            _remove_empty_parents(target.parent, self.src)
        elif saved.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(target, saved.read_bytes(), stat.S_IMODE(saved.stat().st_mode))
            saved.unlink()
            _remove_empty_parents(saved.parent, self._pristine)

    def _change(self, path: str, how: str, content: bytes | None) -> None:
        target, saved = self.src / path, self._pristine / path
        mode = 0o644
        if how == CHANGED:
            if not saved.exists():
                saved.parent.mkdir(parents=True, exist_ok=True)
                write_atomically(saved, target.read_bytes(), stat.S_IMODE(target.stat().st_mode))
            mode = stat.S_IMODE(saved.stat().st_mode)
        if content is None:
            remove_if_there(target)
        elif kernel.reader(target.parent)(target.name) != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(target, content, mode)


def _remove_empty_parents(folder: Path, top: Path) -> None:
    while folder != top and top in folder.parents:
        try:
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent


# --- copies of a user's tree

@dataclass
class Entry:
    """A file of a KDIR when we copied it: enough to see that it changed."""

    size: int
    mtime: int
    ctime: int
    mode: int
    sha256: str = ""

    def same_stat(self, other: "Entry") -> bool:
        """Whether the file can be taken as unchanged without reading it."""
        return ((self.size, self.mtime, self.ctime, self.mode)
                == (other.size, other.mtime, other.ctime, other.mode))


# What builds and tools leave in a tree.  A tree that git knows needs no such
# guess; elsewhere these are left out, and every file X that has a .X.cmd or
# whose folder's .gitignore names it.
ARTEFACT_FOLDERS = frozenset((".git", ".svn", ".hg", ".pc", "__pycache__", ".tmp_versions",
                              ".kunit"))
GENERATED_FOLDERS = ("include/config", "include/generated")
ARTEFACT_SUFFIXES = (".o", ".ko", ".mod", ".mod.c", ".a", ".order", ".cmd", ".d", ".lex.c",
                     ".tab.c", ".tab.h", ".lds.s", ".pyc", ".rej", ".orig", ".su", ".gcno",
                     ".gcda", ".dtb", ".dtbo", ".symtypes", ".lst", ".i", ".so", ".so.dbg")
TOP_ARTEFACTS = frozenset((".config", ".config.old", "vmlinux", "vmlinux.o", "vmlinux.a",
                           "vmlinux.map", "vmlinux.unstripped", "linux", "System.map",
                           "Module.symvers", "modules.builtin", "modules.builtin.modinfo",
                           "modules.builtin.ranges", ".version", ".missing-syscalls.d",
                           "compile_commands.json", "vmlinux-gdb.py", "tags", "TAGS",
                           "cscope.out", "GPATH", "GRTAGS", "GSYMS", "GTAGS"))


def _ignored_by_name(folder: Path) -> set[str]:
    """Files that the .gitignore of @folder names in full: generated ones."""
    text = (folder / ".gitignore").read_text(errors="replace")
    return {line.removeprefix("/") for line in text.splitlines()
            if re.fullmatch(r"/?[\w.-]+", line)}


def _walk(top: Path) -> Iterator[str]:
    """The source files of a tree without git, relative to it."""
    stack = [""]
    while stack:
        folder = stack.pop()
        with os.scandir(top / folder) as scan:
            entries = list(scan)
        names = {entry.name for entry in entries}
        generated_names = _ignored_by_name(top / folder) if ".gitignore" in names else set()
        if folder and {".config", "source"} <= names:
            continue  # a build folder (make O=)
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if entry.is_dir(follow_symlinks=False):
                generated = path in GENERATED_FOLDERS or (
                    path.startswith("arch/") and path.endswith("/include/generated"))
                if entry.name not in ARTEFACT_FOLDERS and not generated:
                    stack.append(path)
            elif (entry.name.endswith(ARTEFACT_SUFFIXES) or entry.name.startswith(".tmp_")
                  or f".{entry.name}.cmd" in names or entry.name in generated_names
                  or (not folder and entry.name in TOP_ARTEFACTS)):
                continue
            else:
                yield path


def _listed_by_git(kdir: Path) -> Iterator[str]:
    """The files of a checkout that are tracked, or new and no artefacts."""
    git = kernel.git_command(kdir)

    def list_files(*which: str) -> list[str]:
        result = process.run(git + ["ls-files", "-z", *which])
        if result.status != 0:
            why = result.output.strip().splitlines()[-1:]
            raise GfpError(f"KDIR={kdir}: git ls-files failed: {why[0] if why else result.status}")
        return [name for name in result.output.split("\0") if name]

    # Debian's .gitignore ignores all of the kernel, new files included.
    useless = process.run(git + ["check-ignore", "-q", "--no-index", "mm/a_new_file.c"]).status == 0
    new = list(_walk(kdir)) if useless else list_files(
        "--others", "--exclude-per-directory=.gitignore")
    yield from dict.fromkeys(list_files("--cached") + new)


def _scan(kdir: Path) -> dict[str, Entry]:
    found = {}
    for path in _listed_by_git(kdir) if kernel.is_git_top(kdir) else _walk(kdir):
        try:
            st = os.lstat(kdir / path)
        except (FileNotFoundError, NotADirectoryError):
            continue  # tracked, but deleted in the work tree
        if stat.S_ISREG(st.st_mode) or stat.S_ISLNK(st.st_mode):
            found[path] = Entry(st.st_size, st.st_mtime_ns, st.st_ctime_ns, st.st_mode)
    return found


class KdirCopy(Tree):
    """A copy of a user's tree, brought up to date before each use."""

    def __init__(self, trees: Path, kdir: Path) -> None:
        self.kdir = kdir.resolve()
        digest = hashlib.sha256(os.fsencode(self.kdir)).hexdigest()[:12]
        super().__init__(trees / f"kdir-{digest}")
        self._manifest = self.folder / "manifest.json"
        self._unfinished = self.folder / "unfinished"

    def sync(self) -> None:
        """Copy what changed in KDIR since the last time."""
        version = kernel.check_kdir(self.kdir)
        before = self._load_manifest()
        self.src.mkdir(parents=True, exist_ok=True)
        now = _scan(self.kdir)
        stale = [p for p in now if p not in before or not before[p].same_stat(now[p])]
        gone = [p for p in before if p not in now]
        for path, entry in now.items():
            if path in before:
                entry.sha256 = before[path].sha256
        if stale or gone:
            self._unfinished.touch()
            try:
                self._copy(before, now, stale, gone)
            except BaseException:
                if not before:
                    shutil.rmtree(self.src, ignore_errors=True)  # of no use, and large
                raise
            write_atomically(self._manifest, json.dumps(
                {p: [e.size, e.mtime, e.ctime, e.mode, e.sha256] for p, e in now.items()}).encode())
            remove_if_there(self._unfinished)
        source: dict[str, Any] = {"kdir": str(self.kdir)}
        if kernel.is_git_top(self.kdir):
            source["git"] = kernel.git_description(self.kdir)
        write_json(origin_file(self.folder), {
            "version": version, "identity": _content_hash(now), "source": source,
            "kconfig_identity": _content_hash({p: e for p, e in now.items() if "Kconfig" in p})})

    def _load_manifest(self) -> dict[str, Entry]:
        manifest: dict[str, Entry] = {}
        if self._manifest.is_file():
            manifest = {p: Entry(*e) for p, e in json.loads(self._manifest.read_text()).items()}
        if self._unfinished.exists() or not manifest:
            # A sync was cut short: files may be there that no manifest knows.
            shutil.rmtree(self.src, ignore_errors=True)
            shutil.rmtree(self._pristine, ignore_errors=True)
            remove_if_there(self._journal)
            manifest = {}
        return manifest

    def _copy(self, before: dict[str, Entry], now: dict[str, Entry],
              stale: list[str], gone: list[str]) -> None:
        progress = Progress(f"copying {self.kdir}")
        overlaid = self._overlaid()
        for path in gone:
            self._forget(path, overlaid)
        for count, path in enumerate(stale):
            source = self.kdir / path
            try:
                content = (os.fsencode(os.readlink(source)) if stat.S_ISLNK(now[path].mode)
                           else source.read_bytes())
            except FileNotFoundError:
                raise GfpError(f"KDIR={self.kdir}: {path} went away while it was copied") from None
            digest = hashlib.sha256(content).hexdigest()
            same = (path in before and before[path].sha256 == digest
                    and before[path].mode == now[path].mode)
            now[path].sha256 = digest
            if not same:
                self._put(path, content, now[path].mode, overlaid)
            progress.update(f"{count} of {len(stale)} files")
        if progress.seconds > 5:
            progress.done(f"{len(stale)} files")
        progress.clear()
        if overlaid != self._overlaid():
            write_json(self._journal, overlaid)

    def _put(self, path: str, content: bytes, mode: int, overlaid: dict[str, str]) -> None:
        """Write one original: beside src/ while a variant or file of ours hides it."""
        if path in overlaid:
            overlaid[path] = CHANGED
            target = self._pristine / path
        else:
            target = self.src / path
        _make_room(target)
        if stat.S_ISLNK(mode):
            os.symlink(os.fsdecode(content), target)
        else:
            with naming(target), open(target, "wb") as file:
                file.write(content)
            target.chmod(stat.S_IMODE(mode) | 0o600)

    def _forget(self, path: str, overlaid: dict[str, str]) -> None:
        if path in overlaid:
            overlaid[path] = ADDED
            remove_if_there(self._pristine / path)
        else:
            remove_if_there(self.src / path)
            _remove_empty_parents((self.src / path).parent, self.src)


def _make_room(target: Path) -> None:
    """Clear the way for a new file, also where a folder or link was before."""
    if target.is_dir() and not target.is_symlink():
        shutil.rmtree(target)
    else:
        remove_if_there(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise GfpError(f"{target.parent}: a file is where a folder should be;"
                       f" remove {target} and try again") from None


def _content_hash(entries: dict[str, Entry]) -> str:
    digest = hashlib.sha256()
    for path in sorted(entries):
        entry = entries[path]
        digest.update(f"{path}\0{entry.mode & 0o170111:o}\0{entry.sha256}\0".encode(
            errors="surrogateescape"))
    return digest.hexdigest()
