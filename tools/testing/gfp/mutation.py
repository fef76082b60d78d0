# SPDX-License-Identifier: GPL-2.0
"""`make mutants`: which rule notices which mutant, and which mutants none does."""

import fnmatch
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import boot
import machine
import mutant
import mutation_report
import tools
import variant as variants
from console import say
from errors import STATUS_BROKEN, STATUS_KEPT, STATUS_NOT_JUDGED, GfpError
from judge import open_tree, side_by_side
from mutant import Record, Subject
from mutation_report import RuleScore, Score
from prove import GUEST_MEMORY
from run import check_out
from settings import Choice, Settings


def mutants(settings: Settings, choice: Choice) -> int:
    """Judge the chosen mutants, print what became of them; return the exit status."""
    subjects = ordered(chosen(choice.names, choice.archs))
    prepare(settings, subjects)
    judge = mutant.Judge(open_tree(settings, {}), settings, in_full=choice.in_full)
    records = judge_all(judge, subjects, judge.judge)
    rules = mutation_report.by_rule(records, rules_of(judge, subjects))
    status = status_of(records, rules)
    show(judge, records, rules, status)
    return status


def show(judge: mutant.Judge, records: Sequence[Record], rules: Sequence[RuleScore],
         status: int, score: Score | None = None) -> None:
    """Print the end of the report, or all of it as JSON."""
    if judge.settings.json:
        print(json.dumps(mutation_report.to_json(records, rules, status, score), indent=2))
    else:
        print(mutation_report.rules_table(rules))
        print(mutation_report.summary(records, rules))
        if score:
            print(mutation_report.survivors(records, score))
    say(f"logs and results: {judge.settings.out}")


def chosen(names: Sequence[str], archs: Sequence[str]) -> list[Subject]:
    """The mutants that @names, which may be globs, stand for; all if there are none."""
    known = variants.known(variants.FOLDERS[1])
    found: list[str] = []
    for name in names or ["*"]:
        matches = fnmatch.filter(known, name)
        if not matches:
            raise GfpError(f"MUTANTS={name}: matches none of the {len(known)} mutants"
                           f" in {variants.FOLDERS[1]}")
        found += [match for match in matches if match not in found]
    subjects = [one for one in map(mutant.subject, found) if one.arch in archs]
    if not subjects:
        raise GfpError(f"ARCH={' '.join(archs)}: none of these mutants is judged there")
    return subjects


def ordered(subjects: Sequence[Subject]) -> list[Subject]:
    """One machine after the other, and together what changes the same files: then a build
    is one object and a link."""
    places = list(machine.MACHINES)
    return sorted(subjects, key=lambda s: (places.index(s.arch), variants.load(s.variant).files,
                                           s.base, s.name))


def prepare(settings: Settings, subjects: Sequence[Subject]) -> None:
    """Find out before the work whether this host can do it."""
    check_out(settings)
    (settings.out / "mutants").mkdir(exist_ok=True)
    for arch in sorted({subject.arch for subject in subjects}):
        on = machine.find(arch)
        tools.require([*tools.build_needs(settings.make_options), *on.programs],
                      tools.build_headers(on))
        boot.check(replace(settings, arch=arch, mem=settings.mem or GUEST_MEMORY))
    tools.require(tool for subject in subjects
                  for tool in variants.needs(variants.load(subject.variant)))


def judge_all(judge: mutant.Judge, subjects: Sequence[Subject],
              one: Callable[[Subject], Record]) -> list[Record]:
    """What became of each, found by @one; while one boots, the next is built."""
    began = time.monotonic()
    records: list[Record] = []
    cost = 0
    for record in side_by_side(one, subjects, judge.settings.cpus):
        records.append(record)
        cost += not record.kept
        if not judge.settings.json:
            print(mutation_report.line(record), flush=True)
        if len(records) % 10 == 0 or len(records) == len(subjects):
            say(f"{len(records)} of {len(subjects)} mutants, {cost} of them judged now,"
                f" {time.monotonic() - began:.0f} s")
    return records


def whole_suites(subjects: Sequence[Subject]) -> set[str]:
    """The suites of which @subjects are all mutants, so that a rule may be held to have one."""
    left = {one.suite for one in map(mutant.subject, variants.known(variants.FOLDERS[1]))
            if one not in subjects}
    return {subject.suite for subject in subjects} - left


def rules_of(judge: mutant.Judge, subjects: Sequence[Subject]) -> dict[str, list[str]]:
    """Of each suite all of whose mutants are judged, the rules that judge anything there."""
    found: dict[str, list[str]] = {suite: [] for suite in whole_suites(subjects)}
    for subject in subjects:
        if subject.suite not in found:
            continue
        try:
            run = judge.base(subject.base, subject.suite)
        except GfpError as error:
            say(str(error))
            continue
        rules = found[subject.suite]
        rules += [rule for rule in run.rules if rule not in rules]
    return found


def status_of(records: Sequence[Record], rules: Sequence[RuleScore]) -> int:
    """0 if every mutant was noticed by what must notice it, else 1 or 2."""
    if any(r.outcome in (mutant.NOT_JUDGED, mutant.NOT_BUILDABLE) for r in records):
        return STATUS_NOT_JUDGED
    wrong = any(r.outcome == mutant.SURVIVED or r.missed
                or (r.subject.equivalent and r.outcome != mutant.EQUIVALENT) for r in records)
    without = any(rule.whole and not rule.alone for rule in rules)
    return STATUS_BROKEN if wrong or without else STATUS_KEPT
