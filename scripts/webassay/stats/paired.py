"""Agents against an anchor: differences over the templates both have, and tasks that only one of them passes."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import pandas as pd
from scipy.special import stdtr

from webassay.stats.success import FLAT, Interval, t_interval, template_means


@dataclass(frozen=True)
class Difference:
    """Agent minus anchor."""

    interval: Interval
    """Without a half width where all templates differ alike: that shows no spread, and so no certainty."""
    p_value: float | None
    """Of the t-test over templates; None where the spread is unknown or 0."""
    spread: float | None
    """Standard deviation of the templates' differences."""

    @property
    def is_flat(self) -> bool:
        """All templates differ by the same."""
        return self.spread is not None and self.spread < FLAT

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
    """Over the templates that both have (the paper's rule), each one's mean being of its own attempts."""
    differences = (template_means(agent) - template_means(anchor)).dropna()
    interval = t_interval(differences, confidence)
    spread = float(differences.std(ddof=1)) if len(differences) > 1 else None
    found = Difference(interval, _p_value(differences, spread), spread)
    return replace(found, interval=replace(interval, half_width=None)) if found.is_flat else found


def matched_difference(agent: pd.DataFrame, anchor: pd.DataFrame, confidence: float) -> Difference | None:
    """Only over tasks that both attempted, so that a template's two means are about the same questions.

    None where both attempted the same tasks: it is the difference then.
    """
    one, other = _common(agent, anchor)
    if len(one) == agent["score"].count() and len(other) == anchor["score"].count():
        return None
    return difference(one, other, confidence)


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
    """Corrected for the number of comparisons; one without a p-value has none then either, and counts as one."""
    from statsmodels.stats.multitest import multipletests  # seconds that other jobs need not spend

    if not p_values:
        return {}
    corrected = multipletests([1.0 if value is None else value for value in p_values.values()], method="holm")[1]
    pairs = zip(p_values.items(), corrected, strict=True)
    return {name: None if value is None else float(found) for (name, value), found in pairs}


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
