# SPDX-License-Identifier: GPL-2.0
"""The verdicts that the project states for its variants: verdicts.toml."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from errors import GfpError

TABLE = Path(__file__).resolve().parent / "verdicts.toml"


@dataclass(frozen=True)
class Stated:
    """One row: which rules a variant breaks under each contract, and why."""

    variant: str
    kernels: tuple[str, ...]
    broken: dict[str, list[str]]
    why: str


def load(path: Path = TABLE) -> list[Stated]:
    """Read the table."""
    try:
        with open(path, "rb") as file:
            rows = tomllib.load(file).get("verdict", [])
        return [Stated(row["variant"], tuple(row["kernels"]),
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


def find(rows: list[Stated], variant: str, series: str) -> Stated | None:
    """The row of @variant on a kernel of @series."""
    return next((r for r in rows if r.variant == variant and series in r.kernels), None)


def series_of(version: str) -> str:
    """7.3 for 7.3.4."""
    return ".".join(version.split(".")[:2])
