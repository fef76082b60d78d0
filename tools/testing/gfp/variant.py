# SPDX-License-Identifier: GPL-2.0
"""Variants: changes to the kernel under test, kept as semantic patches.

A .cocci file says what it is in comment lines at its head:

  // What: one line for people
  // File: mm/page_alloc.c	(a file it changes; one line each)
  // Base: local-flag		(optional: the variant applied first)
  // Kills: costly_noretry	(mutants: a rule that must catch it; one line each)
  // Equivalent: a sentence	(mutants: why no rule can catch it, instead of Kills)
  // Against: local-flag		(mutants: the variant that it is a wrong form of, if not its base)
  // Suite: filemap_fallback	(mutants: the suite of that rule; gfp_compaction if not said)

Nothing here writes to a kernel tree: apply() returns the changed files.
"""

import difflib
import hashlib
import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import process
from errors import GfpError

HERE = Path(__file__).resolve().parent
FOLDERS = (HERE / "variants", HERE / "mutants")

# Content of a file of the kernel tree, or None where there is none.
Reader = Callable[[str], bytes | None]
# New content of files; None deletes the file.
Changes = dict[str, bytes | None]

DEFAULT_SUITE = "gfp_compaction"

SPATCH_SECONDS = 300


@dataclass(frozen=True)
class Variant:
    """One variant: where it is kept, and what its head says."""

    name: str
    path: Path | None = None
    what: str = ""
    base: str = ""
    files: tuple[str, ...] = ()
    kills: tuple[str, ...] = ()
    suite: str = DEFAULT_SUITE
    equivalent: str = ""
    against: str = ""
    sha256: str = ""

    @property
    def is_cocci(self) -> bool:
        """Whether it is a semantic patch."""
        return self.path is not None and self.path.suffix == ".cocci"


def known(folder: Path) -> list[str]:
    """Names of the variants kept in @folder."""
    return sorted(p.stem for p in folder.glob("*.cocci"))


def _find(name: str) -> Path:
    for folder in FOLDERS:
        path = folder / f"{name}.cocci"
        if path.is_file() and "/" not in name:
            return path
    path = Path(name).expanduser()
    if path.suffix in (".cocci", ".patch", ".diff"):
        if path.is_file():
            return path
        raise GfpError(f"VARIANT={name}: no such file")
    if path.is_file():
        raise GfpError(f"VARIANT={name}: must be a .cocci, .patch or .diff file")
    variants, mutants = ["none", *known(FOLDERS[0])], known(FOLDERS[1])
    close = [n for n in difflib.get_close_matches(name, mutants) if n not in variants]
    raise GfpError(f"VARIANT={name}: unknown, there are {' '.join(variants)}"
                   f" and {len(mutants)} mutants in {FOLDERS[1]}"
                   f"{' such as ' + ' '.join(close) if close else ''};"
                   " or give a path to a .cocci or .patch")


def load(name: str) -> Variant:
    """Find a variant by name or path and read its head."""
    if name == "none":
        return Variant("none", what="the kernel as it is")
    path = _find(name)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise GfpError(f"VARIANT={name}: {error.strerror}") from None
    sha256 = hashlib.sha256(data).hexdigest()
    if path.suffix != ".cocci":
        return Variant(path.stem, path.resolve(), sha256=sha256)

    head: dict[str, list[str]] = {}
    for key, value in re.findall(r"^//\s*(What|File|Base|Kills|Suite|Equivalent|Against):\s*(.*?)\s*$",
                                 data.decode(errors="replace"), re.MULTILINE):
        head.setdefault(key, []).append(value)
    files = tuple(f for line in head.get("File", []) for f in line.split())
    if not files:
        raise GfpError(f"VARIANT={name}: no line '// File: mm/page_alloc.c' says what it changes")
    for file in files:
        if file.startswith("/") or ".." in Path(file).parts:
            raise GfpError(f"VARIANT={name}: File: {file} is not a path inside a kernel tree")
    return Variant(path.stem, path.resolve(), what=" ".join(head.get("What", [])),
                   base="".join(head.get("Base", [])[:1]), files=files,
                   kills=tuple(k for line in head.get("Kills", []) for k in line.split()),
                   suite="".join(head.get("Suite", [DEFAULT_SUITE])[:1]),
                   equivalent=" ".join(head.get("Equivalent", [])),
                   against="".join(head.get("Against", [])[:1]), sha256=sha256)


def needs(variant: Variant) -> list[str]:
    """Host programs that applying @variant takes."""
    tools: list[str] = []
    if variant.path is not None:
        tools.append("spatch" if variant.is_cocci else "patch")
    if variant.base:
        tools += needs(load(variant.base))
    return tools


def layers(variant: Variant) -> list[Variant]:
    """@variant and what it is based on, the first to be applied first."""
    seen = []
    stack = [variant]
    while stack[-1].base:
        seen.append(stack[-1].name)
        if stack[-1].base in seen:
            raise GfpError(f"variant {variant.name}: Base: {stack[-1].base} goes round in a circle")
        stack.append(load(stack[-1].base))
    return stack[::-1]


def apply(variant: Variant, read: Reader) -> Changes:
    """Apply @variant to the tree behind @read; return the files it changes."""
    changes: Changes = {}
    for layer in layers(variant):
        below = dict(changes)

        def read_below(path: str, below: Changes = below) -> bytes | None:
            return below[path] if path in below else read(path)

        if layer.path is None:
            continue
        changes.update(_apply_cocci(layer, layer.path, read_below) if layer.is_cocci
                       else _apply_patch(layer, layer.path, read_below))
    return changes


def _materialise(folder: Path, files: list[str], read: Reader) -> dict[str, bytes]:
    """Put @files as @read has them under @folder; return those that exist."""
    before = {}
    for file in files:
        content = read(file)
        if content is None:
            continue
        before[file] = content
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes(content)
    return before


# --- semantic patches

@dataclass(frozen=True)
class RuleMatches:
    """Which rules of a semantic patch spatch tried, and which of them matched."""

    tried: frozenset[str]
    matched: frozenset[str]


def read_rule_matches(output: str) -> RuleMatches:
    """Read what `spatch --show-dependencies` prints.

    Each rule has a heading "NAME = "; "binding relevant in" follows if its
    dependencies held, and "binding out" if it matched.
    """
    tried, matched = set(), set()
    rule = ""
    for line in output.splitlines():
        if heading := re.fullmatch(r"([A-Za-z_]\w*|rule starting on line \d+) = ?", line):
            rule = heading[1]
        elif line.startswith("binding relevant in") and rule:
            tried.add(rule)
        elif line.lstrip().startswith("binding out") and rule:
            matched.add(rule)
    return RuleMatches(frozenset(tried), frozenset(matched))


def rule_names(cocci: str) -> list[str]:
    """Names of the rules of a semantic patch, in order (script rules left out)."""
    return re.findall(r"^@\s*([A-Za-z_]\w*)[^@:]*@", cocci, re.MULTILINE)


def _optional_rules(cocci: str) -> set[str]:
    """Rules that another rule stands in for: `depends on !NAME`, `never NAME`, `A || B`."""
    heads = " ".join(re.findall(r"^@[^@]*\bdepends on\b([^@]*)@", cocci, re.MULTILINE))
    names = set(re.findall(r"(?:!\s*|\bnever\s+)(\w+)", heads))
    for left, right in re.findall(r"(\w+)\s*\|\|\s*(\w+)", heads):
        names |= {left, right}
    return names


# What a semantic patch made of files, by its hash and theirs: a variant is often
# applied to the same kernel again, for another suite.
_applied: dict[tuple[str, ...], Changes] = {}


def _apply_cocci(variant: Variant, path: Path, read: Reader) -> Changes:
    key = (variant.sha256, *(hashlib.sha256(read(file) or b"").hexdigest()
                             for file in variant.files))
    if key not in _applied:
        _applied[key] = _run_spatch(variant, path, read)
    return dict(_applied[key])


def _run_spatch(variant: Variant, path: Path, read: Reader) -> Changes:
    cocci = path.read_text(errors="replace")
    with tempfile.TemporaryDirectory(prefix="gfp-variant-") as name:
        folder = Path(name)
        before = _materialise(folder, list(variant.files), read)
        for file in variant.files:
            if file not in before:
                raise GfpError(f"variant {variant.name} does not apply: the tree has no {file}")
        tried: set[str] = set()
        matched: set[str] = set()
        for file in variant.files:
            result = process.run(["spatch", "--sp-file", path, "--very-quiet",
                                  "--show-dependencies", "--in-place", file],
                                 cwd=folder, timeout=SPATCH_SECONDS)
            if result.status == 124:
                raise GfpError(f"variant {variant.name}: spatch took over {SPATCH_SECONDS} s"
                               f" on {file}")
            if result.status != 0:
                why = [line for line in result.output.splitlines() if line.strip()]
                raise GfpError(f"variant {variant.name}: spatch failed on {file}:"
                               f" {why[-1] if why else result.status}")
            matches = read_rule_matches(result.output)
            tried |= matches.tried
            matched |= matches.matched
        after = {file: (folder / file).read_bytes() for file in variant.files}
        changed: Changes = {f: after[f] for f in variant.files if after[f] != before[f]}

    # spatch skips a file early when none of the words of a rule is in it.
    unmatched = (tried or set(rule_names(cocci))) - matched - _optional_rules(cocci)
    if unmatched or not changed:
        names = ", ".join(sorted(unmatched)) or "no rule"
        verb = "matched nothing" if unmatched else "changed anything"
        raise GfpError(f"variant {variant.name} does not apply: {names} {verb}"
                       f" in {' '.join(variant.files)} (a tree that has it already is VARIANT=none)")
    return changed


# --- patches

def patch_files(text: str, exists: Callable[[str], bool]) -> tuple[int, list[str]]:
    """The strip level (-p1 or -p0) of a patch and the files it names."""
    raw: list[str] = []
    for line in text.splitlines():
        if match := re.match(r"(?:---|\+\+\+) ([^\t\r]+)", line):
            raw.append(match[1].strip())
        elif match := re.match(r"rename (?:from|to) (.+)", line):
            raw.append("a/" + match[1].strip())
    raw = [r for r in raw if r != "/dev/null"]
    level1 = list(dict.fromkeys(r.partition("/")[2] for r in raw if "/" in r))
    level0 = list(dict.fromkeys(raw))
    if not any(exists(f) for f in level1) and any(exists(f) for f in level0):
        return 0, level0
    return 1, level1


def first_failed_hunk(output: str) -> str:
    """The file and hunk that patch(1) complained about first."""
    file = ""
    for line in output.splitlines():
        if match := re.match(r"(?:checking|patching) file '?(.+?)'?$", line):
            file = match[1]
        elif match := re.match(r"Hunk #(\d+) FAILED at (\d+)", line):
            return f"hunk {match[1]} of {file} failed at line {match[2]}"
        elif "previously applied" in line or "Reversed" in line:
            return f"{file or 'it'} has it already (judge such a tree with VARIANT=none)"
        elif line.startswith("can't find file to patch") or "No file to patch" in line:
            return "it changes a file that the tree does not have"
        elif "malformed patch" in line or "Only garbage" in line or "unexpected" in line:
            return line.removeprefix("patch: ").strip("* ")
    lines = [line for line in output.splitlines() if line.strip()]
    return lines[-1] if lines else "patch(1) failed"


def _apply_patch(variant: Variant, path: Path, read: Reader) -> Changes:
    text = path.read_text(errors="surrogateescape")
    level, files = patch_files(text, lambda f: read(f) is not None)
    for file in files:
        if file.startswith("/") or ".." in Path(file).parts:
            raise GfpError(f"variant {variant.name}: {file} is outside the kernel tree")
    if not files:
        raise GfpError(f"variant {variant.name} does not apply: {path} is not a patch")
    with tempfile.TemporaryDirectory(prefix="gfp-variant-") as name:
        folder = Path(name)
        before = _materialise(folder, files, read)
        result = process.run(["patch", f"-p{level}", "--batch", "--forward", "--unified",
                              "--no-backup-if-mismatch", "--reject-file=-", "-i", path],
                             cwd=folder, timeout=60)
        if result.status != 0:
            raise GfpError(f"variant {variant.name} does not apply:"
                           f" {first_failed_hunk(result.output)}")
        after = {str(p.relative_to(folder)): p.read_bytes()
                 for p in folder.rglob("*") if p.is_file()}
    changed: Changes = {f: after[f] for f in after if after[f] != before.get(f)}
    changed.update({f: None for f in before if f not in after})
    if not changed:
        raise GfpError(f"variant {variant.name} does not apply: {path} changes nothing")
    return changed
