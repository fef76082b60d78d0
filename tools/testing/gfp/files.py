# SPDX-License-Identifier: GPL-2.0
"""Writing files so that an interruption leaves the old or the new one."""

import contextlib
import fcntl
import json
import os
import tempfile
import threading
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import console

TEMP_PREFIX = ".gfp-tmp-"


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Let an error of the system name the file: for write(2) it does not."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


def write_atomically(path: Path, content: bytes, mode: int = 0o644) -> None:
    """Replace @path by @content; its mtime is now."""
    handle, temp = tempfile.mkstemp(prefix=TEMP_PREFIX, dir=path.parent)
    try:
        with naming(path), os.fdopen(handle, "wb") as file:
            file.write(content)
            os.fchmod(file.fileno(), mode)
        os.replace(temp, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temp)
        raise


def write_json(path: Path, value: Any) -> None:
    """Replace @path by @value as JSON."""
    write_atomically(path, (json.dumps(value, indent=2) + "\n").encode())


def remove_if_there(path: Path) -> None:
    """Remove a file or link; one that is gone already is fine."""
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        path.unlink()


_ours: defaultdict[Path, threading.Lock] = defaultdict(threading.Lock)


@contextlib.contextmanager
def locked(path: Path, what: str) -> Iterator[None]:
    """Hold an exclusive lock on @path; say so if another run has it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # Our own threads wait for each other without a word.
    with _ours[path.resolve()], open(path, "w", encoding="ascii") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            console.say(f"waiting for another run that uses {what}")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
