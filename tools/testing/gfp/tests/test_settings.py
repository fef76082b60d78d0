# SPDX-License-Identifier: GPL-2.0
"""Variables, apt sources, and the small readers of text."""

import tempfile
import unittest
from pathlib import Path

import tests_common  # noqa: F401  (sets sys.path)

import apt
import build
import kernel
import settings
import stated
import variant
from errors import GfpError


class Variables(unittest.TestCase):
    """What a user may set."""

    def test_defaults_are_the_demonstration(self) -> None:
        found = settings.from_environment({})
        self.assertTrue(found.demonstration)
        self.assertEqual(found.variants, ("none", "local-flag"))
        self.assertEqual(found.contracts, ("nodirect", "documented"))
        self.assertEqual((found.kernel, found.arch, found.mem), ("7.3", "um", 1 << 30))

    def test_kdir_alone(self) -> None:
        found = settings.from_environment({"KDIR": "/a b", "VARIANT": ""})
        self.assertFalse(found.demonstration)
        self.assertEqual((found.variants, found.contracts), (("none",), ("nodirect",)))
        self.assertEqual(found.kdir, Path("/a b"))

    def test_several_variants(self) -> None:
        found = settings.from_environment({"VARIANT": "none 'a b.patch'", "CONTRACT": "documented"})
        self.assertEqual(found.variants, ("none", "a b.patch"))
        self.assertEqual(found.contracts, ("documented",))

    def test_refused(self) -> None:
        for name, value in (("MEM", "12"), ("MEM", "1T"), ("MEM", "63M"), ("MEM", "9G"),
                            ("CPUS", "0"), ("CPUS", "two"), ("CPUS", "65"), ("ARCH", "arm64"),
                            ("ARCH", "vax"), ("CONTRACT", "x"), ("KERNEL", "7"),
                            ("KERNEL", "../7.3"), ("MAKE_OPTIONS", "-j4"), ("MAKE_OPTIONS", "O=/x"),
                            ("FILTER", "a b"), ("TIMEOUT", "-1"), ("VARIANT", "'a"),
                            ("NODES", "2"), ("KERNEL_ARGS", "numa=off"),
                            ("KERNEL_ARGS", "mem=2G"), ("KERNEL_ARGS", "kunit.enable=0")):
            with self.subTest(name=name, value=value):
                with self.assertRaisesRegex(GfpError, name):
                    settings.from_environment({name: value})

    def test_nodes(self) -> None:
        def nodes(**given: str) -> int:
            return settings.from_environment({"ARCH": "x86_64", **given}).nodes
        self.assertEqual((nodes(), nodes(MEM="256M"), nodes(MEM="64M"), nodes(NODES="1")),
                         (2, 2, 1, 1))
        with self.assertRaisesRegex(GfpError, "NODES=4: each node needs 128M"):
            nodes(NODES="4", MEM="256M")
        self.assertEqual(settings.for_bench({}).nodes, 1)

    def test_cache_folder(self) -> None:
        self.assertEqual(settings.cache_folder({"XDG_CACHE_HOME": "/c"}), Path("/c/gfp-kunit"))
        with self.assertRaisesRegex(GfpError, "XDG_CACHE_HOME"):
            settings.cache_folder({"XDG_CACHE_HOME": "/c d"})


DEB822 = """Types: deb deb-src
# a comment
URIs: http://mirror.example/debian
Suites: trixie trixie-updates
Components: main contrib
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: http://mirror.example/debian-security
Suites: trixie-security
Components: main

Types: deb
Enabled: no
URIs: http://off.example/debian
Suites: sid
Components: main

Types: deb
URIs: https://vendor.example/apt
Suites: stable
Components: main
"""


class AptSources(unittest.TestCase):
    """The machine's sources, in both formats."""

    def sources(self, name: str, text: str) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            etc = Path(folder)
            (etc / "sources.list.d").mkdir()
            (etc / name).write_text(text)
            return apt.private_sources(apt.system_sources(etc))

    def test_deb822(self) -> None:
        lines = "\n".join(self.sources("sources.list.d/debian.sources", DEB822))
        self.assertIn("http://mirror.example/debian trixie-updates main", lines)
        self.assertIn("http://mirror.example/debian sid main", lines)
        self.assertIn("http://mirror.example/debian-security trixie-security main", lines)
        self.assertNotIn("off.example", lines)
        self.assertNotIn("vendor.example", lines)

    def test_one_line(self) -> None:
        lines = self.sources("sources.list", "# deb http://no.example/debian sid main\n"
                             "deb [arch=amd64] http://mirror.example/debian/ bookworm main  # x\n"
                             "deb-src http://mirror.example/debian bookworm main\n"
                             "deb cdrom:[Debian]/ bookworm main\n")
        self.assertEqual(len(lines), len(set(lines)))
        self.assertTrue(all("http://mirror.example/debian/ " in line for line in lines))

    def test_none(self) -> None:
        self.assertEqual(self.sources("sources.list", ""), [])


class Texts(unittest.TestCase):
    """Readers of other programs' texts."""

    def test_version(self) -> None:
        self.assertEqual(kernel.version_of("VERSION = 7\nPATCHLEVEL = 3\nSUBLEVEL = 0\n"
                                           "EXTRAVERSION = -rc1\nNAME = x\n"), "7.3.0-rc1")
        self.assertEqual(kernel.version_of("all:\n\ttrue\n"), "")

    def test_first_errors(self) -> None:
        log = ("[10:00:00] Building KUnit Kernel ...\nERROR:root:../mm/a.c: In function 'f':\n"
               "../mm/a.c:3:9: error: 'x' undeclared\n  3 | x\nmake[3]: *** [mm/a.o] Error 1\n")
        self.assertEqual(build.first_errors(log), ["../mm/a.c:3:9: error: 'x' undeclared"])

    def test_compiler(self) -> None:
        for options, command in (((), "gcc"), (("LLVM=1",), "clang"), (("LLVM=-15",), "clang-15"),
                                 (("LLVM=/opt/",), "/opt/clang"), (("CC=gcc-12",), "gcc-12")):
            self.assertEqual(build.compiler_command(options), command)

    def test_rule_matches(self) -> None:
        found = variant.read_rule_matches(
            "one = \n---\nbinding in = []\nbinding relevant in = []\n     binding out = []\n"
            "two = \n---\nbinding in = []\nbinding relevant in = []\n"
            "three = \n---\nbinding in environment = []\n")
        self.assertEqual((found.tried, found.matched), ({"one", "two"}, {"one"}))

    def test_verdict_table(self) -> None:
        rows = stated.load()
        names = {n for folder in variant.FOLDERS for n in variant.known(folder)} | {"none"}
        for row in rows:
            self.assertTrue(row.why)
            self.assertTrue(row.kernels)
        pairs = [(row.variant, row.suite, kernel) for row in rows for kernel in row.kernels]
        self.assertEqual(len(pairs), len(set(pairs)), "a verdict is stated twice")
        self.assertEqual({row.variant for row in rows} - names, set(), "no such variant")


if __name__ == "__main__":
    unittest.main()
