# SPDX-License-Identifier: GPL-2.0
"""The lines that tie our files into a kernel tree's Kconfig and Makefiles.

Adding and removing are inverse to the byte, and removing needs no record of
what was added: it looks for the exact line.  That is what lets an install be
undone from whatever state it was left in.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Hook:
    """One line in one existing file.

    @before: the line goes, with a blank one after it, before the last line
             that reads like this; it is appended where this is empty
    """

    path: str
    line: str
    before: str = ""


HOOKS = (
    Hook("mm/Kconfig", 'source "mm/tests/Kconfig"', before="endmenu"),
    Hook("mm/Makefile", "obj-y += tests/"),
    Hook("fs/Kconfig", 'source "fs/iomap/tests/Kconfig"', before="endmenu"),
    Hook("fs/iomap/Makefile", "obj-y += tests/"),
)


def has(hook: Hook, content: bytes) -> bool:
    """Whether @content has the line."""
    return hook.line.encode() in content.split(b"\n")


def add(hook: Hook, content: bytes) -> bytes:
    """@content with the line, once."""
    if has(hook, content):
        return content
    line = hook.line.encode()
    lines = content.split(b"\n")
    if hook.before and hook.before.encode() in lines:
        at = len(lines) - 1 - lines[::-1].index(hook.before.encode())
        return b"\n".join(lines[:at] + [line, b""] + lines[at:])
    if not content or content.endswith(b"\n"):
        return content + line + b"\n"
    # A file without a final newline stays one, which is how remove() knows.
    return content + b"\n" + line


def remove(hook: Hook, content: bytes) -> bytes:
    """@content without the line."""
    line = hook.line.encode()
    lines = content.split(b"\n")
    while line in lines:
        at = lines.index(line)
        blank = bool(hook.before) and lines[at + 1:at + 3] == [b"", hook.before.encode()]
        del lines[at:at + (2 if blank else 1)]
    return b"\n".join(lines)
