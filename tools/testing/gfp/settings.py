# SPDX-License-Identifier: GPL-2.0
"""The variables that a user may set, checked and typed."""

import os
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import machine
from errors import GfpError

REPO = Path(__file__).resolve().parents[3]

CONTRACTS = ("nodirect", "documented")
ACCELERATORS = ("tcg", "kvm")
DEFAULT_KERNEL = "7.3"
DEMONSTRATION = ("none", "local-flag")

# What a benchmark counts: instructions, the same in each run, or nanoseconds.
BENCHES = ("exact", "wall")
# Benchmarks of the fallback; others run by FILTER.
BENCH_FILTER = "*_fallback_bench.*"
REPEAT_MAX = 100
ROUNDS_MAX = 1000
# What a round after the first may add to TIMEOUT.
ROUND_SECONDS = 60

# What switches off.
NO = ("", "0", "n", "no")

# Arguments of the guest that a variable of ours stands for, or that booting takes.
OUR_KERNEL_ARGS = ("mem", "console", "ncpus", "numa", "uml_dir", "kunit_shutdown",
                   "gfp_test_lib.contract")

MEM_MAX = 8 << 30
CPUS_MAX = 64
NODES_MAX = 8


@dataclass(frozen=True)
class Settings:
    """What to judge, on which machine, and where results go.

    @kdir:	the user's kernel tree, or None to fetch the series @kernel
    @variants:	names or paths, judged one after another
    @contracts:	the contracts each variant is judged under
    @demonstration: neither KDIR nor VARIANT was given: compare with verdicts.toml
    @mem:	guest memory in bytes
    @nodes:	NUMA nodes that it is divided into
    @accel:	the accelerator that QEMU must use; empty for the best that works
    @timeout:	seconds that one boot may take
    @kernel_args: more of the guest's command line
    @one_in:	of the cells of a sweep, judge one in so many
    @bench:	measure, in this mode of BENCHES; empty to judge
    @repeat:	times that each measurement is made
    @modules:	the suites are modules, not built in
    @rounds:	times that modules are loaded and unloaded in one boot
    """

    kdir: Path | None
    kernel: str
    variants: tuple[str, ...]
    contracts: tuple[str, ...]
    demonstration: bool
    arch: str
    filter: str
    mem: int
    cpus: int
    accel: str
    out: Path
    make_options: tuple[str, ...]
    timeout: int
    json: bool
    cache: Path
    nodes: int = 1
    kernel_args: tuple[str, ...] = ()
    one_in: int = 1
    bench: str = ""
    repeat: int = 1
    modules: bool = False
    rounds: int = 1


def mem_text(size: int) -> str:
    """Guest memory the way it is written: 64M, 1G."""
    return f"{size >> 30}G" if size % (1 << 30) == 0 else f"{size >> 20}M"


def _mem(text: str, low: int) -> int:
    match = re.fullmatch(r"(\d{1,6})([MmGg])", text)
    if not match:
        raise GfpError(f"MEM={text}: not a size such as 64M, 512M or 1G")
    size = int(match[1]) << (20 if match[2] in "Mm" else 30)
    if not low <= size <= MEM_MAX:
        raise GfpError(f"MEM={text}: must be between {mem_text(low)} and {mem_text(MEM_MAX)}")
    return size


def _number(name: str, text: str, low: int, high: int) -> int:
    if not re.fullmatch(r"\d{1,6}", text) or not low <= int(text) <= high:
        raise GfpError(f"{name}={text}: must be a number from {low} to {high}")
    return int(text)


def _contract(text: str) -> str:
    if text not in CONTRACTS:
        raise GfpError(f"CONTRACT={text}: unknown, the contracts are {' and '.join(CONTRACTS)}")
    return text


def _accel(text: str, on: machine.Machine) -> str:
    if not text:
        return text
    if not on.qemu:
        raise GfpError(f"ACCEL={text}: ARCH={on.arch} does not run under QEMU")
    if text not in ACCELERATORS:
        raise GfpError(f"ACCEL={text}: unknown, must be {' or '.join(ACCELERATORS)}")
    return text


def _series(text: str) -> str:
    if not re.fullmatch(r"\d{1,2}\.\d{1,3}", text):
        raise GfpError(f"KERNEL={text}: must be a series such as 6.12, 7.2 or 7.3"
                       " (KDIR=PATH judges any other tree)")
    return text


def _words(name: str, text: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise GfpError(f"{name}={text}: {error}") from None


def _make_options(text: str) -> tuple[str, ...]:
    words = _words("MAKE_OPTIONS", text)
    for word in words:
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*=.*", word, re.DOTALL):
            raise GfpError(f"MAKE_OPTIONS: {word} is not of the form NAME=VALUE")
        if word.split("=")[0] in ("O", "ARCH", "KBUILD_OUTPUT"):
            raise GfpError(f"MAKE_OPTIONS: {word.split('=')[0]} is ours to set")
    return words


def _kernel_args(text: str) -> tuple[str, ...]:
    words = _words("KERNEL_ARGS", text)
    for word in words:
        if re.search(r"[\s\"']", word):
            raise GfpError(f"KERNEL_ARGS: {word}: an argument has no spaces or quotes")
        if word.startswith("kunit.") or word.partition("=")[0] in OUR_KERNEL_ARGS:
            raise GfpError(f"KERNEL_ARGS: {word.partition('=')[0]} is ours to set")
    return words


def _filter(text: str) -> str:
    if re.search(r"[\s\"']", text):
        raise GfpError(f"FILTER={text}: a KUnit filter glob has no spaces or quotes")
    return text


def cache_folder(env: Mapping[str, str]) -> Path:
    """Where sources, builds and images are kept."""
    base = env.get("XDG_CACHE_HOME", "")
    # The XDG rules: a relative path is to be ignored.
    path = Path(base) if base.startswith("/") else Path("~/.cache").expanduser()
    path = path / "gfp-kunit"
    if re.search(r"[\s:]", str(path)):
        raise GfpError(f"the cache folder {path} has a space or colon in its path, which the"
                       " kernel's make refuses: set XDG_CACHE_HOME")
    return path


def _nodes(text: str, on: machine.Machine, mem: int) -> int:
    """NODES; by default as many as there is memory for."""
    room = max(1, mem // on.node_mem_min)
    nodes = _number("NODES", text or str(min(on.nodes, room)), 1, NODES_MAX)
    if nodes > 1 and not on.nodes_argument:
        raise GfpError(f"NODES={nodes}: ARCH={on.arch} has one NUMA node")
    if nodes > room:
        raise GfpError(f"NODES={nodes}: each node needs {mem_text(on.node_mem_min)}, MEM is"
                       f" {mem_text(mem)}")
    return nodes


def from_environment(env: Mapping[str, str] = os.environ) -> Settings:
    """Read the variables of make(1) or of the environment; empty means not given."""

    def get(name: str, default: str = "") -> str:
        return env.get(name, "").strip() or default

    kdir, variant = get("KDIR"), get("VARIANT")
    on = machine.find(get("ARCH", machine.UM.arch))
    demonstration = not kdir and not variant
    modules = get("MODULES") not in NO
    if get("ROUNDS") and not modules:
        raise GfpError("ROUNDS: only modules are loaded more than once, say MODULES=1")
    rounds = _number("ROUNDS", get("ROUNDS", "1"), 1, ROUNDS_MAX)
    contracts = CONTRACTS if demonstration else (_contract(get("CONTRACT", CONTRACTS[0])),)
    if demonstration and get("CONTRACT"):
        contracts = (_contract(get("CONTRACT")),)
    mem = _mem(get("MEM", "1G"), on.mem_min)
    return Settings(
        kdir=Path(kdir).expanduser() if kdir else None,
        kernel=_series(get("KERNEL", DEFAULT_KERNEL)),
        variants=_words("VARIANT", variant) or (DEMONSTRATION if demonstration else ("none",)),
        contracts=contracts,
        demonstration=demonstration,
        arch=on.arch,
        filter=_filter(get("FILTER")),
        mem=mem,
        nodes=_nodes(get("NODES"), on, mem),
        cpus=_number("CPUS", get("CPUS", "1"), 1, CPUS_MAX),
        accel=_accel(get("ACCEL"), on),
        out=Path(get("OUT", str(REPO / "build" / "out"))).expanduser(),
        make_options=_make_options(get("MAKE_OPTIONS")),
        timeout=_number("TIMEOUT", get("TIMEOUT", str(on.timeout + (rounds - 1) * ROUND_SECONDS)),
                        1, 86400),
        json=get("JSON") not in NO,
        modules=modules,
        rounds=rounds,
        cache=cache_folder(env),
        kernel_args=_kernel_args(get("KERNEL_ARGS")),
    )


def for_scaling(env: Mapping[str, str] = os.environ) -> Settings:
    """As for_bench(), for curves, whose machines are given."""
    for name in ("MEM", "CPUS", "FILTER", "REPEAT", "BENCH"):
        if env.get(name, "").strip():
            raise GfpError(f"{name} is not for scaling, which says itself what it boots")
    return for_bench(env)


def for_bench(env: Mapping[str, str] = os.environ) -> Settings:
    """As from_environment(), for a benchmark: other defaults, and BENCH and REPEAT."""
    given = {name: value.strip() for name, value in env.items() if value.strip()}
    mode = given.get("BENCH", BENCHES[0])
    if mode not in BENCHES:
        raise GfpError(f"BENCH={mode}: unknown, must be {' or '.join(BENCHES)}")
    defaults = {"ARCH": "x86_64" if mode == "exact" else "um",
                "VARIANT": " ".join(DEMONSTRATION), "MEM": "256M", "NODES": "1",
                "FILTER": BENCH_FILTER}
    settings = from_environment({**defaults, **given})
    qemu = machine.find(settings.arch).qemu
    if mode == "exact" and not qemu:
        raise GfpError(f"BENCH=exact: no instructions are counted on ARCH={settings.arch}")
    if settings.modules:
        raise GfpError("MODULES=1: benchmarks are built in")
    if mode == "exact" and settings.accel == "kvm":
        raise GfpError("ACCEL=kvm: BENCH=exact counts instructions, which TCG alone can")
    if mode == "wall" and settings.accel == "tcg":
        raise GfpError("ACCEL=tcg: BENCH=wall would measure QEMU, not the kernel")
    return replace(settings, bench=mode, accel="" if not qemu or mode == "exact" else "kvm",
                   repeat=_number("REPEAT", given.get("REPEAT", "1"), 1, REPEAT_MAX))


@dataclass(frozen=True)
class Choice:
    """Which mutants to judge.

    @names:	names or globs of them; empty for all
    @archs:	the machines whose suites judge
    @generated:	judge so many generated ones instead
    @seed:	which ones these are
    @in_full:	judge by all cells before a mutant is called a survivor
    """

    names: tuple[str, ...]
    archs: tuple[str, ...]
    generated: int = 0
    seed: int = 1
    in_full: bool = True


def for_mutants(env: Mapping[str, str] = os.environ) -> tuple[Settings, Choice]:
    """As from_environment(), for mutants: MEM and TIMEOUT are 0 unless given."""
    given = {name: value.strip() for name, value in env.items() if value.strip()}
    for name in ("VARIANT", "FILTER"):
        if name in given:
            raise GfpError(f"{name}={given[name]}: a mutant is judged by its whole suite;"
                           " MUTANTS='name name' chooses")
    settings = from_environment({**given, "VARIANT": "none"})
    generated = _number("GENERATED", given.get("GENERATED", "0"), 0, 999999)
    return (replace(settings, mem=settings.mem if "MEM" in given else 0,
                    timeout=settings.timeout if "TIMEOUT" in given else 0),
            Choice(names=_words("MUTANTS", given.get("MUTANTS", "")),
                   archs=(settings.arch,) if "ARCH" in given else tuple(machine.MACHINES),
                   generated=generated,
                   seed=_number("SEED", given.get("SEED", "1"), 0, 999999),
                   in_full=given.get("FULL", "0" if generated else "1") != "0"))
