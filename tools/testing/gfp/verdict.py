# SPDX-License-Identifier: GPL-2.0
"""Reading the log of one boot, and judging it.

The KTAP status comes from the kernel's own `kunit.py parse`.  What a rule
promises and how many cells broke it comes from diagnostic lines that our
suites print:

  gfp-cells: contract=C rule=R state=S cells=N kept=N broken=N unjudged=N ms=N
  gfp-broken: contract=C rule=R text for people
  gfp-kept: contract=C rule=R
  gfp-unjudged: contract=C rule=R text for people
  gfp-rule: contract=C rule=R source="where the promise is written"
"""

import json
import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import process
from boot import Boot
from errors import STATUS_BROKEN, STATUS_KEPT, STATUS_NOT_JUDGED, GfpError
from tree import Tree

TAIL_LINES = 15


@dataclass
class Cells:
    """What became of the cells of one rule in one zone state."""

    state: str
    cells: int
    kept: int
    broken: int
    unjudged: int
    ms: float


@dataclass
class Rule:
    """What one boot said about one rule."""

    name: str
    source: str = ""
    states: list[Cells] = field(default_factory=list)
    sweep_texts: list[str] = field(default_factory=list)
    named_texts: list[str] = field(default_factory=list)
    named_kept: int = 0
    unjudged_texts: list[str] = field(default_factory=list)

    @property
    def texts(self) -> list[str]:
        """The broken cells that were spelled out: of the sweep first."""
        return self.sweep_texts + self.named_texts

    @property
    def cells(self) -> int:
        """Cells in all states."""
        return sum(s.cells for s in self.states)

    @property
    def broken_cells(self) -> int:
        """Broken cells in all states."""
        return sum(s.broken for s in self.states)

    @property
    def unjudged(self) -> int:
        """Cells that were attempted on an unproven state."""
        return sum(s.unjudged for s in self.states)

    @property
    def judged(self) -> bool:
        """Whether any attempt was judged by it, of the sweep or of a named case."""
        return self.cells > 0 or self.named_kept > 0 or bool(self.texts)

    @property
    def broken(self) -> bool:
        """Whether the rule was broken at all."""
        return self.broken_cells > 0 or bool(self.texts)


@dataclass
class Log:
    """The parts of a boot's log that matter to the verdict.

    @failed:	cases that failed, in the order of the log
    @explained:	cases in whose part of the log a gfp-broken line stands
    @crash:	the line that says that the kernel crashed, if one does
    @version:	the kernel's own version line
    """

    rules: dict[str, Rule] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    explained: set[str] = field(default_factory=set)
    ktap: bool = False
    complete: bool = False
    crash: str = ""
    warnings: int = 0
    tail: list[str] = field(default_factory=list)


@dataclass
class Judgement:
    """The verdict of one boot: 0 kept, 1 broken, 2 could not judge (and why).

    @incomplete: why the tests were not carried through, if they were not
    @timed_out: they were stopped from outside
    """

    contract: str
    status: int
    reason: str = ""
    incomplete: str = ""
    timed_out: bool = False
    rules: list[Rule] = field(default_factory=list)
    kunit: dict[str, Any] = field(default_factory=dict)
    warnings: int = 0
    tail: list[str] = field(default_factory=list)

    @property
    def broken(self) -> list[str]:
        """Names of the broken rules."""
        return [rule.name for rule in self.rules if rule.broken]


CRASHES = re.compile(
    r"Kernel panic|Kernel mode (?:fault|signal)|\bBUG: |Oops|segfault|general protection fault"
    r"|Out of memory: |\bOOM\b.*kill|Segmentation fault|kernel BUG at|KASAN: |Bus error")
TIMESTAMP = re.compile(r"^(?:<\d+>)?\[\s*\d+\.\d+\]\s?(?:\[[^]]*\]\s)?")


def read_log(text: str, contract: str, chosen: str = "") -> Log:
    """Read what the log of a boot says about @contract.

    Test cases of that boot failed by the contract that it was started with: @chosen,
    if that is another one.
    """
    log = Log()
    pending_explained = False
    named: set[str] = set()
    plan, results = 0, 0
    lines = text.splitlines()
    for raw in lines:
        line = TIMESTAMP.sub("", raw).rstrip()
        if match := re.search(r"gfp-(cells|broken|kept|unjudged|rule): contract=(\S+) rule=(\S+)\s*(.*)$", line):
            kind, where, name, rest = match.groups()
            case = re.search(r"#\s*(\w+):\s*gfp-", line)
            if kind == "broken" and where == (chosen or contract):
                pending_explained = True
                if case:
                    named.add(case[1])
            if where != contract:
                continue
            rule = log.rules.setdefault(name, Rule(name))
            if kind == "cells":
                rule.states.append(_read_cells(rest))
            elif kind == "rule":
                rule.source = rest.removeprefix("source=").strip().strip('"')
            elif kind == "kept":
                rule.named_kept += 1
            elif kind == "unjudged":
                rule.unjudged_texts.append(rest)
            else:
                by_named_case = case is not None and case[1] != name
                (rule.named_texts if by_named_case else rule.sweep_texts).append(rest)
            continue
        if re.match(r"K?TAP version \d", line):
            log.ktap = True
        elif match := re.match(r"1\.\.(\d+)", line):
            plan += int(match[1])
        elif match := re.match(r"(not )?ok \d+ (?:- )?(\S+)", line):
            results += 1
        elif match := re.match(r" {4}(not )?ok \d+ (?:- )?(\S+)(.*)", line):
            if match[1] and "# SKIP" not in match[3]:
                log.failed.append(match[2])
            if pending_explained or match[2] in named:
                log.explained.add(match[2])
            pending_explained = False
        elif CRASHES.search(line) and not log.crash:
            log.crash = line.strip()
        if "WARNING: " in line:
            log.warnings += 1
    log.complete = plan > 0 and results >= plan
    log.tail = _tail([line.rstrip() for line in lines if line.strip()], log.crash)
    return log


def _tail(lines: list[str], crash: str) -> list[str]:
    """The lines worth showing: those that lead to the crash, or the last ones."""
    for at, line in enumerate(lines):
        if crash and crash in line:
            return lines[max(0, at - TAIL_LINES // 2):at + TAIL_LINES // 2]
    return lines[-TAIL_LINES:]


def _read_cells(rest: str) -> Cells:
    values = dict(re.findall(r"(\w+)=(\S+)", rest))

    def number(key: str) -> int:
        value = values.get(key, "0")
        return int(value) if value.isdigit() else 0

    try:
        ms = float(values.get("ms", "0"))
    except ValueError:
        ms = 0.0
    return Cells(values.get("state", "?"), number("cells"), number("kept"),
                 number("broken"), number("unjudged"), ms)


def parse_ktap(tree: Tree, log: Path) -> dict[str, Any]:
    """The summary of `kunit.py parse` for a log."""
    with tempfile.TemporaryDirectory(prefix="gfp-parse-") as folder:
        parsed = Path(folder, "ktap.json")
        result = process.run([process.python(), tree.src / "tools/testing/kunit/kunit.py", "parse",
                              f"--json={parsed}", log.resolve()], timeout=120)
        try:
            group = json.loads(parsed.read_text())
        except (OSError, ValueError):
            group = {}
    if "misc" not in group and not group.get("sub_groups"):
        lines = result.output.strip().splitlines()
        if result.status not in (0, 1):
            raise GfpError(f"kunit.py parse failed: {lines[-1] if lines else result.status}",
                           log=log)
    return summarise_ktap(group)


def summarise_ktap(group: dict[str, Any]) -> dict[str, Any]:
    """Count the tests in kunit.py's JSON; older kernels have no "misc" counts."""
    counts = {"passed": 0, "failed": 0, "skipped": 0, "crashed": 0}
    names = {"PASS": "passed", "FAIL": "failed", "SKIP": "skipped", "ERROR": "crashed"}

    def visit(node: dict[str, Any]) -> None:
        for case in node.get("test_cases", []):
            counts[names.get(case.get("status", ""), "failed")] += 1
        for sub in node.get("sub_groups", []):
            visit(sub)

    visit(group)
    return {"tests": sum(counts.values()), **counts,
            "errors": int(group.get("misc", {}).get("errors", 0))}


def judge(boot: Boot, log: Log, kunit: dict[str, Any], contract: str) -> Judgement:
    """Apply the rules for a verdict, the reasons not to judge first."""
    verdict = Judgement(contract, STATUS_NOT_JUDGED, rules=list(log.rules.values()),
                        kunit=kunit, warnings=log.warnings, tail=log.tail)
    verdict.incomplete = why_incomplete(boot, log, kunit)
    verdict.timed_out = bool(boot.stopped)
    verdict.reason = _why_not(boot, log, kunit, verdict.incomplete)
    unjudged = [f"{rule.name}: {text}" for rule in log.rules.values()
                for text in rule.unjudged_texts[:1]]
    verdict.tail = unjudged[:TAIL_LINES] + verdict.tail
    if not verdict.reason:
        verdict.status = STATUS_BROKEN if verdict.broken else STATUS_KEPT
        verdict.tail = []
    return verdict


def refuse(verdict: Judgement, why: str) -> None:
    """Take a verdict back, if there is a reason to."""
    if why:
        verdict.status, verdict.reason = STATUS_NOT_JUDGED, why


def why_incomplete(boot: Boot, log: Log, kunit: dict[str, Any]) -> str:
    """Why a boot did not carry its tests through; empty if it did."""
    reasons = (
        (bool(log.crash), f"the kernel crashed: {log.crash}"),
        (bool(boot.stopped), boot.stopped),
        (not log.ktap, "no KUnit output: the guest did not get as far as the tests"),
        (kunit["tests"] == 0, "no test ran (FILTER selects nothing?)"),
        (kunit["crashed"] > 0, f"{kunit['crashed']} tests crashed"),
        (not log.complete, "the KUnit output is cut short: a planned test has no result"),
        (kunit["skipped"] == kunit["tests"], "every test was skipped"),
    )
    return next((text for holds, text in reasons if holds), "")


def _why_not(boot: Boot, log: Log, kunit: dict[str, Any], incomplete: str) -> str:
    """Why a boot cannot be judged; empty if it can."""
    rules = log.rules.values()
    unexplained = [case for case in log.failed if case not in log.explained]
    unjudged = [rule for rule in rules if rule.unjudged and not rule.broken]
    reasons = (
        (bool(incomplete), incomplete),
        (bool(unexplained), "a test failed that no rule explains: " + ", ".join(unexplained)),
        (bool(unjudged), "attempts on an unproven zone state, rule "
         + ", ".join(f"{r.name} ({r.unjudged} cells)" for r in unjudged)),
        (not any(r.judged for r in rules),
         "nothing was judged: no gfp-cells and no gfp-kept line in the log"),
        (kunit["failed"] > 0 and not log.failed and not any(r.broken for r in rules),
         "a suite failed outside its cases"),
        (boot.status != 0, f"the guest ended with status {boot.status}"),
    )
    return next((text for holds, text in reasons if holds), "")
