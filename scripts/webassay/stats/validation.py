"""Does the subset order agents as the whole pool does, and how far are its success rates from the pool's."""

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import kendalltau

from webassay.stats.attempts import Pool
from webassay.stats.laplace import Floats
from webassay.stats.resampling import LEAST_DEFINED, Drawn, Resampling, draw
from webassay.stats.subset import Caps, Passed, select

COLUMNS = ["measure", "of", "value", "note"]
CONFIDENCE = 0.95
UNDEFINED = "fewer than two agents, or all of them tie"


@dataclass(frozen=True)
class Rates:
    """Successes and attempts of each agent in each cluster (a template of a site)."""

    agents: tuple[str, ...]
    pool: Floats
    """Clusters × agents × (successes, attempts)."""
    subset: Floats


def clustered_rates(pool: Pool, selected: "pd.Series[bool]") -> Rates:
    tasks, attempts = pool.tasks, pool.attempts
    cluster = pd.factorize(tasks["site"] + "/" + tasks["template"])[0]
    task, won = attempts["task"].to_numpy(), attempts["success"].to_numpy("float64")
    agent = np.searchsorted(pool.agents, attempts["agent"].to_numpy("str"))
    shape = (int(cluster.max()) + 1, len(pool.agents))
    cell = np.ravel_multi_index((cluster[task], agent), shape)

    def counts(taken: Floats) -> Floats:
        sums = [np.bincount(cell, weights, minlength=shape[0] * shape[1]) for weights in (won * taken, taken)]
        return np.asarray(np.stack(sums, axis=-1).reshape(*shape, 2), "float64")

    return Rates(tuple(pool.agents), counts(np.ones(len(task))), counts(selected.to_numpy("float64")[task]))


def success_rates(counts: Floats, weights: Floats) -> Floats:
    """NaN where an agent has no attempt."""
    sums = np.tensordot(weights, counts, axes=1)
    with np.errstate(invalid="ignore"):
        return np.asarray(sums[..., 0] / sums[..., 1])


def agreement(pool: Floats, subset: Floats) -> tuple[float, float]:
    """(Kendall's τ-b, mean absolute difference) of two sets of success rates; τ is NaN where all rates of one tie."""
    known = ~(np.isnan(pool) | np.isnan(subset))
    if known.sum() < 2:
        return np.nan, float(np.abs(pool - subset)[known].mean()) if known.any() else np.nan
    return float(kendalltau(pool[known], subset[known]).statistic), float(np.abs(pool - subset)[known].mean())


def bootstrap(rates: Rates, resamples: int, rng: np.random.Generator) -> Drawn:
    """Templates resampled, the same ones for pool and subset: agents × (pool, subset) × (successes, attempts)."""
    both = np.stack([rates.pool, rates.subset], axis=2)
    return draw(both, np.arange(len(both)), Resampling(CONFIDENCE, resamples), rng)


def tau(counts: Floats) -> Floats:
    """Of each replicate; NaN where it has none."""
    rates = _rates(counts)
    found = [agreement(*one.T)[0] for one in rates.reshape(-1, *rates.shape[-2:])]
    return np.asarray(found, "float64").reshape(rates.shape[:-2])


def mae(counts: Floats) -> Floats:
    rates = _rates(counts)
    return np.ma.filled(np.ma.masked_invalid(np.abs(rates[..., 0] - rates[..., 1])).mean(axis=-1), np.nan)


def _rates(counts: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(counts[..., 0] / counts[..., 1])


def replicates(pool: Pool, selected: pd.DataFrame, resamples: int, rng: np.random.Generator) -> pd.DataFrame:
    """τ and MAE of each, for a look at their distributions."""
    drawn = bootstrap(clustered_rates(pool, selected["selected"]), resamples, rng).resamples
    return pd.DataFrame({"tau": tau(drawn), "mae": mae(drawn)})


def validate(
    pool: Pool, selected: pd.DataFrame, resamples: int, passed: Passed, rng: np.random.Generator
) -> pd.DataFrame:
    """Measure, value: the plain figures, the bootstrap's, and those without one agent each on the fixed subset.

    What is undefined has no value and a note that says why: never 0.
    """
    rates = clustered_rates(pool, selected["selected"])
    whole = np.ones(len(rates.pool))
    full, hard = success_rates(rates.pool, whole), success_rates(rates.subset, whole)
    drawn = bootstrap(rates, resamples, rng)
    rows: list[tuple[str, str, Any, str]] = [
        ("agents", "", len(rates.agents), ""),
        ("tasks of the pool", "", len(selected), ""),
        ("tasks of the subset", "on one site", int(selected["selected"].sum()), ""),
        *(("success in the pool", agent, value, "") for agent, value in zip(rates.agents, full, strict=True)),
        *(("success in the subset", agent, value, "") for agent, value in zip(rates.agents, hard, strict=True)),
        *_measured(drawn, "tau", tau, passed.tau, operator.ge),
        *_measured(drawn, "mae", mae, passed.mae, operator.le),
        ("replicates without tau", "", int(np.isnan(tau(drawn.resamples)).sum()), ""),
    ]
    for number, agent in enumerate(rates.agents):
        kept = np.arange(len(rates.agents)) != number
        rows.append(_plain("tau without", agent, agreement(full[kept], hard[kept])[0]))
    return pd.DataFrame(rows, columns=COLUMNS, dtype="object")  # counts among rates stay whole


def _measured(
    drawn: Drawn,
    name: str,
    measure: Callable[[Floats], Floats],
    bound: float,
    reaches: Callable[[Floats, float], NDArray[np.bool_]],
) -> Iterator[tuple[str, str, float | None, str]]:
    """The value, what the replicates say of it, and the share of them that reach the bound."""
    found = drawn.estimate(measure, UNDEFINED)
    values = measure(drawn.resamples)
    known = values[np.isfinite(values)]
    told = found.value is not None and len(known) > 0 and len(known) >= LEAST_DEFINED * len(values)
    yield name, "", found.value, found.reason if found.value is None else ""
    yield f"{name}, bootstrap median", "", float(np.median(known)) if told else None, "" if told else found.reason
    yield f"{name}, bootstrap 2.5 %", "", found.low, found.reason
    yield f"{name}, bootstrap 97.5 %", "", found.high, found.reason
    words = f"{name} at {'least' if reaches is operator.ge else 'most'} {bound:g}"
    yield (
        "pass rate",
        words,
        float(reaches(known, bound).sum() / len(values)) if told else None,
        ("" if told else found.reason),
    )


def _plain(measure: str, of: str, value: float) -> tuple[str, str, float | None, str]:
    known = bool(np.isfinite(value))
    return measure, of, value if known else None, "" if known else UNDEFINED


def validate_refitted(
    pool: Pool, selected: pd.DataFrame, refit: Callable[[Pool], pd.DataFrame], caps: Caps
) -> pd.DataFrame:
    """Without each agent in turn the model fitted and the tasks chosen anew: how much stays, and in which order.

    One agent fewer is asked of a task where all of them were.
    """
    chosen = set(selected.loc[selected["selected"], "task_id"])
    fewer = msgspec.structs.replace(caps, min_agents=max(1, min(caps.min_agents, len(pool.agents) - 1)))
    rows = []
    for agent in pool.agents:
        others = without_agent(pool, agent)
        again = select(refit(others), fewer)
        other = set(again.loc[again["selected"], "task_id"])
        rates = clustered_rates(others, again["selected"])
        full, hard = (success_rates(counts, np.ones(len(counts))) for counts in (rates.pool, rates.subset))
        rows.append(_plain("jaccard of the subset refitted without", agent, len(chosen & other) / len(chosen | other)))
        rows.append(_plain("tau refitted without", agent, agreement(full, hard)[0]))
    return pd.DataFrame(rows, columns=COLUMNS, dtype="object")


def without_agent(pool: Pool, agent: str) -> Pool:
    """Tasks that nobody else has attempted go too."""
    kept = pool.attempts[pool.attempts["agent"] != agent]
    numbers = np.sort(kept["task"].unique())
    attempts = kept.assign(task=np.searchsorted(numbers, kept["task"])).reset_index(drop=True)
    tasks = pool.tasks.iloc[numbers].reset_index(drop=True)
    return replace(pool, tasks=tasks, attempts=attempts)


def ecdf(values: "pd.Series[float]") -> pd.DataFrame:
    """Steps of the empirical distribution: one line for each value that occurs."""
    found = values.value_counts().sort_index()
    return pd.DataFrame({"value": found.index, "share": found.cumsum() / len(values)})


def ecdf_table(selections: Sequence[tuple[str, pd.DataFrame]]) -> pd.DataFrame:
    """p̂ and π of the eligible tasks and of the selected; of the ablations p̂ alone."""
    parts = []
    for number, (name, table) in enumerate(selections):
        sets = {name: table[table["selected"]]} | ({"eligible": table[table["eligible"]]} if number == 0 else {})
        for label, rows in sets.items():
            for quantity in ("p_hat", "pi") if number == 0 else ("p_hat",):
                parts.append(ecdf(rows[quantity]).assign(quantity=quantity, tasks=label))
    return pd.concat(parts, ignore_index=True)[["quantity", "tasks", "value", "share"]]
