#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Judge what the page allocator makes of gfp masks, on real kernels.

The verbs are those of the Makefile, which passes its variables through the
environment: see `make help`.
"""

import os
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType

sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position
import bench
import compare
import install
import modules
import mutation
import mutation_generated
import prove
import run
import scaling
import settings
from errors import (STATUS_INTERRUPTED, STATUS_NOT_JUDGED, GfpError, Interrupted,
                    describe_os_error)


def _kdir() -> Path:
    value = os.environ.get("KDIR", "").strip()
    if not value:
        raise GfpError("KDIR is not set: say which kernel tree, as in KDIR=~/linux")
    return Path(value).expanduser()


def _run() -> int:
    return run.run(settings.from_environment())


def _test() -> int:
    return prove.prove(settings.from_environment())


def _bench() -> int:
    return bench.bench(settings.for_bench())


def _scaling() -> int:
    return scaling.scaling(settings.for_scaling())


def _compare() -> int:
    return compare.compare(settings.for_bench())


def _mutants() -> int:
    found, choice = settings.for_mutants()
    if choice.generated:
        return mutation_generated.mutants(found, choice)
    return mutation.mutants(found, choice)


def _install() -> int:
    return install.install(_kdir())


def _modules() -> int:
    return modules.modules(settings.from_environment())


def _uninstall() -> int:
    return install.uninstall(_kdir(), force=os.environ.get("FORCE", "") not in ("", "0"))


VERBS: dict[str, Callable[[], int]] = {
    "run": _run,
    "test": _test,
    "bench": _bench,
    "compare": _compare,
    "scaling": _scaling,
    "mutants": _mutants,
    "install": _install,
    "uninstall": _uninstall,
    "modules": _modules,
}


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise Interrupted


def _error(message: str) -> None:
    print("gfp: " + " ".join(message.split()), file=sys.stderr, flush=True)


def _unexpected() -> str:
    """Keep the traceback of an error of ours; return where."""
    with tempfile.NamedTemporaryFile("w", prefix="gfp-error-", suffix=".log",
                                     delete=False) as log:
        traceback.print_exc(file=log)
        return log.name


def main(arguments: list[str]) -> int:
    """Carry out one verb; whatever goes wrong is one line on stderr."""
    if len(arguments) != 1 or arguments[0] not in VERBS:
        _error(f"usage: gfp.py {'|'.join(VERBS)} (variables as in `make help`)")
        return STATUS_NOT_JUDGED
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _stop)
    try:
        return VERBS[arguments[0]]()
    except (Interrupted, KeyboardInterrupt):
        _error("interrupted")
        return STATUS_INTERRUPTED
    except GfpError as error:
        _error(f"{error}; see {error.log}" if error.log else str(error))
        for line in error.tail:
            print(f"  {line}", file=sys.stderr)
    except BrokenPipeError:
        # Whoever read our table has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        _error(describe_os_error(error))
    except Exception as error:  # pylint: disable=broad-exception-caught
        _error(f"internal error: {type(error).__name__}: {error}; see {_unexpected()}")
    return STATUS_NOT_JUDGED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
