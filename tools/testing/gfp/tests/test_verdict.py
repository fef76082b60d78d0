# SPDX-License-Identifier: GPL-2.0
"""Reading and judging logs: canned ones, for no kernel can be asked to lie."""

import unittest
from pathlib import Path

from tests_common import boot_of, kunit_of  # noqa: F401  (sets sys.path)

import verdict
from errors import STATUS_BROKEN, STATUS_KEPT, STATUS_NOT_JUDGED

CELLS = ("    # {rule}: gfp-cells: contract=nodirect rule={rule} state={state} cells={cells}"
         " kept={kept} broken={broken} unjudged={unjudged} ms=12")
BROKEN = ("    # {rule}: gfp-broken: contract=nodirect rule={rule} state unmovable, order 4,"
          " GFP_KERNEL|__GFP_NORETRY: compact 2, reclaim 1; contract: compact 0, reclaim 0")
HEAD = ["KTAP version 1", "1..1", "    KTAP version 1", "    # Subtest: gfp_compaction",
        "    1..2"]
TAIL = ["ok 1 gfp_compaction"]


def cells(rule: str, total: int, broken: int = 0, unjudged: int = 0,
          state: str = "unmovable") -> str:
    return CELLS.format(rule=rule, state=state, cells=total, broken=broken, unjudged=unjudged,
                        kept=total - broken - unjudged)


KEPT = [*HEAD, cells("costly_noretry", 100), "    ok 1 costly_noretry", "    ok 2 partition", *TAIL]


class Judge(unittest.TestCase):
    """One log, one verdict."""

    def judge(self, lines: list[str], stopped: str = "", status: int = 0,
              **counts: int) -> verdict.Judgement:
        log = verdict.read_log("\n".join(lines), "nodirect")
        return verdict.judge(boot_of(stopped, status), log, kunit_of(**counts), "nodirect")

    def test_kept(self) -> None:
        result = self.judge(KEPT, passed=2)
        self.assertEqual((result.status, result.reason), (STATUS_KEPT, ""))

    def test_broken(self) -> None:
        result = self.judge([*HEAD, cells("costly_noretry", 100, broken=60),
                             BROKEN.format(rule="costly_noretry"), "    not ok 1 costly_noretry",
                             "    ok 2 partition", "not ok 1 gfp_compaction"],
                            passed=1, failed=1)
        self.assertEqual((result.status, result.broken), (STATUS_BROKEN, ["costly_noretry"]))
        self.assertIn("compact 2, reclaim 1", result.rules[0].texts[0])

    def test_broken_with_timestamps(self) -> None:
        lines = [f"[    0.{n:06}] {line}" for n, line in enumerate(KEPT)]
        self.assertEqual(self.judge(lines, passed=2).status, STATUS_KEPT)

    def test_named_case_explains_itself_without_prefix(self) -> None:
        result = self.judge([*HEAD, cells("costly_noretry", 100), "    ok 1 costly_noretry",
                             "    gfp-broken: contract=nodirect rule=costly_noretry it drained",
                             "    not ok 2 a_named_case", "not ok 1 gfp_compaction"],
                            passed=1, failed=1)
        self.assertEqual((result.status, result.broken), (STATUS_BROKEN, ["costly_noretry"]))

    def test_named_cases_alone(self) -> None:
        kept = "    # named: gfp-kept: contract=nodirect rule=costly_noretry"
        self.assertEqual(self.judge([*HEAD, kept, "    ok 1 named", "    ok 2 partition", *TAIL],
                                    passed=2).status, STATUS_KEPT)

    def test_the_other_contract_explains_no_failure(self) -> None:
        broken = BROKEN.format(rule="costly_noretry").replace("nodirect", "documented")
        self.not_judged("no rule explains", [*HEAD, cells("nowait", 100), broken,
                                             "    not ok 1 named", "    ok 2 partition", *TAIL],
                        passed=1, failed=1)

    def test_another_contract_is_not_read(self) -> None:
        lines = [line.replace("contract=nodirect", "contract=documented") for line in KEPT]
        self.assertIn("nothing was judged", self.judge(lines, passed=2).reason)

    def not_judged(self, why: str, lines: list[str], stopped: str = "", status: int = 0,
                   **counts: int) -> None:
        result = self.judge(lines, stopped, status, **(counts or {"passed": 2}))
        self.assertEqual(result.status, STATUS_NOT_JUDGED)
        self.assertIn(why, result.reason)
        self.assertTrue(result.tail or not lines)

    def test_unexplained_failure(self) -> None:
        self.not_judged("no rule explains: partition",
                        [*HEAD, cells("costly_noretry", 100), "    ok 1 costly_noretry",
                         "    not ok 2 partition", "not ok 1 gfp_compaction"], passed=1, failed=1)

    def test_a_rule_does_not_explain_another_case(self) -> None:
        self.not_judged("no rule explains: partition",
                        [*HEAD, cells("costly_noretry", 100, broken=1),
                         BROKEN.format(rule="costly_noretry"), "    not ok 1 costly_noretry",
                         "    not ok 2 partition", "not ok 1 gfp_compaction"], failed=2)

    def test_unjudged(self) -> None:
        self.not_judged("unproven zone state",
                        [*HEAD, cells("costly_noretry", 100, unjudged=3),
                         "    ok 1 costly_noretry", "    ok 2 partition", *TAIL])

    def test_nothing_at_all(self) -> None:
        self.not_judged("no KUnit output", [], passed=0)

    def test_no_cells(self) -> None:
        self.not_judged("nothing was judged", [*HEAD, "    ok 1 costly_noretry", "    ok 2 partition", *TAIL])

    def test_zero_cells(self) -> None:
        self.not_judged("nothing was judged", [*HEAD, cells("costly_noretry", 0), "    ok 1 costly_noretry",
                                    "    ok 2 partition", *TAIL])

    def test_all_skipped(self) -> None:
        self.not_judged("skipped", [*HEAD, "    ok 1 costly_noretry # SKIP why",
                                    "    ok 2 partition # SKIP why",
                                    "ok 1 gfp_compaction # SKIP"], skipped=2)

    def test_filter_selects_nothing(self) -> None:
        self.not_judged("no test ran", ["KTAP version 1", "1..0"], passed=0)

    def test_truncated(self) -> None:
        self.not_judged("cut short", KEPT[:-2], passed=1)

    def test_panic(self) -> None:
        self.not_judged("Kernel panic - not syncing: Out of memory",
                        [*KEPT[:-2], "Kernel panic - not syncing: Out of memory"], passed=1)

    def test_panic_after_the_last_result(self) -> None:
        self.not_judged("crashed", [*KEPT, "Kernel panic - not syncing: at halt"])

    def test_timeout(self) -> None:
        self.not_judged("timeout", KEPT[:-2], stopped="timeout: …", passed=1)

    def test_exit_status(self) -> None:
        self.not_judged("status -11", KEPT, status=-11)


class Ktap(unittest.TestCase):
    """kunit.py's JSON."""

    def test_counts_nested_groups(self) -> None:
        group = {"sub_groups": [{"test_cases": [{"status": "PASS"}, {"status": "SKIP"}],
                                 "sub_groups": [{"test_cases": [{"status": "ERROR"},
                                                                {"status": "FAIL"}]}]}]}
        counts = verdict.summarise_ktap(group)
        self.assertEqual([counts[k] for k in ("tests", "passed", "failed", "crashed", "skipped")],
                         [4, 1, 1, 1, 1])


if __name__ == "__main__":
    unittest.main()
