"""Several runs of the same tasks, against counts made by hand."""

from itertools import combinations

import pandas as pd
import pytest

from tests.stats.outcomes import attempts
from webassay.errors import WebassayError
from webassay.stats.repeats import pass_all, pass_at, repeats

RUNS = {"0": (1, 0, 1, 0), "1": (1, 1, 0, 0), "2": (1, 0, 0, 0)}


def runs(outcomes: dict[str, tuple[float | None, ...]] = RUNS) -> pd.DataFrame:
    return pd.concat(
        [
            attempts([(str(task), "t", score) for task, score in enumerate(scores)], run_id=run)
            for run, scores in outcomes.items()
        ]
    )


def test_the_mean_of_runs_and_where_the_spread_comes_from() -> None:
    found = repeats(runs())
    assert (found.runs, found.tasks, found.left_out) == (3, 4, 0)
    assert found.mean == pytest.approx((0.5 + 0.5 + 0.25) / 3)
    assert found.between == pytest.approx(0.1443, abs=1e-4)
    assert found.within == pytest.approx((0 + 1 / 3 + 1 / 3 + 0) / 4)
    assert found.across == pytest.approx(pd.Series([1, 1 / 3, 1 / 3, 0]).var() - found.within / 3)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_k_attempts_are_all_choices_of_k_among_those_made(k: int) -> None:
    tasks = list(zip(*RUNS.values(), strict=True))
    chosen = [[any(some) for some in combinations(task, k)] for task in tasks]
    assert pass_at(runs(), k).rate == pytest.approx(sum(sum(each) / len(each) for each in chosen) / len(tasks))
    together = [[all(some) for some in combinations(task, k)] for task in tasks]
    assert pass_all(runs(), k).rate == pytest.approx(sum(sum(each) / len(each) for each in together) / len(tasks))


def test_a_task_that_a_run_has_not_is_left_out_and_counted() -> None:
    found = repeats(runs(RUNS | {"3": (1, None, 1, 0)}))
    assert (found.runs, found.tasks, found.left_out) == (4, 3, 1)
    assert pass_at(runs(RUNS | {"3": (1, None, 1, 0)}), 4).tasks == 3


def test_one_run_has_no_spread_and_no_second_attempt() -> None:
    found = repeats(runs({"0": (1, 0)}))
    assert (found.mean, found.between, found.within, found.across) == (0.5, None, None, None)
    assert (pass_at(runs({"0": (1, 0)}), 2).rate, pass_all(runs({"0": (1, 0)}), 2).tasks) == (None, 0)


def test_runs_without_a_common_task_have_no_mean() -> None:
    assert repeats(runs({"0": (1, None), "1": (None, 1)})).mean is None


def test_the_same_attempt_twice_is_refused() -> None:
    with pytest.raises(WebassayError, match="4 attempts are there twice, first 0/0"):
        repeats(pd.concat([runs({"0": (1, 0, 1, 0)})] * 2))
