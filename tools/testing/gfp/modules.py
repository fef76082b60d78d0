# SPDX-License-Identifier: GPL-2.0
"""`make modules`: the suites as modules, out of tree, for a kernel that has been built.

They are built from a copy under OUT, so that nothing is written to KDIR, and they
use what the kernel exports: modpost refuses the rest.
"""

import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import build
import files
import kernel
import process
import run
import suites
import tools
from console import say
from errors import GfpError
from settings import Settings

# What the kernel has to have, and why.
NEEDS = {
    "MODULES": "loads no modules",
    "KUNIT": "has no KUnit",
    "MMU": "has no page allocator to speak of",
    "TRACEPOINTS": "has no tracepoints",
}


@dataclass(frozen=True)
class Part:
    """Options that are built together, and those of the kernel that they need."""

    options: tuple[str, ...]
    needs: tuple[str, ...] = ()


PARTS = (
    Part(("GFP_TEST_LIB", "GFP_COMPACTION_KUNIT_TEST", "FILEMAP_FALLBACK_KUNIT_TEST",
          "VMALLOC_FALLBACK_KUNIT_TEST")),
    Part(("IOMAP_FOLIO_FILE", "IOMAP_FOLIO_KUNIT_TEST"), needs=("BLOCK", "FS_IOMAP")),
)
# Not suites; off, whatever the kernel's own configuration says.
OFF = ("GFP_BENCH_LIB", "GFP_FALLBACK_BENCH", "IOMAP_FALLBACK_BENCH")

# What ties the folders together, as the hooks do in a tree.
KBUILD = "".join(f"obj-y += {folder}/\n" for folder in suites.FOLDERS) + (
    f"subdir-ccflags-y += -I$(src)/{suites.FOLDERS[0]}\n")


@dataclass(frozen=True)
class Built:
    """A kernel that has been built.

    @arch: as its make takes it
    @config: the options that are set, without CONFIG_
    """

    folder: Path
    release: str
    arch: str
    config: Mapping[str, str]

    @property
    def options(self) -> list[str]:
        """Ours that fit it."""
        return [option for part in PARTS if all(need in self.config for need in part.needs)
                for option in part.options]


def find_built(kdir: Path) -> Built:
    """Refuse a KDIR that no module can be built for, in one line."""
    what = f"KDIR={kdir}"
    kernel.check_folder(kdir)
    read = kernel.reader(kdir.resolve())
    if read("Makefile") is None:
        raise GfpError(f"{what}: not a kernel's build folder (no Makefile)")
    text = (read("include/config/auto.conf") or b"").decode(errors="replace")
    release = (read("include/config/kernel.release") or b"").decode(errors="replace").strip()
    arch = re.search(r"^# Linux/(\S+) \S+ Kernel Configuration$", text, re.MULTILINE)
    if not release or arch is None:
        raise GfpError(f"{what}: not built (no include/config/auto.conf or kernel.release);"
                       " say the folder that the kernel was built in")
    config = dict(re.findall(r"^CONFIG_(\w+)=(.*)$", text, re.MULTILINE))
    for need, lack in NEEDS.items():
        if need not in config:
            raise GfpError(f"{what}: Linux {release} {lack} (no CONFIG_{need})")
    if config.get("GFP_TEST_LIB") == "y":
        raise GfpError(f"{what}: Linux {release} has the suites built in (CONFIG_GFP_TEST_LIB=y)")
    if read("Module.symvers") is None:
        raise GfpError(f"{what}: no Module.symvers, which says what Linux {release} exports;"
                       " run make there to its end")
    return Built(kdir.resolve(), release, arch[1], config)


def _copy_sources(folder: Path) -> None:
    """Bring our files in @folder up to date; what did not change is not built again."""
    ours: dict[str, bytes] = {**suites.our_files(), "Kbuild": KBUILD.encode()}
    for path, content in ours.items():
        there = folder / path
        if not there.is_file() or there.read_bytes() != content:
            there.parent.mkdir(parents=True, exist_ok=True)
            there.write_bytes(content)
    for file in folder.rglob("*.[ch]"):
        if str(file.relative_to(folder)) not in ours and not file.name.endswith(".mod.c"):
            file.unlink()


def command(built: Built, source: Path, options: tuple[str, ...]) -> list[str | Path]:
    """Build the modules in @source."""
    names = {option.split("=", 1)[0] for option in options}
    if built.config.get("CC_IS_CLANG") and not names & {"CC", "LLVM"}:
        options = ("LLVM=1", *options)
    return ["make", "-C", built.folder, f"M={source}", f"ARCH={built.arch}",
            f"--jobs={tools.cpus()}", "modules",
            *(f"CONFIG_{option}=m" for option in built.options),
            *(f"CONFIG_{option}=" for option in OFF), *options]


def modules(settings: Settings) -> int:
    """Build the modules for the kernel at KDIR and say where they are."""
    if settings.kdir is None:
        raise GfpError("KDIR is not set: say which kernel was built,"
                       " as in KDIR=/lib/modules/$(uname -r)/build")
    built = find_built(settings.kdir)
    run.check_out(settings)
    tools.require(tools.build_needs(settings.make_options))
    folder = settings.out.resolve() / f"modules-{built.release}-{built.arch}"
    if re.search(r"[\s:]", str(folder)):
        raise GfpError(f"OUT={settings.out}: the kernel's make takes no path with a space or colon")
    source, log = folder / "source", folder / "build.log"
    _copy_sources(source)
    for old in folder.glob("*.ko"):
        files.remove_if_there(old)
    with open(log, "wb") as out:
        status = process.run_logged(command(built, source, settings.make_options), out,
                                    process.clean_environment(), lambda: None, cwd=folder)
    if status != 0:
        raise GfpError(f"the modules do not build for Linux {built.release}", log=log,
                       tail=[line.replace(f"{source}/", "")
                             for line in build.first_errors(log.read_text(errors="replace"))])
    names = [Path(name).with_suffix(".ko")
             for name in (source / "modules.order").read_text().split()]
    say(f"modules for Linux {built.release}, each after those that it needs:")
    for name in names:
        shutil.copy2(source / name, folder / name.name)
        print(folder / name.name)
    return 0
