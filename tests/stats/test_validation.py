"""Order and distance of success rates, and what resamples templates."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from tests.stats.pools import SETTINGS, simulated
from webassay.stats.attempts import Pool
from webassay.stats.subset import Caps
from webassay.stats.validation import (
    agreement,
    bootstrap,
    clustered_rates,
    ecdf,
    mae,
    tau,
    validate,
    validate_refitted,
    without_agent,
)

CAPS = Caps(0.2, 1, 1, 0.85, 2)


def small() -> Pool:
    """Two templates of two tasks, two agents; `a` is better, but not on task 3."""
    tasks = pd.DataFrame(
        {"task_id": list("0123"), "site": "shop", "template": ["t", "t", "u", "u"], "category": ["t", "t", "u", "u"]}
    )
    won = {"a": [1, 1, 1, 0], "b": [0, 0, 0, 1]}
    rows = [(agent, task, score, 5, False) for agent, scores in won.items() for task, score in enumerate(scores)]
    return Pool(tasks, pd.DataFrame(rows, columns=["agent", "task", "success", "steps", "exhausted"]), (), {})


def picked(pool: Pool, *numbers: int) -> pd.DataFrame:
    chosen = [number in numbers for number in range(len(pool.tasks))]
    return pool.tasks.assign(selected=chosen, attempts=2, p_hat=0.5, pi=0.5)


@pytest.mark.parametrize(
    "pool, subset, order, distance",
    [
        ([0.9, 0.5, 0.1], [0.8, 0.4, 0.0], 1.0, 0.1),
        ([0.9, 0.5, 0.1], [0.0, 0.4, 0.8], -1.0, 0.5666667),
        ([0.9, 0.5, 0.1], [0.4, 0.4, 0.0], 2 / np.sqrt(3 * 2), 0.2333333),  # τ-b: a tie in one of them
        ([0.9, 0.5, np.nan], [0.8, 0.4, 0.3], 1.0, 0.1),
    ],
)
def test_order_and_distance(pool: list[float], subset: list[float], order: float, distance: float) -> None:
    assert agreement(np.array(pool), np.array(subset)) == pytest.approx((order, distance))


def test_ties_of_all_and_a_single_agent_have_no_order() -> None:
    assert np.isnan(agreement(np.array([0.9, 0.5]), np.array([0.4, 0.4]))[0])
    assert np.isnan(agreement(np.array([0.9]), np.array([0.4]))[0])


def test_plain_figures_are_those_of_the_attempts() -> None:
    pool = small()
    found = validate(pool, picked(pool, 0, 3), 20, SETTINGS.passed, np.random.default_rng(0))
    value = found.set_index(["measure", "of"])["value"]
    assert value["success in the pool", "a"] == 0.75 and value["success in the pool", "b"] == 0.25
    assert value["success in the subset", "a"] == 0.5 and value["mae", ""] == 0.25
    assert value["tau", ""] is None  # both have 0.5 on the subset
    assert value["pass rate", "tau at least 0.9"] is None and value["tau without", "a"] is None
    assert value["tasks of the subset", "on one site"] == 2


def test_a_subset_of_all_agrees_in_every_replicate() -> None:
    _, pool = simulated(5, tasks=40)
    found = validate(pool, picked(pool, *range(len(pool.tasks))), 50, SETTINGS.passed, np.random.default_rng(0))
    assert set(found.loc[found["measure"] == "pass rate", "value"]) == {1.0}
    assert found.loc[found["measure"] == "mae, bootstrap median", "value"].item() == 0.0


def test_templates_are_resampled_whole_and_the_same_for_both() -> None:
    pool = small()
    rates = clustered_rates(pool, picked(pool, 0, 1, 2, 3)["selected"])
    assert rates.pool[:, 0].tolist() == [[2, 2], [1, 2]]
    found = bootstrap(rates, 200, np.random.default_rng(0)).resamples
    assert (mae(found) == 0).all()
    # only t, only u, or both: three different worlds, of which `u` alone ties the agents
    assert np.isnan(tau(found)).mean() == pytest.approx(0.25, abs=0.1)


def measures(pool: Pool) -> "pd.Series[object]":
    found = validate(pool, picked(pool, *range(len(pool.tasks))), 40, SETTINGS.passed, np.random.default_rng(0))
    return found.set_index(["measure", "of"])["value"]


def test_an_undefined_tau_has_no_pass_rate() -> None:
    found = measures(small())  # a quarter of the replicates tie
    assert found["tau", ""] == 1.0
    names = [("tau, bootstrap median", ""), ("tau, bootstrap 2.5 %", ""), ("pass rate", "tau at least 0.9")]
    assert [found[name] for name in names] == [None, None, None]
    assert found["pass rate", "mae at most 0.06"] == 1.0


def test_one_template_has_values_and_neither_intervals_nor_pass_rates() -> None:
    pool = small()
    found = measures(replace(pool, tasks=pool.tasks.assign(template="t")))
    assert (found["tau", ""], found["mae", ""]) == (1.0, 0.0)
    names = [name for name in found.index if "bootstrap" in name[0] or name[0] == "pass rate"]
    assert len(names) == 8 and all(found[name] is None for name in names)


def test_an_agent_is_taken_out_with_tasks_that_were_its_own() -> None:
    pool = small()
    pool = Pool(pool.tasks, pool.attempts[~((pool.attempts["agent"] == "b") & (pool.attempts["task"] < 2))], (), {})
    left = without_agent(pool, "a")
    assert (left.agents, left.tasks["task_id"].tolist()) == (["b"], ["2", "3"])
    assert left.attempts["task"].tolist() == [0, 1]


def test_refitting_compares_the_choices() -> None:
    pool = small()

    def refit(one: Pool) -> pd.DataFrame:
        won = one.attempts.groupby("task")["success"].mean()
        return one.tasks.assign(attempts=1, p_hat=won, pi=1 - won)

    found = validate_refitted(pool, picked(pool, 0, 3), refit, CAPS).set_index(["measure", "of"])["value"]
    assert found["jaccard of the subset refitted without", "b"] == 1.0  # `a` alone: 0 of t, 3 of u
    assert found["jaccard of the subset refitted without", "a"] == pytest.approx(1 / 3)  # `b` alone: 0 and 2


def test_an_ecdf_has_a_step_at_each_value() -> None:
    found = ecdf(pd.Series([0.5, 0.1, 0.5, 1.0]))
    assert found.to_numpy().tolist() == [[0.1, 0.25], [0.5, 0.75], [1.0, 1.0]]
