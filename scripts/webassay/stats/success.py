"""Success rates with their denominators: micro over tasks, macro over templates with a t-interval."""

import math
from dataclasses import dataclass

import pandas as pd
from scipy.special import stdtrit  # the t quantile; scipy.stats takes half a second to import

FLAT = 1e-12
"""Less is the rounding of equal numbers, no spread."""


@dataclass(frozen=True)
class Interval:
    """A mean of template means; templates, not tasks, are the unit of inference (eq. 6 of the paper)."""

    mean: float | None
    half_width: float | None
    """None with fewer than two templates: a spread of one value is unknown, not 0."""
    templates: int

    @property
    def bounds(self) -> tuple[float, float] | None:
        if self.mean is None or self.half_width is None:
            return None
        return self.mean - self.half_width, self.mean + self.half_width

    @property
    def is_flat(self) -> bool:
        """All templates agree, so that a half width of 0 says nothing of what is uncertain."""
        return self.half_width is not None and self.half_width < FLAT

    @property
    def is_at_a_bound(self) -> bool:
        """Nothing passed, or everything: what the rule of three is about."""
        return self.mean is not None and min(self.mean, 1 - self.mean) < FLAT


def template_macro(scores: pd.DataFrame, confidence: float) -> Interval:
    """Over the rows given; a template all of whose rows are missing does not count as one."""
    return t_interval(template_means(scores), confidence)


def template_means(scores: pd.DataFrame) -> "pd.Series[float]":
    """Template -> mean of all its attempts; those without a score are no attempts."""
    return scores.dropna(subset="score").groupby("template")["score"].mean()


def t_interval(means: "pd.Series[float]", confidence: float) -> Interval:
    """Each value is one unit, whatever number of tasks or runs stands behind it."""
    count = len(means)
    if count == 0:
        return Interval(None, None, 0)
    if count == 1:
        return Interval(float(means.iloc[0]), None, 1)
    quantile = float(stdtrit(count - 1, 0.5 + confidence / 2))
    return Interval(float(means.mean()), quantile * float(means.std(ddof=1)) / math.sqrt(count), count)


def rule_of_three(templates: int, confidence: float) -> float:
    """How far from 0 (or from 1) the true rate may be when all templates are 0 (or 1): about 3/T at 95 %."""
    return min(1.0, -math.log(1 - confidence) / templates)


def denominators(scores: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """`all`: ungraded counts as 0; `graded`: has a score (webeval's convention); `answered`: gave an answer."""
    return {
        "all": scores.assign(score=scores["score"].fillna(0.0)),
        "graded": scores[scores["score"].notna()],
        "answered": scores[(scores["execution"] == "answered") & scores["score"].notna()],
    }


Metrics = dict[str, float | int | None]


def success_metrics(scores: pd.DataFrame) -> Metrics:
    """Rates and counts of one run under one judge; a rate without a denominator is None, never 0."""
    metrics: Metrics = {"tasks": len(scores)}
    for name, rows in denominators(scores).items():
        metrics |= {f"n_{name}": len(rows), f"micro_{name}": float(rows["score"].mean()) if len(rows) else None}
    for column, states in STATES.items():
        metrics |= {state: int((scores[column] == state).sum()) for state in states}
    metrics["parse_failures"] = int(scores["parse_failure"].sum())
    return metrics


def interval_metrics(scores: pd.DataFrame, confidence: float) -> Metrics:
    """The template-macro rates, whose intervals depend on the analysis and so belong to an experiment."""
    metrics: Metrics = {}
    for name, rows in denominators(scores).items():
        macro = template_macro(rows, confidence)
        metrics |= {
            f"macro_{name}": macro.mean,
            f"macro_{name}_half_width": macro.half_width,
            f"templates_{name}": macro.templates,
        }
    return metrics


STATES = {
    "execution": ("answered", "over_budget", "aborted", "unreadable"),
    "verification": ("scored", "auto_zero", "ungraded"),
}
