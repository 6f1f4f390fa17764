"""Was an unachievable task given up after a look, or at once? The paper's §3.2: R = steps / the site's usual steps."""

import math
from collections.abc import Iterable, Mapping

import pandas as pd

from webassay.stats.strata import with_strata

TAU = 0.5
"""The paper's threshold: half of the site's usual steps."""


def usual_steps(attempts: pd.DataFrame, unachievable: Iterable[str]) -> dict[str, float]:
    """Stratum -> median steps of the attempts that passed an achievable task; at least 1, as nobody acts less."""
    known = with_strata(attempts.dropna(subset="steps"))
    passed = known[(known["score"] >= 1) & ~known["task_id"].isin(set(unachievable))]
    medians = passed.assign(steps=passed["steps"].clip(lower=1)).groupby("stratum")["steps"].median()
    return {str(site): float(steps) for site, steps in medians.items()}


def least_steps(usual: Mapping[str, float], tau: float = TAU) -> dict[str, int]:
    """Stratum -> how many steps a "cannot be done" needs behind it to count as explored."""
    return {site: math.ceil(tau * steps) for site, steps in usual.items()}


def normalised(attempts: pd.DataFrame, usual: Mapping[str, float], unachievable: Iterable[str]) -> pd.DataFrame:
    """Attempts with `ratio` (R) and `kind`; those without steps, or on a site without usual steps, are left out."""
    named = with_strata(attempts.dropna(subset="steps"))
    known = named[named["stratum"].isin(usual.keys())]
    ids = set(unachievable)
    return known.assign(
        ratio=known["steps"].clip(lower=1) / known["stratum"].map(usual),
        kind=["unachievable" if task in ids else "achievable" for task in known["task_id"]],
    )
