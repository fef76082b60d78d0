# SPDX-License-Identifier: GPL-2.0
"""One kernel and one variant, from its source to its verdict."""

import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import files
import kernel
import process
import report
import rounds
import suites
import tools
import variant as variants
import verdict
from boot import boot
from build import Image, build
from errors import STATUS_NOT_JUDGED, BuildError, GfpError
from fetch import fetch
from report import Result
from settings import Settings
from tree import KdirCopy, Tree


Job = TypeVar("Job")
Outcome = TypeVar("Outcome")


def side_by_side(work: Callable[[Job], Outcome], jobs: Sequence[Job],
                 guest_cpus: int) -> Iterator[Outcome]:
    """The outcome of each job, in order.  While one guest runs, the next kernel is built."""
    with ThreadPoolExecutor(max(1, tools.cpus() // guest_cpus)) as pool:
        try:
            yield from pool.map(work, jobs)
        except BaseException:
            process.stopping.set()  # the guests are killed before we go on
            pool.shutdown(cancel_futures=True)
            raise


def open_tree(settings: Settings, seconds: dict[str, float]) -> Tree:
    """The kernel under test, ready to be changed: a fetched one or a copy of KDIR."""
    began = time.monotonic()
    if settings.kdir is None:
        tree = fetch(settings.cache, settings.kernel)
        seconds["fetch"] = time.monotonic() - began
        return tree
    kernel.check_kdir(settings.kdir)
    copy = KdirCopy(settings.cache / "trees", settings.kdir)
    copy.folder.mkdir(parents=True, exist_ok=True)
    with copy.lock():
        copy.sync()
    seconds["view"] = time.monotonic() - began
    return copy


def result_folder(settings: Settings, version: str, name: str) -> Path:
    """OUT/<kernel>-<variant>-<arch>, with -modules where the suites are modules."""
    kind = "-modules" if settings.modules else ""
    return settings.out / f"{version}-{name}-{settings.arch}{kind}"


def _fresh(folder: Path) -> None:
    """Make @folder, without what an earlier run left there of ours."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("results.json", "ktap.log", "console.log", "build.log", "config"):
        files.remove_if_there(folder / name)


def judge_variant(tree: Tree, name: str, settings: Settings,
                  expected: dict[str, list[str]] | None = None, label: str = "") -> Result:
    """Build @tree with the variant @name, boot it, and judge it.

    What can go wrong with this variant alone becomes the result's error, so
    that others are still judged.
    """
    seconds: dict[str, float] = {}
    variant = variants.load(name)
    if label:
        variant = replace(variant, name=label)
    folder = result_folder(settings, tree.version, variant.name)
    _fresh(folder)
    result = Result(report.describe_kernel(tree), variant, settings, seconds=seconds,
                    expected=expected or {}, folder=str(folder))
    try:
        image = build_variant(tree, variant, settings, folder / "build.log", seconds)
        shutil.copyfile(image.config, folder / "config")
        result.config_path = str(folder / "config")
        result.config_sha256, result.compiler = image.config_sha256, image.compiler
        _boot(tree, image, settings, folder, result)
    except GfpError as error:
        result.error = str(error) + (f"; see {error.log}" if error.log else "")
        result.error_tail = error.tail
        result.unbuildable = isinstance(error, BuildError)
    files.write_json(folder / "results.json", report.to_json(result))
    return result


def build_variant(tree: Tree, variant: variants.Variant, settings: Settings, log: Path,
                  seconds: dict[str, float], anew: bool = False) -> Image:
    """An image of @tree with @variant and our suites; from the cache, unless @anew."""
    began = time.monotonic()
    what = f"KDIR={settings.kdir}" if settings.kdir else tree.folder.name
    with tree.lock():
        tools.require(variants.needs(variant))
        changes = suites.with_suites(what, tree.read, variants.apply(variant, tree.read))
        seconds["view"] = seconds.get("view", 0.0) + time.monotonic() - began
        began = time.monotonic()
        image = build(tree, changes, settings, log, anew)
    seconds["build"] = time.monotonic() - began
    return image


def _boot(tree: Tree, image: Image, settings: Settings, folder: Path, result: Result) -> None:
    """Boot once, under the first contract; the suites report the other one beside it."""
    ktap = folder / "ktap.log"
    booted = boot(image, settings, settings.contracts[0],
                  folder / "console.log" if settings.modules else ktap)
    result.seconds["boot"] = booted.seconds
    result.emulator = booted.emulator
    found: list[rounds.Round] = []
    if settings.modules:
        found = rounds.read(booted.log.read_text(errors="replace"))
        ktap.write_text(rounds.as_one_document(found[0].text) if found else
                        booted.log.read_text(errors="replace"))
        result.rounds = [one.memory for one in found]
    kunit = verdict.parse_ktap(tree, ktap)
    text = ktap.read_text(errors="replace")
    for contract in settings.contracts:
        result.commands[contract] = booted.command
        log = verdict.read_log(text, contract, settings.contracts[0])
        judgement = verdict.judge(booted, log, kunit, contract)
        if settings.modules and judgement.status != STATUS_NOT_JUDGED:
            verdict.refuse(judgement, rounds.complaint(found, settings, contract))
        result.judgements.append(judgement)
