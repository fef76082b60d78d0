# SPDX-License-Identifier: GPL-2.0
"""`make mutants GENERATED=100`: mutants that nobody picked."""

import fnmatch
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import files
import generated
import judge as judging
import mutant
import mutation
import mutation_report
import suites
import tools
import variant as variants
from console import say
from errors import STATUS_BROKEN, STATUS_KEPT, STATUS_NOT_JUDGED, BuildError, GfpError
from generated import BASE, Mutation
from mutant import Record, Subject
from objects import Compiler
from run import check_out
from settings import Choice, Settings
from tree import Tree


def mutants(settings: Settings, choice: Choice) -> int:
    """Judge a sample of all generated mutants; return the exit status."""
    check_out(settings)
    tools.require(["spatch", "patch"])
    tree = judging.open_tree(settings, {})
    folder = settings.out / "mutants" / "generated"
    with tree.lock():
        found, sources = _sampled(tree, choice, folder)
    by_label = {mutation.label: mutation for mutation in found}
    # Those of one file together: then a build is one object and a link.
    subjects = sorted((_subject(mutation, folder) for mutation in found),
                      key=lambda s: (s.arch, by_label[s.name].file))
    mutation.prepare(settings, subjects)
    judge = mutant.Judge(tree, settings, in_full=choice.in_full)
    same = Objects(judge, sources)

    def one(subject: Subject) -> Record:
        changed = by_label[subject.name]
        return judge.judge(subject, generated.diff(changed, sources[changed.file]),
                           partial(same.settle, changed))

    records = mutation.judge_all(judge, subjects, one)
    rules = mutation_report.by_rule(records, {})
    status = status_of(records)
    mutation.show(judge, records, rules, status, mutation_report.score_of(records, choice.seed))
    return status


def _sampled(tree: Tree, choice: Choice, folder: Path) -> tuple[list[Mutation], dict[str, str]]:
    """The mutants to judge, each kept as a patch in @folder, and the files of their base."""
    base = variants.apply(variants.load(BASE), tree.read)

    def with_base(path: str) -> bytes | None:
        return base[path] if path in base else tree.read(path)

    sources = {place.file: generated.text_of(with_base, place.file)
               for place in generated.PLACES}
    found = [mutation for mutation in generated.find(with_base)
             if suites.arch_of(mutation.suite) in choice.archs]
    total = len(found)
    found = generated.sample(found, choice.generated, choice.seed)
    say(f"{len(found)} of {total} generated mutants, SEED={choice.seed}")
    if choice.names:
        found = [m for m in found if any(fnmatch.fnmatch(m.name, name) for name in choice.names)]
    if not found:
        raise GfpError(f"MUTANTS={' '.join(choice.names)}: matches none of the generated mutants")
    folder.mkdir(parents=True, exist_ok=True)
    for mutation in found:
        files.write_atomically(folder / f"{mutation.label}.patch",
                               generated.patch(mutation, tree.read, base))
    return found, sources


def _subject(mutation: Mutation, folder: Path) -> Subject:
    return Subject(mutation.label, str(folder / f"{mutation.label}.patch"), BASE, mutation.suite,
                   what=mutation.name)


class Objects:
    """Tells mutants apart from their base by the object that they make."""

    def __init__(self, judge: mutant.Judge, sources: dict[str, str]) -> None:
        self._judge = judge
        self._sources = sources
        self._compilers: dict[str, Compiler] = {}
        self._base: dict[str, bytes] = {}

    def _compiler(self, mutation: Mutation) -> Compiler:
        settings = self._judge.settings_of(mutation.suite, "*", 1)
        compiler = self._compilers.setdefault(settings.arch, Compiler(self._judge.tree, settings))
        if not compiler.learn(mutation.file):
            judging.build_variant(self._judge.tree, variants.load(BASE), settings,
                                  self._judge.settings.out / "base.log", {}, anew=True)
        return compiler

    def settle(self, mutation: Mutation) -> tuple[str, str]:
        """Equivalent or not buildable, if the compiler can say so."""
        compiler, source = self._compiler(mutation), self._sources[mutation.file]

        def compile_one(text: str) -> bytes:
            return compiler.compile(mutation.file, text.encode("latin-1"))

        if mutation.file not in self._base:
            self._base[mutation.file] = compile_one(source)
        try:
            made = compile_one(mutation.apply(source))
        except BuildError as error:
            return mutant.NOT_BUILDABLE, str(error)
        if made == self._base[mutation.file]:
            return mutant.EQUIVALENT, "the compiler makes the same object of it"
        return mutant.NOT_JUDGED, ""


def status_of(records: Sequence[Record]) -> int:
    """0 if each was noticed or is equivalent, 1 if one survived, 2 if one could not be judged."""
    outcomes = {record.outcome for record in records}
    if mutant.NOT_JUDGED in outcomes:
        return STATUS_NOT_JUDGED
    return STATUS_BROKEN if mutant.SURVIVED in outcomes else STATUS_KEPT
