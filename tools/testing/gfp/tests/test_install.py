# SPDX-License-Identifier: GPL-2.0
"""Install and uninstall on a small tree, also when install is cut short."""

import contextlib
import io
import os
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path
from unittest import mock

from tests_common import FS_KCONFIG, IOMAP_MAKEFILE, MM_KCONFIG, MM_MAKEFILE, make_kernel

import files
import hooks
import install
import suites
from errors import GfpError

OURS = {"mm/tests/Kconfig": b"config GFP_COMPACTION_KUNIT_TEST\n",
        "mm/tests/Makefile": b"obj-$(CONFIG_GFP_COMPACTION_KUNIT_TEST) += a.o\n",
        "mm/tests/.kunitconfig": b"CONFIG_GFP_COMPACTION_KUNIT_TEST=y\n",
        "mm/tests/a.c": b"int a;\n",
        "fs/iomap/tests/Kconfig": b"config IOMAP_FOLIO_KUNIT_TEST\n",
        "fs/iomap/tests/b.c": b"int b;\n"}


def snapshot(root: Path) -> dict[str, tuple[bytes, int, int]]:
    """Content, mode and mtime of every file."""
    return {str(p.relative_to(root)): (p.read_bytes(), p.stat().st_mode, p.stat().st_mtime_ns)
            for p in root.rglob("*") if p.is_file()}


class Killed(BaseException):
    """Stands for kill -9."""


class Install(unittest.TestCase):
    """The tree must come back to the byte."""

    def setUp(self) -> None:
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.kdir = make_kernel(Path(folder) / "a tree")
        self.enterContext(mock.patch.object(suites, "our_files", lambda: dict(OURS)))
        self.enterContext(contextlib.redirect_stderr(io.StringIO()))
        self.before = snapshot(self.kdir)

    def test_there_and_back(self) -> None:
        install.install(self.kdir)
        for path, content in OURS.items():
            self.assertEqual((self.kdir / path).read_bytes(), content)
        self.assertIn(b'source "mm/tests/Kconfig"', (self.kdir / "mm/Kconfig").read_bytes())
        self.assertIn(b'source "fs/iomap/tests/Kconfig"',
                      (self.kdir / "fs/Kconfig").read_bytes())
        self.assertTrue((self.kdir / "fs/iomap/Makefile").read_bytes().endswith(
            b"iter.o\nobj-y += tests/\n"))
        install.uninstall(self.kdir)
        self.assertEqual(snapshot(self.kdir), self.before)
        for folder in suites.FOLDERS:
            self.assertFalse((self.kdir / folder).exists())

    def test_mode_and_mtime_come_back(self) -> None:
        os.chmod(self.kdir / "mm/Makefile", 0o600)
        os.utime(self.kdir / "mm/Makefile", ns=(1, 2))
        before = snapshot(self.kdir)
        install.install(self.kdir)
        install.uninstall(self.kdir)
        self.assertEqual(snapshot(self.kdir), before)

    def test_twice(self) -> None:
        install.install(self.kdir)
        once = (self.kdir / "mm/Makefile").read_bytes()
        install.install(self.kdir)
        self.assertEqual((self.kdir / "mm/Makefile").read_bytes(), once)
        install.uninstall(self.kdir)
        self.assertEqual(snapshot(self.kdir), self.before)

    def test_uninstall_without_install(self) -> None:
        self.assertEqual(install.uninstall(self.kdir), 0)
        self.assertEqual(snapshot(self.kdir), self.before)

    def test_files_of_the_user_stay(self) -> None:
        (self.kdir / "mm/tests").mkdir()
        (self.kdir / "mm/tests/mine.c").write_bytes(b"mine\n")
        before = snapshot(self.kdir)
        install.install(self.kdir)
        (self.kdir / "mm/tests/later.c").write_bytes(b"later\n")
        install.uninstall(self.kdir)
        (self.kdir / "mm/tests/later.c").unlink()
        self.assertEqual(snapshot(self.kdir), before)

    def test_edited_file_is_not_thrown_away(self) -> None:
        install.install(self.kdir)
        (self.kdir / "mm/tests/a.c").write_bytes(b"edited\n")
        with self.assertRaisesRegex(GfpError, "mm/tests/a.c"):
            install.uninstall(self.kdir)
        install.uninstall(self.kdir, force=True)
        self.assertEqual(snapshot(self.kdir), self.before)

    def test_foreign_kconfig_is_refused(self) -> None:
        for folder in suites.FOLDERS:
            with self.subTest(folder):
                path = self.kdir / folder / "Kconfig"
                path.parent.mkdir()
                path.write_bytes(b"config OTHER\n")
                before = snapshot(self.kdir)
                with self.assertRaisesRegex(GfpError, f"{folder}/Kconfig"):
                    install.install(self.kdir)
                self.assertEqual(snapshot(self.kdir), before)
                path.unlink()
                path.parent.rmdir()

    def test_killed_at_any_point(self) -> None:
        real = files.write_atomically
        total = len(OURS) + len(hooks.HOOKS) + 1
        for survive in range(total):
            for half_written in (False, True):
                with self.subTest(survive=survive, half_written=half_written):
                    self._kill_install(real, survive, half_written)
                    install.uninstall(self.kdir)
                    self.assertEqual(snapshot(self.kdir), self.before)
                    for folder in suites.FOLDERS:
                        self.assertFalse((self.kdir / folder).exists())

    def _kill_install(self, real: Callable[[Path, bytes, int], None], survive: int, half_written: bool) -> None:
        count = 0

        def write(path: Path, content: bytes, mode: int = 0o644) -> None:
            nonlocal count
            if count == survive:
                if half_written:
                    (path.parent / f"{files.TEMP_PREFIX}dead").write_bytes(content[:3])
                raise Killed
            count += 1
            real(path, content, mode)

        with mock.patch.object(files, "write_atomically", write):
            with self.assertRaises(Killed):
                install.install(self.kdir)


class Hooks(unittest.TestCase):
    """Adding and removing are inverse."""

    def test_inverse(self) -> None:
        for hook in hooks.HOOKS:
            for content in (MM_KCONFIG, MM_MAKEFILE, MM_KCONFIG.rstrip(b"\n"),
                            MM_MAKEFILE.rstrip(b"\n"), FS_KCONFIG, IOMAP_MAKEFILE,
                            b"", b"\n", b"endmenu", b"a\n\n\n"):
                with self.subTest(hook=hook.path, content=content):
                    added = hooks.add(hook, content)
                    self.assertTrue(hooks.has(hook, added))
                    self.assertEqual(hooks.add(hook, added), added)
                    self.assertEqual(hooks.remove(hook, added), content)

    def test_kconfig_goes_before_the_last_endmenu(self) -> None:
        added = hooks.add(hooks.HOOKS[0], b"endmenu\nx\n\nendmenu\n")
        self.assertEqual(added, b'endmenu\nx\n\nsource "mm/tests/Kconfig"\n\nendmenu\n')


if __name__ == "__main__":
    unittest.main()
