# SPDX-License-Identifier: GPL-2.0
"""Booting a kernel image once, on the machine it was built for."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import guest
import initramfs
import machine
import qemu
import uml
from build import Image
from console import Progress
from guest import Emulator
from settings import Settings


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
    if settings.modules:
        initramfs.check(settings)


def library_parameters(settings: Settings, contract: str) -> dict[str, str]:
    """The parameters of what our suites share."""
    parameters = {"contract": contract}
    if settings.one_in > 1:
        parameters["one_in"] = str(settings.one_in)
    if settings.modules:
        # The guest is there for the tests, although it has a user space.
        parameters["mem_cap"] = str(settings.mem >> 20)
        # What loads a module does not look at the guest's command line.
        given = (word.partition(".") for word in settings.kernel_args)
        parameters.update((rest.partition("=")[0], rest.partition("=")[2])
                          for module, _, rest in given if module == initramfs.LIBRARY)
    return parameters


def guest_arguments(settings: Settings, parameters: Mapping[str, str]) -> list[str]:
    """The guest's command line, apart from what the machine itself needs."""
    arguments = ["kunit.enable=1"]
    if settings.modules:
        arguments.append("printk.devkmsg=on")  # the user space, however much it says
    else:
        arguments += [f"{initramfs.LIBRARY}.{name}={value}" for name, value in parameters.items()]
    if settings.nodes > 1:
        arguments.append(f"{machine.find(settings.arch).nodes_argument}={settings.nodes}")
    if settings.filter:
        arguments.append(f"kunit.filter_glob={settings.filter}")
    return [*arguments, *settings.kernel_args]


def boot(image: Image, settings: Settings, contract: str, log: Path,
         more: Sequence[str] = ()) -> Boot:
    """Boot @image under @contract, with @more arguments, with its console in @log."""
    found = machine.find(settings.arch)
    parameters = library_parameters(settings, contract)
    arguments = [*guest_arguments(settings, parameters), *more]
    user_space = log.parent / "initramfs.cpio" if settings.modules else None
    if user_space:
        initramfs.write(user_space, image, settings, parameters)
    with tempfile.TemporaryDirectory(prefix="gfp-boot-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        runner = (qemu.prepare(image.kernel, settings, arguments, user_space) if found.qemu
                  else uml.prepare(image.kernel, folder, settings, arguments, user_space))
        progress = Progress(f"running {log.parent.name}")
        ended = guest.run(runner, folder, log, partial(
            guest.wait, log=log, limit=settings.timeout, silence=found.silence, progress=progress))
        progress.clear()
    return Boot(log, runner.shown, ended.status, ended.seconds, ended.stopped, runner.emulator)
