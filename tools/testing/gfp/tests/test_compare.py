# SPDX-License-Identifier: GPL-2.0
"""Comparing two kernels: what counts as a difference, and what does not."""

import importlib.util
import random
import tempfile
import unittest
from pathlib import Path
from typing import Any

import tests_common  # pylint: disable=unused-import

import compare
import statistic
from errors import GfpError


def results(mode: str, *runs: dict[str, int], rules: dict[str, list[str]] | None = None,
            ) -> dict[str, Any]:
    """Results with the medians of points, named by their call, of each boot."""
    unit = "insn" if mode == "exact" else "ns"

    def point(name: str, value: int) -> dict[str, Any]:
        return {"name": name, "state": "unmovable",
                **{key: {"value": 1, "unit": ""} for key in ("free", "order", "threads")},
                "p50": {"value": value, "unit": unit}, "attempts": {"value": 10, "unit": ""}}

    return {"schema": 1, "mode": mode, "arch": "x86_64", "mem": 1, "cpus": 1, "emulator": None,
            "kernel": {"version": "7.3.4"}, "variant": {"name": "none"}, "rules": rules,
            "runs": [[point(*item) for item in run.items()] for run in runs]}


class Exact(unittest.TestCase):
    """Instructions: any difference is real."""

    def verdicts(self, base: dict[str, int], head: dict[str, int],
                 threshold: float = 0) -> list[str]:
        found = compare.judge(results("exact", base), results("exact", head), threshold)
        return [d.verdict for d in found]

    def test_one_instruction(self) -> None:
        self.assertEqual(self.verdicts({"a": 1000, "b": 1000, "c": 1000},
                                       {"a": 1001, "b": 999, "c": 1000}),
                         [compare.REGRESSION, compare.IMPROVEMENT, compare.NOTHING])

    def test_threshold(self) -> None:
        self.assertEqual(self.verdicts({"a": 1000, "b": 1000}, {"a": 1010, "b": 1011}, 0.01),
                         [compare.NOTHING, compare.REGRESSION])

    def test_points_of_one_side_only(self) -> None:
        self.assertEqual(self.verdicts({"a": 1, "b": 1}, {"b": 2, "c": 2}), [compare.REGRESSION])
        base, head = results("exact", {"a": 1, "b": 1}), results("exact", {"b": 2, "c": 2})
        text = compare.table(base, head, compare.judge(base, head, 0))
        self.assertIn("only base has: a, unmovable, order 1 free, order 1, 1 tasks\n"
                      "only head has: c, unmovable", text)
        self.assertEqual([p["name"] for p in compare.to_json(base, head, [])["only"]["head"]],
                         ["c"])
        with self.assertRaisesRegex(GfpError, "no point in common"):
            self.verdicts({"a": 1}, {"b": 1})

    def test_nothing_observed(self) -> None:
        base, head = results("exact", {"noop": 10}), results("exact", {"noop": 11})
        for side in (base, head):
            side["runs"][0][0]["attempts"]["value"] = None
        self.assertRegex(compare.table(base, head, compare.judge(base, head, 0)),
                         r"\+1 +- +\+10\.0% +\(R\)")

    def test_per_attempt(self) -> None:
        base, head = results("exact", {"a": 1000}), results("exact", {"a": 1030})
        text = compare.table(base, head, compare.judge(base, head, 0))
        self.assertRegex(text, r"a +unmovable +1 +1 +1,000 +1,030 +\+30 +\+3\.0 +\+3\.0% +\(R\)")
        self.assertIn("1 regressions, 0 improvements, 0 points the same", text)


@unittest.skipIf(importlib.util.find_spec("scipy") is None, "scipy is not installed")
class Wall(unittest.TestCase):
    """Times: what boots of one kernel do to each other is no difference."""

    # Boots differ by some per cent, and now and then by a lot.
    def boots(self, chance: random.Random, points: int, boots: int) -> list[dict[str, int]]:
        return [{f"p{i}": int(10000 * chance.lognormvariate(0, 0.03)
                              * (1.5 if chance.random() < 0.05 else 1)) for i in range(points)}
                for _ in range(boots)]

    def test_false_alarms(self) -> None:
        chance = random.Random(1)
        tables, points = 60, 12
        boots = statistic.boots_needed(points) + 2
        alarms = 0
        for _ in range(tables):
            base, head = (results("wall", *self.boots(chance, points, boots)) for _ in range(2))
            alarms += any(d.verdict for d in compare.judge(base, head, 0))
        # ALPHA of 60 tables are 3; 10 or more would be a chance of 1 in 1,000.
        self.assertLess(alarms, 10)

    def test_a_difference_is_found(self) -> None:
        chance = random.Random(2)
        boots = statistic.boots_needed(3) + 4
        base, head = (self.boots(chance, 3, boots) for _ in range(2))
        for run in head:
            run["p1"] = run["p1"] * 6 // 5
        found = compare.judge(results("wall", *base), results("wall", *head), 0)
        self.assertEqual([d.verdict for d in found],
                         [compare.NOTHING, compare.REGRESSION, compare.NOTHING])

    def test_too_few_boots(self) -> None:
        with self.assertRaisesRegex(GfpError, "REPEAT=3: nothing could be told"):
            compare.judge(*(results("wall", *[{"a": 1, "b": 2}] * 3) for _ in range(2)), 0)


class Interval(unittest.TestCase):
    """Where a median lies."""

    def test_bounds(self) -> None:
        # Tables of the sign test: 95% takes six values, and the second and ninth of ten.
        self.assertIsNone(statistic.median_interval([1, 2, 3, 4, 5]))
        self.assertEqual(statistic.median_interval([6, 5, 4, 3, 2, 1]), (1, 6))
        self.assertEqual(statistic.median_interval(range(1, 11)), (2, 9))
        self.assertEqual(statistic.median_interval(range(1, 101)), (40, 61))

    def test_coverage(self) -> None:
        chance, missed, tries = random.Random(3), 0, 1000
        for _ in range(tries):
            low, high = statistic.median_interval(
                [chance.lognormvariate(0, 1) for _ in range(12)]) or self.fail()
            missed += not low <= 1 <= high
        self.assertLessEqual(missed, tries * (1 - statistic.CONFIDENCE))


class Input(unittest.TestCase):
    """What is given, and what is refused."""

    def test_rules_that_changed(self) -> None:
        base, head = ({"nodirect": rules, "documented": []} for rules in (["a", "b"], ["b", "c"]))
        found = compare.changed_rules(results("exact", rules=base), results("exact", rules=head))
        self.assertEqual(found, ["nodirect a: broken -> kept", "nodirect c: kept -> broken"])
        self.assertIsNone(compare.changed_rules(results("exact"), results("exact", rules=head)))

    def test_threshold(self) -> None:
        self.assertEqual(compare.threshold_of({"THRESHOLD": "0.5%"}), 0.005)
        self.assertEqual(compare.threshold_of({}), 0)
        with self.assertRaisesRegex(GfpError, "THRESHOLD=-1"):
            compare.threshold_of({"THRESHOLD": "-1"})

    def test_folder_without_results(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "results.json")
            path.write_text("{}")
            with self.assertRaisesRegex(GfpError, "no results of a benchmark"):
                compare.load(path, "BASE=x")


if __name__ == "__main__":
    unittest.main()
