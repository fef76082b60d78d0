# SPDX-License-Identifier: GPL-2.0
"""Errors that a person can act on: one line, and an exit status."""

import errno
from pathlib import Path

STATUS_KEPT = 0
STATUS_BROKEN = 1
STATUS_NOT_JUDGED = 2
STATUS_INTERRUPTED = 130


class GfpError(Exception):
    """Something that stops the work: bad input, a failed build, a full disk.

    The message is one line and says what to do about it.  @log names a file
    with the details, @tail holds a few lines of it worth showing at once.
    """

    def __init__(self, message: str, log: Path | None = None,
                 tail: list[str] | None = None) -> None:
        super().__init__(message)
        self.log = log
        self.tail = tail or []


class BuildError(GfpError):
    """The compiler or linker refused the source."""


class Interrupted(BaseException):
    """The user or the system asked us to stop (Ctrl-C, SIGTERM, SIGHUP)."""


def describe_os_error(error: OSError) -> str:
    """Turn an OSError into one line that names the file and the reason."""
    where = f": {error.filename}" if error.filename is not None else ""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"no space left on device{where}"
    return f"{error.strerror or error}{where}"
