# SPDX-License-Identifier: GPL-2.0
"""`make test`: the project's own proof.

The host tool's unit tests, the linters, and then real kernels: each variant
must get, under each contract, exactly the verdict that verdicts.toml states.
One failure does not stop the rest.
"""

import contextlib
import io
import json
import os
import time
import unittest
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import fetch
import lint
import machine
import report
import run
import schema
import stated
import suites
import tools
import variant as variants
from console import say
from errors import GfpError, describe_os_error
from judge import judge_variant, side_by_side
from report import Result
from settings import CONTRACTS, DEMONSTRATION, Settings
from tree import Tree
from verdict import Judgement

# A small guest is fragmented faster, and gets the same verdicts.
GUEST_MEMORY = 256 << 20

# What `make run` shows is judged in full; other variants and mutants must get
# their verdict by this part of the cells of a sweep.
ONE_IN = 5

TESTS = Path(__file__).resolve().parent / "tests"

# What results.json has to look like.
SCHEMA = schema.load("run")

# The first series gets the mutants too.
SERIES = ("7.3", "7.2")


@dataclass
class Tally:
    """What passed and failed, printed as it happens."""

    passed: int = 0
    failures: list[str] = field(default_factory=list)

    def record(self, name: str, ok: bool, detail: str = "") -> None:
        """Count one check and print it."""
        print(f"{'ok  ' if ok else 'FAIL'} {name}{': ' + detail if detail else ''}", flush=True)
        if ok:
            self.passed += 1
        else:
            self.failures.append(name)

    @contextlib.contextmanager
    def guarded(self, name: str) -> Iterator[None]:
        """Make an error a failed check, so that the next ones still run."""
        try:
            yield
        except GfpError as error:
            self.record(name, False, f"{error}{f'; see {error.log}' if error.log else ''}")
            for line in error.tail:
                print(f"       {line}")
        except OSError as error:
            self.record(name, False, describe_os_error(error))
        except Exception as error:  # pylint: disable=broad-exception-caught
            self.record(name, False, f"internal error: {type(error).__name__}: {error}")


def prove(settings: Settings) -> int:
    """Run everything; return 0 if all passed."""
    tally = Tally()
    # What `make run` may be told is not for the proof, which is always the same.
    settings = replace(settings, kdir=None, filter="", contracts=CONTRACTS, json=False,
                       demonstration=False, modules=False, rounds=1)
    began = time.monotonic()
    with tally.guarded("host tool tests"):
        _unit_tests(tally)
    with tally.guarded("settings"):
        run.check_out(settings)
        for arch in sorted(set(suites.MACHINES.values())):
            on = machine.find(arch)
            tools.require([*tools.build_needs(settings.make_options), *on.programs, "spatch",
                           "patch"], tools.build_headers(on))
    trees: dict[str, Tree] = {}
    for series in SERIES:
        with tally.guarded(f"{series}: fetch"):
            trees[series] = fetch.fetch(settings.cache, series)
    _section("linters")

    def linted(entry: tuple[str, Callable[[], lint.Outcome]]) -> None:
        with tally.guarded(entry[0]):
            _lint(tally, *entry)

    for _ in side_by_side(linted, lint.checks(trees.get(SERIES[0])), settings.cpus):
        pass
    _section("variants apply")
    with tally.guarded("variants apply"):
        for series, name in _without_verdict(trees):
            with tally.guarded(f"{series} {name} applies"):
                tally.record(f"{series} {name} applies", bool(
                    variants.apply(variants.load(name), trees[series].read)))
    _section("verdicts on real kernels (the table is tools/testing/gfp/verdicts.toml)")
    with tally.guarded("verdicts.toml"):
        jobs = _spread(_stated_jobs(trees), _mutant_jobs(trees))

        def one(job: Job) -> None:
            with tally.guarded(job.name):
                _judge(tally, trees[job.series], job, settings)

        for _ in side_by_side(one, jobs, settings.cpus):
            pass
    say(f"make test took {time.monotonic() - began:.0f} s")
    if tally.failures:
        print("\nfailed:")
        for name in tally.failures:
            print(f"  {name}")
    print(f"{tally.passed} passed, {len(tally.failures)} failed", flush=True)
    return 1 if tally.failures or not tally.passed else 0


def _section(title: str) -> None:
    print(f"\n# {title}", flush=True)


@dataclass(frozen=True)
class Job:
    """One boot: a suite, or one rule of it, on a kernel with a variant.

    @broken: per contract what must be broken, exactly; None for a mutant, of
             which @rule must be
    """

    series: str
    suite: str
    variant: str
    rule: str = "*"
    broken: dict[str, list[str]] | None = None

    @property
    def one_in(self) -> int:
        """Of how many cells one is judged."""
        in_full = (self.series == SERIES[0] and self.variant in DEMONSTRATION
                   and suites.arch_of(self.suite) == machine.UM.arch)
        return 1 if in_full else ONE_IN

    @property
    def name(self) -> str:
        """For people."""
        rule = "" if self.rule == "*" else f".{self.rule}"
        return f"{self.series} {self.suite}{rule} {self.variant}"


def _stated_jobs(trees: Iterable[str]) -> list[Job]:
    """Every row of the table on every kernel that it is about."""
    rows = stated.load()
    silent = {"none", *variants.known(variants.FOLDERS[0])} - {row.variant for row in rows}
    if silent:
        raise GfpError(f"no verdict is stated for {' '.join(sorted(silent))}")
    return [Job(series, row.suite, row.variant, broken=row.broken)
            for series in trees for arch in machine.MACHINES for row in rows
            if series in row.kernels and row.arch == arch]


def _spread(*lists: list[Job]) -> list[Job]:
    """All jobs, those of each list spread evenly over the whole.

    A row of the table is mostly a boot and a mutant mostly a build, of which a tree
    has one at a time: side by side the two kinds leave no CPU idle.
    """
    placed = [((place + 0.5) / len(jobs), job) for jobs in lists for place, job in enumerate(jobs)]
    return [job for _, job in sorted(placed, key=lambda entry: entry[0])]


def _without_verdict(trees: Iterable[str]) -> list[tuple[str, str]]:
    """Kernels and variants of which no row states a verdict, so that none is built there."""
    stated_there = {(series, row.variant) for row in stated.load() for series in row.kernels}
    return [(series, name) for series in trees for name in variants.known(variants.FOLDERS[0])
            if (series, name) not in stated_there]


def _mutant_jobs(trees: Iterable[str]) -> list[Job]:
    """The mutants that make test runs, each through the rules that must catch it."""
    if SERIES[0] not in trees:
        return []
    jobs = []
    for name in stated.mutants():
        mutant = variants.load(name)
        if not mutant.kills:
            raise GfpError(f"{name}: no '// Kills:' line says which rule must catch it")
        jobs += [Job(SERIES[0], mutant.suite, name, rule) for rule in mutant.kills]
    return jobs


# --- the host tool

def _unit_tests(tally: Tally) -> None:
    _section("host tool")
    suite = unittest.defaultTestLoader.discover(str(TESTS), top_level_dir=str(TESTS))
    output = io.StringIO()
    result = unittest.TextTestRunner(output, verbosity=0).run(suite)
    for test, trace in [*result.failures, *result.errors]:
        tally.record(test.id(), False)
        print("\n".join(f"       {line}" for line in trace.splitlines()))
    good = result.testsRun - len(result.failures) - len(result.errors) - len(result.skipped)
    print(f"ok   {good} of {result.testsRun} unit tests", flush=True)
    tally.passed += good


def _lint(tally: Tally, name: str, check: Callable[[], lint.Outcome]) -> None:
    outcome = check()
    if outcome.missing:
        # A developer may lack a linter; CI may not.
        if os.environ.get("CI"):
            tally.record(name, False, f"{outcome.missing} is not installed")
        else:
            print(f"skip {name}: {outcome.missing} is not installed")
        return
    tally.record(name, not outcome.complaints)
    for line in outcome.complaints[:20]:
        print(f"       {line}")


# --- real kernels

def _judge(tally: Tally, tree: Tree, job: Job, settings: Settings) -> None:
    """Boot once and compare with what must come of it."""
    arch = suites.arch_of(job.suite)
    contracts = CONTRACTS if job.broken is not None else CONTRACTS[:1]
    narrow = replace(settings, arch=arch, filter=f"{job.suite}.{job.rule}", contracts=contracts,
                     mem=GUEST_MEMORY, nodes=machine.find(arch).nodes, one_in=job.one_in)
    label = f"{job.variant}-{job.suite}" + ("" if job.rule == "*" else f"-{job.rule}")
    result = judge_variant(tree, job.variant, narrow, job.broken, label=label)
    wrong = schema.check(json.loads(Path(result.folder, "results.json").read_text()), SCHEMA)
    if wrong:
        tally.record(f"{job.name} results.json", False, wrong[0])
    for judgement in _booted(result).judgements:
        if job.broken is not None:
            _record(tally, f"{job.name} {judgement.contract}", result, judgement,
                    job.broken[judgement.contract], exactly=True)
        else:
            _record(tally, job.name, result, judgement, [job.rule], exactly=False)


def _booted(result: Result) -> Result:
    if result.error:
        raise GfpError(result.error, tail=result.error_tail)
    return result


def _record(tally: Tally, check: str, result: Result, judgement: Judgement,
            wanted: list[str], exactly: bool) -> None:
    """Compare one verdict with the rules that must be broken."""
    broken = judgement.broken
    verdict = judgement.reason or (f"breaks {', '.join(broken)}" if broken else "keeps all")
    wrong = ""
    if judgement.status == 2:
        wrong = ", could not judge"
    elif exactly and sorted(broken) != sorted(wanted):
        wrong = f", but must break {', '.join(wanted)}" if wanted else ", but must keep all"
    elif not set(wanted) <= set(broken):
        wrong = f", but {', '.join(set(wanted) - set(broken))} must catch it"
    took = ", ".join(f"{step} {result.seconds[step]:.0f} s" for step in ("build", "boot")
                     if step in result.seconds)
    tally.record(check, not wrong, f"{verdict}{wrong} ({took})")
    if wrong:
        print("\n".join(f"       {line}" for line in report.table(result).splitlines()))
