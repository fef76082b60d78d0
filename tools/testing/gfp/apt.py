# SPDX-License-Identifier: GPL-2.0
"""Debian's archive, through a private apt that leaves the system's alone.

apt verifies what it downloads against the archive's signature; we only give
it folders of our own and a list of sources made from the machine's.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import process
from console import Progress
from errors import GfpError
from files import write_atomically

KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
SUITES = ("trixie", "trixie-backports", "forky", "sid")
SECURITY_SUITES = ("trixie-security",)
SYSTEM_SOURCES = Path("/etc/apt")

HELP = "give a tree of your own with KDIR=PATH"


@dataclass(frozen=True)
class Source:
    """One entry of an apt source list."""

    uri: str
    suite: str
    components: tuple[str, ...]

    @property
    def is_security(self) -> bool:
        """Whether this is the archive of security updates."""
        return self.suite.endswith("-security") or "security" in self.uri.rstrip("/").split("/")[-1]


def parse_one_line(text: str) -> Iterator[Source]:
    """Read the one-line format: deb [options] URI SUITE COMPONENT..."""
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if match := re.fullmatch(r"deb\s+(?:\[[^]]*\]\s*)?(\S+)\s+(\S+)\s*(.*)", line):
            yield Source(match[1], match[2], tuple(match[3].split()))


def parse_deb822(text: str) -> Iterator[Source]:
    """Read the deb822 format: paragraphs of Types, URIs, Suites, Components."""
    for paragraph in re.split(r"\n[ \t]*\n", text):
        fields: dict[str, str] = {}
        key = ""
        for line in paragraph.splitlines():
            if line.startswith("#"):
                continue
            if line[:1] in (" ", "\t"):
                fields[key] = fields.get(key, "") + " " + line.strip()
            elif ":" in line:
                key, _, value = line.partition(":")
                key = key.strip().lower()
                fields[key] = value.strip()
        if fields.get("enabled", "yes").lower() in ("no", "false", "0"):
            continue
        if "deb" not in fields.get("types", "").split():
            continue
        for uri in fields.get("uris", "").split():
            for suite in fields.get("suites", "").split():
                yield Source(uri, suite, tuple(fields.get("components", "").split()))


def system_sources(etc: Path = SYSTEM_SOURCES) -> list[Source]:
    """The Debian archives that this machine itself uses."""
    found: list[Source] = []
    for path in [etc / "sources.list", *sorted((etc / "sources.list.d").glob("*"))]:
        try:
            text = path.read_text(errors="replace")
        except OSError:
            continue
        if path.suffix == ".list":
            found += parse_one_line(text)
        elif path.suffix == ".sources":
            found += parse_deb822(text)

    def is_debian(source: Source) -> bool:
        name = source.uri.rstrip("/").split("/")[-1]
        return ("main" in source.components and not source.uri.startswith("cdrom:")
                and (name in ("debian", "debian-security") or source.is_security
                     or re.fullmatch(r".*/debian(-security)?/\d{8}T\d{6}Z/?", source.uri)
                     is not None))

    return [source for source in found if is_debian(source)]


def private_sources(machine: list[Source]) -> list[str]:
    """Lines of our own source list: the machine's archives, with newer suites."""
    wanted: list[tuple[str, str]] = []
    for security, newer in ((False, SUITES), (True, SECURITY_SUITES)):
        mine = [s for s in machine if s.is_security == security]
        wanted += [(s.uri, s.suite) for s in mine]
        wanted += [(mine[0].uri, suite) for suite in newer if mine]
    return [f"deb [signed-by={KEYRING}] {uri} {suite} main"
            for uri, suite in dict.fromkeys(wanted)]


class PrivateApt:
    """apt with its state under @folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.archives = folder / "archives"
        self.conf = folder / "apt.conf"

    def prepare(self) -> None:
        """Make the folders, the source list and the configuration."""
        if not KEYRING.is_file():
            raise GfpError(f"no {KEYRING}: kernels are fetched from Debian's archive only; {HELP}")
        sources = private_sources(system_sources())
        if not sources:
            raise GfpError("this machine's apt sources name no Debian archive to fetch from;"
                           f" {HELP}")
        for name in ("lists/partial", "cache/archives/partial", "archives"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        write_atomically(self.folder / "sources.list", "\n".join(sources + [""]).encode())
        conf = [
            # Hooks of the system's configuration are for the system's state.
            "#clear APT::Update::Pre-Invoke;", "#clear APT::Update::Post-Invoke;",
            "#clear APT::Update::Post-Invoke-Success;",
            f'Dir::State::Lists "{self.folder}/lists";',
            f'Dir::Etc::SourceList "{self.folder}/sources.list";',
            'Dir::Etc::SourceParts "/dev/null";',
            f'Dir::Cache "{self.folder}/cache";',
            'Acquire::Languages "none";',
            'Acquire::Retries "2";',
            'Acquire::http::Timeout "20";', 'Acquire::https::Timeout "20";',
        ]
        if os.geteuid() == 0:
            # The private folders need not be open to the _apt user.
            conf.append('APT::Sandbox::User "root";')
        write_atomically(self.conf, "\n".join(conf + [""]).encode())

    def _apt(self, *words: str) -> process.Finished:
        return process.run([words[0], "-c", self.conf, *words[1:]], cwd=self.archives)

    def update(self) -> None:
        """Fetch the archive's lists."""
        progress = Progress("apt-get update (private lists)")
        log = self.folder / "update.log"
        with open(log, "wb") as out:
            status = process.run_logged(
                ["apt-get", "-c", self.conf, "-q", "update"], out, process.clean_environment(),
                lambda: progress.update("fetching the archive's lists"))
        progress.clear()
        have = list((self.folder / "lists").glob("*_Packages*"))
        text = log.read_text(errors="replace")
        # apt exits 0 when hosts cannot be reached and old lists are kept.
        failed = status != 0 or re.search(r"^W: Failed to fetch", text, re.MULTILINE)
        if failed and not have:
            why = re.findall(r"^[EW]: (.*)$", text, re.MULTILINE)
            raise GfpError("cannot reach Debian's archive (no network?):"
                           f" {why[0] if why else status}; {HELP}", log=log)

    def versions(self, package: str) -> list[str]:
        """Versions of @package in the archive, newest first."""
        result = self._apt("apt-cache", "madison", package)
        found = {line.split("|")[1].strip() for line in result.output.splitlines()
                 if line.count("|") >= 2 and line.split("|")[0].strip() == package}
        ordered: list[str] = []
        for version in found:
            at = 0
            while at < len(ordered) and process.run(
                    ["dpkg", "--compare-versions", ordered[at], "gt", version]).status == 0:
                at += 1
            ordered.insert(at, version)
        return ordered

    def names(self, pattern: str) -> list[str]:
        """Names of packages that match @pattern."""
        result = self._apt("apt-cache", "pkgnames")
        return sorted(n for n in result.output.split() if re.fullmatch(pattern, n))

    def download(self, package: str, version: str) -> Path:
        """Download and verify one package; return the .deb."""
        uris = self._apt("apt-get", "-q", "--print-uris", "download", f"{package}={version}")
        # Nothing is printed for a file that is there already; apt checks it all the same.
        match = re.search(r"^'[^']*' \S+ (\d+)", uris.output, re.MULTILINE)
        size = int(match[1]) if match else 0
        progress = Progress(f"downloading {package} {version}")

        def tick() -> None:
            got = max((p.stat().st_size for p in self.archives.glob(f"{package}_*")), default=0)
            progress.update(f"{got >> 20} of {max(got, size) >> 20} MiB")

        log = self.folder / "download.log"
        with open(log, "wb") as out:
            status = process.run_logged(
                ["apt-get", "-c", self.conf, "-q", "download", f"{package}={version}"], out,
                process.clean_environment(), tick, cwd=self.archives)
        debs = list(self.archives.glob(f"{package}_{version.replace(':', '%3a')}_*.deb"))
        if status != 0 or not debs:
            progress.clear()
            text = log.read_text(errors="replace")
            why = re.findall(r"^E: (.*)$", text, re.MULTILINE)
            if "No space left" in text:
                raise GfpError(f"no space left on device: {self.archives}", log=log)
            raise GfpError(f"cannot download {package} {version} (no network?):"
                           f" {why[0] if why else status}; {HELP}", log=log)
        progress.done("done and verified")
        return debs[0]


