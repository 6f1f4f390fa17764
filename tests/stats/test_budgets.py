"""Scores had fewer steps been allowed."""

import pytest

from webassay.stats.budgets import PERCENT, BudgetScore, Used, score_at, step_budgets


@pytest.mark.parametrize(
    "max_rounds, budgets",
    [
        (100, [5, 10, 20, 25, 30, 40, 50, 60, 70, 75, 80, 90, 100]),
        (30, [2, 3, 6, 8, 9, 12, 15, 18, 21, 23, 24, 27, 30]),
        (1, [1] * 13),
        (140, [7, 14, 28, 35, 42, 56, 70, 84, 98, 105, 112, 126, 140]),  # ceil(140 * 0.05) in floats is 8
    ],
)
def test_budgets_are_shares_rounded_up(max_rounds: int, budgets: list[int]) -> None:
    assert list(step_budgets(max_rounds).values()) == budgets
    assert tuple(step_budgets(max_rounds)) == PERCENT


RUNS = [Used(1.0, 3), Used(1.0, 7), Used(0.0, 2), Used(0.5, 3), Used(None, 4), Used(1.0, None)]


@pytest.mark.parametrize("budget, within, total", [(2, 1, 0.0), (3, 3, 1.5), (6, 3, 1.5), (7, 4, 2.5), (100, 4, 2.5)])
def test_what_used_more_gets_nothing(budget: int, within: int, total: float) -> None:
    assert score_at(budget, RUNS) == BudgetScore(within, 4, total / 4, 6, total / 6)


@pytest.mark.parametrize("runs", [[], [Used(None, 3)], [Used(1.0, None)]])
def test_without_a_judgement_there_is_no_mean(runs: list[Used]) -> None:
    assert score_at(5, runs) == BudgetScore(0, 0, None, len(runs), None)
