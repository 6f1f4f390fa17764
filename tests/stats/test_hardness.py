"""Hardness of simulated tasks is found again, and odd data give a stated answer or a clear refusal."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from tests.stats.pools import fitted, model_of, simulated, truth
from webassay.errors import WebassayError
from webassay.stats.attempts import Pool, pool_attempts
from webassay.stats.hardness import Term, check_informative, laplace_posterior
from webassay.stats.simulate import draw_outcomes, draw_world, synthetic_tasks
from webassay.stats.validation import without_agent

KNOWN = ["p_hat", "p_low", "p_high", "pi"]


@pytest.fixture(scope="module")
def pool() -> Pool:
    return simulated(1, tasks=40, agents=5)[1]


@pytest.fixture(scope="module")
def table(pool: Pool) -> pd.DataFrame:
    return fitted(pool)


def test_hardness_is_found_again() -> None:
    world, pool = simulated(0, tasks=120, agents=8)
    table = fitted(pool)
    true = truth(world, table)
    assert np.corrcoef(table["p_hat"], true)[0, 1] > 0.8
    assert 0.9 <= true.between(table["p_low"], table["p_high"]).mean() <= 1.0
    assert abs(table["pi"].mean() - (true <= 0.2).mean()) < 0.1
    assert (table["p_low"] < table["p_hat"]).all() and (table["p_hat"] < table["p_high"]).all()


def test_the_same_seed_gives_the_same_digits_and_another_nearly(pool: Pool, table: pd.DataFrame) -> None:
    other = fitted(pool, 2)
    pd.testing.assert_frame_equal(table, fitted(pool), check_exact=True)
    assert not table["p_hat"].equals(other["p_hat"])
    assert np.abs(table["p_hat"] - other["p_hat"]).max() < 0.05


def test_the_order_of_the_outcomes_leaves_no_trace() -> None:
    rng = np.random.default_rng(4)
    world = draw_world(*synthetic_tasks(20, rng), 4, rng)
    outcomes = draw_outcomes(world, rng)
    shuffled = outcomes.sample(frac=1, random_state=0)
    pools = [pool_attempts(rows, world.tasks, world.categories, 30) for rows in (outcomes, shuffled)]
    pd.testing.assert_frame_equal(pools[0].attempts, pools[1].attempts)
    pd.testing.assert_frame_equal(pools[0].tasks, pools[1].tasks)


def test_more_successes_make_tasks_less_hard(table: pd.DataFrame) -> None:
    means = table.groupby("successes")["p_hat"].mean()
    assert means.is_monotonic_increasing


def test_diagnostics_say_how_it_went(pool: Pool) -> None:
    _, told = laplace_posterior(model_of(pool), np.random.default_rng(0))
    assert told["converged"] and told["gradient_norm"] < 1e-4
    assert set(told["scales"]) == {"task", "template", "category", "site"}
    assert 1 <= told["hessian_condition"] < 1e8 and told["effective_scale_draws"] > 5


def changed(pool: Pool, success: "pd.Series[int]") -> Pool:
    return replace(pool, attempts=pool.attempts.assign(success=success))


@pytest.mark.parametrize("outcome, word", [(0, "failed"), (1, "succeeded")])
def test_equal_outcomes_are_refused(pool: Pool, outcome: int, word: str) -> None:
    with pytest.raises(WebassayError, match=f"all .* attempts {word}"):
        check_informative(model_of(changed(pool, pool.attempts["success"] * 0 + outcome)))


def test_separation_and_an_agent_with_no_success_stay_finite(pool: Pool) -> None:
    """Half the tasks are always passed, half never, and one agent passes nothing."""
    rows = pool.attempts
    found = fitted(changed(pool, ((rows["task"] % 2 == 0) & (rows["agent"] != "agent0")).astype("int64")))
    assert np.isfinite(found[KNOWN].to_numpy()).all()
    assert found.loc[found.index % 2 == 0, "p_hat"].min() > found.loc[found.index % 2 == 1, "p_hat"].max()


def test_one_agent_is_said_to_be_one(pool: Pool) -> None:
    alone = pool
    for agent in pool.agents[1:]:
        alone = without_agent(alone, agent)
    assert "one agent: its ability and the tasks' hardness are one" in model_of(alone).notes
    assert np.isfinite(fitted(alone)[KNOWN].to_numpy()).all()


def test_groups_that_tell_nothing_have_no_effect(pool: Pool) -> None:
    one = replace(pool, tasks=pool.tasks.assign(site="shop", template="t", category="t"))
    model = model_of(one)
    assert {term.name for term in model.terms}.isdisjoint({"site", "template", "category"})
    assert len(model.notes) == 3
    same = replace(pool, tasks=pool.tasks.assign(category=pool.tasks["template"]))
    assert model_of(same).notes == ("category: the same groups as template, so no effect of its own",)
    assert np.isfinite(fitted(one)[KNOWN].to_numpy()).all()


def test_one_task_of_two_outcomes() -> None:
    tasks = pd.DataFrame({"task_id": ["7"], "site": ["shop"], "template": ["t"], "category": ["t"]})
    attempts = pd.DataFrame({"agent": ["a", "b"], "task": 0, "success": [0, 1], "steps": 4, "exhausted": False})
    table = fitted(Pool(tasks, attempts, (), {}))
    assert 0.0 < table["p_low"][0] < table["p_hat"][0] < table["p_high"][0] < 1.0


def test_agents_sum_to_zero_with_the_covariance_of_a_zero_sum_normal() -> None:
    codes = np.arange(5)
    basis = Term("agent", tuple("abcde"), codes, codes, 1.0, sums_to_zero=True).basis
    assert basis.sum(axis=0) == pytest.approx(np.zeros(4), abs=1e-12)
    assert basis @ basis.T == pytest.approx(np.eye(5) - 1 / 5)
