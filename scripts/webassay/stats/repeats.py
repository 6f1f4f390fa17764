"""The same tasks in several runs: the mean of runs, where its spread comes from, and what k attempts are worth."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import comb

from webassay.errors import WebassayError
from webassay.stats.coverage import duplicates


@dataclass(frozen=True)
class Repeats:
    """Over the tasks that every run has a score for."""

    mean: float | None
    """Of the runs' own rates."""
    between: float | None
    """Standard deviation of the runs' rates; None with one run."""
    within: float | None
    """Mean over tasks of the variance between attempts of one task: the system's own dice. None with one run."""
    across: float | None
    """Variance of the tasks' rates, less what `within` puts into it: how much tasks differ. None with one run."""
    runs: int
    tasks: int
    left_out: int
    """Tasks that only some of the runs have."""


@dataclass(frozen=True)
class Attempts:
    """pass@k or pass^k, a mean over the tasks that have at least k attempts."""

    rate: float | None
    tasks: int


def repeats(scores: pd.DataFrame) -> Repeats:
    table = _by_task_and_run(scores)
    whole = table.dropna()
    rates = whole.mean()
    several = len(rates) > 1 and len(whole) > 0
    within = float(whole.var(axis=1, ddof=1).mean()) if several else None
    across = whole.mean(axis=1).var(ddof=1) if several and len(whole) > 1 else None
    return Repeats(
        mean=float(rates.mean()) if len(whole) else None,
        between=float(rates.std(ddof=1)) if several else None,
        within=within,
        across=None if across is None or within is None else max(0.0, float(across) - within / len(rates)),
        runs=table.shape[1],
        tasks=len(whole),
        left_out=len(table) - len(whole),
    )


def pass_at(scores: pd.DataFrame, k: int) -> Attempts:
    """pass@k: at least one of k attempts passes; unbiased over the attempts that were made."""
    made, passed = _counts(scores, k)
    return _mean(1 - comb(made - passed, k) / comb(made, k))


def pass_all(scores: pd.DataFrame, k: int) -> Attempts:
    """pass^k: all of k attempts pass."""
    made, passed = _counts(scores, k)
    return _mean(comb(passed, k) / comb(made, k))


def _by_task_and_run(scores: pd.DataFrame) -> pd.DataFrame:
    if twice := duplicates(scores, ["run_id", "task_id"]):
        raise WebassayError(f"{len(twice)} attempts are there twice, first {twice[0]}; repeated runs need own run ids")
    return scores.pivot(index="task_id", columns="run_id", values="score")


def _counts(scores: pd.DataFrame, k: int) -> tuple["pd.Series[int]", "pd.Series[int]"]:
    passes = scores.dropna(subset="score").assign(score=lambda rows: rows["score"] >= 1).groupby("task_id")["score"]
    made = passes.size()
    enough = made >= k
    return made[enough], passes.sum()[enough].astype(int)


def _mean(values: "np.ndarray[Any, Any]") -> Attempts:
    return Attempts(float(values.mean()) if len(values) else None, len(values))
