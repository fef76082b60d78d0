# SPDX-License-Identifier: GPL-2.0
"""`make scaling`: what falling back costs on machines and memories of all sizes.

One attempt and a whole ladder are measured where nothing helps (the state
unmovable), stock beside the cure, against one property of the machine at a
time.  A curve is an axis here; how its points are booted is a list of data.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import bench
import files
import plot
import report
import tools
import variant as variants
from bench import Point
from build import Image
from console import say
from errors import STATUS_KEPT, STATUS_NOT_JUDGED, GfpError
from guest import Emulator
from judge import build_variant, open_tree, side_by_side
from run import check_host, check_out, labels
from settings import Settings, mem_text
from tree import Tree

SCHEMA = 1
FOLDER = "scaling"

# The calls: one attempt, and a ladder of them.
CALLS = ("alloc_pages", "filemap")
FILTER = "gfp_fallback_bench.[af]*"
STATE = "unmovable"
SAMPLES = 31

MEM, MIB = 256 << 20, 1 << 20
# The wanted order, where it is not the property.
ORDER = 9

# CPUs of the machine on which tasks allocate at the same time.
THREADS_CPUS = 8


@dataclass(frozen=True)
class Guest:
    """One boot: a machine, and what is measured on it."""

    mem: int = MEM
    cpus: int = 1
    orders: tuple[int, ...] = (ORDER,)
    frees: tuple[int, ...] = (0,)
    threads: tuple[int, ...] = (1,)

    @property
    def arguments(self) -> tuple[str, ...]:
        """Of the guest's command line."""
        lists = {"orders": self.orders, "frees": self.frees, "threads": self.threads}
        return (f"gfp_bench_lib.states={STATE}", f"gfp_bench_lib.samples={SAMPLES}",
                *(f"gfp_bench_lib.{name}={','.join(map(str, values))}"
                  for name, values in lists.items()))

    @property
    def label(self) -> str:
        """For people, and for the name of its log."""
        words = [mem_text(self.mem), f"{self.cpus}cpu"]
        for name in ("orders", "frees", "threads"):
            values = getattr(self, name)
            if len(values) > 1:
                words.append(f"{name}-{values[0]}-{values[-1]}")
        return "-".join(words)


@dataclass(frozen=True)
class Axis:
    """One curve: cost against a property.

    @name: as in results
    @title: what stands at the axis, with its unit
    @unit: of its values in results
    @fixed: the properties that stay the same, for people
    @log: each step is twice the one before
    @column: the column of bench lines that holds its values; empty if the machine does
    """

    name: str
    title: str
    unit: str
    fixed: str
    guests: tuple[Guest, ...]
    log: bool
    column: str = ""

    def value(self, guest: Guest, point: Point) -> int:
        """Where on the axis a point lies."""
        if self.column:
            return int(point.values[self.column])
        return guest.cpus if self.name == "cpus" else guest.mem // MIB


AXES = (
    Axis("cpus", "CPUs of the machine", "CPUs", f"order {ORDER}, {mem_text(MEM)}, 1 task",
         tuple(Guest(cpus=n) for n in (1, 2, 4, 8, 16, 32)), log=True),
    Axis("memory", "memory of the machine (MiB)", "MiB", f"order {ORDER}, 1 CPU, 1 task",
         tuple(Guest(mem=n * MIB) for n in (64, 256, 1024, 2048, 4096, 8192)), log=True),
    Axis("free", "largest free order", "order",
         f"order {ORDER}, {mem_text(MEM)}, 1 CPU, 1 task", (Guest(frees=tuple(range(9))),),
         log=False, column="free"),
    Axis("threads", "tasks that allocate at the same time", "tasks",
         f"order {ORDER}, {mem_text(MEM)}, {THREADS_CPUS} CPUs",
         (Guest(cpus=THREADS_CPUS, threads=(1, 2, 4, 8)),), log=True, column="threads"),
    Axis("order", "wanted order", "order", f"{mem_text(MEM)}, 1 CPU, 1 task", (Guest(orders=tuple(range(1, 10))),),
         log=False, column="order"),
)


@dataclass
class Curves:
    """All that was measured.

    @points: by variant and guest
    @left_out: guests that this host cannot run, with the reason
    """

    points: dict[tuple[str, Guest], list[Point]] = field(default_factory=dict)
    left_out: dict[Guest, str] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    emulator: Emulator | None = None

    def of(self, axis: Axis, variant: str, call: str) -> list[tuple[int, Point]]:
        """The points of one curve, in their order."""
        found = [(axis.value(guest, point), point) for guest in axis.guests
                 for point in self.points.get((variant, guest), [])
                 if point.values["name"] == call]
        return sorted(found, key=lambda entry: entry[0])


def scaling(settings: Settings) -> int:
    """Measure every curve, write and plot it; return the exit status."""
    names = labels(settings.variants)
    check_out(settings)
    tools.require((), modules=["matplotlib"])
    check_host(settings)
    tree = open_tree(settings, {})
    folder = settings.out / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    curves = measure(tree, names, folder, settings)
    result = to_json(curves, tree, names, settings)
    files.write_json(settings.out / "scaling.json", result)
    pictures = [path for axis in AXES for path in plot.curve(result, axis.name, folder)]
    if settings.json:
        print(json.dumps(result, indent=2))
    else:
        print(table(curves, names))
    for guest, why in curves.left_out.items():
        say(f"left out: {guest.label}: {why}")
    for error in curves.errors:
        say(f"could not measure: {error}")
    say(f"results: {settings.out / 'scaling.json'}; plots: {len(pictures)} files in {folder}")
    return STATUS_NOT_JUDGED if curves.errors else STATUS_KEPT


def measure(tree: Tree, names: Sequence[str], folder: Path, settings: Settings) -> Curves:
    """Boot each guest that some curve needs, once for each variant."""
    curves = Curves()
    images = dict(zip(names, _images(tree, names, folder, settings)))
    guests = list(dict.fromkeys(guest for axis in AXES for guest in axis.guests))
    # The long ones first, so that none is left over at the end.
    guests.sort(key=lambda guest: (guest.cpus, guest.mem), reverse=True)

    def one(job: tuple[Guest, str]) -> None:
        guest, name = job
        try:
            _boot(curves, tree, guest, name, images[name], folder, settings)
        except GfpError as error:
            curves.errors.append(f"{name} {guest.label}: {error}")

    for _ in side_by_side(one, [(guest, name) for guest in guests for name in names], 1):
        pass
    return curves


def _images(tree: Tree, names: Sequence[str], folder: Path, settings: Settings) -> Iterator[Image]:
    for spec, name in zip(settings.variants, names):
        yield build_variant(tree, variants.load(spec), settings, folder / f"build-{name}.log", {})


def _boot(curves: Curves, tree: Tree, guest: Guest, name: str, image: Image, folder: Path,
          settings: Settings) -> None:
    on = replace(settings, mem=guest.mem, cpus=guest.cpus, filter=FILTER,
                 kernel_args=(*settings.kernel_args, *guest.arguments))
    try:
        check_host(on)
    except GfpError as error:
        curves.left_out[guest] = str(error)
        return
    outcome = bench.boot_once(tree, name, image, folder / f"ktap-{guest.label}-{name}.log", on)
    if outcome.error:
        raise GfpError(outcome.error, tail=outcome.error_tail)
    curves.emulator = outcome.booted.emulator
    curves.points[name, guest] = [point for point in outcome.points.values()
                                  if point.values["name"] in CALLS]
    say(f"{name} {guest.label}: {outcome.booted.seconds:.0f} s")


# --- results

def to_json(curves: Curves, tree: Tree, names: Sequence[str],
            settings: Settings) -> dict[str, Any]:
    """scaling.json."""
    emulator = curves.emulator
    return {
        "schema": SCHEMA,
        "kernel": report.describe_kernel(tree),
        "arch": settings.arch,
        "mode": settings.bench,
        "emulator": ({"version": emulator.version, "accelerator": emulator.accelerator}
                     if emulator else None),
        "variants": list(names),
        "state": STATE,
        "curves": [{
            "axis": axis.name, "title": axis.title, "fixed": axis.fixed, "log": axis.log,
            "variant": name, "call": call,
            "points": [{"x": {"value": x, "unit": axis.unit}, **bench.point_json(point)}
                       for x, point in curves.of(axis, name, call)],
        } for axis in AXES for call in CALLS for name in names],
        "left_out": [{"guest": guest.label, "why": why} for guest, why in curves.left_out.items()],
        "errors": curves.errors,
    }


def table(curves: Curves, names: Sequence[str]) -> str:
    """The medians along each axis, and their ratio."""
    lines = []
    for axis in AXES:
        rows = [[axis.unit, "call", *(f"{name} p50" for name in names),
                 *(f"{name}/{names[0]}" for name in names[1:])]]
        for call in CALLS:
            found = [dict(curves.of(axis, name, call)) for name in names]
            for x in found[0]:
                medians = [float(points[x].p50) if x in points else None for points in found]
                rows.append([str(x), call, *map(bench.cell, medians),
                             *(bench.ratio(m, medians[0]) for m in medians[1:])])
        lines += [f"against {axis.title}; {axis.fixed}", *report.columns(rows, left=2), ""]
    return "\n".join(lines).rstrip()
