"""Each pair of raters, over all items and within strata, as rows of numbers for programs."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from webassay.stats.agreement import (
    AGAINST_REFERENCE,
    ALPHA_OF_ALL,
    CHANCE_CORRECTED,
    FAILURE,
    SUCCESS,
    Array,
    coincidences,
    estimate,
    mcnemar_exact,
    mean_kappa,
    tabulate,
)
from webassay.stats.labels import Kind
from webassay.stats.ratings import NONE, Ratings
from webassay.stats.resampling import Estimate, Resampling, draw

Row = dict[str, Any]
MACRO, WEIGHTED = "mean, strata alike", "mean, by items"
BY_LABEL = "label (one against the rest)"
ONLY_KAPPA = Estimate(None, reason="only kappa is averaged")
STATISTICS = [statistic.name for statistic in (*CHANCE_CORRECTED, *AGAINST_REFERENCE)]
NO_REFERENCE = "neither of them is the reference"


@dataclass(frozen=True)
class Drawing:
    """Intervals, each with random numbers of its own: one more rater moves nobody else's."""

    how: Resampling
    seed: int

    def rng(self, *names: str) -> np.random.Generator:
        return np.random.default_rng([self.seed, *hashlib.sha256("\0".join(names).encode()).digest()])


@dataclass(frozen=True)
class Pair:
    """Two raters of one category, and the table of each item."""

    ratings: Ratings
    first: int
    second: int

    @property
    def names(self) -> tuple[str, str, str]:
        raters = self.ratings.raters
        return self.ratings.category, raters[self.first].name, raters[self.second].name

    @property
    def columns(self) -> Row:
        return dict(zip(("category", "rater", "other"), self.names, strict=True))

    @property
    def has_reference(self) -> bool:
        kinds = [self.ratings.raters[rater].kind for rater in (self.first, self.second)]
        return self.ratings.binary and kinds == ["judge", "human"]

    @property
    def tables(self) -> Array:
        codes = self.ratings.codes
        return tabulate(codes[:, self.first], codes[:, self.second], len(self.ratings.values))


def pairs_of(ratings: list[Ratings]) -> list[Pair]:
    return [Pair(part, *pair) for part in ratings for pair in part.pairs()]


def pair_row(pair: Pair, drawing: Drawing) -> Row:
    """All statistics of a pair; `missing` counts items without a label of the rater's own."""
    tables = pair.tables
    missing = (~pair.ratings.given).sum(0)
    numbers = {
        "n": int(tables.sum()),
        "clusters": len(np.unique(pair.ratings.clusters[tables.any((1, 2))])),
        "missing": int(missing[pair.first]),
        "missing_other": int(missing[pair.second]),
    }
    return pair.columns | numbers | _rates(pair, tables) | _statistics(pair, tables, pair.ratings.clusters, drawing)


def _rates(pair: Pair, tables: Array) -> Row:
    """Success rates on the items that both labelled, and whether they differ by more than chance."""
    total = tables.sum(0)
    if not pair.ratings.binary or not total.sum():
        return {"rate": None, "rate_other": None, "mcnemar_p": None}
    shares = total.sum(1)[SUCCESS] / total.sum(), total.sum(0)[SUCCESS] / total.sum()
    p = mcnemar_exact(int(total[SUCCESS, FAILURE]), int(total[FAILURE, SUCCESS]))
    return {"rate": float(shares[0]), "rate_other": float(shares[1]), "mcnemar_p": p}


def _statistics(pair: Pair, tables: Array, clusters: NDArray[np.int64], drawing: Drawing, *of: str) -> Row:
    drawn = draw(tables, clusters, drawing.how, drawing.rng(*pair.names, *of))
    row: Row = {}
    for statistic in CHANCE_CORRECTED:
        row |= cells(statistic.name, estimate(statistic, drawn))
    for statistic in AGAINST_REFERENCE:
        found = estimate(statistic, drawn) if pair.has_reference else Estimate(None, reason=NO_REFERENCE)
        row |= cells(statistic.name, found)
    return row


def cells(name: str, found: Estimate) -> Row:
    return {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high, f"{name}_note": found.reason}


def stratum_rows(pair: Pair, drawing: Drawing) -> Iterator[Row]:
    """Each value of each column of strata, and the two means of their kappas."""
    tables = pair.tables
    for column, values in pair.ratings.strata.items():
        parts = []
        for value in sorted(set(values) - {""}):
            chosen = values == value
            parts.append(tables[chosen].sum(0))
            yield _stratum_row(pair, tables[chosen], pair.ratings.clusters[chosen], drawing, _split(column), str(value))
        yield from _means(pair, parts, _split(column))
    if len(pair.ratings.values) > 2:
        yield from _label_rows(pair, tables, drawing)


def _label_rows(pair: Pair, tables: Array, drawing: Drawing) -> Iterator[Row]:
    """Which of several labels the two agree on: each against all others."""
    parts = []
    for code, name in enumerate(pair.ratings.values):
        folded = _one_against_rest(tables, code)
        parts.append(folded.sum(0))
        yield _stratum_row(pair, folded, pair.ratings.clusters, drawing, BY_LABEL, name)
    yield from _means(pair, parts, BY_LABEL)


def _stratum_row(
    pair: Pair, tables: Array, clusters: NDArray[np.int64], drawing: Drawing, split: str, value: str
) -> Row:
    head = pair.columns | {"split": split, "stratum": value, "n": int(tables.sum())}
    return head | _statistics(pair, tables, clusters, drawing, split, value)


def _means(pair: Pair, parts: list[Array], split: str) -> Iterator[Row]:
    means, defined = mean_kappa(parts), sum(1 for part in parts if mean_kappa([part])["macro"] is not None)
    if len(parts) > 1:
        for label, mean in zip((MACRO, WEIGHTED), means.values(), strict=True):
            note = f"of {defined} of {len(parts)} strata" if defined else "kappa is undefined in every stratum"
            head = pair.columns | {"split": split, "stratum": label, "n": int(sum(part.sum() for part in parts))}
            row = {key: cell for name in STATISTICS for key, cell in cells(name, ONLY_KAPPA).items()}
            yield head | row | cells("kappa", Estimate(mean, reason=note))


def _one_against_rest(tables: Array, code: int) -> Array:
    """2 × 2 tables with the label in place of success."""
    hit, total = tables[:, code, code], tables.sum((1, 2))
    rows, columns = tables[:, code, :].sum(1), tables[:, :, code].sum(1)
    folded = np.array([[total - rows - columns + hit, columns - hit], [rows - hit, hit]])
    return folded.transpose(2, 0, 1)


def _split(column: str) -> str:
    return column.removeprefix("stratum_")


def confusion_rows(pair: Pair) -> Iterator[Row]:
    total = pair.tables.sum(0)
    for said, first in enumerate(pair.ratings.values):
        for answered, second in enumerate(pair.ratings.values):
            yield pair.columns | {"label": first, "other_label": second, "items": int(total[said, answered])}


def group_rows(ratings: Ratings, drawing: Drawing) -> Iterator[Row]:
    """Krippendorff's alpha of all judges, of all people: any number of raters, with gaps."""
    for kind in get_args(Kind):
        members = ratings.of_kind(kind)
        if len(members) > 1:
            matrices = coincidences(ratings.codes[:, members], len(ratings.values))
            drawn = draw(matrices, ratings.clusters, drawing.how, drawing.rng(ratings.category, kind))
            head = {"category": ratings.category, "raters": f"all {len(members)} {kind}s"}
            yield head | {"n": int(matrices.any((1, 2)).sum())} | cells("alpha", estimate(ALPHA_OF_ALL, drawn))


def contest_rows(ratings: Ratings) -> Iterator[Row]:
    """Two judges before the same person: how often one alone is right, and whether that is more than chance."""
    judges = ratings.of_kind("judge") if ratings.binary else []
    for human in ratings.of_kind("human"):
        for first in judges:
            for second in (judge for judge in judges if judge > first):
                codes = ratings.codes[:, [first, second, human]]
                codes = codes[(codes != NONE).all(1)]
                right = codes[:, :2] == codes[:, 2:]
                one, other = int((right[:, 0] & ~right[:, 1]).sum()), int((right[:, 1] & ~right[:, 0]).sum())
                names = [ratings.raters[rater].name for rater in (first, second, human)]
                head = dict(zip(("category", "rater", "other", "reference"), (ratings.category, *names), strict=True))
                counts = {"n": len(codes), "only_rater_right": one, "only_other_right": other}
                yield head | counts | {"mcnemar_p": mcnemar_exact(one, other)}
