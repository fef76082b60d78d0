# SPDX-License-Identifier: GPL-2.0
"""Mutants: what becomes of them, what is kept, and what is said about rules."""

import tempfile
import unittest
from dataclasses import replace
from pathlib import Path
from unittest import mock

from tests_common import make_kernel

import judge
import mutant
import mutation
import mutation_report
import settings
import suites
import variant
from errors import GfpError
from mutant import Judge, Record, Run, Subject
from report import Result
from tree import KdirCopy
from verdict import Cells, Judgement, Rule

LINE = "// Kills: costly_noretry\n@a@\n@@\n- return costly;\n+ return 0;\n"


def subject(name: str = "m", kills: tuple[str, ...] = ("r1",), **more: str) -> Subject:
    return Subject(name, name, "none", "gfp_compaction", kills, **more)


def record(name: str, outcome: str, broken: list[str], kills: tuple[str, ...] = (),
           **more: str) -> Record:
    return Record(subject(name, kills, **more), "key", outcome, broken)


class Outcome(unittest.TestCase):
    """What boots come to."""

    def check(self, outcome: str, broken: list[str], equivalent: str = "",
              **last: object) -> None:
        runs = [Run("s.*", 20), replace(Run("s.*", 1), **last)]  # type: ignore[arg-type]
        self.assertEqual(mutant.outcome_of(runs, broken, equivalent)[0], outcome)

    def test_killed(self) -> None:
        self.check(mutant.KILLED, ["r"])

    def test_killed_though_it_crashed_too(self) -> None:
        self.check(mutant.KILLED, ["r"], incomplete="the kernel crashed: BUG: x")

    def test_crashed(self) -> None:
        self.check(mutant.CRASHED, [], incomplete="the kernel crashed: BUG: x",
                   reason="the kernel crashed: BUG: x")

    def test_timed_out(self) -> None:
        self.check(mutant.TIMED_OUT, [], incomplete="timeout: …", timed_out=True)

    def test_survived(self) -> None:
        self.check(mutant.SURVIVED, [])

    def test_equivalent(self) -> None:
        self.check(mutant.EQUIVALENT, [], equivalent="nobody reads it")

    def test_said_to_be_equivalent_but_noticed(self) -> None:
        self.check(mutant.KILLED, ["r"], equivalent="nobody reads it")

    def test_an_unexplained_failure_is_no_verdict(self) -> None:
        self.check(mutant.NOT_JUDGED, [], reason="a test failed that no rule explains: x")

    def test_not_buildable(self) -> None:
        self.check(mutant.NOT_BUILDABLE, [], unbuildable="page_alloc.c:1: error: x")


class Chosen(unittest.TestCase):
    """MUTANTS and ARCH."""

    def test_globs(self) -> None:
        names = [s.name for s in mutation.chosen(["costly-off-*", "no-wake", "no-*"], ["um"])]
        self.assertEqual(names, ["costly-off-by-one-high", "costly-off-by-one-low", "no-wake",
                                 "no-drain"])

    def test_nothing_matches(self) -> None:
        with self.assertRaisesRegex(GfpError, "MUTANTS=nonsense"):
            mutation.chosen(["nonsense"], ["um"])

    def test_of_a_machine(self) -> None:
        um, x86 = (mutation.chosen([], [arch]) for arch in ("um", "x86_64"))
        self.assertEqual(len(um) + len(x86), len(variant.known(variant.FOLDERS[1])))
        self.assertEqual({s.suite for s in um}, {"gfp_compaction"})
        with self.assertRaisesRegex(GfpError, "ARCH"):
            mutation.chosen(["no-wake"], ["x86_64"])

    def test_one_machine_after_the_other(self) -> None:
        archs = [s.arch for s in mutation.ordered(mutation.chosen([], ["um", "x86_64"]))]
        self.assertEqual(archs, sorted(archs))

    def test_whole_suites(self) -> None:
        um = mutation.chosen([], ["um"])
        self.assertEqual(mutation.whole_suites(um), {"gfp_compaction"})
        self.assertEqual(mutation.whole_suites(um[1:]), set())

    def test_variables(self) -> None:
        found, choice = settings.for_mutants({"MUTANTS": "a 'b*'", "ARCH": "um"})
        self.assertEqual((choice.names, choice.archs), (("a", "b*"), ("um",)))
        self.assertEqual((found.mem, found.timeout, found.variants), (0, 0, ("none",)))
        found, choice = settings.for_mutants({"MEM": "64M", "TIMEOUT": "9"})
        self.assertEqual((found.mem, found.timeout), (64 << 20, 9))
        self.assertEqual(choice.archs, ("um", "x86_64"))
        with self.assertRaisesRegex(GfpError, "FILTER"):
            settings.for_mutants({"FILTER": "x"})


class Rules(unittest.TestCase):
    """What is said about rules, and the exit status."""

    killed = record("one", mutant.KILLED, ["r1"], ("r1",))
    both = record("two", mutant.KILLED, ["r1", "r2"], ("r2",))

    def scores(self, *records: Record, whole: bool = True) -> list[mutation_report.RuleScore]:
        return mutation_report.by_rule(
            records, {"gfp_compaction": ["r1", "r2", "r3"]} if whole else {})

    def test_alone(self) -> None:
        scores = {s.rule: (s.mutants, s.alone) for s in self.scores(self.killed, self.both)}
        self.assertEqual(scores, {"r1": (["one", "two"], ["one"]), "r2": (["two"], []),
                                  "r3": ([], [])})

    def test_named_in_the_summary(self) -> None:
        records = [self.killed, self.both]
        text = mutation_report.summary(records, self.scores(*records))
        self.assertIn("rules that none of these mutants breaks: r3", text)
        self.assertIn("none that they alone notice: r2", text)
        self.assertIn("2 mutants: 2 killed", text)

    def test_lines(self) -> None:
        self.assertEqual(mutation_report.line(record("s", mutant.SURVIVED, [])),
                         "survived       s (0 s)")
        crashed = replace(record("c", mutant.KILLED, ["r1"], ("r2",)), detail="BUG: x", kept=True)
        self.assertEqual(mutation_report.line(crashed),
                         "killed         c: r1 (BUT NOT r2); BUG: x (kept)")

    def status(self, *records: Record, whole: bool = False) -> int:
        return mutation.status_of(records, self.scores(*records, whole=whole))

    def test_status(self) -> None:
        self.assertEqual(self.status(self.killed, self.both), 0)
        self.assertEqual(self.status(self.killed, self.both, whole=True), 1)
        self.assertEqual(self.status(record("s", mutant.SURVIVED, [], ("r1",))), 1)
        self.assertEqual(self.status(record("e", mutant.EQUIVALENT, [], equivalent="x")), 0)
        self.assertEqual(self.status(record("e", mutant.KILLED, ["r1"], equivalent="x")), 1)
        self.assertEqual(self.status(record("o", mutant.KILLED, ["r2"], ("r1",))), 1)
        self.assertEqual(self.status(record("c", mutant.CRASHED, [], ("r1",))), 1)
        self.assertEqual(self.status(record("n", mutant.NOT_JUDGED, []), self.killed), 2)


class Kept(unittest.TestCase):
    """Judging on a kernel that is never built: what is booted, and what is found again."""

    def setUp(self) -> None:
        self.top = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.tree = KdirCopy(self.top / "trees", make_kernel(self.top / "kdir"))
        self.tree.folder.mkdir(parents=True)
        self.tree.sync()
        (self.top / "out" / "mutants").mkdir(parents=True)
        (self.top / "m.cocci").write_text(f"// File: mm/page_alloc.c\n{LINE}")
        self.booted: list[tuple[str, str, int]] = []
        # Broken rules of the mutant by filter and sample; the base breaks "old".
        self.broken: dict[tuple[str, int], list[str]] = {}
        self.enterContext(mock.patch.object(judge, "judge_variant", self.boot))
        self.enterContext(mock.patch.object(suites, "overlay", lambda *_: {}))

    def boot(self, _tree: object, name: str, chosen: settings.Settings,
             label: str = "") -> Result:
        self.booted.append((label, chosen.filter, chosen.one_in))
        broken = ["old"] if name == "none" else ["old"] + self.broken.get(
            (chosen.filter, chosen.one_in), [])
        rules = [Rule(rule, states=[Cells("s", 1, 0, 1, 0, 0)]) for rule in broken]
        return Result({}, variant.load(name), chosen,
                      judgements=[Judgement("nodirect", 1, rules=rules)])

    def judge(self, kills: tuple[str, ...] = ("new",), timeout: str = "600") -> Record:
        chosen = settings.for_mutants({"OUT": str(self.top / "out"), "TIMEOUT": timeout,
                                       "XDG_CACHE_HOME": str(self.top / "cache")})[0]
        found = mutant.subject(str(self.top / "m.cocci"))
        return Judge(self.tree, chosen).judge(replace(found, kills=kills))

    def test_found_again(self) -> None:
        self.broken["gfp_compaction.*", mutant.ONE_IN] = ["new"]
        first, second = self.judge(), self.judge()
        self.assertEqual((first.outcome, first.broken, first.kept),
                         (mutant.KILLED, ["new"], False))
        self.assertEqual((second.outcome, second.broken, second.kept),
                         (mutant.KILLED, ["new"], True))
        self.assertEqual([label for label, _, _ in self.booted],
                         ["base-none-gfp_compaction", "m"])

    def test_judged_again_when_it_changes(self) -> None:
        self.broken["gfp_compaction.*", mutant.ONE_IN] = ["new"]
        self.judge()
        with open(self.top / "m.cocci", "a", encoding="ascii") as file:
            file.write("\n")
        self.assertFalse(self.judge().kept)
        self.assertEqual(len(self.booted), 3)

    def test_named_rule_in_full(self) -> None:
        self.broken["gfp_compaction.new", 1] = ["new"]
        self.assertEqual(self.judge().outcome, mutant.KILLED)
        self.assertEqual(self.booted[-1][1:], ("gfp_compaction.new", 1))

    def test_whole_suite_in_full_before_it_survives(self) -> None:
        self.assertEqual(self.judge().outcome, mutant.SURVIVED)
        self.assertEqual(self.booted[-1], ("m-gfp_compaction-full", "gfp_compaction.*", 1))

    def test_what_the_base_breaks_counts_for_nothing(self) -> None:
        self.assertEqual(self.judge(("old",)).broken, [])

    def test_a_hang_is_given_more_time(self) -> None:
        hangs = Run("gfp_compaction.*", mutant.ONE_IN, incomplete="timeout: …", timed_out=True,
                    timeout=600)
        base = Run("gfp_compaction.*", mutant.ONE_IN)
        with mock.patch.object(Judge, "_boot", side_effect=[base, hangs, base, hangs]):
            self.assertEqual(self.judge().outcome, mutant.TIMED_OUT)
        self.assertTrue(self.judge().kept)
        self.broken["gfp_compaction.*", mutant.ONE_IN] = ["new"]
        self.assertEqual(self.judge(timeout="601").outcome, mutant.KILLED)

    def test_an_error_is_not_kept(self) -> None:
        with mock.patch.object(judge, "judge_variant", side_effect=GfpError("no space left")):
            found = self.judge()
        self.assertEqual((found.outcome, found.detail), (mutant.NOT_JUDGED, "no space left"))
        self.broken["gfp_compaction.*", mutant.ONE_IN] = ["new"]
        self.assertEqual(self.judge().outcome, mutant.KILLED)


if __name__ == "__main__":
    unittest.main()
