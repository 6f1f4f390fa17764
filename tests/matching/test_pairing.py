"""The largest one-to-one pairing, checked against every permutation."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from webassay.matching.pairing import unpaired

SQUARES = st.integers(0, 5).flatmap(
    lambda size: st.lists(st.lists(st.booleans(), min_size=size, max_size=size), min_size=size, max_size=size)
)


def test_the_first_fit_is_given_up_where_needed():
    assert unpaired([[True, True], [True, False]]) == []


def test_a_row_that_fits_nothing_is_left():
    assert unpaired([[True, False], [False, False]]) == [1]


def test_a_long_chain_needs_no_recursion():
    size = 2_000
    fits = [[column in (row, row + 1) for column in range(size)] for row in range(size - 1)]
    fits.append([column == 0 for column in range(size)])
    assert unpaired(fits) == []


@given(SQUARES)
def test_as_many_are_paired_as_the_best_permutation_pairs(fits):
    size = len(fits)
    best = max(sum(fits[row][column] for row, column in enumerate(order)) for order in permutations(range(size)))
    assert size - len(unpaired(fits)) == best
