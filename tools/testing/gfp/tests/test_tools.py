# SPDX-License-Identifier: GPL-2.0
"""Missing programs: named where they cannot be installed."""

import contextlib
import io
import shutil
import tempfile
import time
import unittest
from unittest import mock

import tests_common  # noqa: F401  (sets sys.path)

import machine
import process
import tools
from errors import GfpError


class Require(unittest.TestCase):
    """On a machine without flex."""

    def setUp(self) -> None:
        self.commands: list[list[str]] = []
        self.there: set[str] = {"gcc", "ccache"}
        self.enterContext(contextlib.redirect_stderr(io.StringIO()))
        self.enterContext(mock.patch.object(
            shutil, "which", lambda name: f"/bin/{name}" if name in self.there else None))
        self.enterContext(mock.patch.object(process, "run", self.run_command))

    def run_command(self, command: list[str], stdin: bytes = b"", **_: object) -> process.Finished:
        self.commands.append(command)
        if "install" in command:
            self.there |= set(command)
        header = stdin.decode().partition("<")[2].partition(">")[0]
        found = not header or tools.HEADERS[header] in self.there
        return process.Finished(int(not found), "")

    def test_nothing_missing(self) -> None:
        tools.require(["gcc"])
        self.assertEqual(self.commands, [])

    def test_named_elsewhere(self) -> None:
        with mock.patch.object(tools, "_installer", lambda: None):
            with self.assertRaisesRegex(GfpError, r"flex \(Debian package flex\), spatch"
                                                  r" \(Debian package coccinelle\)"):
                tools.require(["gcc", "flex", "spatch"])

    def test_installed_by_name(self) -> None:
        with mock.patch.object(tools, "_installer", lambda: ["sudo", "-n"]):
            tools.require(["gcc", "flex"])
        self.assertEqual(self.commands[0][:2], ["sudo", "-n"])
        self.assertIn("flex", self.commands[0])
        self.assertNotIn("gcc", self.commands[0])

    def test_llvm_of_a_version(self) -> None:
        needs = tools.build_needs(("LLVM=-19",))
        self.assertNotIn("gcc", needs)
        with mock.patch.object(tools, "_installer", lambda: None):
            with self.assertRaisesRegex(GfpError, r"missing: clang-19 \(Debian package clang-19\),"
                                                  r" ld.lld-19 \(Debian package lld-19\),"
                                                  r" llvm-nm-19 \(Debian package llvm-19\)"):
                tools.require(needs)

    def test_header_named_elsewhere(self) -> None:
        self.there.add("libc6-dev")
        with mock.patch.object(tools, "_installer", lambda: None):
            with self.assertRaisesRegex(GfpError,
                                        r"missing: <gelf.h> \(Debian package libelf-dev\)$"):
                tools.require(["gcc"], tools.build_headers(machine.X86_64))
            tools.require(["gcc"], tools.build_headers(machine.UM))

    def test_emulator_named_elsewhere(self) -> None:
        with mock.patch.object(tools, "_installer", lambda: None):
            with self.assertRaisesRegex(
                    GfpError, r"missing: qemu-system-x86_64 \(Debian package qemu-system-x86\)$"):
                tools.require(["gcc", *machine.X86_64.programs])

    def test_what_machines_need_has_a_package(self) -> None:
        for found in machine.MACHINES.values():
            self.assertLessEqual(set(found.programs), set(tools.PACKAGES))
            self.assertLessEqual(set(found.headers), set(tools.HEADERS))

    def test_headers_installed_along_with_the_compiler(self) -> None:
        self.there = {"ccache"}
        with mock.patch.object(tools, "_installer", lambda: []):
            tools.require(["gcc"], tools.build_headers(machine.X86_64))
        self.assertEqual(self.commands[0][-3:], ["gcc", "libc6-dev", "libelf-dev"])


class Interrupted(unittest.TestCase):
    """When the user has had enough."""

    def test_a_build_ends(self) -> None:
        self.addCleanup(process.stopping.clear)
        process.stopping.set()
        began = time.monotonic()
        with tempfile.TemporaryFile() as log:
            with self.assertRaisesRegex(GfpError, "interrupted"):
                process.run_logged(["sleep", "60"], log, process.clean_environment(), lambda: None)
        self.assertLess(time.monotonic() - began, 30)


if __name__ == "__main__":
    unittest.main()
