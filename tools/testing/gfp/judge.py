# SPDX-License-Identifier: GPL-2.0
"""One kernel and one variant, from its source to its verdict."""

import shutil
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import files
import kernel
import process
import report
import suites
import tools
import variant as variants
import verdict
from boot import Boot, boot
from build import Image, build
from errors import GfpError
from fetch import fetch
from report import Result
from settings import Settings
from tree import KdirCopy, Tree


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
    """OUT/<kernel>-<variant>-<arch>."""
    return settings.out / f"{version}-{name}-{settings.arch}"


def _fresh(folder: Path) -> None:
    """Make @folder, without what an earlier run left there of ours."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("results.json", "ktap.log", "build.log", "config"):
        files.remove_if_there(folder / name)
    for contract in folder.iterdir():
        if (contract / "ktap.log").is_file():
            shutil.rmtree(contract)


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
        image = _build(tree, variant, settings, folder / "build.log", seconds)
        shutil.copyfile(image.config, folder / "config")
        result.config_path = str(folder / "config")
        result.config_sha256, result.compiler = image.config_sha256, image.compiler
        _boot_all(tree, image, settings, folder, result)
    except GfpError as error:
        result.error = str(error) + (f"; see {error.log}" if error.log else "")
        result.error_tail = error.tail
    files.write_json(folder / "results.json", report.to_json(result))
    return result


def _build(tree: Tree, variant: variants.Variant, settings: Settings, log: Path,
           seconds: dict[str, float]) -> Image:
    began = time.monotonic()
    what = f"KDIR={settings.kdir}" if settings.kdir else tree.folder.name
    with tree.lock():
        tools.require(variants.needs(variant))
        changes = suites.with_suites(what, tree.read, variants.apply(variant, tree.read))
        seconds["view"] = seconds.get("view", 0.0) + time.monotonic() - began
        began = time.monotonic()
        image = build(tree, changes, settings, log)
    seconds["build"] = time.monotonic() - began
    return image


def _boot_all(tree: Tree, image: Image, settings: Settings, folder: Path,
              result: Result) -> None:
    """Boot under each contract, side by side where the machine has the CPUs."""
    at_once = max(1, min(len(settings.contracts), tools.cpus() // settings.cpus))

    def one(contract: str) -> Boot:
        (folder / contract).mkdir(exist_ok=True)
        return boot(image, settings, contract, folder / contract / "ktap.log", at_once,
                    quiet=at_once > 1 and contract != settings.contracts[0])

    began = time.monotonic()
    for contract, booted in zip(settings.contracts, _in_parallel(one, settings.contracts, at_once)):
        log = verdict.read_log(booted.log.read_text(errors="replace"), contract)
        result.commands[contract] = booted.command
        result.judgements.append(
            verdict.judge(booted, log, verdict.parse_ktap(tree, booted.log), contract))
    result.seconds["boot"] = time.monotonic() - began
    # One place for those who judge under one contract, as most do.
    (folder / "ktap.log").symlink_to(Path(settings.contracts[0]) / "ktap.log")


def _in_parallel(one: Callable[[str], Boot], contracts: Sequence[str], at_once: int) -> list[Boot]:
    if at_once == 1:
        return [one(contract) for contract in contracts]
    with ThreadPoolExecutor(at_once) as pool:
        try:
            return list(pool.map(one, contracts))
        except BaseException:
            process.stopping.set()  # the guests are killed before we go on
            raise
