"""Numbers of steps: the bins that share an effect, and the number at which a site's tasks are compared."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from webassay.stats.attempts import Pool

REFERENCE_QUANTILE, WINSOR_QUANTILE = 0.60, 0.95


def bin_of(steps: ArrayLike, lower_edges: Sequence[int]) -> NDArray[np.intp]:
    """A fraction, as a median may have one, belongs where its whole part does."""
    return np.asarray(np.searchsorted(lower_edges, np.floor(steps), side="right") - 1)


def bin_names(lower_edges: Sequence[int], budget: int) -> tuple[str, ...]:
    ends = [*(edge - 1 for edge in lower_edges[1:]), budget]
    return tuple(f"{low}-{high}" for low, high in zip(lower_edges, ends, strict=True))


def reference_steps(pool: Pool, min_successes: int) -> pd.DataFrame:
    """n_ref of each site (§4.5): what a success there usually takes, or where successes are few, what an attempt does.

    The appendix has no rule for few successes; §4.5 is followed. Both are winsorised at the 95th percentile of all the
    site's attempts and at least 1. A median may be x.5: it stays so in log(1+n).
    """
    sites = pool.attempts["task"].map(pool.tasks["site"])
    rows = []
    for site, attempts in pool.attempts.groupby(sites, sort=True):
        successes = attempts.loc[attempts["success"] == 1, "steps"]
        enough = len(successes) >= min_successes
        wanted = successes.median() if enough else attempts["steps"].quantile(REFERENCE_QUANTILE)
        n_ref = max(1.0, min(float(wanted), float(attempts["steps"].quantile(WINSOR_QUANTILE))))
        rule = "median of successes" if enough else "60th percentile of attempts"
        rows.append(
            {"site": site, "attempts": len(attempts), "successes": len(successes), "n_ref": n_ref, "rule": rule}
        )
    return pd.DataFrame(rows)
