# SPDX-License-Identifier: GPL-2.0
"""Host programs that we need: finding them, installing them, naming them."""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

import console
import process
from errors import GfpError

# Program and the Debian package that has it.
PACKAGES = {
    "gcc": "gcc", "ld": "binutils", "make": "make", "flex": "flex", "bison": "bison",
    "bc": "bc", "perl": "perl-base", "xz": "xz-utils", "tar": "tar", "cmp": "diffutils",
    "spatch": "coccinelle", "patch": "patch", "ccache": "ccache", "awk": "mawk",
    "dpkg-deb": "dpkg", "git": "git", "find": "findutils", "clang": "clang", "ld.lld": "lld",
    "mypy": "mypy", "shellcheck": "shellcheck", "perl-full": "perl", "sparse": "sparse",
}
LIBC_HEADER = "libc6-dev"

# What a UML build runs, whatever the configuration.
BUILD = ("ld", "make", "flex", "bison", "bc", "xz", "tar", "cmp", "awk", "find")
# Installed along with others, but nothing stops without it.
WELCOME = ("ccache",)


def cpus() -> int:
    """CPUs that we may use."""
    return len(os.sched_getaffinity(0))


def _missing(names: Iterable[str]) -> list[str]:
    return [name for name in dict.fromkeys(names) if not shutil.which(name)]


def _has_libc_headers(compiler: str) -> bool:
    result = process.run([compiler, "-E", "-x", "c", "-"], stdin=b"#include <stdlib.h>\n")
    return result.status == 0


def build_needs(options: tuple[str, ...]) -> list[str]:
    """Programs that a build with these make options takes."""
    names = dict(option.split("=", 1) for option in options)
    compiler = [] if names.get("CC") or names.get("LLVM") else ["gcc"]
    return [*compiler, *BUILD]


def require(names: Iterable[str], libc: bool = False) -> None:
    """Make sure that the programs @names are there: install them, or name them."""
    missing = _missing(names)
    packages = [PACKAGES.get(name, name) for name in missing]
    if libc and ("gcc" in missing or (shutil.which("gcc") and not _has_libc_headers("gcc"))):
        packages.append(LIBC_HEADER)
    if not packages:
        return
    prefix = _installer()
    if prefix is None:
        named = ", ".join(f"{m} (Debian package {PACKAGES.get(m, m)})" for m in missing)
        raise GfpError(f"missing: {named or LIBC_HEADER}")
    _install(prefix, packages + [PACKAGES[name] for name in _missing(WELCOME)])
    still = _missing(missing)
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
