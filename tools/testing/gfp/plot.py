# SPDX-License-Identifier: GPL-2.0
"""Plots of scaling.json, as PNG and as SVG: the same bytes for the same results."""

import math
from pathlib import Path
from typing import Any

# In one attempt, and in a ladder of them.
PANELS = {"alloc_pages": "one alloc_pages() attempt", "filemap": "one ladder of the page cache"}
# Told apart also without colour.
STYLES = (("#b2182b", "o", "-"), ("#2166ac", "s", "--"), ("#4d9221", "^", ":"))
FORMATS = ("png", "svg")


def curve(result: dict[str, Any], axis: str, folder: Path) -> list[Path]:
    """Plot cost against @axis, one panel for each call; return the files."""
    import matplotlib  # type: ignore[import]  # pylint: disable=import-outside-toplevel
    matplotlib.use("agg")
    # Names in an SVG are hashes.
    matplotlib.rcParams["svg.hashsalt"] = "gfp-kunit"
    from matplotlib import pyplot  # pylint: disable=import-outside-toplevel

    curves = [one for one in result["curves"] if one["axis"] == axis and one["points"]]
    if not curves:
        return []
    figure, panels = pyplot.subplots(1, len(PANELS), figsize=(11, 5), sharey=True)
    for panel, (call, title) in zip(panels, PANELS.items()):
        _panel(panel, [one for one in curves if one["call"] == call], result["variants"])
        panel.set_title(title, fontsize=11)
    panels[0].set_ylabel(f"time from call to return ({_unit(curves)})")
    _whole_decades(panels[0], curves)
    figure.suptitle(f"{_title(result)}\n{curves[0]['fixed']}", fontsize=11)
    handles, names = panels[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="lower center", ncol=len(names), frameon=False)
    figure.tight_layout(rect=(0, 0.06, 1, 1))
    paths = [folder / f"{axis}.{kind}" for kind in FORMATS]
    for path in paths:
        figure.savefig(path, dpi=120, metadata={"Date": None} if path.suffix == ".svg" else {})
    pyplot.close(figure)
    return paths


def _panel(panel: Any, curves: list[dict[str, Any]], variants: list[str]) -> None:
    for one in curves:
        color, marker, line = STYLES[variants.index(one["variant"]) % len(STYLES)]
        x = [point["x"]["value"] for point in one["points"]]
        middle, low, high = ([point[name]["value"] for point in one["points"]]
                             for name in ("p50", "min", "max"))
        panel.errorbar(x, middle, [[m - v for m, v in zip(middle, low)],
                                   [v - m for m, v in zip(middle, high)]],
                       color=color, marker=marker, linestyle=line, capsize=3,
                       label=f"{one['variant']}: median, shortest and longest")
    if not curves:
        return
    panel.set_xlabel(curves[0]["title"])
    panel.set_yscale("log")
    ticks = sorted({point["x"]["value"] for one in curves for point in one["points"]})
    if curves[0]["log"]:
        panel.set_xscale("log", base=2)
    panel.set_xticks(ticks, [str(tick) for tick in ticks])
    panel.grid(True, which="both", alpha=0.25)


def _whole_decades(panel: Any, curves: list[dict[str, Any]]) -> None:
    """Let the axis of times begin and end at a power of ten, and say it in digits."""
    low, high = (pick(point[name]["value"] for one in curves for point in one["points"])
                 for pick, name in ((min, "min"), (max, "max")))
    panel.set_ylim(10 ** math.floor(math.log10(max(low, 1))), 10 ** math.ceil(math.log10(high + 1)))
    panel.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    panel.yaxis.set_minor_formatter(lambda _value, _: "")


def _unit(curves: list[dict[str, Any]]) -> str:
    unit: str = curves[0]["points"][0]["p50"]["unit"]
    return {"insn": "instructions", "ns": "nanoseconds"}.get(unit, unit)


def _title(result: dict[str, Any]) -> str:
    emulator = result["emulator"] or {}
    return (f"Linux {result['kernel'].get('version', '?')},"
            f" variants {' and '.join(result['variants'])},"
            f" {result['arch']}, state {result['state']},"
            f" {emulator.get('version', '')} {emulator.get('accelerator', '')} -icount")
