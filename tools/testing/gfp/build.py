# SPDX-License-Identifier: GPL-2.0
"""Building a kernel image with the tree's own kunit.py, and keeping images.

An image is kept under a key made of all that went into it, so a combination
that was built before costs nothing.  Builds of one tree share a build folder,
so that another variant costs one file and a link.
"""

import hashlib
import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import files
import machine
import process
import tools
from console import Progress
from errors import BuildError, GfpError
from settings import REPO, Settings
from suites import FOLDERS
from tree import Tree
from variant import Changes

CONFIGS = REPO / "tools" / "testing" / "kunit" / "configs"
BENCH_FRAGMENT = "gfp_bench.config"
MODULES_ORDER = "modules.order"
IMAGES_KEPT = 256
SHOWN_ERRORS = 5


@dataclass(frozen=True)
class Image:
    """A kernel that can be booted, its .config, and what it was built with."""

    folder: Path
    cached: bool

    @property
    def kernel(self) -> Path:
        """The program to run (UML) or the image to boot."""
        return self.folder / "linux"

    @property
    def modules(self) -> list[Path]:
        """Our suites, where they are modules, each after those that it needs."""
        order = self.folder / MODULES_ORDER
        return [self.folder / name for name in order.read_text().split()]

    @property
    def config(self) -> Path:
        """The .config it was built with."""
        return self.folder / "config"

    @property
    def config_sha256(self) -> str:
        """Hash of the .config."""
        return hashlib.sha256(self.config.read_bytes()).hexdigest()

    @property
    def compiler(self) -> str:
        """The compiler as the kernel's own configuration names it."""
        match = re.search(r'^CONFIG_CC_VERSION_TEXT="(.*)"$', self.config.read_text(), re.MULTILINE)
        return match[1] if match else "unknown"


def fragments(tree: Tree, settings: Settings) -> list[Path]:
    """Kconfig fragments on top of those of the suites, for this kernel and machine."""
    found = machine.find(settings.arch)
    names = [*found.fragments, *([BENCH_FRAGMENT] if settings.bench else [])]
    smp = found.smp
    if smp is not None:
        has_smp = smp.text in (tree.read(smp.path) or b"")
        if settings.cpus > 1 and not has_smp:
            raise GfpError(f"CPUS={settings.cpus}: ARCH={found.arch} has only one CPU"
                           f" in Linux {tree.version}")
        names += [smp.fragment] if has_smp else []
    return [CONFIGS / name for name in names]


def overrides(settings: Settings) -> list[Path]:
    """Kconfig fragments that count where they differ from all others."""
    return [CONFIGS / name for name in machine.find(settings.arch).modules if settings.modules]


def compiler_command(options: tuple[str, ...]) -> str:
    """The compiler that a kernel build with @options uses."""
    chosen = dict(option.split("=", 1) for option in options)
    if chosen.get("CC"):
        return chosen["CC"]
    llvm = chosen.get("LLVM", "")
    if llvm:
        return f"{llvm}clang" if llvm.endswith("/") else f"clang{llvm if llvm[0] == '-' else ''}"
    return chosen.get("CROSS_COMPILE", "") + "gcc"


def make_options(options: tuple[str, ...]) -> tuple[str, ...]:
    """The user's options for the kernel's make, with ccache where that is ours to say."""
    names = {option.split("=", 1)[0] for option in options}
    if names & {"CC", "LLVM", "CROSS_COMPILE"} or not shutil.which("ccache"):
        return options
    return (*options, "CC=ccache gcc")


def compiler_version(options: tuple[str, ...]) -> str:
    """The first line of what the compiler says of itself."""
    command = compiler_command(options).split()
    try:
        result = process.run([*command, "--version"])
    except (FileNotFoundError, PermissionError):
        raise GfpError(f"no compiler: {command[0]} was not found"
                       " (MAKE_OPTIONS=CC=… chooses another)") from None
    if result.status != 0:
        raise GfpError(f"no compiler: {command[0]} --version failed")
    return result.output.splitlines()[0] if result.output else command[0]


def image_key(tree: Tree, changes: Changes, settings: Settings, compiler: str) -> str:
    """A hash of everything that goes into an image."""
    digest = hashlib.sha256()

    def add(*parts: bytes | str) -> None:
        for part in parts:
            data = part.encode(errors="surrogateescape") if isinstance(part, str) else part
            digest.update(f"{len(data)}:".encode() + data)

    add(tree.identity, settings.arch, compiler, *settings.make_options,
        *machine.find(settings.arch).kunitconfigs)
    for fragment in (*fragments(tree, settings), *overrides(settings)):
        add(fragment.read_bytes())
    for path in sorted(changes):
        add(path, changes[path] or b"", "deleted" if changes[path] is None else "there")
    return digest.hexdigest()[:24]


def build(tree: Tree, changes: Changes, settings: Settings, log: Path,
          anew: bool = False) -> Image:
    """An image of @tree with @changes: from the cache, unless @anew, or built now.

    The caller holds the tree's lock.
    """
    images = settings.cache / "images"
    key = image_key(tree, changes, settings, compiler_version(settings.make_options))
    folder = images / key
    if (folder / "linux").is_file() and not anew:
        os.utime(folder)
        log.write_text(f"unchanged since it was built: see {folder}/build.log\n")
        return Image(folder, cached=True)

    tree.apply(changes)
    build_folder = folder_of(tree, settings)
    build_folder.mkdir(exist_ok=True)
    _compile(tree, changes, build_folder, settings, log)
    tree.check_applied(changes)

    images.mkdir(parents=True, exist_ok=True)
    temp = Path(tempfile.mkdtemp(prefix=".image-", dir=images))
    try:
        shutil.copy2(build_folder / machine.find(settings.arch).image, temp / "linux")
        shutil.copy2(build_folder / ".config", temp / "config")
        if settings.modules:
            _copy_modules(build_folder, temp)
        shutil.copy2(log, temp / "build.log")
        files.write_json(temp / "image.json", {"kernel": tree.origin, "key": key})
        temp.chmod(0o755)
        if folder.exists():
            shutil.rmtree(folder)
        temp.rename(folder)
    except BaseException:
        shutil.rmtree(temp, ignore_errors=True)
        raise
    _forget_old_images(images)
    return Image(folder, cached=False)


def _copy_modules(build_folder: Path, to: Path) -> None:
    """Copy our modules.  They are linked, and listed, after those that they need."""
    objects = (build_folder / "modules.order").read_text().split()
    ours = [build_folder / Path(name).with_suffix(".ko") for name in objects
            if name.startswith(tuple(f"{folder}/" for folder in FOLDERS))]
    if not ours:
        raise GfpError("the kernel was built without a module of ours")
    for module in ours:
        shutil.copy2(module, to / module.name)
    (to / MODULES_ORDER).write_text("".join(f"{module.name}\n" for module in ours))


def folder_of(tree: Tree, settings: Settings) -> Path:
    """Where kernels of @tree with these options and fragments are built.

    In the source, where all paths are relative: then ccache shares between trees.
    """
    return tree.src / f"build-{settings.arch}-{_options_id(tree, settings)}"


def _options_id(tree: Tree, settings: Settings) -> str:
    """Names the build folder of these options and fragments."""
    digest = hashlib.sha256(json.dumps(settings.make_options).encode())
    for fragment in (*fragments(tree, settings), *overrides(settings)):
        digest.update(fragment.read_bytes())
    return digest.hexdigest()[:8]


def _forget_old_images(images: Path) -> None:
    found = sorted((p for p in images.iterdir() if (p / "linux").is_file()),
                   key=lambda p: p.stat().st_mtime, reverse=True)
    for old in found[IMAGES_KEPT:]:
        shutil.rmtree(old, ignore_errors=True)


def _build_environment(settings: Settings, tree: Tree, first: bool) -> dict[str, str]:
    """ccache in our cache, able to share between trees in different folders.

    It is asked for the bulk of a @first build.  The few files that change after
    that are what a verdict is about: they are compiled.
    """
    return process.clean_environment({
        "CCACHE_DIR": os.environ.get("CCACHE_DIR") or str(settings.cache / "ccache"),
        "CCACHE_BASEDIR": os.environ.get("CCACHE_BASEDIR") or str(tree.folder),
        "CCACHE_NOHASHDIR": "1",
        # Do not run the preprocessor apart from the compiler: a first build
        # would take a third longer.
        "CCACHE_DEPEND": "1",
        **({} if first else {"CCACHE_RECACHE": "1"}),
        # The same source must give the same image.
        "KBUILD_BUILD_TIMESTAMP": "1970-01-01", "KBUILD_BUILD_USER": "gfp-kunit",
        "KBUILD_BUILD_HOST": "gfp-kunit",
    })


def _kunit_command(tree: Tree, folder: Path, settings: Settings) -> list[str | Path]:
    """Configure and build, the way kunit.py does it."""
    on = machine.find(settings.arch)
    kunitconfigs = [*(tree.src / path for path in on.kunitconfigs), *fragments(tree, settings)]
    return [process.python(), tree.src / "tools/testing/kunit/kunit.py", "build",
            f"--build_dir={folder}", f"--arch={settings.arch}",
            *(f"--kunitconfig={path}" for path in kunitconfigs),
            *(f"--kconfig_add={line}" for path in overrides(settings)
              for line in path.read_text().splitlines() if line.startswith("CONFIG_")),
            *(f"--make_options={option}" for option in make_options(settings.make_options))]


def _make_command(folder: Path, settings: Settings) -> list[str | Path]:
    """Build once more what kunit.py configured."""
    return ["make", f"ARCH={settings.arch}", f"O={folder}", f"--jobs={tools.cpus()}", "all",
            *make_options(settings.make_options)]


def _configuration(tree: Tree, changes: Changes, settings: Settings) -> str:
    """A hash of all that decides over the .config."""
    digest = hashlib.sha256(json.dumps([tree.kconfig_identity, settings.make_options,
                                        machine.find(settings.arch).kunitconfigs]).encode())
    for fragment in (*fragments(tree, settings), *overrides(settings)):
        digest.update(fragment.read_bytes())
    for path in sorted(changes):
        if Path(path).name.startswith(("Kconfig", ".kunitconfig")):
            digest.update(path.encode() + b"\0" + (changes[path] or b""))
    return digest.hexdigest()


def _compile(tree: Tree, changes: Changes, folder: Path, settings: Settings, log: Path) -> None:
    """Bring the build folder up to date with src/.

    kunit.py configures twice and makes compile_commands.json and scripts_gdb
    on every build.  That is as long as all the rest when one file changed, so
    a folder that it configured and built once goes on with plain make(1).
    """
    stamp, configuration = folder / ".gfp-configured", _configuration(tree, changes, settings)
    configured = stamp.is_file() and stamp.read_text() == configuration
    files.remove_if_there(stamp)
    progress = Progress(f"building {tree.folder.name}")
    began = time.time()

    def tick() -> None:
        if progress.due:
            progress.update(f"{sum(1 for _ in _objects(folder, began))} objects so far")

    command = (_make_command(folder, settings) if configured
               else _kunit_command(tree, folder, settings))
    image = folder / machine.find(settings.arch).image
    files.remove_if_there(image)
    running = folder / ".gfp-running"
    if running.exists():
        _drop_objects(folder, running.stat().st_mtime)
    running.touch()
    with open(log, "wb") as out:
        status = process.run_logged(command, out,
                                    _build_environment(settings, tree, first=not configured),
                                    tick, cwd=tree.src)
    files.remove_if_there(running)
    progress.clear()
    if status != 0 or not image.is_file():
        _explain_failure(log, tree)
    files.write_atomically(stamp, configuration.encode())


def _objects(folder: Path, since: float) -> Iterator[str]:
    """Object files written since @since."""
    stack = [str(folder)]
    while stack:
        try:
            with os.scandir(stack.pop()) as scan:
                for entry in scan:
                    if entry.is_dir(follow_symlinks=False):
                        stack.append(entry.path)
                    elif (entry.name.endswith((".o", ".a"))
                          and entry.stat(follow_symlinks=False).st_mtime >= since):
                        yield entry.path
        except FileNotFoundError:
            continue  # make removes temporary files as we look


def _drop_objects(folder: Path, since: float) -> None:
    """Remove what a build that was killed may have left half written."""
    for path in list(_objects(folder, since)):
        os.unlink(path)


def first_errors(text: str) -> list[str]:
    """The lines of a build log that say why it failed, the first ones first."""
    patterns = (
        r"^[^\s:]+:\d+(?::\d+)?: (?:fatal )?error: .*$",  # compilers
        r"^.*: (?:undefined reference|multiple definition) .*$",
        r"^ERROR: modpost: .*$|^ERROR:root:Not all Kconfig .*$|^Missing: .*$",
        r"^[^\s:]+:\d+: .*(?:syntax error|recursive dependency|can't open file).*$",  # Kconfig
        r"^.*(?:command not found|No rule to make target|: not found|No such file).*$",
        r"^\*\*\* .*$|^ERROR:root:\S.*$",
    )
    for pattern in patterns:
        found = list(dict.fromkeys(re.findall(pattern, text, re.MULTILINE)))
        if found:
            return found[:SHOWN_ERRORS]
    return [line for line in text.splitlines() if line.strip()][-SHOWN_ERRORS:]


def _explain_failure(log: Path, tree: Tree) -> None:
    text = log.read_text(errors="replace")
    if "No space left on device" in text:
        raise GfpError(f"no space left on device while building; see {log}", log=log)
    errors = [line.replace(f"{tree.src}/", "").replace("../src/", "")
              for line in first_errors(text)]
    raise BuildError("the kernel does not build", log=log, tail=errors)
