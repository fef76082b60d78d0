# SPDX-License-Identifier: GPL-2.0
"""`make install` and `make uninstall`: our files in a user's kernel tree.

The record of what was installed is written first and removed last, files come
before hooks and go after them, and each file is replaced in one step.  So an
install that is cut short at any point leaves a tree that still builds, and
that uninstall, or another install, can make whole.
"""

import hashlib
import json
import os
import stat
from pathlib import Path
from typing import Any

import console
import files
import hooks
import kernel
import suites
from errors import GfpError

RECORD = "mm/tests/.gfp-kunit-install"


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _load_record(kdir: Path) -> dict[str, Any]:
    try:
        record: dict[str, Any] = json.loads((kdir / RECORD).read_bytes())
        return record
    except (FileNotFoundError, NotADirectoryError):
        return {"files": {}, "hooks": {}}
    except json.JSONDecodeError:
        raise GfpError(f"{kdir / RECORD} is damaged: remove it and install again") from None


def _check_writable(kdir: Path) -> None:
    for folder in {(kdir / path).parent for path in
                   (*suites.our_files(), *(h.path for h in hooks.HOOKS))}:
        there = folder
        while not there.exists():
            there = there.parent
        if not os.access(there, os.W_OK | os.X_OK):
            raise GfpError(f"KDIR={kdir}: no permission to write in {there}")


def _replace(path: Path, content: bytes, keep: os.stat_result | None = None,
             mtime_ns: int | None = None) -> None:
    """Replace a file in one step, with the mode and owner it had."""
    if path.is_symlink():
        path = path.resolve()
    mode = stat.S_IMODE(keep.st_mode) if keep else 0o644
    files.write_atomically(path, content, mode)
    if keep and (keep.st_uid, keep.st_gid) != (os.geteuid(), os.getegid()):
        try:
            os.chown(path, keep.st_uid, keep.st_gid)
        except PermissionError:
            pass  # only root can give files away
    if mtime_ns is not None:
        os.utime(path, ns=(mtime_ns, mtime_ns))


def install(kdir: Path) -> int:
    """Put our files and hooks into the tree at @kdir."""
    version = kernel.check_kdir(kdir)
    read = kernel.reader(kdir)
    ours = suites.our_files()
    record = _load_record(kdir)
    if not record["files"]:
        suites.check_free(f"KDIR={kdir}", read)
        for path, content in ours.items():
            there = read(path)
            if there is not None and there != content:
                raise GfpError(f"KDIR={kdir}: has a {path} that gfp-kunit did not install")
    _check_writable(kdir)

    _remove_temporary_files(kdir)
    _write_record(kdir, record, ours)
    for path, content in ours.items():
        (kdir / path).parent.mkdir(parents=True, exist_ok=True)
        if read(path) != content:
            _replace(kdir / path, content)
    for path in set(record["files"]) - set(ours):
        files.remove_if_there(kdir / path)  # of an older version of ours
    for hook in hooks.HOOKS:
        content = (kdir / hook.path).read_bytes()
        if not hooks.has(hook, content):
            _replace(kdir / hook.path, hooks.add(hook, content), (kdir / hook.path).stat())
    console.say(f"installed {len(ours)} files and {len(hooks.HOOKS)} hooks"
                f" in {kdir} (Linux {version})")
    console.say("there: ./tools/testing/kunit/kunit.py run --kunitconfig=mm/tests")
    return 0


def _write_record(kdir: Path, record: dict[str, Any], ours: dict[str, bytes]) -> None:
    """Record what will be there, together with what an earlier install recorded."""
    known: dict[str, list[str]] = record["files"]
    for path, content in ours.items():
        known.setdefault(path, [])
        if _sha256(content) not in known[path]:
            known[path].append(_sha256(content))
    for hook in hooks.HOOKS:
        if hook.path not in record["hooks"]:
            content = (kdir / hook.path).read_bytes()
            if not hooks.has(hook, content):
                record["hooks"][hook.path] = {"mtime_ns": (kdir / hook.path).stat().st_mtime_ns,
                                              "sha256": _sha256(content)}
    (kdir / RECORD).parent.mkdir(parents=True, exist_ok=True)
    files.write_json(kdir / RECORD, record)


def uninstall(kdir: Path, force: bool = False) -> int:
    """Take our files and hooks out of the tree at @kdir, to the byte."""
    kernel.check_kdir(kdir)
    record = _load_record(kdir)
    hooked = [h for h in hooks.HOOKS
              if (kdir / h.path).is_file() and hooks.has(h, (kdir / h.path).read_bytes())]
    known = record["files"]
    if not known:
        # The record may have been lost, as by `git clean`: what is ours to the
        # byte can go, and so can hooks that point at nothing else.
        known = {path: [_sha256(content)] for path, content in suites.our_files().items()}
    there = [path for path in known if os.path.lexists(kdir / path)]
    ours = [path for path in there if _sha256((kdir / path).read_bytes()) in known[path]]
    if not record["files"] and not ours and not hooked:
        _tidy(kdir)
        console.say(f"{kdir} has none of our files: nothing to do")
        return 0
    changed = sorted(set(there) - set(ours)) if record["files"] else []
    if changed and not force:
        raise GfpError(f"KDIR={kdir}: changed since the install: {' '.join(changed)};"
                       " save what you need and use FORCE=1")
    _check_writable(kdir)

    for hook in hooked:
        _unhook(kdir, hook, record["hooks"].get(hook.path))
    for path in there if force else ours:
        files.remove_if_there(kdir / path)
    _tidy(kdir)
    console.say(f"took our files and hooks out of {kdir}")
    return 0


def _unhook(kdir: Path, hook: hooks.Hook, before: dict[str, Any] | None) -> None:
    path = kdir / hook.path
    content = hooks.remove(hook, path.read_bytes())
    untouched = before is not None and before["sha256"] == _sha256(content)
    _replace(path, content, path.stat(),
             before["mtime_ns"] if before is not None and untouched else None)


def _tidy(kdir: Path) -> None:
    """Remove our record, and folders of ours that nobody else uses."""
    _remove_temporary_files(kdir)
    files.remove_if_there(kdir / RECORD)
    for folder in suites.FOLDERS:
        try:
            (kdir / folder).rmdir()
        except OSError:
            pass  # not there, or the user has files there


def _remove_temporary_files(kdir: Path) -> None:
    """What an install that was killed while it wrote a file left behind."""
    folders = {(kdir / path).parent for path in
               (*suites.our_files(), *(h.path for h in hooks.HOOKS))}
    for folder in folders:
        for temp in folder.glob(files.TEMP_PREFIX + "*"):
            files.remove_if_there(temp)
