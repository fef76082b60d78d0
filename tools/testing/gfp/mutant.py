# SPDX-License-Identifier: GPL-2.0
"""One mutant, from its source to what became of it.

It is judged by the whole suite, on the machine of that suite, first by a part
of the cells.  Only where that part does not break the rules that the mutant
names are these tried in full, and the whole suite before it is a survivor.
What came of it is kept, and found again as long as nothing that went into it
changed.
"""

import hashlib
import json
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import build
import files
import judge
import machine
import process
import suites
import variant as variants
from errors import GfpError
from prove import GUEST_MEMORY
from report import Result
from settings import Settings
from tree import Tree

# Counts up when the same boots would lead to another outcome.
SCHEMA = 1

# Of how many cells one is judged first.
ONE_IN = 20

KILLED = "killed"
CRASHED = "crashed"
TIMED_OUT = "timed out"
SURVIVED = "survived"
EQUIVALENT = "equivalent"
NOT_BUILDABLE = "not buildable"
NOT_JUDGED = "not judged"


@dataclass(frozen=True)
class Subject:
    """What is judged.

    @name: of its results
    @variant: what variants.load() takes; its base is in it
    @base: the kernel to compare it with, whose broken rules are not the mutant's doing
    @kills: the rules that must notice it
    @equivalent: why none can, in a sentence; empty if one must
    """

    name: str
    variant: str
    base: str
    suite: str
    kills: tuple[str, ...] = ()
    equivalent: str = ""
    what: str = ""

    @property
    def arch(self) -> str:
        """The machine that it is judged on."""
        return suites.arch_of(self.suite)


def subject(name: str) -> Subject:
    """A mutant of the repository."""
    found = variants.load(name)
    if not found.kills and not found.equivalent:
        raise GfpError(f"{name}: no '// Kills:' line says which rule must catch it")
    return Subject(found.name, name, found.against or found.base or "none", found.suite,
                   found.kills, found.equivalent, found.what)


@dataclass
class Run:
    """What one boot said.

    @rules: that judged anything
    @incomplete: why its tests were not carried through
    @timed_out: that was because it took too long
    @reason: why it could not be judged, whatever the cause
    """

    filter: str
    one_in: int
    rules: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    incomplete: str = ""
    timed_out: bool = False
    reason: str = ""
    unbuildable: str = ""
    timeout: int = 0
    seconds: dict[str, float] = field(default_factory=dict)


def read_run(result: Result) -> Run:
    """The short of a result; an error that is not the mutant's own is raised."""
    settings = result.settings
    run = Run(settings.filter, settings.one_in, timeout=settings.timeout,
              seconds={k: round(v, 1) for k, v in result.seconds.items()})
    if result.unbuildable:
        run.unbuildable = (result.error_tail or [result.error])[0]
        return run
    if process.stopping.is_set():
        raise GfpError("interrupted")
    if result.error:
        raise GfpError(result.error, tail=result.error_tail)
    judged = result.judgements[0]
    run.rules = [rule.name for rule in judged.rules if rule.judged]
    run.broken = judged.broken
    run.incomplete, run.timed_out, run.reason = judged.incomplete, judged.timed_out, judged.reason
    return run


@dataclass
class Record:
    """What became of a mutant, as it is kept.

    @broken: the rules that it breaks and its base keeps
    @detail: for people: why it crashed, does not build, could not be judged
    @in_full: as a survivor it was to be judged by all cells
    @kept: it is from an earlier run
    @diff: of a generated mutant, to its base
    """

    subject: Subject
    key: str = ""
    outcome: str = NOT_JUDGED
    broken: list[str] = field(default_factory=list)
    detail: str = ""
    runs: list[Run] = field(default_factory=list)
    in_full: bool = True
    kept: bool = False
    diff: str = ""

    @property
    def missed(self) -> list[str]:
        """Rules that were to notice it and did not, though it was noticed."""
        return [rule for rule in self.subject.kills if rule not in self.broken]

    @property
    def seconds(self) -> float:
        """What it took, apart from waiting for others."""
        return sum(run.seconds.get(step, 0) for run in self.runs for step in ("build", "boot"))


def outcome_of(runs: list[Run], broken: list[str], equivalent: str = "") -> tuple[str, str]:
    """What the boots of a mutant come to, and the detail.

    @broken: the rules that it breaks and its base keeps
    """
    def first(texts: list[str]) -> str:
        return next((text for text in texts if text), "")

    unbuildable = first([run.unbuildable for run in runs])
    if unbuildable:
        return NOT_BUILDABLE, unbuildable
    incomplete = first([run.incomplete for run in runs])
    if broken:
        return KILLED, incomplete
    if any(run.timed_out for run in runs):
        return TIMED_OUT, incomplete
    if incomplete:
        return CRASHED, incomplete
    reason = first([run.reason for run in runs])
    if reason:
        return NOT_JUDGED, reason
    return (EQUIVALENT, equivalent) if equivalent else (SURVIVED, "")


# Tells the outcome and its detail without a boot, or NOT_JUDGED.
Settle = Callable[[], tuple[str, str]]


class Judge:
    """Judges mutants of one tree; used from several threads.

    @settings: of the verb; machine and filter follow from the suite, and so do
               memory and timeout where they are 0
    @in_full: judge a survivor of the sample by all cells
    """

    def __init__(self, tree: Tree, settings: Settings, one_in: int = ONE_IN,
                 in_full: bool = True) -> None:
        self.tree = tree
        self.settings = replace(settings, out=settings.out / "mutants",
                                contracts=settings.contracts[:1])
        self.one_in = one_in
        self.in_full = in_full
        self._compiler = build.compiler_version(settings.make_options)
        self._bases: dict[str, Run] = {}
        self._one_base = threading.Lock()
        with tree.lock():
            self._suites = suites.overlay(tree.folder.name, tree.read)

    def settings_of(self, suite: str, rule: str, one_in: int) -> Settings:
        """How a suite, or a rule of it, is judged."""
        arch = suites.arch_of(suite)
        return replace(self.settings, arch=arch, filter=f"{suite}.{rule}", one_in=one_in,
                       mem=self.settings.mem or GUEST_MEMORY,
                       nodes=machine.find(arch).nodes,
                       timeout=self.settings.timeout or machine.find(arch).timeout)

    def key(self, variant: str, settings: Settings) -> str:
        """A hash of all that an outcome depends on."""
        source = {f"variant/{layer.name}": layer.sha256.encode()
                  for layer in variants.layers(variants.load(variant))}
        image = build.image_key(self.tree, {**self._suites, **source}, settings, self._compiler)
        arguments = [SCHEMA, image, settings.filter, settings.one_in, settings.mem, settings.cpus,
                     settings.contracts, settings.kernel_args, settings.accel]
        return hashlib.sha256(json.dumps(arguments).encode()).hexdigest()[:24]

    def _path(self, name: str, arch: str) -> Path:
        return self.settings.out / f"{self.tree.version}-{name}-{arch}.json"

    def _boot(self, variant: str, label: str, settings: Settings) -> Run:
        return read_run(judge.judge_variant(self.tree, variant, settings, label=label))

    def base(self, name: str, suite: str, rule: str = "*", one_in: int | None = None) -> Run:
        """What the kernel without the mutant does in the same boot."""
        settings = self.settings_of(suite, rule, one_in or self.one_in)
        label = f"base-{name}-{_suffix(suite, rule, settings.one_in)}"
        with self._one_base:
            if label not in self._bases:
                self._bases[label] = self._find_base(name, label, settings)
            return self._bases[label]

    def _find_base(self, name: str, label: str, settings: Settings) -> Run:
        path, key = self._path(label, settings.arch), self.key(name, settings)
        kept = _read_json(path)
        if kept.get("key") == key:
            return Run(**kept["run"])
        run = self._boot(name, label, settings)
        why = run.unbuildable or run.reason
        if why:
            raise GfpError(f"the base {name} could not be judged by {settings.filter}: {why}")
        files.write_json(path, {"key": key, "run": asdict(run)})
        return run

    def judge(self, subject: Subject, diff: str = "", settle: Settle | None = None) -> Record:
        """What becomes of @subject: found, found out by @settle, or by booting it."""
        settings = self.settings_of(subject.suite, "*", self.one_in)
        path = self._path(subject.name, subject.arch)
        try:
            key = f"{self.key(subject.variant, settings)}.{self.key(subject.base, settings)}"
            kept = _read_json(path)
            if kept.get("key") == key:
                record = _record(kept, subject)
                if self._enough(record, settings.timeout):
                    return record
            record = Record(subject, key, in_full=self.in_full, diff=diff)
            record.outcome, record.detail = settle() if settle else (NOT_JUDGED, "")
            if record.outcome == NOT_JUDGED:
                self._find_out(record)
        except GfpError as error:
            return Record(subject, detail=str(error), diff=diff)
        files.write_json(path, {**asdict(record), "kept": True})
        return record

    def _enough(self, record: Record, timeout: int) -> bool:
        """Whether a record that is kept needs no more boots."""
        if record.outcome == TIMED_OUT:
            return all(run.timeout >= timeout for run in record.runs if run.timed_out)
        return record.outcome != SURVIVED or record.in_full or not self.in_full

    def _find_out(self, record: Record) -> None:
        of = record.subject

        def settled() -> bool:
            return bool(record.broken) or any(r.incomplete or r.unbuildable for r in record.runs)

        def attempt(rule: str, one_in: int) -> None:
            base = self.base(of.base, of.suite, rule, one_in)
            label = of.name + ("" if not record.runs else f"-{_suffix(of.suite, rule, one_in)}")
            run = self._boot(of.variant, label, self.settings_of(of.suite, rule, one_in))
            record.runs.append(run)
            record.broken += [rule for rule in run.broken
                              if rule not in base.broken and rule not in record.broken]

        attempt("*", self.one_in)
        if not record.runs[0].unbuildable:
            for rule in record.missed:
                attempt(rule, 1)
        if self.in_full and self.one_in > 1 and not settled():
            attempt("*", 1)
        record.outcome, record.detail = outcome_of(record.runs, record.broken, of.equivalent)


def _suffix(suite: str, rule: str, one_in: int) -> str:
    return "-".join([suite, *([rule] if rule != "*" else []),
                     *(["full"] if one_in == 1 else [])])


def _read_json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _record(kept: dict[str, Any], of: Subject) -> Record:
    values: dict[str, Any] = {**kept, "subject": of, "runs": [Run(**run) for run in kept["runs"]]}
    return Record(**values)
