# SPDX-License-Identifier: GPL-2.0
"""Copies of kernel trees: what is written, what is not, what comes back."""

import contextlib
import io
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from tests_common import make_kernel

import tree
from errors import GfpError
from variant import Changes


class Copy(unittest.TestCase):
    """A copy follows its KDIR."""

    def setUp(self) -> None:
        self.top = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.kdir = make_kernel(self.top / "a tree")
        self.enterContext(contextlib.redirect_stderr(io.StringIO()))
        (self.top / "trees").mkdir()

    def copy(self) -> tree.KdirCopy:
        found = tree.KdirCopy(self.top / "trees", self.kdir)
        found.folder.mkdir(exist_ok=True)
        found.sync()
        return found

    def files(self) -> set[str]:
        src = self.copy().src
        return {str(p.relative_to(src)) for p in src.rglob("*") if p.is_file()}

    def test_version_and_content(self) -> None:
        copy = self.copy()
        self.assertEqual(copy.version, "7.3.4")
        self.assertEqual(copy.read("mm/page_alloc.c"), (self.kdir / "mm/page_alloc.c").read_bytes())
        self.assertIsNone(copy.read("mm/nothing.c"))

    def test_overlay_is_undone(self) -> None:
        copy = self.copy()
        before = copy.read("mm/Kconfig")
        copy.apply({"mm/Kconfig": b"changed", "mm/tests/a.c": b"new", "mm/page_alloc.c": None})
        self.assertEqual((copy.src / "mm/Kconfig").read_bytes(), b"changed")
        self.assertFalse((copy.src / "mm/page_alloc.c").exists())
        self.assertEqual(copy.read("mm/Kconfig"), before)
        self.assertIsNone(copy.read("mm/tests/a.c"))
        copy.apply({})
        self.assertEqual((copy.src / "mm/Kconfig").read_bytes(), before)
        self.assertTrue((copy.src / "mm/page_alloc.c").exists())
        self.assertFalse((copy.src / "mm/tests").exists())

    def test_changed_by_others_while_built(self) -> None:
        copy = self.copy()
        changes: Changes = {"mm/Kconfig": b"ours", "mm/page_alloc.c": None}
        copy.apply(changes)
        copy.check_applied(changes)
        (copy.src / "mm/Kconfig").write_bytes(b"another's")
        with self.assertRaisesRegex(GfpError, "mm/Kconfig changed while the kernel was built"):
            copy.check_applied(changes)

    def test_only_changed_files_are_written(self) -> None:
        copy = self.copy()
        copy.apply({"mm/Kconfig": b"one", "mm/Makefile": b"same"})
        os.utime(copy.src / "mm/Makefile", ns=(5, 5))
        copy.apply({"mm/Kconfig": b"two", "mm/Makefile": b"same"})
        self.assertEqual((copy.src / "mm/Makefile").stat().st_mtime_ns, 5)
        self.assertEqual((copy.src / "mm/Kconfig").read_bytes(), b"two")

    def test_restored_file_has_a_fresh_mtime(self) -> None:
        os.utime(self.kdir / "mm/Kconfig", ns=(5, 5))
        copy = self.copy()
        copy.apply({"mm/Kconfig": b"one"})
        os.utime(copy.src / "mm/Kconfig", ns=(9, 9))
        copy.apply({})
        self.assertGreater((copy.src / "mm/Kconfig").stat().st_mtime_ns, 10**18)

    def test_edit_with_an_older_mtime_is_seen(self) -> None:
        copy = self.copy()
        identity = copy.identity
        (self.kdir / "mm/page_alloc.c").write_bytes(b"int other;\n")
        os.utime(self.kdir / "mm/page_alloc.c", ns=(7, 7))
        copy = self.copy()
        self.assertNotEqual(copy.identity, identity)
        self.assertEqual((copy.src / "mm/page_alloc.c").read_bytes(), b"int other;\n")
        self.assertGreater((copy.src / "mm/page_alloc.c").stat().st_mtime_ns, 10**18)

    def test_touch_alone_changes_nothing(self) -> None:
        copy = self.copy()
        identity, mtime = copy.identity, (copy.src / "mm/page_alloc.c").stat().st_mtime_ns
        os.utime(self.kdir / "mm/page_alloc.c", ns=(7, 7))
        copy = self.copy()
        self.assertEqual(copy.identity, identity)
        self.assertEqual((copy.src / "mm/page_alloc.c").stat().st_mtime_ns, mtime)

    def test_edit_under_an_overlay(self) -> None:
        copy = self.copy()
        copy.apply({"mm/page_alloc.c": b"variant\n"})
        (self.kdir / "mm/page_alloc.c").write_bytes(b"edited\n")
        copy = self.copy()
        self.assertEqual((copy.src / "mm/page_alloc.c").read_bytes(), b"variant\n")
        self.assertEqual(copy.read("mm/page_alloc.c"), b"edited\n")
        copy.apply({})
        self.assertEqual((copy.src / "mm/page_alloc.c").read_bytes(), b"edited\n")

    def test_file_of_the_user_where_one_of_ours_was(self) -> None:
        copy = self.copy()
        copy.apply({"mm/tests/a.c": b"ours\n"})
        (self.kdir / "mm/tests").mkdir()
        (self.kdir / "mm/tests/a.c").write_bytes(b"theirs\n")
        copy = self.copy()
        self.assertEqual(copy.read("mm/tests/a.c"), b"theirs\n")
        copy.apply({})
        self.assertEqual((copy.src / "mm/tests/a.c").read_bytes(), b"theirs\n")

    def test_deleted_files_go(self) -> None:
        (self.kdir / "mm/extra.c").write_bytes(b"x")
        self.assertIn("mm/extra.c", self.files())
        (self.kdir / "mm/extra.c").unlink()
        self.assertNotIn("mm/extra.c", self.files())

    def test_in_tree_build_is_left_out(self) -> None:
        for path in (".config", "vmlinux", "mm/page_alloc.o", "mm/.page_alloc.o.cmd",
                     "include/config/auto.conf", "include/generated/autoconf.h",
                     "arch/x86/include/generated/asm/a.h", "scripts/fixdep",
                     "scripts/.fixdep.cmd", ".git/config", "mm/built-in.a"):
            (self.kdir / path).parent.mkdir(parents=True, exist_ok=True)
            (self.kdir / path).write_bytes(b"x")
        self.assertEqual(self.files(), {
            "Makefile", "mm/page_alloc.c", "mm/Kconfig", "mm/Makefile", "fs/Kconfig",
            "fs/iomap/Makefile", "include/linux/pagemap.h", "include/kunit/resource.h"})

    def test_git_checkout(self) -> None:
        def git(*words: str) -> None:
            subprocess.run(["git", "-C", self.kdir, "-c", "user.name=a", "-c", "user.email=a@b",
                            *words], check=True, capture_output=True)

        (self.kdir / ".gitignore").write_bytes(b"*.o\n.*\n!.gitignore\n")
        (self.kdir / "mm/kept.o").write_bytes(b"tracked though ignored\n")
        git("init", "-q")
        git("add", "-f", ".")
        git("commit", "-qm", "x")
        (self.kdir / "mm/page_alloc.o").write_bytes(b"x")
        (self.kdir / "mm/new.c").write_bytes(b"new\n")
        (self.kdir / "mm/Makefile").unlink()
        found = self.files()
        self.assertIn("mm/kept.o", found)
        self.assertIn("mm/new.c", found)
        self.assertNotIn("mm/page_alloc.o", found)
        self.assertNotIn("mm/Makefile", found)
        self.assertTrue(self.copy().origin["source"]["git"]["dirty"])

    def test_git_checkout_that_ignores_everything(self) -> None:
        (self.kdir / ".gitignore").write_bytes(b"/*\n")
        subprocess.run(["git", "-C", self.kdir, "init", "-q"], check=True)
        self.assertIn("mm/page_alloc.c", self.files())

    def test_interrupted_copy_is_made_good(self) -> None:
        copy = self.copy()
        (copy.folder / "unfinished").touch()
        (copy.src / "mm/stale.c").write_bytes(b"x")
        self.assertNotIn("mm/stale.c", self.files())

    def test_interrupted_overlay_is_made_good(self) -> None:
        copy = self.copy()
        # Cut short after the journal was written and before the first file.
        (copy.folder / "overlay.json").write_text(
            '{"mm/Kconfig": "changed", "mm/tests/a.c": "added"}')
        copy.apply({})
        self.assertEqual((copy.src / "mm/Kconfig").read_bytes(),
                         (self.kdir / "mm/Kconfig").read_bytes())

    def test_symlinks_stay_symlinks(self) -> None:
        (self.kdir / "link").symlink_to("mm/Kconfig")
        (self.kdir / "dirlink").symlink_to("mm")
        src = self.copy().src
        self.assertEqual(os.readlink(src / "link"), "mm/Kconfig")
        self.assertEqual(os.readlink(src / "dirlink"), "mm")

    def test_not_a_kernel(self) -> None:
        (self.kdir / "mm/page_alloc.c").unlink()
        with self.assertRaisesRegex(GfpError, "not a kernel tree"):
            self.copy()

    def test_too_old(self) -> None:
        make_kernel(self.kdir, "6.1.99")
        (self.kdir / "include/linux/pagemap.h").write_bytes(b"\n")
        with self.assertRaisesRegex(GfpError, "fgf_set_order"):
            self.copy()


if __name__ == "__main__":
    unittest.main()
