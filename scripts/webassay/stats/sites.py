"""Success by site, and over sites as the units."""

from dataclasses import dataclass

import pandas as pd

from webassay.stats.strata import with_strata
from webassay.stats.success import Interval, t_interval, template_macro


@dataclass(frozen=True)
class SiteMacro:
    """A mean of the sites' template-macros with a t-interval over sites; the paper gives no formula of its own."""

    mean: float | None
    half_width: float | None
    sites: int


def by_site(scores: pd.DataFrame, confidence: float) -> dict[str, Interval]:
    """The template-macro of each stratum; a template that two strata share is one in each."""
    groups = with_strata(scores).groupby("stratum", sort=True)
    return {str(site): template_macro(rows, confidence) for site, rows in groups}


def site_macro(scores: pd.DataFrame, confidence: float) -> SiteMacro:
    """Few units, so the interval is wide: with WebArena's six strata five degrees of freedom are left."""
    means = [interval.mean for interval in by_site(scores, confidence).values() if interval.mean is not None]
    found = t_interval(pd.Series(means, dtype=float), confidence)
    return SiteMacro(found.mean, found.half_width, found.templates)
