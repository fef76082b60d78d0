# SPDX-License-Identifier: GPL-2.0
"""Whether two sets of times differ: the test behind BENCH=wall of `make compare`.

The medians of boots are compared, for samples of one boot are not independent:
where the kernel lies in memory, and what the host does meanwhile, is the same
for all of them.  Mann-Whitney's U needs no assumption about how times are
distributed; Holm's correction keeps the chance of any false alarm in a whole
table at ALPHA.
"""

from collections.abc import Sequence
from math import comb

from errors import GfpError

ALPHA = 0.05
CONFIDENCE = 0.95


def p_value(base: Sequence[float], head: Sequence[float]) -> float:
    """The chance of a difference like this between boots of one and the same kernel."""
    if min(base) == max(base) == min(head) == max(head):
        return 1.0
    try:
        from scipy import stats  # type: ignore[import]  # pylint: disable=import-outside-toplevel
    except ImportError:
        raise GfpError("times are compared by scipy, which is missing"
                       " (Debian: python3-scipy)") from None
    return float(stats.mannwhitneyu(base, head, alternative="two-sided").pvalue)


def significant(p_values: Sequence[float], alpha: float = ALPHA) -> list[bool]:
    """Which of many comparisons are no accident (Holm)."""
    found = [False] * len(p_values)
    for rank, i in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        if p_values[i] > alpha / (len(p_values) - rank):
            break
        found[i] = True
    return found


def boots_needed(points: int, alpha: float = ALPHA) -> int:
    """How many boots of each kernel it takes before any of @points can differ at all."""
    boots = 2
    while p_value(range(boots), range(boots, 2 * boots)) > alpha / points:
        boots += 1
    return boots


def median_interval(values: Sequence[float],
                    confidence: float = CONFIDENCE) -> tuple[float, float] | None:
    """Where the median of all boots lies, with that confidence; None if too few tell.

    Each boot is on either side of it with the same chance, however times are
    distributed: two of the values themselves are the bounds.
    """
    found, outside, n = None, 0.0, len(values)
    ordered = sorted(values)
    for k in range((n + 1) // 2):
        outside += comb(n, k) / 2 ** n
        if 1 - 2 * outside < confidence:
            break
        found = ordered[k], ordered[n - 1 - k]
    return found
