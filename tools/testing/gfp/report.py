# SPDX-License-Identifier: GPL-2.0
"""What a run prints for people, and the results.json it leaves for programs."""

import sys
from dataclasses import asdict, dataclass, field
from typing import Any

from errors import STATUS_BROKEN, STATUS_KEPT
from guest import Emulator
from settings import Settings, mem_text
from tree import Tree
from variant import Variant
from verdict import Judgement, Rule

SCHEMA = 1
WIDTH = 100
SHOWN_TEXTS = 3

WORDS = {STATUS_KEPT: "all kept", STATUS_BROKEN: "BROKEN"}


@dataclass
class Result:
    """All that is known about one kernel x variant x arch.

    @error: why nothing could be booted at all, if so
    @unbuildable: that was because the kernel does not compile or link
    @expected: in the demonstration and `make test`, per contract, what
               verdicts.toml states
    @emulator: what ran the kernel; None for UML, and before it is booted
    @rounds: of modules, what memory was like after each round
    """

    kernel: dict[str, Any]
    variant: Variant
    settings: Settings
    error: str = ""
    error_tail: list[str] = field(default_factory=list)
    unbuildable: bool = False
    config_path: str = ""
    config_sha256: str = ""
    compiler: str = ""
    commands: dict[str, list[str]] = field(default_factory=dict)
    judgements: list[Judgement] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    expected: dict[str, list[str]] = field(default_factory=dict)
    folder: str = ""
    emulator: Emulator | None = None
    rounds: list[dict[str, int]] = field(default_factory=list)

    @property
    def status(self) -> int:
        """The worst status of all contracts."""
        if self.error or not self.judgements:
            return 2
        return max(j.status for j in self.judgements)

    def as_stated(self) -> bool:
        """Whether each contract got exactly the verdict that @expected states."""
        return (self.status != 2 and all(
            sorted(j.broken) == sorted(self.expected.get(j.contract, ["(not stated)"]))
            for j in self.judgements))


def describe_kernel(tree: Tree) -> dict[str, Any]:
    """The record of the kernel under test."""
    return dict(tree.origin)


def to_json(result: Result) -> dict[str, Any]:
    """results.json of one kernel x variant x arch."""
    settings = result.settings
    return {
        "schema": SCHEMA,
        "kernel": result.kernel,
        "variant": {"name": result.variant.name, "sha256": result.variant.sha256,
                    "what": result.variant.what,
                    "path": str(result.variant.path) if result.variant.path else None},
        "arch": settings.arch,
        "mem": settings.mem,
        "cpus": settings.cpus,
        "nodes": settings.nodes,
        "emulator": asdict(result.emulator) if result.emulator else None,
        "filter": settings.filter,
        "one_in": settings.one_in,
        "modules": {"rounds": settings.rounds, "memory": result.rounds}
                   if settings.modules else None,
        "make_options": list(settings.make_options),
        "kernel_args": list(settings.kernel_args),
        "compiler": result.compiler,
        "config": {"path": result.config_path, "sha256": result.config_sha256},
        "status": result.status,
        "error": result.error,
        "contracts": [_contract_json(j, result) for j in result.judgements],
        "seconds": {k: round(v, 2) for k, v in result.seconds.items()},
    }


def _contract_json(judgement: Judgement, result: Result) -> dict[str, Any]:
    return {
        "contract": judgement.contract,
        "status": judgement.status,
        "reason": judgement.reason,
        "broken": judgement.broken,
        "expected": result.expected.get(judgement.contract),
        "command": result.commands.get(judgement.contract, []),
        "kunit": judgement.kunit,
        "kernel_warnings": judgement.warnings,
        "rules": [{"rule": rule.name, "source": rule.source, "broken": rule.broken,
                   "states": [asdict(s) for s in rule.states],
                   "first_broken": rule.texts} for rule in judgement.rules],
    }


def _paint(text: str, broken: bool) -> str:
    if not sys.stdout.isatty() or not text.strip():
        return text
    return f"\033[{31 if broken else 32}m{text}\033[0m"


def _fold(text: str, indent: str) -> list[str]:
    """Fold one text to the width of the table, with a hanging indent."""
    lines: list[str] = []
    current = indent
    for word in text.split(" "):
        if len(current) + len(word) + 1 > WIDTH and current.strip():
            lines.append(current.rstrip())
            current = indent + "  "
        current += word + " "
    return lines + [current.rstrip()]


def _title(result: Result) -> str:
    kernel, settings = result.kernel, result.settings
    source = kernel.get("source", {})
    version = str(kernel.get("version", "?"))
    if "package_version" in source:
        version += f" (Debian {source['package_version']})"
    elif source.get("git", {}).get("describe"):
        version += f" ({source['git']['describe']}{' dirty' if source['git']['dirty'] else ''})"
    arch = settings.arch
    if result.emulator:
        arch += f" ({result.emulator.version}, {result.emulator.accelerator})"
    return (f"kernel {version}, variant {result.variant.name}, {arch},"
            f" {mem_text(settings.mem)}, {settings.cpus} CPU{'s' if settings.cpus > 1 else ''}"
            f"{f', {settings.nodes} nodes' if settings.nodes > 1 else ''}"
            f"{_modules_text(settings)}"
            f"{f', one cell in {settings.one_in}' if settings.one_in > 1 else ''}"
            f"{''.join(f', {word}' for word in settings.kernel_args)}")


def _modules_text(settings: Settings) -> str:
    if not settings.modules:
        return ""
    return f", modules{f', {settings.rounds} rounds' if settings.rounds > 1 else ''}"


def columns(rows: list[list[str]], left: int) -> list[str]:
    """Lines of a table: the first @left columns begin where they do, the others end."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) if i < left else cell.rjust(width)
                      for i, (cell, width) in enumerate(zip(row, widths))).rstrip()
            for row in rows]


def _cell(rule: Rule | None) -> tuple[str, bool]:
    if rule is None:
        return "-", False
    if rule.broken:
        of = f"{rule.broken_cells} of {rule.cells}" if rule.broken_cells else "named case"
        return f"BROKEN  {of}", True
    if rule.unjudged:
        return f"unjudged  {rule.unjudged} of {rule.cells}", True
    return f"kept  {rule.cells or 'named case'}", False


def table(result: Result) -> str:
    """The table of one kernel x variant: rules down, contracts across."""
    lines = [_title(result)]
    if result.error:
        lines += _fold(f"could not judge: {result.error}", "  ")
        return "\n".join(lines + [f"    {line}" for line in result.error_tail])
    by_contract = {j.contract: {r.name: r for r in j.rules} for j in result.judgements}
    names = list(dict.fromkeys(r.name for j in result.judgements for r in j.rules))
    if names:
        left = max(len("rule"), *(len(n) for n in names))
        lines.append("  " + "rule".ljust(left) + "".join(
            f"  {contract:<24}" for contract in by_contract).rstrip())
        for name in names:
            row = "  " + name.ljust(left)
            for rules in by_contract.values():
                text, broken = _cell(rules.get(name))
                row += "  " + _paint(f"{text:<24}", broken)
            lines.append(row.rstrip())
    for judgement in result.judgements:
        lines += _explain(judgement, result)
    return "\n".join(lines)


def _explain(judgement: Judgement, result: Result) -> list[str]:
    """The verdict under one contract, and what a reader needs to believe it."""
    head = f"  {judgement.contract}: "
    if judgement.status not in WORDS:
        return (_fold(f"{head.strip()} could not judge: {judgement.reason}", "  ")
                + [f"    | {line}"[:WIDTH] for line in judgement.tail])
    verdict = WORDS[judgement.status]
    if judgement.broken:
        verdict += " " + ", ".join(judgement.broken)
    if judgement.contract in result.expected:
        stated = result.expected[judgement.contract]
        if sorted(stated) == sorted(judgement.broken):
            verdict += " (as stated)"
        else:
            verdict += f" (NOT AS STATED: {', '.join(stated) if stated else 'all kept'})"
    lines = _fold(f"{judgement.contract}: {verdict}", "  ")
    for rule in judgement.rules:
        if rule.broken:
            lines.append(f"    {rule.name}:")
            for text in rule.texts[:SHOWN_TEXTS]:
                lines += _fold(text, "      ")
            more = max(rule.broken_cells, len(rule.texts)) - SHOWN_TEXTS
            if more > 0:
                lines.append(f"      ... and {more} more cells")
            if rule.source:
                lines += _fold(f"source: {rule.source}", "      ")
    return lines
