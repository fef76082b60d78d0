# SPDX-License-Identifier: GPL-2.0
"""Lines of results, what is made of them, and what a benchmark may be told."""

import tempfile
import unittest
from pathlib import Path

import tests_common  # noqa: F401  (sets sys.path)

import bench
import machine
import qemu
import settings
import variant
from errors import GfpError

LINE = ("bench name={name} variant={variant} state=unmovable free=0 order=9 threads=1 n=101"
        " min=90 p50={p50} p90=100 p99=110 max=120 mean=100.500 per_page=none ticked=0 discarded=1"
        " scanned=12.000 observed=4 orders=9:3,0:97 attempts=10.000 kswapd=15.000 kcompactd=0.000"
        " reclaim=9.000 compact=15.000 drain=1.000 unit=insn")

FAILED = """\
    # filemap_ladder: ASSERTION FAILED at mm/tests/gfp_bench_measure.c:236
    Expected m->result.n > samples / 2, but
        m->result.n == 3 (0x3)

3 of 101 timed calls took the path; not as observed
"""


def line(name: str = "filemap", p50: int = 100, variant_name: str = "none") -> str:
    """A line of results as it stands in a log."""
    return "    # filemap_ladder: " + LINE.format(name=name, p50=p50, variant=variant_name)


def measured(name: str, *p50: int) -> bench.Measured:
    """A variant with one point, in as many boots as there are medians."""
    one = bench.Measured(variant.load("none"), Path("."))
    one.runs = [bench.parse(line(p50=value, variant_name=name)) for value in p50]
    return one


class Lines(unittest.TestCase):
    """Lines of results in a log."""

    def test_parse(self) -> None:
        points = bench.parse("\n".join(["KTAP version 1", line(), line("alloc_pages", 7)]))
        self.assertEqual([point.p50 for point in points.values()], [100, 7])
        self.assertEqual(next(iter(points)), ("filemap", "unmovable", "0", "9", "1"))

    def test_boots_are_compared_byte_by_byte(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            logs = [Path(name, f"ktap-{i}.log") for i in (1, 2)]
            for texts, why in (((line(), line()), ""),
                               ((line(), line(p50=101)), "ktap-2.log differs from ktap-1.log: bench"),
                               ((line(), ""), "ktap-2.log has 0 points, ktap-1.log has 1")):
                with self.subTest(why=why):
                    for log, text in zip(logs, texts):
                        log.write_text(text)
                    found = bench.differs(*logs)
                    self.assertEqual(found.startswith(why), True, found)
                    self.assertEqual(bool(found), bool(why))

    def test_nothing_measured(self) -> None:
        for text in ("", line("noop", 10)):
            self.assertRegex(bench.why_bad([], bench.parse(text)), "nothing but the clock")
        self.assertEqual(bench.why_bad([], bench.parse("\n".join([line("noop", 10), line()]))), "")
        self.assertRegex(bench.why_bad(["filemap_ladder"], bench.parse(line())), "filemap_ladder")

    def test_what_timing_is_off_by(self) -> None:
        text = "".join(f"    # gfp_bench_cost: bench-cost noop=0 left={left} smallest=9 unit=ns\n"
                       for left in (256, 512))
        self.assertEqual((bench.parse_off(text), bench.parse_off("")), (512, 0))

    def test_failures_are_told(self) -> None:
        self.assertEqual(bench.first_failures(FAILED),
                         ["3 of 101 timed calls took the path; not as observed"])


class Results(unittest.TestCase):
    """What is printed, and what is written."""

    def test_table_has_the_ratio(self) -> None:
        last = bench.table([measured("none", 200), measured("none", 50)]).splitlines()[-1]
        self.assertEqual(last.split()[:9],
                         ["filemap", "unmovable", "0", "9", "1", "200", "50", "0.250", "10.000"])

    def test_table_has_the_bounds_of_times(self) -> None:
        times = [measured("none", *values) for values in (range(1, 7), (7, 8))]
        for one in times:
            for run in one.runs:
                for point in run.values():
                    point.values["unit"] = "ns"
        last = bench.table(times).splitlines()[-1]
        self.assertEqual(last.split()[5:10], ["4", "1..6", "8", "-", "2.143"])

    def test_every_number_has_a_unit(self) -> None:
        point = bench.point_json(next(iter(bench.parse(line()).values())))
        self.assertEqual(point["p50"], {"value": 100, "unit": "insn"})
        self.assertEqual(point["per_page"], {"value": None, "unit": "insn per page"})
        self.assertEqual(point["orders"], {"value": {"9": 3, "0": 97}, "unit": "blocks"})
        for name, value in point.items():
            self.assertTrue(isinstance(value, str) or value["unit"], name)


class Variables(unittest.TestCase):
    """BENCH, REPEAT, and what does not go with them."""

    def test_defaults(self) -> None:
        found = settings.for_bench({})
        self.assertEqual((found.bench, found.arch, found.variants, found.repeat),
                         ("exact", "x86_64", ("none", "local-flag"), 1))
        self.assertEqual(settings.for_bench({"BENCH": "wall"}).arch, "um")

    def test_refused(self) -> None:
        for given, why in (({"BENCH": "fast"}, "BENCH=fast: unknown, must be exact or wall"),
                           ({"ARCH": "um"}, "BENCH=exact: no instructions are counted"),
                           ({"ACCEL": "kvm"}, "ACCEL=kvm: BENCH=exact counts instructions"),
                           ({"BENCH": "wall", "ARCH": "x86_64", "ACCEL": "tcg"},
                            "ACCEL=tcg: BENCH=wall would measure QEMU"),
                           ({"REPEAT": "0"}, "REPEAT=0: must be a number from 1 to 100")):
            with self.subTest(given=given), self.assertRaisesRegex(GfpError, why):
                settings.for_bench(given)

    def test_exact_counts(self) -> None:
        found = machine.X86_64.qemu or self.fail()
        words = qemu.command(found, Path("linux"), settings.for_bench({}), "tcg", [])
        self.assertEqual(words[words.index("-icount") + 1], "shift=0,sleep=off")
        wall = settings.for_bench({"BENCH": "wall", "ARCH": "x86_64"})
        self.assertNotIn("-icount", qemu.command(found, Path("linux"), wall, "kvm", []))


if __name__ == "__main__":
    unittest.main()
