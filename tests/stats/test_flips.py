"""How often votes about the same thing differ."""

import pytest

from webassay.stats.flips import flip_rate, flip_share


@pytest.mark.parametrize(
    "votes, share", [("ss", 0.0), ("sf", 1.0), ("ssf", 2 / 3), ("sfa", 1.0), ("ssff", 4 / 6), ("s", None), ("", None)]
)
def test_the_share_of_pairs_that_differ(votes: str, share: float | None) -> None:
    assert flip_share(votes) == share


def test_items_that_were_asked_about_once_tell_nothing() -> None:
    assert flip_rate(["ss", "sf", "s"]) == 0.5 and flip_rate(["s", "f"]) is None
