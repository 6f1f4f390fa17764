"""A success rate of people's, from a judge's verdicts on all items and people's labels on some.

Rogan and Gladen (1978) undo the judge's known error rates; the interval is that of Lee et al. (arXiv 2511.21140). The
difference estimator adds to the judge's mean what the labelled items say it is off by, in the form for a fixed list of
N items (PPI++, arXiv 2311.01453, is for an infinite population and covers too much here).
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtrit  # quantiles; scipy.stats takes half a second to import

LEAST_YOUDEN = 0.1
"""Below this, sensitivity + specificity − 1 is so near to 0 that dividing by it says nothing."""
FEW_LABELS = 30
CARRIED_OVER = (
    "the error rates come from other items: they differ between agents and levels, so that this can be worse than no "
    "correction (on Online-Mind2Web, o4-mini is 2.7 points off as it is and 3.6 corrected)"
)
CENSUS = "every item has a human label: this is their mean, nothing is estimated"
AT_RANDOM = "holds if the labelled items were drawn at random from all items"
UNIFORM = "no differences among the labelled items: the interval does not see how uncertain this is"


@dataclass(frozen=True)
class Corrected:
    value: float | None
    low: float | None = None
    high: float | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class ErrorRates:
    """What a judge said of items that people labelled."""

    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def successes(self) -> int:
        return self.tp + self.fn

    @property
    def failures(self) -> int:
        return self.fp + self.tn

    @property
    def shrunk(self) -> tuple[float, float]:
        """Sensitivity and specificity with one imaginary hit and miss each (Agresti–Coull)."""
        return (self.tp + 1) / (self.successes + 2), (self.tn + 1) / (self.failures + 2)


def rogan_gladen(passed: int, items: int, known: ErrorRates, confidence: float, *, carried_over: bool) -> Corrected:
    """The share of true successes among items of which the judge passed some, given its error rates."""
    if not (items and known.successes and known.failures):
        return Corrected(None, warnings=("its error rates need items, and human successes as well as failures",))
    sensitivity, specificity = known.tp / known.successes, known.tn / known.failures
    if min(sensitivity + specificity, sum(known.shrunk)) - 1 < LEAST_YOUDEN:
        return Corrected(None, warnings=("the judge tells success from failure hardly better than chance",))
    value = (passed / items + specificity - 1) / (sensitivity + specificity - 1)
    low, high = _lee_interval(passed, items, known, float(ndtri(0.5 + confidence / 2)))
    warnings = [CARRIED_OVER] if carried_over else []
    if not 0 <= value <= 1:
        warnings.append("outside 0 to 1 before it was cut: the error rates do not fit these items")
    if min(known.successes, known.failures) < FEW_LABELS:
        warnings.append(f"few labels: {known.successes} successes, {known.failures} failures")
    return Corrected(_cut(value), _cut(low), _cut(high), tuple(warnings))


def _lee_interval(passed: int, items: int, known: ErrorRates, z: float) -> tuple[float, float]:
    """Each share is shrunk, which moves the centre; `shift` moves it back in part."""
    n = items + z**2
    p = (passed + z**2 / 2) / n
    q1, q0 = known.shrunk
    youden = q0 + q1 - 1
    theta = _cut((p + q0 - 1) / youden)
    error0, error1 = q0 * (1 - q0) / (known.failures + 2), q1 * (1 - q1) / (known.successes + 2)
    shift = 2 * z**2 * (theta * error1 - (1 - theta) * error0)
    spread = math.sqrt(p * (1 - p) / n + (1 - theta) ** 2 * error0 + theta**2 * error1) / youden
    return theta + shift - z * spread, theta + shift + z * spread


def labels_alone(total: int, labels: NDArray[np.float64], confidence: float) -> Corrected:
    """The mean label of N items, of which some were drawn at random and labelled; no judge is asked."""
    count = len(labels)
    if count < 2:
        return Corrected(None, warnings=(f"{count} human labels: two are the least",))
    mean = float(labels.mean())
    half = float(stdtrit(count - 1, 0.5 + confidence / 2)) * _spread(float(labels.var(ddof=1)), count, total)
    warnings = _sampling_warnings(count, total) + ([] if count == total or np.ptp(labels) else [UNIFORM])
    return Corrected(mean, _cut(mean - half), _cut(mean + half), tuple(warnings))


def difference_estimate(
    verdicts: NDArray[np.float64], labelled: NDArray[np.int64], labels: NDArray[np.float64], confidence: float
) -> Corrected:
    """The mean human label over N items: verdicts of all of them, labels of n that were drawn at random."""
    total, count = len(verdicts), len(labels)
    if count == total or count < 3:
        few = (f"{count} human labels: three are the least",)
        return labels_alone(total, labels, confidence) if count == total else Corrected(None, warnings=few)
    seen = verdicts[labelled]
    weight = _slope(seen, labels)
    value = weight * verdicts.mean() + (labels - weight * seen).mean()
    residual = labels - labels.mean() - weight * (seen - seen.mean())
    half = float(stdtrit(count - 2, 0.5 + confidence / 2)) * _spread(
        float(residual @ residual) / (count - 2), count, total
    )
    warnings = _sampling_warnings(count, total)
    if np.ptp(seen) == 0:
        warnings.append("the judge says the same of every labelled item: its verdicts add nothing")
    if not residual.any():
        warnings.append(UNIFORM)
    return Corrected(_cut(value), _cut(value - half), _cut(value + half), tuple(warnings))


def _spread(variance: float, count: int, total: int) -> float:
    """Standard error of a mean of some of N items: 0 when all are labelled."""
    return math.sqrt((1 - count / total) * variance / count)


def _slope(seen: NDArray[np.float64], labels: NDArray[np.float64]) -> float:
    """How far the verdicts are worth following: 0, the labels' own mean, where they are all alike."""
    centred = seen - seen.mean()
    square = float(centred @ centred)
    return float(centred @ labels) / square if square else 0.0


def _sampling_warnings(count: int, total: int) -> list[str]:
    if count == total:
        return [CENSUS]
    return [AT_RANDOM, f"few labels: {count}"] if count < FEW_LABELS else [AT_RANDOM]


def _cut(value: float) -> float:
    return min(1.0, max(0.0, float(value)))
