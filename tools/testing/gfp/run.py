# SPDX-License-Identifier: GPL-2.0
"""`make run`: judge a kernel, or show the demonstration."""

import json

import boot
import files
import initramfs
import machine
import report
import stated
import tools
import variant as variants
from console import say
from errors import GfpError
from judge import judge_variant, open_tree, side_by_side
from report import Result
from settings import Settings


def check_out(settings: Settings) -> None:
    """Find out before the work whether results can be written."""
    try:
        settings.out.mkdir(parents=True, exist_ok=True)
        files.write_atomically(settings.out / ".writable", b"")
        files.remove_if_there(settings.out / ".writable")
    except OSError as error:
        raise GfpError(f"OUT={settings.out}: cannot write there: {error.strerror}") from None


def check_host(settings: Settings) -> None:
    """Find out before the work whether this host can build and boot."""
    on = machine.find(settings.arch)
    user_space = [initramfs.BUSYBOX] if settings.modules else []
    tools.require([*tools.build_needs(settings.make_options), *on.programs, *user_space],
                  tools.build_headers(on))
    tools.require(tool for name in settings.variants for tool in variants.needs(variants.load(name)))
    boot.check(settings)


def labels(names: tuple[str, ...]) -> list[str]:
    """A name for the results of each variant, different for each."""
    seen: dict[str, int] = {}
    found = []
    for name in names:
        label = variants.load(name).name
        seen[label] = seen.get(label, 0) + 1
        found.append(label if seen[label] == 1 else f"{label}-{seen[label]}")
    return found


def run(settings: Settings) -> int:
    """Judge every variant, print the tables; return the exit status."""
    names = labels(settings.variants)  # an unknown variant stops us before the work
    check_out(settings)
    check_host(settings)

    seconds: dict[str, float] = {}
    tree = open_tree(settings, seconds)
    rows = stated.load() if settings.demonstration else []
    results: list[Result] = []

    def judge(job: tuple[str, str]) -> Result:
        name, label = job
        expected = stated.broken(rows, name, stated.series_of(tree.version), settings.arch)
        return judge_variant(tree, name, settings, expected, label)

    for result in side_by_side(judge, list(zip(settings.variants, names)), settings.cpus):
        if not results:
            result.seconds.update({k: v + result.seconds.get(k, 0) for k, v in seconds.items()})
        results.append(result)
        if not settings.json:
            print(report.table(result), end="\n\n", flush=True)
        if result.error:
            say(f"{result.variant.name}: could not judge: {result.error}")
    if settings.json:
        print(json.dumps([report.to_json(r) for r in results], indent=2))
    say(f"logs and results.json: {settings.out}")
    if settings.demonstration:
        return demonstration_status(results)
    return max(result.status for result in results)


def demonstration_status(results: list[Result]) -> int:
    """0 if each variant got exactly the verdict that verdicts.toml states.

    On a kernel for which the table states none, the verdict itself counts.
    """
    return max(result.status if result.status == 2 or not result.expected
               else int(not result.as_stated()) for result in results)
