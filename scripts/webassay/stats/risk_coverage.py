"""Risk and coverage: how right a judge is on the items of which it is surest, and how many those are."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv


@dataclass(frozen=True)
class Point:
    """All items with at least this much confidence."""

    threshold: float
    items: int
    coverage: float
    """Share of all items that have a human label, also of those without a verdict."""
    accuracy: float
    low: float
    """One-sided Clopper–Pearson bound of the accuracy."""


def risk_coverage(
    right: NDArray[np.bool_], certainty: NDArray[np.float64], items: int, confidence: float
) -> list[Point]:
    """One point for each level of certainty, surest first; items of one level come together."""
    points = []
    for threshold in np.unique(certainty)[::-1]:
        chosen = right[certainty >= threshold]
        count, hits = len(chosen), int(chosen.sum())
        low = float(betaincinv(hits, count - hits + 1, 1 - confidence)) if hits else 0.0
        points.append(Point(float(threshold), count, count / items, hits / count, low))
    return points


def vote_margin(votes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The majority's verdict on each item and its lead as a share of the votes; −1 where it is a tie or nobody voted.

    `votes` is (items, judges): 1, 0, or below 0 for no verdict.
    """
    cast = (votes >= 0).sum(1)
    lead = (votes == 1).sum(1) - (votes == 0).sum(1)
    verdict = np.where(lead > 0, 1, np.where(lead < 0, 0, -1))
    return verdict, np.abs(lead) / np.maximum(cast, 1)
