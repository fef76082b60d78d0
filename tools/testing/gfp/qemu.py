# SPDX-License-Identifier: GPL-2.0
"""Guests that QEMU runs.

kunit.py builds their kernels but does not boot them: it asks for KVM first,
and hangs where KVM is there and does not work.
"""

import errno
import os
import platform
import re
import tempfile
import threading
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import guest
import machine
import process
from console import Progress, say
from errors import GfpError
from guest import Emulator, Guest
from machine import Qemu
from settings import Settings, mem_text

KVM = Path("/dev/kvm")
PROBE_SECONDS = 10
# What KUnit prints at the end of a boot, when told to run no test.
PROBE_ARGUMENT = "kunit.enable=0"
PROBE_LINE = b"kunit: disabled"

MEMINFO = Path("/proc/meminfo")
# What QEMU needs beside the guest's memory: translated code, most of all.
OVERHEAD = 256 << 20


@dataclass(frozen=True)
class Accelerator:
    """What a guest runs on, and why."""

    name: str
    why: str


def command(qemu: Qemu, image: Path, settings: Settings, accelerator: str,
            arguments: list[str], initramfs: Path | None = None) -> list[str]:
    """The command that boots @image under QEMU."""
    exact = settings.bench == "exact"
    return [qemu.program, "-no-user-config", "-nodefaults", "-display", "none",
            "-serial", "stdio", "-monitor", "none", "-no-reboot",
            "-accel", accelerator, *qemu.options, *(qemu.exact if exact else ()),
            "-m", f"{settings.mem >> 20}M", "-smp", str(settings.cpus), "-kernel", str(image),
            *(("-initrd", str(initramfs)) if initramfs else ()),
            "-append", " ".join([*qemu.arguments, *(() if initramfs else (qemu.after_tests,)),
                                 *(qemu.exact_arguments if exact else ()), *arguments])]


def prepare(image: Path, settings: Settings, arguments: list[str],
            initramfs: Path | None = None) -> Guest:
    """The guest that boots @image; the first one says what runs it."""
    qemu = _qemu(settings)
    check_memory(settings.mem)
    chosen = _choose(qemu, image, settings)
    words = command(qemu, image, settings, chosen.name, arguments, initramfs)
    return Guest(words, words, emulator=Emulator(_version(qemu.program), chosen.name))


def check(settings: Settings) -> None:
    """Refuse, before anything is built, what this host cannot do."""
    check_memory(settings.mem)
    if settings.accel == "kvm" and (why := _no_kvm(_qemu(settings))):
        raise GfpError(f"ACCEL=kvm: {why}")


def check_memory(size: int) -> None:
    """Refuse a guest of @size bytes that the host has no memory for."""
    match = re.search(r"^MemAvailable:\s+(\d+) kB$", MEMINFO.read_text(), re.MULTILINE)
    available = int(match[1]) << 10 if match else size + OVERHEAD
    if available < size + OVERHEAD:
        raise GfpError(f"no memory for a guest of MEM={mem_text(size)}: {available >> 20} MiB are"
                       " available; choose a smaller MEM")


def _qemu(settings: Settings) -> Qemu:
    found = machine.find(settings.arch).qemu
    assert found is not None  # boot() asks us for such machines only
    return found


def _version(program: str) -> str:
    """What the emulator calls itself: QEMU 10.0.2."""
    output = process.run([program, "--version"]).output
    match = re.search(r"version (\S+)", output)
    return f"QEMU {match[1]}" if match else output.partition("\n")[0]


# --- the accelerator

_chosen: dict[tuple[str, str], Accelerator] = {}
_choosing = threading.Lock()


def _choose(qemu: Qemu, image: Path, settings: Settings) -> Accelerator:
    """The accelerator that ACCEL forces, or the best that works; said once."""
    with _choosing:
        key = qemu.program, settings.accel
        if key not in _chosen:
            found = accelerator(qemu, image, settings)
            if not process.stopping.is_set():
                say(f"{settings.arch} runs on {found.name}: {found.why}")
            _chosen[key] = found
        return _chosen[key]


def accelerator(qemu: Qemu, image: Path, settings: Settings) -> Accelerator:
    """Find out whether KVM runs @image."""
    if settings.bench == "exact":
        return Accelerator("tcg", "only there can instructions be counted")
    if settings.accel == "tcg":
        return Accelerator("tcg", "ACCEL=tcg")
    why = _no_kvm(qemu) or _probe(qemu, image, settings)
    if not why:
        return Accelerator("kvm", f"{KVM} works, a guest booted with it")
    if settings.accel == "kvm":
        raise GfpError(f"ACCEL=kvm: {why}")
    return Accelerator("tcg", why)


def _no_kvm(qemu: Qemu) -> str:
    """Why KVM is out of the question; empty if it is not."""
    if platform.machine() != qemu.kvm_host:
        return f"KVM cannot run such a guest on {platform.machine()}"
    try:
        os.close(os.open(KVM, os.O_RDWR | os.O_CLOEXEC))
    except OSError as error:
        if error.errno == errno.ENOENT:
            return f"there is no {KVM}"
        return f"{KVM} cannot be opened: {error.strerror}"
    return ""


def _probe(qemu: Qemu, image: Path, settings: Settings) -> str:
    """Boot @image with KVM and without tests; return why that fails, if it does."""
    with tempfile.TemporaryDirectory(prefix="gfp-probe-") as name:
        log = Path(name) / "log"
        # One CPU comes up soonest.
        words = command(qemu, image, replace(settings, cpus=1), "kvm", [PROBE_ARGUMENT])

        ended = guest.run(Guest(words, words), Path(name), log, partial(
            guest.wait, log=log, limit=PROBE_SECONDS, silence=PROBE_SECONDS,
            progress=Progress("trying KVM")))
        output = log.read_bytes()
    if PROBE_LINE in output:
        return ""
    if ended.stopped:
        return f"{KVM} opens, but a guest does not boot with it within {PROBE_SECONDS} s"
    lines = output.decode(errors="replace").split("\n")
    return (f"{KVM} opens, but QEMU ended with status {ended.status}:"
            f" {next((line for line in lines if line.strip()), 'no output')}")

