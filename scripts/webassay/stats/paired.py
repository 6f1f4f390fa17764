"""Agents against an anchor: differences over the templates both have, and tasks that only one of them passes."""

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd
from scipy.special import stdtr

from webassay.stats.success import FLAT, Interval, t_interval, template_means


@dataclass(frozen=True)
class Difference:
    """Agent minus anchor."""

    interval: Interval
    p_value: float | None
    """Of the t-test over templates; None where the spread is unknown or 0."""
    spread: float | None
    """Standard deviation of the templates' differences."""

    @property
    def outperforms(self) -> bool | None:
        """The paper's rule: the interval lies wholly above zero. None where there is no interval."""
        bounds = self.interval.bounds
        return None if bounds is None else bounds[0] > 0

    @property
    def falls_behind(self) -> bool | None:
        bounds = self.interval.bounds
        return None if bounds is None else bounds[1] < 0


@dataclass(frozen=True)
class McNemar:
    """Tasks of which both have an attempt; passed means that more than half of a task's attempts did."""

    tasks: int
    only_agent: int
    only_anchor: int
    p_value: float | None
    """Exact and two-sided; None where no task tells them apart."""


def difference(agent: pd.DataFrame, anchor: pd.DataFrame, confidence: float) -> Difference:
    """Only tasks that both attempted count, so that a template's two means are about the same questions."""
    one, other = (template_means(part) for part in _common(agent, anchor))
    differences = (one - other).dropna()
    spread = float(differences.std(ddof=1)) if len(differences) > 1 else None
    return Difference(t_interval(differences, confidence), _p_value(differences, spread), spread)


def subset_difference(subset: pd.DataFrame, whole: pd.DataFrame, confidence: float) -> Interval:
    """One agent on part of its own tasks, over the templates in it; descriptive, as the two are correlated by nature.

    The part's outcomes are among the whole's, so this interval is no test that the part is harder.
    """
    return t_interval((template_means(subset) - template_means(whole)).dropna(), confidence)


def mcnemar(agent: pd.DataFrame, anchor: pd.DataFrame) -> McNemar:
    """Tasks as independent units, which those of one template are not: read it beside the interval."""
    one, other = (part.groupby("task_id")["score"].mean() > 0.5 for part in _common(agent, anchor))
    only_agent, only_anchor = int((one & ~other).sum()), int((other & ~one).sum())
    return McNemar(len(one), only_agent, only_anchor, _exact(only_agent, only_anchor))


def holm(p_values: Mapping[str, float | None]) -> dict[str, float | None]:
    """Corrected for the number of comparisons; one that has no p-value is none of them."""
    from statsmodels.stats.multitest import multipletests  # seconds that other jobs need not spend

    known = {name: value for name, value in p_values.items() if value is not None}
    if not known:
        return dict(p_values)
    corrected = multipletests(list(known.values()), method="holm")[1]
    return dict(p_values) | dict(zip(known, map(float, corrected), strict=True))


def _common(agent: pd.DataFrame, anchor: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    one, other = agent.dropna(subset="score"), anchor.dropna(subset="score")
    shared = set(one["task_id"]) & set(other["task_id"])
    return one[one["task_id"].isin(shared)], other[other["task_id"].isin(shared)]


def _p_value(differences: "pd.Series[float]", spread: float | None) -> float | None:
    count = len(differences)
    if spread is None or spread < FLAT:
        return None
    return float(2 * stdtr(count - 1, -abs(float(differences.mean())) / (spread / count**0.5)))


def _exact(only_agent: int, only_anchor: int) -> float | None:
    from statsmodels.stats.contingency_tables import mcnemar as exact_mcnemar

    if only_agent + only_anchor == 0:
        return None
    return float(exact_mcnemar([[0, only_agent], [only_anchor, 0]], exact=True).pvalue)
