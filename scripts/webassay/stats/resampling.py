"""Bootstrap over clusters: the unit that is drawn is a task or a template, since its items resemble each other."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
LEAST_DEFINED = 0.95
"""Share of resamples in which a statistic must have a value; else the rest would be a selection."""
BLOCK = 4_000_000
"""Numbers held at once while resampling."""


@dataclass(frozen=True)
class Resampling:
    """How intervals are made: whole clusters (a task's runs, a template's tasks) are drawn, not single items."""

    confidence: float
    times: int


@dataclass(frozen=True)
class Estimate:
    value: float | None
    """None where it is undefined: never 0."""
    low: float | None = None
    high: float | None = None
    reason: str = ""
    """Why there is no value, or none of the bounds."""


def cluster_sums(tables: Array, clusters: NDArray[np.int64]) -> Array:
    """The tables of each cluster added up; clusters are numbered from 0."""
    sums = np.zeros((int(clusters.max()) + 1, *tables.shape[1:]))
    np.add.at(sums, clusters, tables)
    return sums


def resample(sums: Array, times: int, rng: np.random.Generator) -> Array:
    """Tables of `times` draws of as many clusters as there are, with replacement."""
    count = len(sums)
    flat, chances = sums.reshape(count, -1), np.full(count, 1 / count)
    step = max(1, BLOCK // count)
    blocks = [rng.multinomial(count, chances, min(step, times - done)) @ flat for done in range(0, times, step)]
    return np.concatenate(blocks).reshape(times, *sums.shape[1:])


@dataclass(frozen=True)
class Drawn:
    """Tables added up, as they are and as resampling varies them: every statistic is of the same resamples."""

    total: Array
    resamples: Array
    """Empty where there are fewer than two clusters."""
    confidence: float

    def estimate(self, statistic: Callable[[Array], Array], undefined: str) -> Estimate:
        """With a percentile interval; `undefined` says why there may be no value."""
        value = float(statistic(self.total))
        if not np.isfinite(value):
            return Estimate(None, reason=undefined)
        if not len(self.resamples):
            return Estimate(value, reason="one cluster: its spread is unknown")
        drawn = statistic(self.resamples)
        defined = drawn[np.isfinite(drawn)]
        if len(defined) < LEAST_DEFINED * len(drawn):
            return Estimate(value, reason=f"undefined in more than {1 - LEAST_DEFINED:.0%} of the resamples")
        if np.ptp(defined) == 0:
            return Estimate(value, reason="the same in every resample: too uniform to show a spread")
        low, high = np.quantile(defined, [(1 - self.confidence) / 2, (1 + self.confidence) / 2])
        return Estimate(value, float(low), float(high))


def draw(tables: Array, clusters: NDArray[np.int64], how: Resampling, rng: np.random.Generator) -> Drawn:
    """`clusters` numbers the cluster of each table; clusters of empty tables alone are none."""
    used = tables.reshape(len(tables), -1).any(1)
    if not used.any():
        return Drawn(tables.sum(0), tables[:0], how.confidence)
    sums = cluster_sums(tables[used], np.unique(clusters[used], return_inverse=True)[1])
    resamples = resample(sums, how.times, rng) if len(sums) > 1 else sums[:0]
    return Drawn(tables.sum(0), resamples, how.confidence)
