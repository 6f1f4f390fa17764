"""A check of the t-intervals that assumes no distribution: templates are drawn anew, with all their tasks."""

from dataclasses import dataclass

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Resampled:
    low: float
    high: float


def clustered(scores: pd.DataFrame, confidence: float, rng: np.random.Generator, resamples: int) -> Resampled | None:
    """Percentile interval of the template-macro; None with fewer than two templates."""
    from scipy.stats import bootstrap  # half a second that other jobs need not spend

    means = scores.dropna(subset="score").groupby("template")["score"].mean().to_numpy()
    if len(means) < 2:
        return None
    found = bootstrap(
        (means,), np.mean, n_resamples=resamples, confidence_level=confidence, method="percentile", rng=rng
    ).confidence_interval
    return Resampled(float(found.low), float(found.high))
