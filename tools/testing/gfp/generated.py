# SPDX-License-Identifier: GPL-2.0
"""Generated mutants: every place where an operator applies in some functions.

operators.cocci finds the places as the file spells them, macros and all; the
table of operators below says what is written there instead.  Nobody picks
them: a sample is the first ones by a hash of seed and name.
"""

import difflib
import hashlib
import json
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import process
import variant as variants
from errors import GfpError
from variant import Changes, Reader

OPERATORS = Path(__file__).resolve().parent / "operators.cocci"

# What generated mutants are mutants of: a kernel that keeps all rules.
BASE = "local-flag"


@dataclass(frozen=True)
class Place:
    """Functions that decide what an attempt does, and the suite that looks at them."""

    file: str
    functions: str
    suite: str


PLACES = (
    Place("mm/page_alloc.c", r"__alloc_pages_slowpath|__alloc_pages_direct_(?:compact|reclaim)",
          "gfp_compaction"),
    Place("mm/vmscan.c", "wakeup_kswapd", "gfp_compaction"),
    Place("mm/compaction.c", "try_to_compact_pages", "gfp_compaction"),
    Place("mm/filemap.c", "__filemap_get_folio(?:_mpol)?", "filemap_fallback"),
)

Span = tuple[int, int]
# The operator's name, what it replaces, and by what.
Change = tuple[str, Span, str]


@dataclass(frozen=True)
class Mutation:
    """One change to one file.  @start, @end, @text: what stands where instead."""

    file: str
    function: str
    line: int
    column: int
    operator: str
    start: int
    end: int
    text: str
    suite: str

    @property
    def name(self) -> str:
        """The same as long as the file is."""
        return f"{self.file}:{self.function}:{self.line}:{self.column}:{self.operator}"

    @property
    def label(self) -> str:
        """The name as the name of a file."""
        return re.sub(r"[^\w.-]+", "-", self.name.removeprefix("mm/"))

    def apply(self, source: str) -> str:
        """@source with it.  As many lines as before, so that the place of nothing else,
        which the kernel's warnings know, is another one."""
        lost = source.count("\n", self.start, self.end) - self.text.count("\n")
        return source[:self.start] + self.text + "\n" * lost + source[self.end:]


# --- operators

# For the names of mutants, which are names of files too.
WORDS = {">": "gt", ">=": "ge", "<": "lt", "<=": "le", "==": "eq", "!=": "ne",
         "&&": "and", "||": "or"}

COMPARISONS = {">": (">=", "<"), ">=": (">", "<"), "<": ("<=", ">"), "<=": ("<", ">"),
               "==": ("!=",), "!=": ("==",)}


def _condition(source: str, spans: Sequence[Span]) -> Iterator[Change]:
    """Negate it; force it."""
    start, end = spans[0]
    yield "negate", (start, end), f"!({source[start:end]})"
    yield "true", (start, end), "true"
    yield "false", (start, end), "false"


def _two_sided(source: str, spans: Sequence[Span]) -> tuple[Span, str, str, str]:
    """The span of an expression with two operands, and its parts."""
    (start, left), operator, (right, end) = spans
    return (start, end), source[start:left], source[slice(*operator)], source[right:end]


def _logical(source: str, spans: Sequence[Span]) -> Iterator[Change]:
    """The other operator; either operand alone."""
    whole, left, operator, right = _two_sided(source, spans)
    other = "||" if operator == "&&" else "&&"
    yield f"{WORDS[operator]}-to-{WORDS[other]}", whole, f"(({left}) {other} ({right}))"
    yield from _drop(whole, left, right)


def _drop(whole: Span, left: str, right: str) -> Iterator[Change]:
    yield "drop-right", whole, f"({left})"
    yield "drop-left", whole, f"({right})"


def _comparison(source: str, spans: Sequence[Span]) -> Iterator[Change]:
    """Another comparison."""
    operator = source[slice(*spans[1])]
    for other in COMPARISONS[operator]:
        yield f"{WORDS[operator]}-to-{WORDS[other]}", spans[1], other


def _bits(source: str, spans: Sequence[Span]) -> Iterator[Change]:
    """A mask without one of its flags; a value without its mask."""
    whole, left, _, right = _two_sided(source, spans)
    yield from _drop(whole, left, right)


def _statement(_source: str, spans: Sequence[Span]) -> Iterator[Change]:
    """Not done."""
    yield "drop", (spans[0][0], spans[-1][1]), ";"


APPLY: dict[str, Callable[[str, Sequence[Span]], Iterator[Change]]] = {
    "condition": _condition, "logical": _logical, "comparison": _comparison, "bits": _bits,
    "assignment": _statement, "call": _statement, "goto": _statement,
}


# --- finding

def read_matches(output: str) -> list[tuple[str, str, list[list[int]]]]:
    """Rule, function and spans of each match that spatch printed, each once."""
    found: dict[str, tuple[str, str, list[list[int]]]] = {}
    for line in output.splitlines():
        if line.startswith("MATCH "):
            rule, function, *spans = json.loads(line.removeprefix("MATCH "))
            found[line] = (rule, function, spans)
    return list(found.values())


def mutations_of(place: Place, source: str,
                 matches: Sequence[tuple[str, str, list[list[int]]]]) -> list[Mutation]:
    """All mutants of a file, in its order."""
    starts = [0]
    for text in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(text))
    found = []
    for rule, function, spans in matches:
        if not re.fullmatch(place.functions, function):
            continue
        # What has two sides is where its operator is: in a && b && c both begin at a.
        line, column = spans[1 if len(spans) == 3 else 0][:2]
        offsets = [(starts[a - 1] + b, starts[c - 1] + d) for a, b, c, d in spans]
        for operator, (start, end), text in APPLY[rule](source, offsets):
            found.append(Mutation(place.file, function, line, column + 1, f"{rule}-{operator}",
                                  start, end, text, place.suite))
    unique = {mutation.name: mutation for mutation in found}
    return sorted(unique.values(), key=lambda m: (m.start, m.end, m.name))


def find(read: Reader) -> list[Mutation]:
    """All mutants of all places; @read: the files of the base."""
    found: list[Mutation] = []
    for place in PLACES:
        source = text_of(read, place.file)
        with tempfile.TemporaryDirectory(prefix="gfp-generate-") as name:
            path = Path(name, Path(place.file).name)
            path.write_text(source, encoding="latin-1")
            Path(name, "none.iso").touch()
            result = process.run(["spatch", "--sp-file", OPERATORS, "--iso-file",
                                  Path(name, "none.iso"), "--very-quiet", path],
                                 timeout=variants.SPATCH_SECONDS)
        if result.status != 0:
            why = [line for line in result.output.splitlines() if line.strip()]
            raise GfpError(f"spatch failed on {place.file}: {why[-1] if why else result.status}"
                           " (it must have been built with Python)")
        mutations = mutations_of(place, source, read_matches(result.output))
        if not mutations:
            raise GfpError(f"{place.file} has no function {place.functions} that can be changed")
        found += mutations
    return found


def text_of(read: Reader, path: str) -> str:
    """A file in which each byte is one character, as spatch counts columns."""
    content = read(path)
    if content is None:
        raise GfpError(f"the tree has no {path}")
    return content.decode("latin-1")


def sample(mutations: Sequence[Mutation], count: int, seed: int) -> list[Mutation]:
    """@count of them, the same for the same seed; more of them are these and others."""
    def place(mutation: Mutation) -> str:
        return hashlib.sha256(f"{seed}:{mutation.name}".encode()).hexdigest()

    return sorted(mutations, key=place)[:count]


def diff(mutation: Mutation, source: str) -> str:
    """To the base, for people."""
    return "".join(difflib.unified_diff(
        source.splitlines(keepends=True), mutation.apply(source).splitlines(keepends=True),
        f"a/{mutation.file}", f"b/{mutation.file}"))


def patch(mutation: Mutation, read: Reader, base: Changes) -> bytes:
    """To the kernel as it is, with the base in it: what VARIANT takes."""
    def with_base(path: str) -> bytes | None:
        return base[path] if path in base else read(path)

    parts = []
    for path in dict.fromkeys([*base, mutation.file]):
        old, new = text_of(read, path), text_of(with_base, path)
        if path == mutation.file:
            new = mutation.apply(new)
        parts.append("".join(difflib.unified_diff(
            old.splitlines(keepends=True), new.splitlines(keepends=True),
            f"a/{path}", f"b/{path}")))
    return "".join(parts).encode("latin-1")
