# SPDX-License-Identifier: GPL-2.0
"""Compiling one file the way the kernel's build does, to compare the code.

Where two sources give the same object, no test can tell them apart.
"""

import re
import shlex
import tempfile
from pathlib import Path

import build
import process
from errors import BuildError, GfpError
from settings import Settings
from tree import Tree

COMPILE_SECONDS = 300


def read_command(text: str) -> list[str]:
    """The command that made an object, from the .cmd file beside it."""
    match = re.match(r"savedcmd_\S+ := (.*)\n", text)
    if not match:
        return []
    # Several commands may follow each other; the first one compiles.
    words = shlex.split(match[1].replace("$(pound)", "#").split(" ; ")[0])
    return words[1:] if words[0].endswith("ccache") else words


def for_source(command: list[str], source: Path, made: Path) -> list[str]:
    """@command for another source and object, without the list of dependencies."""
    place = command.index("-o")
    words = command[:place] + command[place + 2:-1]
    return [word for word in words if not word.startswith("-Wp,-MMD,")] + [
        f"-fmacro-prefix-map={source.parents[1]}/=", "-o", str(made), str(source)]


class Compiler:
    """Compiles files of one kernel that was built before."""

    def __init__(self, tree: Tree, settings: Settings) -> None:
        self._tree = tree
        self._folder = build.folder_of(tree, settings)
        self._commands: dict[str, list[str]] = {}

    def learn(self, path: str) -> bool:
        """See how the kernel's build compiles @path, if it did."""
        if path not in self._commands:
            where = self._folder / path
            cmd = where.with_name(f".{where.stem}.o.cmd")
            with self._tree.lock():  # no build is writing it
                command = read_command(cmd.read_text()) if cmd.is_file() else []
            if command and command[-1].endswith(path):
                self._commands[path] = command
        return path in self._commands

    def compile(self, path: str, source: bytes) -> bytes:
        """The object of @path with another content.

        Without debugging information, which tells apart what the code does not.
        """
        if not self.learn(path):
            raise GfpError(f"{self._folder} does not say how {path} is compiled")
        command = self._commands[path]
        with tempfile.TemporaryDirectory(prefix="gfp-object-") as name:
            file = Path(name, path)
            file.parent.mkdir(parents=True)
            file.write_bytes(source)
            made = file.with_suffix(".o")
            result = process.run(for_source([*command[:-1], "-g0", command[-1]], file, made),
                                 cwd=self._folder, timeout=COMPILE_SECONDS)
            if result.status != 0 or not made.is_file():
                errors = build.first_errors(result.output)
                raise BuildError(errors[0].replace(f"{name}/", "") if errors else "no object")
            return made.read_bytes()
