"""What scores would have been had fewer steps been allowed: a run that used more than a budget gets 0 there."""

from collections.abc import Iterable
from dataclasses import dataclass

PERCENT = (5, 10, 20, 25, 30, 40, 50, 60, 70, 75, 80, 90, 100)
"""webeval's shares of the rounds that a system may use."""


@dataclass(frozen=True)
class Used:
    """What a trajectory scored, and the steps it used; None: not judged, not known."""

    score: float | None
    steps: int | None


@dataclass(frozen=True)
class BudgetScore:
    """Means at one budget under two denominators; None where nobody was judged."""

    within: int
    """Judged trajectories that used no more."""
    graded: int
    """Judged trajectories whose steps are known."""
    mean_graded: float | None
    tasks: int
    mean_all: float | None
    """Over all tasks, those that nobody judged as 0."""


def step_budgets(max_rounds: int) -> dict[int, int]:
    """Percent -> steps, rounded up; in whole numbers, since 140 × 0.05 in floats is a little more than 7."""
    return {percent: -(-max_rounds * percent // 100) for percent in PERCENT}


def score_at(budget: int, trajectories: Iterable[Used]) -> BudgetScore:
    everyone = list(trajectories)
    graded = [(each.score, each.steps) for each in everyone if each.score is not None and each.steps is not None]
    kept = [score for score, steps in graded if steps <= budget]
    if not graded:
        return BudgetScore(0, 0, None, len(everyone), None)
    return BudgetScore(len(kept), len(graded), sum(kept) / len(graded), len(everyone), sum(kept) / len(everyone))
