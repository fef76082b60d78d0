# SPDX-License-Identifier: GPL-2.0
"""`make modules`: which kernels it takes, and what it asks of kbuild."""

import contextlib
import io
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import tests_common  # noqa: F401  (sets sys.path)

import modules
import process
import settings
import suites
import tools
from errors import GfpError

CONFIG = ("#\n# Automatically generated file; DO NOT EDIT.\n# Linux/um 7.3.4 Kernel Configuration\n#\n"
          "CONFIG_MODULES=y\nCONFIG_KUNIT=m\nCONFIG_MMU=y\nCONFIG_TRACEPOINTS=y\n")


class BuiltKernel(unittest.TestCase):
    """A folder that looks as if a kernel had been built in it."""

    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.kdir = self.folder / "kdir"
        self.write("Makefile", "include ../Makefile\n")
        self.write("include/config/auto.conf", CONFIG)
        self.write("include/config/kernel.release", "7.3.4-x\n")
        self.write("Module.symvers", "")

    def write(self, path: str, text: str) -> None:
        """Write a file of the kernel."""
        (self.kdir / path).parent.mkdir(parents=True, exist_ok=True)
        (self.kdir / path).write_text(text)


class Find(BuiltKernel):
    """What is refused, in one line."""

    def test_found(self) -> None:
        found = modules.find_built(self.kdir)
        self.assertEqual((found.release, found.arch), ("7.3.4-x", "um"))
        self.assertIn("VMALLOC_FALLBACK_KUNIT_TEST", found.options)
        self.assertNotIn("IOMAP_FOLIO_KUNIT_TEST", found.options)

    def test_iomap(self) -> None:
        self.write("include/config/auto.conf", CONFIG + "CONFIG_BLOCK=y\nCONFIG_FS_IOMAP=y\n")
        self.assertIn("IOMAP_FOLIO_KUNIT_TEST", modules.find_built(self.kdir).options)

    def refused(self, why: str) -> None:
        """Refused, saying why, in one line."""
        with self.assertRaisesRegex(GfpError, f"KDIR=.*{why}") as caught:
            modules.find_built(self.kdir)
        self.assertNotIn("\n", str(caught.exception))

    def test_option_missing(self) -> None:
        for option in modules.NEEDS:
            lines = [line for line in CONFIG.splitlines() if f"CONFIG_{option}=" not in line]
            self.write("include/config/auto.conf", "\n".join(lines))
            self.refused(f"Linux 7.3.4-x .*no CONFIG_{option}")

    def test_built_in(self) -> None:
        self.write("include/config/auto.conf", CONFIG + "CONFIG_GFP_TEST_LIB=y\n")
        self.refused("has the suites built in")

    def test_file_missing(self) -> None:
        for path, why in (("Module.symvers", "no Module.symvers"),
                          ("include/config/kernel.release", "not built"),
                          ("include/config/auto.conf", "not built"),
                          ("Makefile", "not a kernel's build folder")):
            (self.kdir / path).unlink()
            self.refused(why)

    def test_no_folder(self) -> None:
        self.kdir = self.folder / "nowhere"
        self.refused("no such folder")
        self.kdir = self.folder / "kdir" / "Makefile"
        self.refused("not a folder")


class Build(BuiltKernel):
    """With a make that only pretends."""

    def setUp(self) -> None:
        super().setUp()
        self.out = self.folder / "out"
        self.asked: list[str] = []
        self.status = 0
        self.enterContext(mock.patch.object(process, "run_logged", self.pretend))
        self.enterContext(mock.patch.object(tools, "require", lambda _: None))
        self.enterContext(contextlib.redirect_stderr(io.StringIO()))
        self.printed = self.enterContext(contextlib.redirect_stdout(io.StringIO()))

    def pretend(self, command: list[object], log: io.BufferedWriter, *_: object,
                **__: object) -> int:
        """Do as make would, for one module."""
        self.asked = [str(word) for word in command]
        source = Path(next(word for word in self.asked if word.startswith("M="))[2:])
        (source / "modules.order").write_text("mm/tests/gfp_test_lib.o\n")
        (source / "mm/tests/gfp_test_lib.ko").write_bytes(b"module")
        log.write(b'ERROR: modpost: "kswapd" [gfp_test_lib.ko] undefined!\n')
        return self.status

    def make(self, **variables: str) -> int:
        """make modules with these variables."""
        return modules.modules(settings.from_environment(
            {"KDIR": str(self.kdir), "OUT": str(self.out), **variables}))

    def test_built(self) -> None:
        before = sorted(os.walk(self.kdir))
        self.assertEqual(self.make(), 0)
        built = self.out / "modules-7.3.4-x-um" / "gfp_test_lib.ko"
        self.assertEqual(built.read_bytes(), b"module")
        self.assertEqual(self.printed.getvalue(), f"{built}\n")
        self.assertIn("ARCH=um", self.asked)
        self.assertIn("CONFIG_GFP_COMPACTION_KUNIT_TEST=m", self.asked)
        self.assertEqual(sorted(os.walk(self.kdir)), before)

    def test_sources_are_ours_and_up_to_date(self) -> None:
        self.make()
        source = self.out / "modules-7.3.4-x-um" / "source"
        self.assertTrue(all((source / path).is_file() for path in suites.our_files()))
        (source / "mm/tests/old.c").write_text("")
        kept = (source / "mm/tests/zone_state.c").stat().st_mtime_ns
        self.make()
        self.assertFalse((source / "mm/tests/old.c").exists())
        self.assertEqual((source / "mm/tests/zone_state.c").stat().st_mtime_ns, kept)

    def test_the_kernels_compiler(self) -> None:
        self.write("include/config/auto.conf", CONFIG + "CONFIG_CC_IS_CLANG=y\n")
        self.make()
        self.assertIn("LLVM=1", self.asked)
        self.make(MAKE_OPTIONS="LLVM=-19")
        self.assertNotIn("LLVM=1", self.asked)

    def test_does_not_build(self) -> None:
        self.status = 2
        with self.assertRaisesRegex(GfpError, "do not build for Linux 7.3.4-x") as caught:
            self.make()
        self.assertRegex(caught.exception.tail[0], "kswapd.*undefined")

    def test_refused(self) -> None:
        with self.assertRaisesRegex(GfpError, "KDIR is not set"):
            self.make(KDIR="")
        self.out = self.folder / "a b"
        with self.assertRaisesRegex(GfpError, "OUT=.*space"):
            self.make()


if __name__ == "__main__":
    unittest.main()
