"""What a judge's success rate becomes when people's labels correct it, and where a judge can be trusted alone."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from webassay.report.agreement.pairs import Pair, Row
from webassay.stats.agreement import FAILURE, SUCCESS, cohen_kappa, gwet_ac1
from webassay.stats.correction import Corrected, ErrorRates, difference_estimate, labels_alone, rogan_gladen
from webassay.stats.ratings import NONE
from webassay.stats.risk_coverage import risk_coverage

ALL = "all items"
JUDGE, PEOPLE, DIFFERENCE = "judge alone", "human labels alone", "difference estimator"
ROGAN_GLADEN = "Rogan–Gladen"
CARRIED = "Rogan–Gladen, error rates from the other strata"


def correction_rows(pair: Pair, confidence: float) -> Iterator[Row]:
    """Of judges with people: over all items, then in each stratum with the error rates of all others."""
    judged = pair.ratings.codes[:, pair.first] != NONE
    yield from _rows(pair, judged, confidence, "", ALL, unjudged=_labelled(pair, ~judged))
    for column, values in pair.ratings.strata.items():
        names = sorted(set(values[judged]) - {""})
        for name in names if len(names) > 1 else []:
            split = column.removeprefix("stratum_")
            here = values == name
            unjudged = _labelled(pair, ~judged & here)
            yield from _rows(pair, judged & here, confidence, split, str(name), judged & ~here, unjudged=unjudged)


def _labelled(pair: Pair, items: NDArray[np.bool_]) -> int:
    return int((pair.ratings.codes[items, pair.second] != NONE).sum())


def _rows(
    pair: Pair,
    chosen: NDArray[np.bool_],
    confidence: float,
    split: str,
    stratum: str,
    others: NDArray[np.bool_] | None = None,
    *,
    unjudged: int,
) -> Iterator[Row]:
    verdicts, people = (pair.ratings.codes[chosen, rater].astype(float) for rater in (pair.first, pair.second))
    (labelled,) = np.nonzero(people != NONE)
    labels = people[labelled]
    source = chosen if others is None else others
    fixed = rogan_gladen(
        int(verdicts.sum()), len(verdicts), _error_rates(pair, source), confidence, carried_over=others is not None
    )
    found = {JUDGE: Corrected(float(verdicts.mean())), PEOPLE: labels_alone(len(verdicts), labels, confidence)}
    if len(labels) < len(verdicts):  # with all of them labelled there is nothing left to estimate
        found[DIFFERENCE] = difference_estimate(verdicts, labelled, labels, confidence)
    found[ROGAN_GLADEN if others is None else CARRIED] = fixed
    left_out = [f"{unjudged} human labels of items without a verdict are left out"] if unjudged else []
    for method, estimate in found.items():
        yield pair.columns | {
            "split": split,
            "stratum": stratum,
            "method": method,
            "estimate": estimate.value,
            "low": estimate.low,
            "high": estimate.high,
            "items": len(verdicts),
            "labelled": len(labels),
            "error": estimate.value - float(labels.mean()) if len(labels) and estimate.value is not None else None,
            "warnings": "; ".join([*estimate.warnings, *left_out]),
        }


def _error_rates(pair: Pair, items: NDArray[np.bool_]) -> ErrorRates:
    table = pair.tables[items].sum(0).astype(int)
    return ErrorRates(
        tp=int(table[SUCCESS, SUCCESS]),
        fp=int(table[SUCCESS, FAILURE]),
        fn=int(table[FAILURE, SUCCESS]),
        tn=int(table[FAILURE, FAILURE]),
    )


def coverage_rows(pair: Pair, confidence: float, target: float) -> Iterator[Row]:
    """How right a judge is on what it is surest of, level by level; a consensus is surest where all judges agree.

    A judge that gave no confidence at all is as sure of one item as of another: it has one row.
    """
    codes, people = pair.ratings.codes[:, pair.first], pair.ratings.codes[:, pair.second]
    certainty = pair.ratings.confidence[:, pair.first]
    silent = bool(np.isnan(certainty).all())
    certainty = np.zeros_like(certainty) if silent else certainty
    known = (codes != NONE) & (people != NONE) & np.isfinite(certainty)
    tables = pair.tables
    for point in risk_coverage((codes == people)[known], certainty[known], int((people != NONE).sum()), confidence):
        table = tables[known & (certainty >= point.threshold)].sum(0)
        kappa, ac1 = float(cohen_kappa(table)), float(gwet_ac1(table))
        yield pair.columns | {
            "certainty": None if silent else point.threshold,
            "items": point.items,
            "coverage": point.coverage,
            "accuracy": point.accuracy,
            "accuracy_low": point.low,
            "kappa": kappa if np.isfinite(kappa) else None,
            "ac1": ac1 if np.isfinite(ac1) else None,
            "reaches_target": point.low >= target,
        }
