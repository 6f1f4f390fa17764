"""What is known of a quantity, and of how many trajectories."""

import pytest

from webassay.stats.spread import Spread, histogram, spread


def test_figures_are_those_of_the_known_values() -> None:
    found = spread([2, None, 4, 9])
    assert (found.n, found.mean, found.median, found.least, found.most, found.total) == (3, 5, 4, 2, 9, 15)
    assert found.sd == pytest.approx(((9 + 1 + 16) / 3) ** 0.5)  # of the values themselves, not of a sample


@pytest.mark.parametrize("values", [[], [None, None]])
def test_of_nothing_known_nothing_is_said(values: list[float | None]) -> None:
    assert spread(values) == Spread(0) and Spread(0).mean is None


def test_a_zero_is_a_value() -> None:
    assert spread([0.0]).mean == 0.0 and spread([0.0]).n == 1


def test_histogram_is_in_order_and_leaves_out_what_is_unknown() -> None:
    assert list(histogram([10, 2, None, 2, 0]).items()) == [(0, 1), (2, 2), (10, 1)]
