# SPDX-License-Identifier: GPL-2.0
"""Suites as modules: the guest's user space, and the rounds that it makes."""

import platform
import stat
import tempfile
import unittest
from collections.abc import Mapping
from pathlib import Path
from unittest import mock

import tests_common  # noqa: F401  (sets sys.path)

import boot
import build
import initramfs
import machine
import qemu
import report
import rounds
import settings
import uml
import verdict
from build import Image
from errors import GfpError
from variant import Variant


def settings_of(**variables: str) -> settings.Settings:
    """What a user's variables mean, for modules."""
    return settings.from_environment({"MODULES": "1", **variables})


def unpack(archive: bytes) -> dict[str, tuple[int, bytes]]:
    """Mode and content of each file of a cpio archive."""
    found, at = {}, 0
    while True:
        assert archive[at:at + 6] == initramfs.MAGIC
        fields = [int(archive[at + 6 + 8 * i:at + 14 + 8 * i], 16) for i in range(13)]
        mode, size, name_size = fields[1], fields[6], fields[11]
        name = archive[at + 110:at + 110 + name_size - 1].decode()
        content = (at + 110 + name_size + 3) // 4 * 4
        at = (content + size + 3) // 4 * 4
        if name == initramfs.TRAILER:
            return found
        found[name] = (mode, archive[content:content + size])


def elf(header_type: int) -> bytes:
    """The least of an ELF64 program: one program header of a type."""
    head = bytearray(64)
    head[:5] = b"\x7fELF\2"
    head[32:40] = (64).to_bytes(8, "little")
    head[54:56], head[56:58] = (56).to_bytes(2, "little"), (1).to_bytes(2, "little")
    return bytes(head) + header_type.to_bytes(4, "little") + bytes(52)


class Variables(unittest.TestCase):
    """MODULES and ROUNDS."""

    def test_defaults(self) -> None:
        found = settings.from_environment({})
        self.assertEqual((found.modules, found.rounds), (False, 1))
        self.assertFalse(settings.from_environment({"MODULES": "0"}).modules)

    def test_rounds(self) -> None:
        found = settings_of(ROUNDS="100")
        self.assertEqual((found.modules, found.rounds), (True, 100))
        self.assertGreater(found.timeout, settings_of().timeout)

    def test_refused(self) -> None:
        for variables in ({"ROUNDS": "2"}, {"MODULES": "1", "ROUNDS": "0"},
                          {"MODULES": "1", "ROUNDS": "many"}):
            with self.assertRaisesRegex(GfpError, "ROUNDS"):
                settings.from_environment(variables)
        with self.assertRaisesRegex(GfpError, "MODULES=1: benchmarks are built in"):
            settings.for_bench({"MODULES": "1"})

    def test_parameters_reach_the_module(self) -> None:
        found = settings_of(MEM="256M", KERNEL_ARGS="gfp_test_lib.fail_nth=7 quiet")
        parameters = boot.library_parameters(found, "documented")
        self.assertEqual(parameters, {"contract": "documented", "mem_cap": "256", "fail_nth": "7"})
        arguments = boot.guest_arguments(found, parameters)
        self.assertIn("quiet", arguments)
        self.assertNotIn("gfp_test_lib.contract=documented", arguments)

    def test_built_in_suites_take_them_from_the_command_line(self) -> None:
        found = settings.from_environment({})
        arguments = boot.guest_arguments(found, boot.library_parameters(found, "nodirect"))
        self.assertEqual(arguments, ["kunit.enable=1", "gfp_test_lib.contract=nodirect"])


class UserSpace(unittest.TestCase):
    """What the guest boots into."""

    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.folder / "busybox").write_bytes(elf(1))
        self.which = self.enterContext(mock.patch.object(
            initramfs.shutil, "which", lambda name: str(self.folder / name)))

    def test_contents(self) -> None:
        for name in ("gfp_test_lib.ko", "gfp_compaction_kunit.ko"):
            (self.folder / name).write_bytes(name.encode())
        (self.folder / build.MODULES_ORDER).write_text("gfp_test_lib.ko\ngfp_compaction_kunit.ko\n")
        path = self.folder / "initramfs.cpio"
        initramfs.write(path, Image(self.folder, True), settings_of(ROUNDS="3"), {"contract": "x"})
        found = unpack(path.read_bytes())
        self.assertEqual(found["modules/order"][1], b"gfp_test_lib.ko\ngfp_compaction_kunit.ko\n")
        self.assertEqual(found["modules/gfp_test_lib.ko"][1], b"gfp_test_lib.ko")
        self.assertEqual(found["init"], (stat.S_IFREG | 0o755, initramfs.SCRIPT.read_bytes()))
        self.assertTrue(stat.S_ISCHR(found["dev/kmsg"][0]))
        self.assertEqual(found["settings"][1].decode(), "ROUNDS=3\nFIRST=contract=x\n"
                         f"LATER='contract=x one_in={initramfs.LATER_ONE_IN}'\nOFF=poweroff\n")

    def test_the_same_each_time(self) -> None:
        entries = [initramfs.Entry("a", stat.S_IFREG | 0o644, b"12345")]
        self.assertEqual(initramfs.archive(entries), initramfs.archive(entries))
        self.assertEqual(len(initramfs.archive(entries)) % 4, 0)

    def test_busybox_that_no_guest_can_run(self) -> None:
        (self.folder / "busybox").write_bytes(elf(initramfs.PT_INTERP))
        with self.assertRaisesRegex(GfpError, "linked dynamically.*busybox-static"):
            initramfs.check(settings_of())
        with mock.patch.object(initramfs.shutil, "which", lambda name: None):
            with self.assertRaisesRegex(GfpError, "no busybox; install Debian's busybox-static"):
                initramfs.check(settings_of())

    def test_another_host(self) -> None:
        with mock.patch.object(platform, "machine", lambda: "aarch64"):
            with self.assertRaisesRegex(GfpError, "busybox of aarch64 does not run on ARCH=x86_64"):
                initramfs.check(settings_of(ARCH="x86_64"))

    def test_commands(self) -> None:
        words = uml.command(Path("/linux"), Path("/f"), settings_of(), [], Path("/f/cpio"))
        self.assertIn("initrd=/f/cpio", words)
        self.assertNotIn("kunit_shutdown=halt", words)
        found = machine.X86_64.qemu or self.fail()
        words = qemu.command(found, Path("/linux"), settings_of(ARCH="x86_64"), "tcg", [],
                             Path("/f/cpio"))
        self.assertEqual(words[words.index("-initrd") + 1], "/f/cpio")
        self.assertNotIn(found.after_tests, words[words.index("-append") + 1])

    def test_fragments(self) -> None:
        for arch, found in machine.MACHINES.items():
            self.assertEqual(build.overrides(settings.from_environment({"ARCH": arch})), [])
            names = [path.name for path in build.overrides(settings_of(ARCH=arch))]
            self.assertEqual(names, list(found.modules))
            self.assertTrue(all(path.is_file() for path in build.overrides(settings_of(ARCH=arch))))


MODULE = """KTAP version 1
1..1
    KTAP version 1
    # Subtest: {suite}
    1..1
    # {suite}: gfp-cells: contract=nodirect rule={rule} state=unmovable cells=9 kept={kept} broken={broken} unjudged=0 ms=1
    {ok} 1 {rule}
{ok} 1 {suite}
"""


def module(suite: str = "a", rule: str = "nofail", broken: int = 0) -> str:
    """What loading a module of one rule prints."""
    text = MODULE.format(suite=suite, rule=rule, kept=9 - broken, broken=broken,
                         ok="not ok" if broken else "ok")
    if broken:
        text = text.replace("    not ok", f"    # {rule}: gfp-broken: contract=nodirect"
                            f" rule={rule} seen\n    not ok", 1)
    return text


def one_round(number: int, text: str, free: int = 1000, modules: int = 0, slab: int = 0) -> str:
    """A round that came to its end."""
    return (f"[    1.0] gfp-guest: round {number} begins\n{text}"
            f"[    2.0] gfp-guest: round {number} ended: free_pages={free} slab_kib={slab}"
            f" modules={modules}\n")


class Rounds(unittest.TestCase):
    """What is made of what the guest says."""

    def complaint(self, log: str, **variables: str) -> str:
        found = rounds.read(log)
        return rounds.complaint(found, settings_of(**variables), "nodirect")

    def test_read(self) -> None:
        found = rounds.read("booting\n" + one_round(1, module()) + one_round(2, module(), 990)
                            + "Kernel panic\n")
        self.assertEqual([one.memory["free_pages"] for one in found], [1000, 990])
        self.assertEqual(found[0].text, module())
        self.assertIn("Kernel panic", found[1].text)

    def test_modules_read_as_one_document(self) -> None:
        text = rounds.as_one_document(module("a") + "[    1.5] noise\n" + module("b"))
        self.assertEqual(text.count("\nKTAP version 1\n"), 0)  # the indented ones stay
        self.assertTrue(text.startswith("KTAP version 1\n1..2\n"))
        self.assertIn("\nok 1 a\n", text)
        self.assertIn("\nok 2 b\n", text)
        self.assertTrue(verdict.read_log(text, "nodirect").complete)

    def test_a_module_without_a_result_is_seen(self) -> None:
        text = rounds.as_one_document(module("a") + module("b").rsplit("ok", 1)[0])
        self.assertFalse(verdict.read_log(text, "nodirect").complete)

    def test_no_suite_chosen(self) -> None:
        self.assertTrue(rounds.as_one_document("").startswith("KTAP version 1\n1..0\n"))

    def test_all_is_well(self) -> None:
        log = "".join(one_round(n, module()) for n in (1, 2, 3))
        self.assertEqual(self.complaint(log, ROUNDS="3"), "")

    def test_what_the_first_round_broke_may_be_broken_again(self) -> None:
        log = one_round(1, module(broken=9)) + one_round(2, module(broken=1))
        self.assertEqual(self.complaint(log, ROUNDS="2"), "")

    def test_what_is_wrong(self) -> None:
        good = one_round(1, module())
        for log, why in (
                (good, "only 1 of 2 rounds began"),
                (good + "gfp-guest: round 2 begins\n" + module(), "round 2 did not end"),
                (good + one_round(2, module(broken=1)), "round 2: breaks what the first round kept"),
                (good + one_round(2, module(), modules=1), "round 2: 1 modules are left"),
                (good + "gfp-guest: round 2 begins\ngfp-guest: failed: cannot load x.ko\n",
                 "round 2: cannot load x.ko"),
                (good + one_round(2, module() + "[    1.0] BUG: bad page state\n"),
                 "round 2: the kernel crashed"),
                (good + one_round(2, "KTAP version 1\n1..1\n"), "round 2: .* cut short")):
            with self.subTest(why=why):
                self.assertRegex(self.complaint(log, ROUNDS="2"), why)

    def test_memory_that_does_not_come_back(self) -> None:
        def losing(pages: int) -> str:
            return "".join(one_round(n, module(), 5000 - (n > 1) * 3000 - (n > 2) * pages)
                           for n in (1, 2, 3))

        self.assertEqual(self.complaint(losing(rounds.KEPT_PAGES), ROUNDS="3"), "")
        self.assertRegex(self.complaint(losing(rounds.KEPT_PAGES + 1), ROUNDS="3"),
                         "17 pages are missing after round 3 that were there after round 2")

    def slabs(self, *sizes: int) -> str:
        """The complaint about rounds after which the slabs hold so many pages."""
        return self.complaint("".join(one_round(n, module(), 1000 - size, slab=4 * size)
                                      for n, size in enumerate(sizes, 1)), ROUNDS=str(len(sizes)))

    def test_slabs(self) -> None:
        self.assertEqual(self.slabs(10, 200, 205, 290, 240), "")
        self.assertEqual(self.slabs(10, 200, 264), "")
        self.assertEqual(self.slabs(10, 265, 200, 270, 201, 280), "")
        self.assertRegex(self.slabs(10, 200, 265), "the slabs grew by 65 pages")
        self.assertRegex(self.slabs(10, 200, 265, 270, 290, 280), "the slabs grew by 70 pages")


class Record(unittest.TestCase):
    """What results say."""

    def result(self, **variables: str) -> report.Result:
        variant = Variant("none", None, "", "")
        return report.Result({"version": "7.3.4"}, variant, settings_of(**variables), error="x")

    def test_title(self) -> None:
        self.assertIn("1 CPU, modules", report.table(self.result()))
        self.assertIn("1 CPU, modules, 3 rounds", report.table(self.result(ROUNDS="3")))

    def test_json(self) -> None:
        result = self.result(ROUNDS="2")
        result.rounds = [{"free_pages": 1}]
        modules: Mapping[str, object] = report.to_json(result)["modules"]
        self.assertEqual(modules, {"rounds": 2, "memory": [{"free_pages": 1}]})


if __name__ == "__main__":
    unittest.main()
