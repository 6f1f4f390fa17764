"""How a quantity is spread over trajectories, and over how many of them it is known."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Spread:
    """Of the values that are known; with none, nothing is known, rather than 0."""

    n: int
    mean: float | None = None
    sd: float | None = None
    """Of these values themselves (divided by n): they are all there are, not a sample."""
    median: float | None = None
    least: float | None = None
    most: float | None = None
    total: float | None = None


def spread(values: Iterable[float | None]) -> Spread:
    known = np.array([value for value in values if value is not None], dtype=float)
    if not known.size:
        return Spread(0)
    figures = (known.mean(), known.std(), np.median(known), known.min(), known.max(), known.sum())
    return Spread(int(known.size), *map(float, figures))


def histogram(values: Iterable[int | None]) -> dict[int, int]:
    """Value -> how often, in order of the values."""
    return dict(sorted(Counter(value for value in values if value is not None).items()))
