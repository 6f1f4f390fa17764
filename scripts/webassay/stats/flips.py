"""How often a judge that is asked again about the same thing says something else."""

from collections.abc import Sequence
from itertools import combinations
from typing import TypeVar

Vote = TypeVar("Vote")


def flip_share(votes: Sequence[Vote]) -> float | None:
    """The share of pairs of votes that differ; None of fewer than two, which tell nothing."""
    pairs = [one != other for one, other in combinations(votes, 2)]
    return sum(pairs) / len(pairs) if pairs else None


def flip_rate(items: Sequence[Sequence[Vote]]) -> float | None:
    """The mean over the items that were asked about twice or more."""
    shares = [share for votes in items if (share := flip_share(votes)) is not None]
    return sum(shares) / len(shares) if shares else None
