"""How much of what was planned the numbers rest on: no denominator shrinks without being told."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import pandas as pd

Ungraded = Literal["failed", "left_out"]
"""What an attempt without a score counts as; `failed` is the paper's and the default."""


@dataclass(frozen=True)
class Coverage:
    """Attempts with a score, of those that tasks and runs make together."""

    attempted: int
    expected: int

    def __str__(self) -> str:
        return f"{self.attempted}/{self.expected}"


def settle(scores: pd.DataFrame, ungraded: Ungraded) -> pd.DataFrame:
    """An attempt that nobody could judge is a failure, or it stays without a score, which every rate leaves out.

    Its row stays in both cases, marked as not judged for the coverage; a task without a row is not invented.
    """
    scores = scores.assign(judged=scores["score"].notna())
    return scores.fillna({"score": 0.0}) if ungraded == "failed" else scores


def judged(scores: pd.DataFrame) -> "pd.Series[bool]":
    """Which attempts somebody could judge, also after they are settled."""
    return scores["judged"] if "judged" in scores else scores["score"].notna()


def coverage(scores: pd.DataFrame, expected: Iterable[str]) -> Coverage:
    """Of one agent, over the tasks expected of each of its runs."""
    wanted = set(expected)
    counted = scores[judged(scores) & scores["task_id"].isin(wanted)]
    runs = scores["run_id"].nunique()
    return Coverage(len(counted[["run_id", "task_id"]].drop_duplicates()), runs * len(wanted))


def duplicates(scores: pd.DataFrame, keys: list[str]) -> list[str]:
    """Attempts that are there twice, by their keys: which of them counts is not for us to say."""
    twice = scores[scores.duplicated(keys)]
    return ["/".join(map(str, row)) for row in twice[keys].itertuples(index=False)]
