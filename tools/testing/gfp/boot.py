# SPDX-License-Identifier: GPL-2.0
"""Booting a kernel image once, on the machine it was built for."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import guest
import machine
import qemu
import uml
from build import Image
from console import Progress
from guest import Emulator
from settings import Settings

# The parameter of our module that chooses the contract.
CONTRACT_PARAMETER = "gfp_test_lib.contract"
SAMPLE_PARAMETER = "gfp_test_lib.one_in"


@dataclass(frozen=True)
class Boot:
    """How one boot went.

    @command: as a person can repeat it
    @stopped: why it was killed, empty if the guest halted by itself
    @emulator: what ran it; None for UML
    """

    log: Path
    command: list[str]
    status: int
    seconds: float
    stopped: str
    emulator: Emulator | None = None


def check(settings: Settings) -> None:
    """Refuse, before anything is built, a guest that this host cannot run."""
    if machine.find(settings.arch).qemu:
        qemu.check(settings)
    else:
        uml.memory_folder(settings.mem)


def guest_arguments(settings: Settings, contract: str) -> list[str]:
    """The guest's command line, apart from what the machine itself needs."""
    arguments = ["kunit.enable=1", f"{CONTRACT_PARAMETER}={contract}"]
    if settings.one_in > 1:
        arguments.append(f"{SAMPLE_PARAMETER}={settings.one_in}")
    if settings.nodes > 1:
        arguments.append(f"{machine.find(settings.arch).nodes_argument}={settings.nodes}")
    if settings.filter:
        arguments.append(f"kunit.filter_glob={settings.filter}")
    return [*arguments, *settings.kernel_args]


def boot(image: Image, settings: Settings, contract: str, log: Path,
         more: Sequence[str] = ()) -> Boot:
    """Boot @image under @contract, with @more arguments, with its console in @log."""
    found = machine.find(settings.arch)
    arguments = [*guest_arguments(settings, contract), *more]
    with tempfile.TemporaryDirectory(prefix="gfp-boot-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        runner = (qemu.prepare(image.kernel, settings, arguments) if found.qemu
                  else uml.prepare(image.kernel, folder, settings, arguments))
        progress = Progress(f"running {log.parent.name}")
        ended = guest.run(runner, folder, log, partial(
            guest.wait, log=log, limit=settings.timeout, silence=found.silence, progress=progress))
        progress.clear()
    return Boot(log, runner.shown, ended.status, ended.seconds, ended.stopped, runner.emulator)
