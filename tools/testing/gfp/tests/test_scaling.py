# SPDX-License-Identifier: GPL-2.0
"""Curves: what is booted for them, and what is made of the points."""

import importlib.util
import json
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import tests_common  # noqa: F401  (sets sys.path)

import bench
import plot
import scaling
import schema
import settings
from errors import GfpError
from guest import Emulator
from test_bench import LINE

TREE: Any = SimpleNamespace(version="7.3.4", origin={"version": "7.3.4", "identity": "x",
                                                     "source": {}})
NAMES = ["none", "local-flag"]


def points_of(guest: scaling.Guest, p50: int) -> list[bench.Point]:
    """What a guest measures."""
    lines = []
    for call in scaling.CALLS:
        line = LINE.format(name=call, variant="none", p50=p50)
        line = line.replace("min=90", f"min={p50 - 9}").replace("max=120", f"max={p50 + 9}")
        for order in guest.orders:
            for free in guest.frees:
                for threads in guest.threads:
                    lines.append(line.replace("free=0 order=9 threads=1",
                                              f"free={free} order={order} threads={threads}"))
    return list(bench.parse("\n".join(lines)).values())


def curves() -> scaling.Curves:
    """All of them, of made-up points."""
    found = scaling.Curves(emulator=Emulator("QEMU 10.0.2", "tcg"))
    for axis in scaling.AXES:
        for i, guest in enumerate(axis.guests):
            for k, name in enumerate(NAMES):
                found.points[name, guest] = points_of(guest, (1000 + i) // (1 + k))
    return found


class Measuring(unittest.TestCase):
    """What is booted."""

    def test_guests_measure_only_what_is_needed(self) -> None:
        self.assertEqual(scaling.Guest(cpus=8, threads=(1, 2)).arguments,
                         ("gfp_bench_lib.states=unmovable", "gfp_bench_lib.samples=31",
                          "gfp_bench_lib.orders=9", "gfp_bench_lib.frees=0",
                          "gfp_bench_lib.threads=1,2"))

    def test_labels_differ(self) -> None:
        guests = {guest for axis in scaling.AXES for guest in axis.guests}
        self.assertEqual(len({guest.label for guest in guests}), len(guests))

    def test_machines_are_not_to_be_chosen(self) -> None:
        with self.assertRaisesRegex(GfpError, "MEM is not for scaling"):
            settings.for_scaling({"MEM": "1G"})
        self.assertEqual(settings.for_scaling({}).bench, "exact")


class Showing(unittest.TestCase):
    """What is written."""

    def test_every_axis_has_all_its_points(self) -> None:
        found = curves()
        for axis, values in zip(scaling.AXES, ([1, 2, 4, 8, 16, 32],
                                               [64, 256, 1024, 2048, 4096, 8192],
                                               list(range(9)), [1, 2, 4, 8], list(range(1, 10)))):
            for call in scaling.CALLS:
                self.assertEqual([x for x, _ in found.of(axis, "none", call)], values, axis.name)

    def test_table(self) -> None:
        lines = scaling.table(curves(), NAMES).splitlines()
        self.assertEqual(lines[0], "against CPUs of the machine; order 9, 256M, 1 task")
        self.assertEqual(lines[2].split(), ["1", "alloc_pages", "1,001", "500", "0.500"])

    def test_schema(self) -> None:
        result = scaling.to_json(curves(), TREE, NAMES, settings.for_scaling({}))
        self.assertEqual(schema.check(json.loads(json.dumps(result)), schema.load("scaling")), [])

    @unittest.skipIf(importlib.util.find_spec("matplotlib") is None, "matplotlib is not installed")
    def test_plots_are_the_same_bytes(self) -> None:
        result = scaling.to_json(curves(), TREE, NAMES, settings.for_scaling({}))
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
            paths = plot.curve(result, "cpus", Path(one))
            self.assertEqual([path.name for path in paths], ["cpus.png", "cpus.svg"])
            for path, again in zip(paths, plot.curve(result, "cpus", Path(other))):
                self.assertEqual(path.read_bytes(), again.read_bytes())

    def test_nothing_to_plot(self) -> None:
        result = scaling.to_json(scaling.Curves(), TREE, NAMES, settings.for_scaling({}))
        self.assertEqual(result["curves"][0]["points"], [])


if __name__ == "__main__":
    unittest.main()
