# SPDX-License-Identifier: GPL-2.0
"""Host programs that we need: finding them, installing them, naming them."""

import importlib
import importlib.util
import os
import shutil
from collections.abc import Iterable
from pathlib import Path

import console
import process
from errors import GfpError
from machine import Machine

# Program and the Debian package that has it.
PACKAGES = {
    "gcc": "gcc", "ld": "binutils", "make": "make", "flex": "flex", "bison": "bison",
    "bc": "bc", "perl": "perl-base", "xz": "xz-utils", "tar": "tar", "cmp": "diffutils",
    "spatch": "coccinelle", "patch": "patch", "ccache": "ccache", "awk": "mawk",
    "dpkg-deb": "dpkg", "git": "git", "find": "findutils", "clang": "clang", "ld.lld": "lld",
    "llvm-nm": "llvm", "mypy": "mypy", "shellcheck": "shellcheck", "perl-full": "perl", "sparse": "sparse",
    "qemu-system-x86_64": "qemu-system-x86", "busybox": "busybox-static",
}
# Python module and the Debian package that has it.
MODULES = {"matplotlib": "python3-matplotlib", "scipy": "python3-scipy"}
# Header and the Debian package that has it.
HEADERS = {"stdlib.h": "libc6-dev", "gelf.h": "libelf-dev"}

COMPILERS = ("gcc", "clang")

# What a kernel build runs, whatever the configuration.
BUILD = ("ld", "make", "flex", "bison", "bc", "xz", "tar", "cmp", "awk", "find")
# What it runs with LLVM=1 instead of gcc; LLVM=-19 is all of it with that ending.
LLVM = ("clang", "ld.lld", "llvm-nm")
# Installed along with others, but nothing stops without it.
WELCOME = ("ccache",)


def cpus() -> int:
    """CPUs that we may use."""
    return len(os.sched_getaffinity(0))


def _missing(names: Iterable[str]) -> list[str]:
    return [name for name in dict.fromkeys(names) if not shutil.which(name)]


def _missing_headers(names: Iterable[str], programs: Iterable[str]) -> list[str]:
    """Headers that the compiler among @programs does not find; all if it is not there."""
    compilers = [p for p in programs if Path(p).name.startswith(COMPILERS)] or COMPILERS
    compiler = next((c for c in compilers if shutil.which(c)), None)
    return [name for name in dict.fromkeys(names) if compiler is None or process.run(
        [compiler, "-E", "-x", "c", "-"], stdin=f"#include <{name}>\n".encode()).status != 0]


def build_needs(options: tuple[str, ...]) -> list[str]:
    """Programs that a build with these make options takes."""
    names = dict(option.split("=", 1) for option in options)
    llvm = names.get("LLVM", "")
    if llvm.endswith("/"):
        compiler = [llvm + name for name in LLVM]
    elif llvm:
        compiler = [name + (llvm if llvm.startswith("-") else "") for name in LLVM]
    else:
        compiler = ["gcc"]
    if names.get("CC"):
        compiler = compiler[1:]
    return [*compiler, *BUILD]


def package_of(name: str) -> str:
    """The Debian package that has a program; that of clang-19 is clang's with the same ending."""
    program, _, version = name.rpartition("-")
    if name not in PACKAGES and program in PACKAGES and version.isdigit():
        return f"{PACKAGES[program]}-{version}"
    return PACKAGES.get(name, name)


def build_headers(on: Machine) -> list[str]:
    """Headers that a build for this machine takes."""
    return ["stdlib.h", *on.headers]


def _missing_modules(names: Iterable[str]) -> list[str]:
    importlib.invalidate_caches()
    return [name for name in names if importlib.util.find_spec(name) is None]


def require(names: Iterable[str], headers: Iterable[str] = (),
            modules: Iterable[str] = ()) -> None:
    """Make sure that programs, headers and Python modules are there: install, or name them."""
    names = list(names)
    missing = _missing(names)
    missing_headers = _missing_headers(headers, names)
    missing_modules = _missing_modules(modules)
    packages = {name: package_of(name) for name in missing}
    packages |= {f"<{name}>": HEADERS[name] for name in missing_headers}
    packages |= {name: MODULES[name] for name in missing_modules}
    if not packages:
        return
    prefix = _installer()
    if prefix is None:
        raise GfpError("missing: " + ", ".join(
            f"{name} (Debian package {package})" for name, package in packages.items()))
    _install(prefix, [*packages.values(), *(package_of(name) for name in _missing(WELCOME))])
    still = [*_missing(missing), *_missing_headers(missing_headers, names),
             *_missing_modules(missing_modules)]
    if still:
        raise GfpError(f"missing even after the install: {' '.join(still)}")


def _installer() -> list[str] | None:
    """How to become root for apt-get on Debian; None elsewhere."""
    if not Path("/etc/debian_version").is_file() or not shutil.which("apt-get"):
        return None
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") and process.run(["sudo", "-n", "true"]).status == 0:
        return ["sudo", "-n"]
    return None


def _install(prefix: list[str], packages: list[str]) -> None:
    """Install by name; the first failure may only mean that the lists are old."""
    packages = list(dict.fromkeys(packages))
    console.say(f"installing what is missing: apt-get install {' '.join(packages)}")
    env = process.clean_environment({"DEBIAN_FRONTEND": "noninteractive"})
    install = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-y",
               "--no-install-recommends", "install", *packages]
    result = process.run(install, env=env)
    if result.status != 0:
        process.run([*prefix, "apt-get", "-qq", "update"], env=env)
        result = process.run(install, env=env)
    if result.status != 0:
        why = [line for line in result.output.splitlines() if line.startswith("E:")]
        raise GfpError(f"cannot install {' '.join(packages)}:"
                       f" {why[0] if why else 'apt-get failed'}")
