# SPDX-License-Identifier: GPL-2.0
"""`make bench`: time the fallback to single pages, variants side by side.

The suite prints one line for each point, see mm/tests/gfp_bench_report.c:

  bench name=N variant=V state=S free=K order=O threads=T n=N min=T p50=T … unit=U
"""

import json
import platform
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from statistics import median
from typing import Any

import boot
import files
import report
import statistic
import variant as variants
import verdict
from build import Image
from console import say
from errors import STATUS_KEPT, STATUS_NOT_JUDGED, GfpError
from guest import Emulator
from judge import build_variant, open_tree, result_folder, side_by_side
from run import check_host, check_out, labels
from settings import Settings
from tree import Tree

SCHEMA = 1

# What tells one point from another.
KEYS = ("name", "state", "free", "order", "threads")
# Times are in the line's own unit; these are not times.
UNITS = {"n": "samples", "ticked": "samples", "scanned": "pages per call",
         "discarded": "samples", "observed": "calls", "orders": "blocks",
         "attempts": "attempts per call", "kswapd": "wakes per call",
         "kcompactd": "wakes per call", "reclaim": "entries per call",
         "compact": "entries per call", "drain": "blocks per call", "order": "order",
         "free": "order", "threads": "tasks", "iterations": "calls", "pages": "pages",
         "taken": "pages", "returned": "pages"}
TIMES = ("min", "p50", "p90", "p99", "max", "mean")
# The point that is no call.
NOOP = "noop"
UNIT = {"exact": "insn", "wall": "ns"}

Key = tuple[str, ...]


@dataclass(frozen=True)
class Point:
    """One line of results.

    @values: as printed, by name
    """

    values: dict[str, str]

    @property
    def key(self) -> Key:
        """What was measured."""
        return tuple(self.values[name] for name in KEYS)

    @property
    def p50(self) -> int:
        """The median."""
        return int(self.values["p50"])

    @property
    def unit(self) -> str:
        """The unit of its times."""
        return self.values["unit"]


@dataclass
class Measured:
    """All that is known of one variant.

    @runs: the points of each boot, in the order of the log
    @error: why there is none, or why they are not to be believed
    @off: of each boot, how far the time of a call that does nothing varies
    """

    variant: variants.Variant
    folder: Path
    runs: list[dict[Key, Point]] = field(default_factory=list)
    error: str = ""
    error_tail: list[str] = field(default_factory=list)
    off: list[int] = field(default_factory=list)
    command: list[str] = field(default_factory=list)
    emulator: Emulator | None = None
    seconds: dict[str, float] = field(default_factory=dict)

    def medians(self, key: Key) -> list[int]:
        """The median of a point, of each boot."""
        return [run[key].p50 for run in self.runs if key in run]

    def p50(self, key: Key) -> float | None:
        """The median of a point, over all boots."""
        found = self.medians(key)
        return median(found) if found else None


def bench(settings: Settings) -> int:
    """Measure every variant, print the table; return the exit status."""
    names = labels(settings.variants)
    check_out(settings)
    check_host(settings)
    tree = open_tree(settings, {})
    measured = list(measure(tree, list(zip(settings.variants, names)), settings))
    results = [to_json(one, tree, settings) for one in measured]
    for one, result in zip(measured, results):
        files.write_json(one.folder / "results.json", result)
        if one.error:
            say(f"{one.variant.name}: could not measure: {one.error}")
            for line in one.error_tail:
                say(f"  {line}")
    if settings.json:
        print(json.dumps(results, indent=2))
    else:
        print(table(measured))
    if settings.bench == "wall":
        say(f"time on {host()}")
        off = max((left for one in measured for left in one.off), default=0)
        say(f"timing alone is off by up to {off} ns: medians below {100 * off:,} ns are known"
            " to no better than 1%")
    say(f"logs and results.json: {settings.out}")
    return STATUS_NOT_JUDGED if any(one.error for one in measured) else STATUS_KEPT


def measure(tree: Tree, jobs: list[tuple[str, str]],
            settings: Settings) -> Iterator[Measured]:
    """Each variant with its label: where time is real one guest at a time, and in turns."""
    def begin(job: tuple[str, str]) -> tuple[Measured, Image | None]:
        return _build(tree, *job, settings)

    def whole(job: tuple[str, str]) -> Measured:
        one, image = begin(job)
        for run in range(settings.repeat):
            _boot(tree, one, image, run, settings)
        return one

    if settings.bench == "exact":
        # QEMU simulates any number of CPUs in one thread then.
        yield from side_by_side(whole, jobs, 1)
        return
    ready = [begin(job) for job in jobs]
    for run in range(settings.repeat):
        for one, image in ready if run % 2 == 0 else reversed(ready):
            _boot(tree, one, image, run, settings)
    yield from (one for one, _ in ready)


def _build(tree: Tree, name: str, label: str,
           settings: Settings) -> tuple[Measured, Image | None]:
    one = Measured(variants.load(name), result_folder(settings, tree.version, f"{label}-bench"))
    one.folder.mkdir(parents=True, exist_ok=True)
    for old in (*one.folder.glob("ktap-*.log"), one.folder / "results.json"):
        files.remove_if_there(old)
    try:
        return one, build_variant(tree, one.variant, settings, one.folder / "build.log",
                                  one.seconds)
    except GfpError as error:
        one.error = str(error) + (f"; see {error.log}" if error.log else "")
        one.error_tail = error.tail
        return one, None


@dataclass(frozen=True)
class Outcome:
    """What came of one boot.

    @error: why @points are not to be believed; empty if they are
    """

    points: dict[Key, Point]
    off: int
    booted: boot.Boot
    error: str
    error_tail: list[str]


def boot_once(tree: Tree, name: str, image: Image, log: Path, settings: Settings) -> Outcome:
    """Boot @image, of the variant @name, and read what it measured."""
    booted = boot.boot(image, settings, settings.contracts[0], log,
                       [f"gfp_bench_lib.variant={name}",
                        f"gfp_bench_lib.unit={UNIT[settings.bench]}"])
    text = log.read_text(errors="replace")
    read = verdict.read_log(text, settings.contracts[0])
    points = parse(text)
    error = (verdict.why_incomplete(booted, read, verdict.parse_ktap(tree, log))
             or why_bad(read.failed, points))
    return Outcome(points, parse_off(text), booted, error, first_failures(text) if error else [])


def _boot(tree: Tree, one: Measured, image: Image | None, run: int, settings: Settings) -> None:
    """Boot once more, unless something went wrong before."""
    if one.error or image is None:
        return
    log = one.folder / f"ktap-{run + 1}.log"
    try:
        outcome = boot_once(tree, one.variant.name, image, log, settings)
    except GfpError as error:
        one.error, one.error_tail = str(error), error.tail
        return
    booted = outcome.booted
    one.command, one.emulator = booted.command, booted.emulator
    one.seconds["boot"] = one.seconds.get("boot", 0.0) + booted.seconds
    one.error, one.error_tail = outcome.error, outcome.error_tail
    one.runs.append(outcome.points)
    one.off.append(outcome.off)
    if settings.bench == "exact" and not one.error:
        one.error = differs(one.folder / "ktap-1.log", log)


def bench_lines(text: str) -> list[str]:
    """The lines of results in a log."""
    return re.findall(r"\bbench name=.*$", text, re.MULTILINE)


def parse(text: str) -> dict[Key, Point]:
    """The points in a log."""
    points = [Point(dict(re.findall(r"(\w+)=(\S+)", line))) for line in bench_lines(text)]
    return {point.key: point for point in points}


def parse_off(text: str) -> int:
    """How far the time of a call that does nothing varied, by the log of a boot."""
    return max(map(int, re.findall(r"\bbench-cost .*\bleft=(\d+)", text)), default=0)


def first_failures(text: str) -> list[str]:
    """What the log says of the cases that failed, the first of them."""
    found = re.findall(r"^ +# \w+: (?:ASSERTION|EXPECTATION) FAILED at .*\n(?: .*\n)*\n(.+)$",
                       text, re.MULTILINE)
    return list(dict.fromkeys(found))[:5]


def why_bad(failed: list[str], points: dict[Key, Point]) -> str:
    """Why the points of a boot are not to be believed; empty if they are."""
    if failed:
        return "a point could not be measured: " + ", ".join(failed)
    if all(point.values["name"] == NOOP for point in points.values()):
        return "nothing but the clock was measured (FILTER selects nothing else?)"
    return ""


def differs(first: Path, log: Path) -> str:
    """Where the results of two boots differ, if they do."""
    one, other = (bench_lines(path.read_text(errors="replace")) for path in (first, log))
    if one == other:
        return ""
    for a, b in zip(one, other):
        if a != b:
            return f"{log.name} differs from {first.name}: {b} against {a}"
    return f"{log.name} has {len(other)} points, {first.name} has {len(one)}"


# --- results

def _number(text: str) -> float | int | None:
    if text == "none":
        return None
    return float(text) if "." in text else int(text)


def point_json(point: Point) -> dict[str, Any]:
    """A point with the unit of each number."""
    values = point.values
    found: dict[str, Any] = {name: values[name] for name in ("name", "state")}
    for name in values:
        if name in TIMES:
            found[name] = {"value": _number(values[name]), "unit": point.unit}
        elif name == "per_page":
            found[name] = {"value": _number(values[name]), "unit": f"{point.unit} per page"}
        elif name == "orders":
            pairs = re.findall(r"(\d+):(\d+)", values[name])
            found[name] = {"value": {order: int(n) for order, n in pairs}, "unit": UNITS[name]}
        elif name in UNITS:
            found[name] = {"value": _number(values[name]), "unit": UNITS[name]}
    return found


def host() -> str:
    """The machine whose time was taken, for people."""
    match = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return f"{match[1] if match else platform.machine()}, {platform.system()} {platform.release()}"


def to_json(one: Measured, tree: Tree, settings: Settings) -> dict[str, Any]:
    """results.json of one variant."""
    return {
        "schema": SCHEMA,
        "kernel": report.describe_kernel(tree),
        "variant": {"name": one.variant.name, "sha256": one.variant.sha256,
                    "what": one.variant.what},
        "arch": settings.arch,
        "mem": {"value": settings.mem, "unit": "bytes"},
        "cpus": settings.cpus,
        "mode": settings.bench,
        "host": host() if settings.bench == "wall" else None,
        "emulator": ({"version": one.emulator.version, "accelerator": one.emulator.accelerator}
                     if one.emulator else None),
        "command": one.command,
        "error": one.error,
        "seconds": {step: round(value, 2) for step, value in one.seconds.items()},
        "off": [{"value": left, "unit": UNIT[settings.bench]} for left in one.off],
        "medians": _medians_json(one) if settings.bench == "wall" else [],
        "runs": [[point_json(point) for point in run.values()] for run in one.runs],
    }


def _medians_json(one: Measured) -> list[dict[str, Any]]:
    """The median of each point over all boots, with bounds where there are boots enough."""
    found = []
    for key, point in one.runs[0].items() if one.runs else ():
        bounds = statistic.median_interval(one.medians(key))
        found.append({**dict(zip(KEYS, key)), "boots": len(one.medians(key)),
                      "p50": {"value": one.p50(key), "unit": point.unit},
                      "confidence": statistic.CONFIDENCE,
                      "low": {"value": bounds and bounds[0], "unit": point.unit},
                      "high": {"value": bounds and bounds[1], "unit": point.unit}})
    return found


def cell(value: float | None) -> str:
    """A time in a table."""
    return "-" if value is None else f"{value:,.0f}"


def ratio(one: float | None, first: float | None) -> str:
    """How one time compares with another, in a table."""
    return f"{one / first:.3f}" if one is not None and first else "-"


def interval(medians: list[int]) -> str:
    """Where a median lies, in a table."""
    bounds = statistic.median_interval(medians)
    return f"{bounds[0]:,.0f}..{bounds[1]:,.0f}" if bounds else "-"


def table(measured: list[Measured]) -> str:
    """The medians of all variants, and the ratio of each to the first."""
    points = {key: point for one in measured for run in one.runs for key, point in run.items()}
    unit = next((point.unit for point in points.values()), "")
    # Boots differ only where time is real.
    bounds = unit == UNIT["wall"]
    names = [one.variant.name for one in measured]
    heads = [[f"{name} p50", f"{statistic.CONFIDENCE:.0%} of boots"] if bounds else [f"{name} p50"]
             for name in names]
    rows = [["call", "state", "free", "order", "tasks", *chain.from_iterable(heads),
             *(f"{name}/{names[0]}" for name in names[1:]), "attempts", "compact", "reclaim"]]
    for key, point in points.items():
        medians = [one.p50(key) for one in measured]
        cells = [[cell(m), interval(one.medians(key))] if bounds else [cell(m)]
                 for m, one in zip(medians, measured)]
        first = next((one.runs[0][key] for one in measured if one.runs and key in one.runs[0]), point)
        rows.append([*key, *chain.from_iterable(cells), *(ratio(m, medians[0]) for m in medians[1:]),
                     *(first.values.get(name, "-") for name in ("attempts", "compact", "reclaim"))])
    return "\n".join([f"medians in {unit}, effects per call of {names[0]}",
                      *report.columns(rows, left=2)])
