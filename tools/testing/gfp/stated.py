# SPDX-License-Identifier: GPL-2.0
"""The verdicts that the project states for its variants: verdicts.toml."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

import suites
from errors import GfpError

TABLE = Path(__file__).resolve().parent / "verdicts.toml"


@dataclass(frozen=True)
class Stated:
    """One row: which rules of a suite a variant breaks under each contract, and why."""

    variant: str
    suite: str
    arch: str
    kernels: tuple[str, ...]
    broken: dict[str, list[str]]
    why: str


def load(path: Path = TABLE) -> list[Stated]:
    """Read the table."""
    try:
        with open(path, "rb") as file:
            rows = tomllib.load(file).get("verdict", [])
        return [Stated(row["variant"], row["suite"], suites.arch_of(row["suite"]),
                       tuple(row["kernels"]),
                       {c: list(row[c]) for c in ("nodirect", "documented")}, row["why"])
                for row in rows]
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise GfpError(f"{path}: {error}") from None


def mutants(path: Path = TABLE) -> list[str]:
    """The mutants that `make test` runs."""
    try:
        with open(path, "rb") as file:
            return [str(name) for name in tomllib.load(file)["mutants"]]
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise GfpError(f"{path}: {error}") from None


def broken(rows: list[Stated], variant: str, series: str, arch: str,
           ) -> dict[str, list[str]] | None:
    """What @variant breaks under each contract on a kernel of @series, all suites together;
    None if no row says so.

    What is proven on UML holds on every machine; other suites show all they can
    on their own machine only.
    """
    found = [r for r in rows if r.variant == variant and series in r.kernels
             and r.arch in ("um", arch)]
    if not found:
        return None
    return {contract: [rule for row in found for rule in row.broken[contract]]
            for contract in ("nodirect", "documented")}


def series_of(version: str) -> str:
    """7.3 for 7.3.4."""
    return ".".join(version.split(".")[:2])
