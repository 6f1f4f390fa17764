"""How far two raters agree, from their table of counts: the same formulas for one table and for a stack of resamples.

A table is an array (…, q, q): rows are what the first rater said, columns what the second said. Of yes-or-no labels,
value 0 is failure and 1 success; precision and its like take the second rater for the reference. What is undefined is
NaN inside this room, and None with its reason in an `Estimate`.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webassay.stats.resampling import Drawn, Estimate

Array = NDArray[np.float64]
SUCCESS, FAILURE = 1, 0
NO_ITEMS = "no item has a label of both"


def tabulate(first: NDArray[np.int64], second: NDArray[np.int64], size: int) -> Array:
    """A table for each item, (items, q, q); all zeros where either has no label (a code below 0)."""
    tables = np.zeros((len(first), size, size))
    (both,) = np.nonzero((first >= 0) & (second >= 0))
    tables[both, first[both], second[both]] = 1
    return tables


def coincidences(codes: NDArray[np.int64], size: int) -> Array:
    """Krippendorff's matrix for each item of any number of raters, (items, q, q); an item with one label has none."""
    tallies = (codes[:, :, None] == np.arange(size)).sum(axis=1).astype(float)
    pairs = tallies[:, :, None] * tallies[:, None, :]
    pairs[:, np.arange(size), np.arange(size)] -= tallies
    return np.asarray(pairs / np.maximum(tallies.sum(axis=1) - 1, 1)[:, None, None])


def observed(counts: Array) -> Array:
    """Raw agreement, which flatters wherever one label is frequent: shown only beside kappa and AC1."""
    return _ratio(_diagonal(counts), _total(counts))


def cohen_kappa(counts: Array) -> Array:
    """(p_o − p_e) / (1 − p_e), multiplied by n² so that counts stay exact."""
    by_chance = (counts.sum(-1) * counts.sum(-2)).sum(-1)
    total = _total(counts)
    return _ratio(total * _diagonal(counts) - by_chance, total**2 - by_chance)


def gwet_ac1(counts: Array) -> Array:
    """Chance agreement as Gwet (2008) has it: Σ π(1 − π) / (q − 1), π the mean of both raters' shares."""
    size = counts.shape[-1]
    share = _ratio(counts.sum(-1) + counts.sum(-2), 2 * _total(counts)[..., None])
    by_chance = (share * (1 - share)).sum(-1) / (size - 1)
    return _ratio(observed(counts) - by_chance, 1 - by_chance)


def krippendorff_alpha(matrix: Array) -> Array:
    """1 − D_o / D_e of nominal labels, from a matrix of coincidences."""
    totals = matrix.sum(-1)
    labels = totals.sum(-1)
    expected = labels**2 - (totals**2).sum(-1)
    return np.subtract(1, _ratio((labels - 1) * (labels - _diagonal(matrix)), expected))


def pair_alpha(counts: Array) -> Array:
    return krippendorff_alpha(counts + counts.swapaxes(-1, -2))


def pabak(counts: Array) -> Array:
    """Prevalence- and bias-adjusted kappa: what kappa would be if each label were equally frequent."""
    size = counts.shape[-1]
    return np.asarray((size * observed(counts) - 1) / (size - 1))


def precision(counts: Array) -> Array:
    return _ratio(counts[..., SUCCESS, SUCCESS], counts[..., SUCCESS, :].sum(-1))


def recall(counts: Array) -> Array:
    return _ratio(counts[..., SUCCESS, SUCCESS], counts[..., :, SUCCESS].sum(-1))


def f1(counts: Array) -> Array:
    """The harmonic mean of precision and recall, which has no value where both are 0."""
    return _ratio(2 * precision(counts) * recall(counts), precision(counts) + recall(counts))


def specificity(counts: Array) -> Array:
    return _ratio(counts[..., FAILURE, FAILURE], counts[..., :, FAILURE].sum(-1))


def npv(counts: Array) -> Array:
    """Negative predictive value: the share of the first rater's failures that are failures."""
    return _ratio(counts[..., FAILURE, FAILURE], counts[..., FAILURE, :].sum(-1))


@dataclass(frozen=True)
class Statistic:
    name: str
    of: Callable[[Array], Array]
    undefined: str
    """Why it has no value on a table that is not empty."""


CHANCE_CORRECTED = (
    Statistic("agreement", observed, NO_ITEMS),
    Statistic("kappa", cohen_kappa, "both gave one and the same label to every item"),
    Statistic("ac1", gwet_ac1, NO_ITEMS),
    Statistic("alpha", pair_alpha, "only one label occurs"),
    Statistic("pabak", pabak, NO_ITEMS),
)
AGAINST_REFERENCE = (
    Statistic("precision", precision, "the judge passed no item"),
    Statistic("recall", recall, "the reference has no success"),
    Statistic("f1", f1, "precision and recall are not both defined with one above 0"),
    Statistic("specificity", specificity, "the reference has no failure"),
    Statistic("npv", npv, "the judge failed no item"),
)
ALPHA_OF_ALL = Statistic("alpha", krippendorff_alpha, "only one label occurs")


def estimate(statistic: Statistic, drawn: Drawn) -> Estimate:
    return drawn.estimate(statistic.of, statistic.undefined if drawn.total.any() else NO_ITEMS)


def mean_kappa(tables: list[Array]) -> dict[str, float | None]:
    """Cohen's kappa over strata, each stratum's own first: `macro` weighs strata alike, `weighted` by their items.

    The two means of the paper's Table 15. A stratum whose kappa is undefined is in neither.
    """
    known = [(float(cohen_kappa(table)), table.sum()) for table in tables if np.isfinite(cohen_kappa(table))]
    if not known:
        return {"macro": None, "weighted": None}
    kappas, items = np.array(known).T
    return {"macro": float(kappas.mean()), "weighted": float(np.average(kappas, weights=items))}


def mcnemar_exact(one: int, other: int) -> float:
    """Two-sided p of a split as uneven as this among discordant items, if either side were as likely."""
    from scipy.stats import binomtest  # half a second to import

    return float(binomtest(min(one, other), one + other).pvalue) if one + other else 1.0


def _total(counts: Array) -> Array:
    return np.asarray(counts.sum((-1, -2)))


def _diagonal(counts: Array) -> Array:
    return np.asarray(np.trace(counts, axis1=-2, axis2=-1))


def _ratio(part: Array, whole: Array) -> Array:
    """NaN where the whole is 0 or undefined."""
    shape = np.broadcast_shapes(np.shape(part), np.shape(whole))
    return np.asarray(np.divide(part, whole, out=np.full(shape, np.nan), where=whole != 0))
