"""What a benchmark of a given size can tell apart, and what a published interval says of the spread behind it."""

import math

import numpy as np
from scipy.special import stdtrit


def detectable_paired(templates: int, spread: float, confidence: float, power: float) -> float | None:
    """Smallest difference of two agents on the same templates; `spread` is that of the templates' differences."""
    from statsmodels.stats.power import TTestPower

    if templates < 2:
        return None
    effect = TTestPower().solve_power(nobs=templates, alpha=1 - confidence, power=power, alternative="two-sided")
    return float(np.squeeze(effect)) * spread


def detectable_unpaired(templates: int, spread: float, confidence: float, power: float) -> float | None:
    """The same for two agents whose results are not paired; `spread` is that of one agent's template means."""
    from statsmodels.stats.power import TTestIndPower

    if templates < 2:
        return None
    effect = TTestIndPower().solve_power(nobs1=templates, alpha=1 - confidence, power=power, alternative="two-sided")
    return float(np.squeeze(effect)) * spread


def implied_spread(half_width: float, templates: int, confidence: float) -> float:
    """The standard deviation of template means that an interval of this half width rests on."""
    return half_width * math.sqrt(templates) / float(stdtrit(templates - 1, 0.5 + confidence / 2))


def largest_spread(mean: float, templates: int) -> float:
    """No set of rates with this mean can spread more: all templates 0 or 1."""
    return math.sqrt(mean * (1 - mean) * templates / (templates - 1))
