# SPDX-License-Identifier: GPL-2.0
"""`make compare`: the benchmark on two kernels, point by point.

BASE and HEAD are each a kernel tree, a series such as 7.2, a variant of
KERNEL, or a folder with the results of an earlier `make bench`.  Instructions
are the same in each boot, so that any difference is one of the kernels; times
are compared by the test in statistic.py.
"""

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

import bench
import files
import kernel
import report
import statistic
import variant as variants
from console import say
from errors import STATUS_BROKEN, STATUS_KEPT, GfpError
from judge import judge_variant, open_tree
from run import check_host, check_out
from settings import CONTRACTS, Settings
from tree import Tree

NOTHING, REGRESSION, IMPROVEMENT = "", "(R)", "(I)"

# The kernel is held to the contracts too: all suites but benchmarks, whose names
# end in another letter, and a part of their cells.
RULES = "rules"
RULES_FILTER = "*[!h].*"
RULES_ONE_IN = 5

# What makes two results comparable.
SAME = ("schema", "mode", "arch", "mem", "cpus", "emulator")


@dataclass(frozen=True)
class Difference:
    """One point on two kernels.

    @base, @head: median time, over all boots
    @verdict: REGRESSION, IMPROVEMENT or NOTHING
    @effect: exact: the relative difference; wall: Cliff's delta
    @attempts: how often the call of @head goes to the page allocator
    """

    key: bench.Key
    base: float
    head: float
    verdict: str
    effect: float
    attempts: float


def compare(settings: Settings, env: Mapping[str, str] = os.environ) -> int:
    """Measure what is not measured yet, print the table; return the exit status."""
    threshold = threshold_of(env)
    check_out(settings)
    # Both are looked at before one is measured.
    plans = {name: _plan(env.get(name, "").strip(), name, settings) for name in ("BASE", "HEAD")}
    base, head = (plan if isinstance(plan, dict) else _measure(plan, name)
                  for name, plan in plans.items())
    _check_comparable(base, head)
    differences = judge(base, head, threshold)
    result = to_json(base, head, differences)
    print(json.dumps(result, indent=2) if settings.json else table(base, head, differences))
    files.write_json(settings.out / "compare.json", result)
    say(f"results: {settings.out / 'compare.json'}")
    return STATUS_BROKEN if any(d.verdict == REGRESSION for d in differences) else STATUS_KEPT


def threshold_of(env: Mapping[str, str]) -> float:
    """THRESHOLD in per cent, as a fraction."""
    text = env.get("THRESHOLD", "").strip() or "0"
    if not re.fullmatch(r"\d{1,3}(\.\d+)?%?", text):
        raise GfpError(f"THRESHOLD={text}: must be per cent, such as 0.5")
    return float(text.rstrip("%")) / 100


# --- the two sides

def _plan(spec: str, name: str, settings: Settings) -> dict[str, Any] | Settings:
    """What BASE or HEAD means: results that are there, or what to measure."""
    if not spec:
        raise GfpError(f"{name}= is missing: a kernel tree, a series, a variant,"
                       " or a folder with results")
    path = Path(spec).expanduser()
    if (path / "results.json").is_file():
        return load(path / "results.json", f"{name}={spec}")
    if path.is_dir():
        kernel.check_kdir(path)
        return replace(settings, kdir=path, variants=("none",))
    if re.fullmatch(r"\d{1,2}\.\d{1,3}", spec):
        return replace(settings, kernel=spec, variants=("none",))
    if spec != "none" and not path.is_file() and spec not in [
            *variants.known(variants.FOLDERS[0]), *variants.known(variants.FOLDERS[1])]:
        raise GfpError(f"{name}={spec}: no kernel tree, series, variant or folder with results")
    variants.load(spec)
    return replace(settings, variants=(spec,))


def load(path: Path, what: str) -> dict[str, Any]:
    """Results of an earlier benchmark."""
    try:
        found: dict[str, Any] = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise GfpError(f"{what}: cannot read {path.name}: {error}") from None
    if not found.get("runs"):
        raise GfpError(f"{what}: no results of a benchmark in {path}")
    if found.get("error"):
        raise GfpError(f"{what}: these results are not to be believed: {found['error']}")
    return found


def _measure(settings: Settings, name: str) -> dict[str, Any]:
    check_host(settings)
    tree = open_tree(settings, {})
    label = f"{name.lower()}-{variants.load(settings.variants[0]).name}"
    one, = bench.measure(tree, [(settings.variants[0], label)], settings)
    if one.error:
        raise GfpError(f"{name}: could not measure: {one.error}", tail=one.error_tail)
    results = {**bench.to_json(one, tree, settings), "rules": _rules(tree, label, settings)}
    files.write_json(one.folder / "results.json", results)
    return results


def _rules(tree: Tree, label: str, settings: Settings) -> dict[str, list[str]] | None:
    """The rules that the same kernel breaks under each contract; None if nobody can say."""
    result = judge_variant(tree, settings.variants[0], replace(
        settings, bench=RULES, filter=RULES_FILTER, one_in=RULES_ONE_IN, contracts=CONTRACTS),
        label=f"{label}-{RULES}")
    why = result.error or next((j.reason for j in result.judgements if j.status == 2), "")
    if why:
        say(f"{label}: rules could not be judged: {why}")
        return None
    return {j.contract: sorted(j.broken) for j in result.judgements}


def changed_rules(base: dict[str, Any], head: dict[str, Any]) -> list[str] | None:
    """Rules whose verdict changed, one line each; None where one side has no verdict."""
    one, other = base.get("rules"), head.get("rules")
    if not one or not other:
        return None
    return [f"{contract} {rule}: {'kept -> broken' if rule in other[contract] else 'broken -> kept'}"
            for contract in CONTRACTS
            for rule in sorted(set(one[contract]) ^ set(other[contract]))]


def _check_comparable(base: dict[str, Any], head: dict[str, Any]) -> None:
    for name in SAME:
        if base.get(name) != head.get(name):
            raise GfpError(f"BASE and HEAD cannot be compared: {name} is {base.get(name)}"
                           f" and {head.get(name)}")


# --- what differs

def _medians(results: dict[str, Any]) -> dict[bench.Key, list[float]]:
    """The median of each boot, by point."""
    found: dict[bench.Key, list[float]] = {}
    for run in results["runs"]:
        for point in run:
            found.setdefault(_key(point), []).append(point["p50"]["value"])
    return found


def _key(point: dict[str, Any]) -> bench.Key:
    return tuple(str(point[name] if isinstance(point[name], str) else point[name]["value"])
                 for name in bench.KEYS)


def _attempts(results: dict[str, Any]) -> dict[bench.Key, float]:
    """How many attempts a call makes; 0 where none were observed."""
    return {_key(point): float(point.get("attempts", {}).get("value") or 0)
            for point in results["runs"][0]}


def judge(base: dict[str, Any], head: dict[str, Any], threshold: float) -> list[Difference]:
    """Compare every point that both have."""
    left, right = _medians(base), _medians(head)
    keys = [key for key in left if key in right]
    if not keys:
        raise GfpError("BASE and HEAD have no point in common", tail=[])
    real = _real(base["mode"], [(left[key], right[key]) for key in keys])
    attempts = _attempts(head)
    return [_difference(key, left[key], right[key], base["mode"], threshold if differs else None,
                        attempts[key]) for key, differs in zip(keys, real)]


def one_sided(base: dict[str, Any], head: dict[str, Any]) -> dict[str, list[bench.Key]]:
    """The points that only one of the two has, by side."""
    left, right = _medians(base), _medians(head)
    return {"base": [key for key in left if key not in right],
            "head": [key for key in right if key not in left]}


def _real(mode: str, pairs: Sequence[tuple[list[float], list[float]]]) -> list[bool]:
    """Which points differ for sure."""
    if mode == "exact":
        return [median(base) != median(head) for base, head in pairs]
    fewest = min(min(len(base), len(head)) for base, head in pairs)
    needed = statistic.boots_needed(len(pairs))
    if fewest < needed:
        raise GfpError(f"REPEAT={fewest}: nothing could be told of {len(pairs)} points by so few"
                       f" boots; it takes {needed}")
    return statistic.significant([statistic.p_value(base, head) for base, head in pairs])


def _difference(key: bench.Key, base: list[float], head: list[float], mode: str,
                threshold: float | None, attempts: float) -> Difference:
    """@threshold is None where nothing differs for sure."""
    one, other = median(base), median(head)
    verdict = NOTHING
    if threshold is not None and abs(other - one) > threshold * one:
        verdict = REGRESSION if other > one else IMPROVEMENT
    effect = ((other - one) / one if one else 0.0) if mode == "exact" else (
        cliffs_delta(base, head))
    return Difference(key, one, other, verdict, effect, attempts)


def cliffs_delta(base: Sequence[float], head: Sequence[float]) -> float:
    """How often a time of @head is the longer one, less how often the shorter: -1 to 1."""
    return sum((h > b) - (h < b) for h in head for b in base) / (len(base) * len(head))


# --- showing it

def to_json(base: dict[str, Any], head: dict[str, Any],
            differences: list[Difference]) -> dict[str, Any]:
    """compare.json."""
    unit = base["runs"][0][0]["p50"]["unit"]
    return {
        "schema": bench.SCHEMA,
        "mode": base["mode"],
        "test": None if base["mode"] == "exact" else
                f"Mann-Whitney U of the boots' medians, Holm's correction, alpha {statistic.ALPHA}",
        "base": {"kernel": base["kernel"], "variant": base["variant"]},
        "head": {"kernel": head["kernel"], "variant": head["variant"]},
        "points": [{**dict(zip(bench.KEYS, d.key)), "base": {"value": d.base, "unit": unit},
                    "head": {"value": d.head, "unit": unit},
                    "difference": {"value": d.head - d.base, "unit": unit},
                    "effect": d.effect, "verdict": d.verdict} for d in differences],
        "only": {side: [dict(zip(bench.KEYS, key)) for key in keys]
                 for side, keys in one_sided(base, head).items()},
        "rules_changed": changed_rules(base, head),
    }


def _title(results: dict[str, Any]) -> str:
    return f"{results['kernel'].get('version', '?')} {results['variant']['name']}"


def table(base: dict[str, Any], head: dict[str, Any], differences: list[Difference]) -> str:
    """Every point with both medians, and what differs."""
    exact = base["mode"] == "exact"
    unit = base["runs"][0][0]["p50"]["unit"]
    rows = [["call", "state", "free", "order", "base", "head", "difference", "per attempt",
             "effect", ""]]
    for d in differences:
        delta = d.head - d.base
        rows.append([*d.key[:4], f"{d.base:,.0f}", f"{d.head:,.0f}", f"{delta:+,.0f}",
                     f"{delta / d.attempts:+,.1f}" if d.attempts and delta else "-",
                     f"{d.effect:+.1%}" if exact else f"{d.effect:+.2f}", d.verdict])
    counts = {verdict: sum(d.verdict == verdict for d in differences)
              for verdict in (REGRESSION, IMPROVEMENT, NOTHING)}
    summary = (f"{counts[REGRESSION]} regressions, {counts[IMPROVEMENT]} improvements,"
               f" {counts[NOTHING]} points the same")
    return "\n".join([f"base: {_title(base)}   head: {_title(head)}   medians in {unit}",
                      *report.columns(rows, left=2), summary,
                      *_one_sided_lines(one_sided(base, head)),
                      *_rule_lines(changed_rules(base, head))])


def _one_sided_lines(only: dict[str, list[bench.Key]]) -> list[str]:
    return [f"only {side} has: {name}, {state}, order {free} free, order {order}, {threads} tasks"
            for side, keys in only.items() for name, state, free, order, threads in keys]


def _rule_lines(changed: list[str] | None) -> list[str]:
    if changed is None:
        return ["rules: not judged on both sides"]
    return ["rules: none changed"] if not changed else ["rules that changed:",
                                                        *(f"  {line}" for line in changed)]
