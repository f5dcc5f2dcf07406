"""What samples say of what they are drawn from: intervals of shares, means and differences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, stdev

SURE = 0.95
"""Of what is said of samples, the part that is true: of each interval, and of all verdicts of one report together."""


def interval(won: float, matches: int, sure: float = SURE) -> tuple[float, float]:
    """Wilson's interval of a share: so many of such intervals hold the true one."""
    deviations = NormalDist().inv_cdf((1 + sure) / 2)
    share, square = won / matches, deviations * deviations
    middle = share + square / (2 * matches)
    width = deviations * math.sqrt(share * (1 - share) / matches + square / (4 * matches * matches))
    scale = 1 + square / matches
    return max(0.0, (middle - width) / scale), min(1.0, (middle + width) / scale)


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of independent numbers, and its standard error; None where one number is all there is."""

    value: float
    error: float | None

    def interval(self, sure: float = SURE) -> tuple[float, float] | None:
        """Where the true mean lies in so many of such samples, by the normal approximation; None if nobody can tell."""
        if self.error is None:
            return None
        width = NormalDist().inv_cdf((1 + sure) / 2) * self.error
        return self.value - width, self.value + width


def mean(numbers: Sequence[float]) -> Mean:
    """The mean of at least one number."""
    return Mean(fmean(numbers), stdev(numbers) / math.sqrt(len(numbers)) if len(numbers) > 1 else None)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A difference, where it lies, and whether it is more than chance."""

    low: float
    high: float
    sure: bool


def jointly(differences: Sequence[Mean], sure: float = SURE) -> list[Verdict]:
    """Where differences lie: of so many such families all intervals hold the true ones at once, and all verdicts hold.

    Whether a difference is more than chance is asked by Holm's test, step by step from the most certain one. The
    intervals are Bonferroni's; of a difference whose sign is settled so, the other side of nought is cut off. One
    without an error is not judged: its interval has no end.
    Sources: Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6
    (1979); Guilbaud, "Simultaneous confidence regions corresponding to Holm's step-down procedure", Biometrical
    Journal 50 (2008).
    """
    normal, number = NormalDist(), len(differences)
    chances = [_chance(difference) for difference in differences]
    settled = [False] * number
    for step, at in enumerate(sorted(range(number), key=lambda at: chances[at])):
        if chances[at] > (1 - sure) / (number - step):
            break
        settled[at] = True
    found = []
    for difference, is_settled in zip(differences, settled, strict=True):
        width = math.inf
        if difference.error is not None:
            width = normal.inv_cdf(1 - (1 - sure) / number / 2) * difference.error
        low, high = difference.value - width, difference.value + width
        if is_settled:
            low, high = (max(low, 0.0), high) if difference.value > 0 else (low, min(high, 0.0))
        found.append(Verdict(low, high, is_settled))
    return found


def _chance(difference: Mean) -> float:
    """How likely it is that chance alone makes such a difference or a greater one, either way."""
    if difference.error is None or not difference.value:
        return 1.0
    return 2 * NormalDist().cdf(-abs(difference.value) / difference.error) if difference.error else 0.0
