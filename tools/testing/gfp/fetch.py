# SPDX-License-Identifier: GPL-2.0
"""Getting a kernel's source by series, and unpacking it into the cache."""

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import kernel
import process
from apt import HELP, PrivateApt
from console import Progress
from errors import GfpError
from files import locked, write_json
from tree import Tree, origin_file


def _newest_cached(trees: Path, series: str) -> Tree | None:
    """The newest unpacked kernel of @series."""
    def numbers(path: Path) -> list[int]:
        return [int(n) for n in re.findall(r"\d+", path.name)]

    found = [p for p in trees.glob(f"linux-source-{series}_*") if origin_file(p).is_file()]
    return Tree(max(found, key=numbers)) if found else None


def fetch(cache: Path, series: str) -> Tree:
    """The newest kernel of @series, from the cache or from Debian's archive."""
    trees = cache / "trees"
    cached = _newest_cached(trees, series)
    if cached:
        return cached
    for tool in ("apt-get", "apt-cache", "dpkg", "dpkg-deb"):
        if not shutil.which(tool):
            raise GfpError(f"no {tool}: kernels are fetched from Debian's archive only; {HELP}")
    trees.mkdir(parents=True, exist_ok=True)
    with locked(cache / "fetch.lock", "the download folder"):
        cached = _newest_cached(trees, series)
        if cached:
            return cached
        return _fetch(cache, trees, series)


def _fetch(cache: Path, trees: Path, series: str) -> Tree:
    apt = PrivateApt(cache / "apt")
    apt.prepare()
    apt.update()
    package = f"linux-source-{series}"
    versions = apt.versions(package)
    if not versions:
        others = apt.names(r"linux-source-\d+\.\d+")
        there = ", ".join(n.removeprefix("linux-source-") for n in others) or "no series at all"
        raise GfpError(f"KERNEL={series}: Debian's archive does not have {package};"
                       f" it has {there}; or {HELP}")
    deb = apt.download(package, versions[0])

    for leftover in trees.glob(".unpack-*"):
        shutil.rmtree(leftover, ignore_errors=True)
    name = re.sub(r"[^A-Za-z0-9._-]", "_", f"{package}_{versions[0]}")
    temp = Path(tempfile.mkdtemp(prefix=".unpack-", dir=trees))
    try:
        (temp / "src").mkdir()
        unpack(deb, temp / "src")
        version = kernel.check(f"{package} {versions[0]}", kernel.reader(temp / "src"))
        write_json(origin_file(temp), {
            "version": version, "identity": name,
            "source": {"package": package, "package_version": versions[0]},
        })
        temp.chmod(0o755)
        temp.rename(trees / name)
    except BaseException:
        shutil.rmtree(temp, ignore_errors=True)
        raise
    return Tree(trees / name)


# A third of the files and two thirds of the bytes, of which no kernel of ours
# compiles one; what configures them stays.
LEFT_PACKED = (
    *(f"*/drivers/{name}/*.[chS]" for name in (
        "accel", "gpu", "iio", "infiniband", "media", "net", "scsi", "staging")),
    "*/sound/*.[chS]", "*/boot/dts/*.dts*", "*/Documentation/devicetree/*",
)


def unpack(deb: Path, into: Path) -> None:
    """Unpack the kernel tarball inside a linux-source package, as far as it is needed."""
    size = deb.stat().st_size
    progress = Progress(f"unpacking {deb.name.split('_')[0]}")
    with contextlib.ExitStack() as stack:
        data = stack.enter_context(process.started(
            ["dpkg-deb", "--fsys-tarfile", deb], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL))
        inner = stack.enter_context(process.started(
            ["tar", "-xO", "--wildcards", "./usr/src/linux-source-*.tar.*"],
            stdin=data.stdout, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL))
        complaints = stack.enter_context(tempfile.TemporaryFile())
        outer = stack.enter_context(process.started(
            ["tar", "-xJ", "--strip-components=1", "--no-same-owner", "-C", into,
             *(f"--exclude={pattern}" for pattern in LEFT_PACKED)],
            stdin=subprocess.PIPE, stderr=complaints))
        assert data.stdout and inner.stdout and outer.stdin
        data.stdout.close()
        done = 0
        try:
            # tar goes on after an error, with a complaint for every file left.
            while os.fstat(complaints.fileno()).st_size == 0 and (
                    block := inner.stdout.read(1 << 20)):
                outer.stdin.write(block)
                done += len(block)
                progress.update(f"{done >> 20} of about {size >> 20} MiB")
            outer.stdin.close()
        except BrokenPipeError:
            pass  # tar says below why it stopped reading
        if os.fstat(complaints.fileno()).st_size > 0:
            process.kill_session(outer.pid)
        status = outer.wait()
        complaints.seek(0)
        errors = complaints.read(1 << 16).decode(errors="replace")
    progress.clear()
    if status != 0 or errors:
        if "No space left" in errors:
            raise GfpError(f"no space left on device: {into}")
        why = errors.strip().splitlines()[:1]
        raise GfpError(f"cannot unpack {deb}: {why[0] if why else f'tar exited {status}'}")
    progress.done(f"{done >> 20} MiB")
