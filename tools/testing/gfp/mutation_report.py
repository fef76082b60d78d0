# SPDX-License-Identifier: GPL-2.0
"""What `make mutants` prints: a line for each mutant, one for each rule, the score."""

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import mutant
from mutant import Record
from report import WIDTH

SCHEMA = 1
# In this order, in the summary.
OUTCOMES = (mutant.KILLED, mutant.CRASHED, mutant.TIMED_OUT, mutant.SURVIVED, mutant.EQUIVALENT,
            mutant.NOT_BUILDABLE, mutant.NOT_JUDGED)
NOTICED = (mutant.KILLED, mutant.CRASHED, mutant.TIMED_OUT)


@dataclass
class RuleScore:
    """The mutants that a rule notices, and those that it alone does.

    @whole: all mutants of its suite were judged, so that it ought to have one
    """

    suite: str
    rule: str
    whole: bool = False
    mutants: list[str] = field(default_factory=list)
    alone: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Score:
    """Of a seeded sample of generated mutants.

    @noticed: by a rule, a crash or a hang
    @of: those that build, and make another object than their base
    """

    seed: int
    sampled: int
    noticed: int
    of: int


def score_of(records: Sequence[Record], seed: int) -> Score:
    """The score of generated mutants."""
    noticed = sum(r.outcome in NOTICED for r in records)
    return Score(seed, len(records), noticed, noticed + sum(
        r.outcome in (mutant.SURVIVED, mutant.NOT_JUDGED) for r in records))


def by_rule(records: Sequence[Record], rules: Mapping[str, Sequence[str]]) -> list[RuleScore]:
    """For each rule what it notices.  @rules: all those of suites all of whose mutants were
    judged."""
    found = {(suite, rule): RuleScore(suite, rule, whole=True)
             for suite in rules for rule in rules[suite]}
    for record in records:
        for rule in record.broken:
            place = (record.subject.suite, rule)
            score = found.setdefault(place, RuleScore(*place))
            score.mutants.append(record.subject.name)
            if len(record.broken) == 1:
                score.alone.append(record.subject.name)
    return list(found.values())


def line(record: Record) -> str:
    """What became of one mutant."""
    cost = "kept" if record.kept else f"{record.seconds:.0f} s"
    text = ", ".join(record.broken)
    if record.broken and record.missed:
        text += f" (BUT NOT {', '.join(record.missed)})"
    why = "; ".join(part for part in (text, record.detail) if part)
    said = ""
    if record.subject.equivalent and record.outcome != mutant.EQUIVALENT:
        said = " (SAID TO BE EQUIVALENT)"
    return _wrap(f"{record.outcome:<13}  {record.subject.name}{said}{': ' if why else ''}{why} ({cost})",
                 " " * 17)


def _wrap(text: str, indent: str) -> str:
    return textwrap.fill(text, WIDTH, subsequent_indent=indent, break_long_words=False,
                         break_on_hyphens=False)


def rules_table(rules: Sequence[RuleScore]) -> str:
    """The mutants of each rule."""
    lines: list[str] = []
    suite = ""
    for score in rules:
        if score.suite != suite:
            suite = score.suite
            lines += ["", f"rules of {suite}, the mutants that break each, and with * those that"
                          " break no other"]
        names = ", ".join(name + ("*" if name in score.alone else "") for name in score.mutants)
        lines.append(_wrap(f"  {score.rule}: {names or 'NONE'}", "    "))
    return "\n".join(lines)


def summary(records: Sequence[Record], rules: Sequence[RuleScore]) -> str:
    """The score, and by name all that ought to be otherwise."""
    counts = [(sum(r.outcome == outcome for r in records), outcome) for outcome in OUTCOMES]
    lines = ["", f"{len(records)} mutants: " + ", ".join(
        f"{count} {outcome}" for count, outcome in counts if count)]
    lists = (
        ("survived", [r.subject.name for r in records if r.outcome == mutant.SURVIVED]),
        ("noticed, but not by the rule that they name",
         [r.subject.name for r in records
          if r.missed and r.outcome in NOTICED]),
        ("said to be equivalent, and noticed",
         [r.subject.name for r in records
          if r.subject.equivalent and r.outcome not in (mutant.EQUIVALENT, mutant.NOT_JUDGED)]),
        ("not buildable or not judged",
         [r.subject.name for r in records
          if r.outcome in (mutant.NOT_BUILDABLE, mutant.NOT_JUDGED)]),
        ("rules that none of these mutants breaks",
         [s.rule for s in rules if s.whole and not s.mutants]),
        ("rules with mutants, but none that they alone notice",
         [s.rule for s in rules if s.whole and s.mutants and not s.alone]),
    )
    lines += [_wrap(f"{title}: {', '.join(names)}", "  ") for title, names in lists if names]
    return "\n".join(lines)


def to_json(records: Sequence[Record], rules: Sequence[RuleScore], status: int,
            score: Score | None = None) -> dict[str, Any]:
    """The same for programs."""
    return {"schema": SCHEMA, "status": status, "score": asdict(score) if score else None,
            "mutants": [{**asdict(record), "missed": record.missed} for record in records],
            "rules": [asdict(score) for score in rules]}


def survivors(records: Sequence[Record], score: Score) -> str:
    """What each survivor of generated mutants changes, and the score."""
    lines = []
    for record in records:
        if record.outcome == mutant.SURVIVED:
            lines += [f"survived: {record.subject.what}"]
            lines += [f"  {text}" for text in record.diff.splitlines()
                      if text[:1] in "+-" and text[:3] not in ("+++", "---") and text[1:].strip()]
    percent = f", {100 * score.noticed / score.of:.1f} %" if score.of else ""
    lines.append(f"score of {score.sampled} generated mutants, SEED={score.seed}: {score.noticed}"
                 f" noticed of {score.of} that build and are not equivalent by construction"
                 f"{percent}")
    return "\n".join(["", *lines])
