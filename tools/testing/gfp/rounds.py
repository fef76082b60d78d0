# SPDX-License-Identifier: GPL-2.0
"""What a guest says that loads and unloads the suites, round after round.

  gfp-guest: round 1 begins
  ... the KTAP of each module
  gfp-guest: round 1 ended: free_pages=N slab_kib=N ... modules=N
  gfp-guest: failed: why
"""

import re
from dataclasses import dataclass, field

import verdict
from settings import Settings

BEGINS = re.compile(r"gfp-guest: round (\d+) begins$")
ENDED = re.compile(r"gfp-guest: round (\d+) ended: (.*)$")
FAILED = re.compile(r"gfp-guest: failed: (.*)$")

# What may be missing after any number of rounds: stacks of tasks that have ended,
# which the kernel keeps for the next ones and counts nowhere.
KEPT_PAGES = 16
# How much more the slabs may hold: half-empty ones come and go.
KEPT_SLAB_PAGES = 64

# KiB in a page, on all machines that we have.
PAGE_KIB = 4


@dataclass
class Round:
    """One round: the part of the log, and the memory when all was unloaded again."""

    text: str = ""
    memory: dict[str, int] = field(default_factory=dict)
    failed: str = ""

    @property
    def ended(self) -> bool:
        """Whether the guest got to its end."""
        return bool(self.memory)


def read(log: str) -> list[Round]:
    """The rounds of a log; what comes after the last one is part of it."""
    found: list[Round] = []
    lines: list[list[str]] = []
    for line in log.splitlines():
        if BEGINS.search(line):
            found.append(Round())
            lines.append([])
        elif not found:
            continue
        elif match := ENDED.search(line):
            found[-1].memory = {name: int(value)
                                for name, value in re.findall(r"(\w+)=(\d+)", match[2])}
        elif match := FAILED.search(line):
            found[-1].failed = match[1]
        else:
            lines[-1].append(line)
    for one, text in zip(found, lines):
        one.text = "".join(f"{line}\n" for line in text)
    return found


def as_one_document(text: str) -> str:
    """The KTAP of a round, as if the suites had been built in.

    Each module that is loaded begins a document of its own: one version line, a
    plan, and one result.
    """
    lines: list[str] = []
    plan_at, plan = -1, 0
    results = 0
    for raw in text.splitlines():
        match = verdict.TIMESTAMP.match(raw)
        prefix = match[0] if match else ""
        line = raw[len(prefix):]
        if re.match(r"K?TAP version \d", line):
            if plan_at < 0:
                lines += [raw, prefix]
                plan_at = len(lines) - 1
        elif match := re.match(r"1\.\.(\d+)$", line.rstrip()):
            plan += int(match[1])
        elif match := re.match(r"((?:not )?ok )\d+( .*)$", line):
            results += 1
            lines.append(f"{prefix}{match[1]}{results}{match[2]}")
        else:
            lines.append(raw)
    if plan_at < 0:
        lines = ["KTAP version 1", "1..0", *lines]  # as KUnit says where no suite is chosen
    else:
        lines[plan_at] += f"1..{plan}"
    return "".join(f"{line}\n" for line in lines)


def complaint(found: list[Round], settings: Settings, contract: str) -> str:
    """What is wrong with rounds of which the first one has been judged; empty if nothing is.

    Later rounds judge part of the cells: they may not break what the first one kept.
    """
    wanted, chosen = settings.rounds, settings.contracts[0]
    first = verdict.read_log(found[0].text, contract, chosen) if found else verdict.Log()
    allowed = {rule.name for rule in first.rules.values() if rule.broken}
    for number, one in enumerate(found, 1):
        if one.failed:
            return f"round {number}: {one.failed}"
        if number > 1 and (
                why := _unlike(verdict.read_log(one.text, contract, chosen), allowed)):
            return f"round {number}: {why}"
        if not one.ended:
            return f"round {number} did not end"
        if one.memory.get("modules"):
            return f"round {number}: {one.memory['modules']} modules are left"
    if len(found) != wanted:
        return f"only {len(found)} of {wanted} rounds began"
    lost, slab = lost_pages(found), slab_growth(found)
    if lost > KEPT_PAGES:
        return (f"{lost} pages are missing after round {wanted} that were there after round 2,"
                f" of which the kernel may keep {KEPT_PAGES}")
    if slab > KEPT_SLAB_PAGES:
        return f"the slabs grew by {slab} pages, of which the kernel may keep {KEPT_SLAB_PAGES}"
    return ""


def _unlike(log: verdict.Log, allowed: set[str]) -> str:
    """Why a later round is not as good as the first one."""
    unexplained = [case for case in log.failed if case not in log.explained]
    broken = [rule.name for rule in log.rules.values() if rule.broken and rule.name not in allowed]
    unjudged = [rule.name for rule in log.rules.values() if rule.unjudged and not rule.broken]
    reasons = (
        (bool(log.crash), f"the kernel crashed: {log.crash}"),
        (bool(unexplained), f"a test failed that no rule explains: {', '.join(unexplained)}"),
        (bool(broken), f"breaks what the first round kept: {', '.join(broken)}"),
        (bool(unjudged), f"attempts on an unproven zone state, rule {', '.join(unjudged)}"),
        (not log.complete, "the KUnit output is cut short: a planned test has no result"),
    )
    return next((text for holds, text in reasons if holds), "")


def lost_pages(found: list[Round]) -> int:
    """How many pages are missing after the last round that were there after the second:
    neither free nor where the kernel counts them.

    The first round fills caches that stay: it does not count.
    """
    if len(found) < 3:
        return 0
    return _accounted(found[1]) - _accounted(found[-1])


def _accounted(one: Round) -> int:
    return one.memory["free_pages"] + sum(
        value for name, value in one.memory.items() if name.endswith("_kib")) // PAGE_KIB


def slab_growth(found: list[Round]) -> int:
    """By how many pages the slabs grew from the first half of the rounds, without the first
    one, to the second half: at their smallest in each."""
    if len(found) < 3:
        return 0
    middle = (len(found) + 1) // 2
    before, after = (min(one.memory.get("slab_kib", 0) for one in part)
                     for part in (found[1:middle], found[middle:]))
    return (after - before) // PAGE_KIB
