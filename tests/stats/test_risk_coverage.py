"""Accuracy by certainty, and the lead of votes."""

import numpy as np
import pytest
from scipy.stats import binomtest

from webassay.stats.risk_coverage import risk_coverage, vote_margin


def test_the_surest_items_come_first_and_equal_ones_together() -> None:
    right, certainty = np.array([True, False, True, True, False]), np.array([0.9, 0.2, 0.9, 0.5, 0.5])
    points = risk_coverage(right, certainty, 10, 0.95)
    assert [(point.threshold, point.items, point.coverage) for point in points] == [
        (0.9, 2, 0.2),
        (0.5, 4, 0.4),
        (0.2, 5, 0.5),
    ]
    assert [point.accuracy for point in points] == [1, 0.75, 0.6]


@pytest.mark.parametrize("hits, count", [(0, 5), (5, 5), (17, 20)])
def test_the_bound_is_clopper_and_pearson_s(hits: int, count: int) -> None:
    (point,) = risk_coverage(np.arange(count) < hits, np.zeros(count), count, 0.95)
    expected = binomtest(hits, count, alternative="greater").proportion_ci(0.95, "exact").low
    assert point.low == pytest.approx(expected)


def test_without_items_there_is_no_curve() -> None:
    assert risk_coverage(np.array([], bool), np.array([]), 0, 0.95) == []


def test_a_tie_is_no_verdict_and_who_did_not_vote_is_not_counted() -> None:
    votes = np.array([[1, 1, 1], [1, 0, 1], [1, 0, -1], [0, -1, -1], [-1, -1, -1]])
    verdict, margin = vote_margin(votes)
    assert verdict.tolist() == [1, 1, -1, 0, -1]
    assert margin.tolist() == pytest.approx([1, 1 / 3, 0, 1, 0])
