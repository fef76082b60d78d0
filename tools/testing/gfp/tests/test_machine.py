# SPDX-License-Identifier: GPL-2.0
"""Machines, and QEMU where it works, hangs, or dies."""

import contextlib
import io
import os
import platform
import tempfile
import time
import unittest
from dataclasses import replace
from pathlib import Path
from unittest import mock

from tests_common import make_kernel

import boot
import build
import machine
import process
import qemu
import report
import settings
from build import Image
from errors import GfpError
from guest import Emulator
from tree import KdirCopy
from variant import Variant

WORKS = "echo 'kunit: disabled'"
HANGS = "sleep 60"
DIES = "echo; echo 'cannot set up guest memory'; exit 1"


def settings_of(**variables: str) -> settings.Settings:
    """What a user's variables mean, on x86_64."""
    return settings.from_environment({"ARCH": "x86_64", **variables})


class Variables(unittest.TestCase):
    """ARCH and what depends on it."""

    def test_a_machine_is_known(self) -> None:
        for arch, found in machine.MACHINES.items():
            with self.subTest(arch=arch):
                self.assertEqual(settings.from_environment({"ARCH": arch}).timeout, found.timeout)
                for name in found.fragments:
                    self.assertTrue((build.CONFIGS / name).is_file())

    def test_later_and_unknown(self) -> None:
        for arch, why in (("arm64", "not supported yet"), ("vax", "unknown")):
            with self.assertRaisesRegex(GfpError, f"ARCH={arch}: {why}, must be one of um x86_64"):
                machine.find(arch)

    def test_accelerator(self) -> None:
        self.assertEqual(settings_of().accel, "")
        self.assertEqual(settings_of(ACCEL="kvm").accel, "kvm")
        with self.assertRaisesRegex(GfpError, "ACCEL=xen: unknown, must be tcg or kvm"):
            settings_of(ACCEL="xen")
        with self.assertRaisesRegex(GfpError, "ACCEL=tcg: ARCH=um does not run under QEMU"):
            settings.from_environment({"ACCEL": "tcg"})

    def test_less_memory_than_boots(self) -> None:
        least = machine.X86_64.mem_min
        settings_of(MEM=settings.mem_text(least))
        with self.assertRaisesRegex(GfpError, "MEM="):
            settings_of(MEM=settings.mem_text(least - (1 << 20)))


class Fragments(unittest.TestCase):
    """Kconfig fragments by machine and kernel."""

    def names(self, variables: dict[str, str], kconfig: str) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            kdir = make_kernel(Path(folder, "kdir"))
            (kdir / "arch/um").mkdir(parents=True)
            (kdir / "arch/um/Kconfig").write_text(kconfig)
            tree = KdirCopy(Path(folder), kdir)
            tree.sync()
            found = build.fragments(tree, settings.from_environment(variables))
            return [path.name for path in found]

    def test_by_machine(self) -> None:
        new = "config UML_SUBARCH_SUPPORTS_SMP\n"
        self.assertEqual(self.names({}, new), ["gfp_um.config", "gfp_um_smp.config"])
        self.assertEqual(self.names({}, ""), ["gfp_um.config"])
        self.assertEqual(self.names({"ARCH": "x86_64", "CPUS": "4"}, ""), ["gfp_x86_64.config"])
        with self.assertRaisesRegex(GfpError, "CPUS=2: ARCH=um has only one CPU in Linux 7.3.4"):
            self.names({"CPUS": "2"}, "")


class Command(unittest.TestCase):
    """The line that boots a guest."""

    def words(self, **variables: str) -> list[str]:
        return qemu.command(machine.X86_64.qemu or self.fail(), Path("/images/linux"),
                            settings_of(**variables), "tcg", ["kunit.enable=1"])

    def test_size(self) -> None:
        words = self.words(CPUS="4", MEM="2G")
        for option, value in (("-smp", "4"), ("-m", "2048M"), ("-accel", "tcg"),
                              ("-kernel", "/images/linux")):
            self.assertEqual(words[words.index(option) + 1], value)
        self.assertIn("-no-reboot", words)


class FakeQemu(unittest.TestCase):
    """With a shell script for QEMU."""

    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.messages = self.enterContext(contextlib.redirect_stderr(io.StringIO()))
        self.enterContext(mock.patch.object(platform, "machine", lambda: "x86_64"))
        self.enterContext(mock.patch.object(qemu, "KVM", Path("/dev/null")))
        self.enterContext(mock.patch.object(qemu, "PROBE_SECONDS", 0.5))
        self.enterContext(mock.patch.object(qemu, "_chosen", {}))

    def script(self, with_kvm: str, with_tcg: str = "echo 'KTAP version 1'") -> None:
        """Make the script, and x86_64 the machine that it runs."""
        program = self.folder / "qemu"
        program.write_text('#!/bin/sh\ncase "$*" in\n*--version*) echo "QEMU version 1.2 (x)";;\n'
                           f'*-accel?kvm*) {with_kvm};;\n*) {with_tcg};;\nesac\n')
        program.chmod(0o755)
        fake = replace(machine.X86_64.qemu or self.fail(), program=str(program))
        self.enterContext(mock.patch.dict(machine.MACHINES, {
            "x86_64": replace(machine.X86_64, qemu=fake, silence=1)}))

    def boot(self, **variables: str) -> boot.Boot:
        return boot.boot(Image(self.folder, True), settings_of(**variables), "nodirect",
                         self.folder / "ktap.log")

    def assert_nothing_runs(self) -> None:
        running = [Path("/proc", pid, "cmdline").read_bytes() for pid in os.listdir("/proc")
                   if pid.isdigit() and Path("/proc", pid, "cmdline").exists()]
        self.assertFalse(any(bytes(self.folder) in line for line in running))

    def test_kvm_that_works(self) -> None:
        self.script(WORKS)
        booted = self.boot()
        self.assertEqual(booted.emulator, Emulator("QEMU 1.2", "kvm"))
        self.assertIn("kvm", booted.command)
        self.assertIn("gfp: x86_64 runs on kvm: ", self.messages.getvalue())

    def test_kvm_that_hangs(self) -> None:
        self.script(HANGS)
        booted = self.boot()
        self.assertEqual(booted.emulator, Emulator("QEMU 1.2", "tcg"))
        self.assertEqual(booted.log.read_text(), "KTAP version 1\n")
        self.assertIn("x86_64 runs on tcg: /dev/null opens, but a guest does not boot",
                      self.messages.getvalue())
        self.assert_nothing_runs()

    def test_kvm_that_dies(self) -> None:
        self.script(DIES)
        self.assertEqual(self.boot().emulator, Emulator("QEMU 1.2", "tcg"))
        self.assertIn("ended with status 1: cannot set up guest memory", self.messages.getvalue())

    def test_no_kvm(self) -> None:
        self.script(WORKS)
        with mock.patch.object(qemu, "KVM", Path("/nowhere/kvm")):
            self.assertEqual(self.boot().emulator, Emulator("QEMU 1.2", "tcg"))
        self.assertIn("there is no /nowhere/kvm", self.messages.getvalue())

    def test_another_host(self) -> None:
        self.script(WORKS)
        with mock.patch.object(platform, "machine", lambda: "aarch64"):
            self.assertEqual(self.boot().emulator, Emulator("QEMU 1.2", "tcg"))

    def test_said_once(self) -> None:
        self.script(WORKS)
        self.boot()
        self.boot()
        self.assertEqual(self.messages.getvalue().count("runs on"), 1)

    def test_forced(self) -> None:
        self.script(HANGS)
        self.assertEqual(self.boot(ACCEL="tcg").emulator, Emulator("QEMU 1.2", "tcg"))
        self.assertIn("runs on tcg: ACCEL=tcg", self.messages.getvalue())
        with self.assertRaisesRegex(GfpError, "ACCEL=kvm: .* does not boot"):
            self.boot(ACCEL="kvm")

    def test_forced_and_missing_is_found_before_the_build(self) -> None:
        with mock.patch.object(qemu, "KVM", Path("/nowhere/kvm")):
            with self.assertRaisesRegex(GfpError, "ACCEL=kvm: there is no /nowhere/kvm"):
                boot.check(settings_of(ACCEL="kvm"))

    def test_more_memory_than_there_is(self) -> None:
        meminfo = self.folder / "meminfo"
        meminfo.write_text("MemTotal:  9000000 kB\nMemAvailable:   1048576 kB\n")
        with mock.patch.object(qemu, "MEMINFO", meminfo):
            boot.check(settings_of(MEM="512M"))
            with self.assertRaisesRegex(GfpError, "MEM=1G: 1024 MiB are available"):
                boot.check(settings_of(MEM="1G"))

    def test_guest_that_hangs(self) -> None:
        self.script(WORKS, HANGS)
        self.assertIn("hang: the guest printed nothing for 1 s", self.boot(ACCEL="tcg").stopped)
        self.assertIn("timeout", self.boot(ACCEL="tcg", TIMEOUT="1").stopped)
        self.assert_nothing_runs()

    def test_interrupted(self) -> None:
        self.script(HANGS, HANGS)
        self.addCleanup(process.stopping.clear)
        process.stopping.set()
        began = time.monotonic()
        self.assertEqual(self.boot().stopped, "interrupted")
        self.assertLess(time.monotonic() - began, 30)
        self.assert_nothing_runs()


class Record(unittest.TestCase):
    """What results say about the emulator."""

    def test_title_and_json(self) -> None:
        variant = Variant("none", None, "", "")
        result = report.Result({"version": "7.3.4"}, variant, settings_of(CPUS="4"), error="x")
        self.assertIsNone(report.to_json(result)["emulator"])
        result.emulator = Emulator("QEMU 1.2", "tcg")
        self.assertIn("variant none, x86_64 (QEMU 1.2, tcg), 1G, 4 CPUs", report.table(result))
        self.assertEqual(report.to_json(result)["emulator"],
                         {"version": "QEMU 1.2", "accelerator": "tcg"})


if __name__ == "__main__":
    unittest.main()
