"""Labels as a matrix of items and raters, under conventions that are said and not assumed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from webassay.errors import LabelsError
from webassay.stats.labels import Kind, Label
from webassay.stats.risk_coverage import vote_margin

NONE = -1
"""The code of no label."""
BINARY = ("failure", "success")


@dataclass(frozen=True)
class Convention:
    """How labels are read."""

    success: tuple[str, ...] = ("success", "1")
    """Empty: labels are categories of no order, compared as they are."""
    failure: tuple[str, ...] = ("failure", "0")
    excluded: tuple[str, ...] = ()
    """No verdict, like an empty label."""
    missing: str = "drop"
    """`drop`: a judge's rate is over the items it judged; `failure`: over all items, without a verdict none passes."""

    @property
    def values(self) -> dict[str, int]:
        codes = {"": NONE} | dict.fromkeys(self.excluded, NONE)
        return codes | dict.fromkeys(self.failure, 0) | dict.fromkeys(self.success, 1)

    def __post_init__(self) -> None:
        lists = [*self.success, *self.failure, *self.excluded]
        if twice := {label for label in lists if lists.count(label) > 1}:
            raise LabelsError(f"analysis.agreement: the label {min(twice)!r} is in two of success, failure, excluded")
        if self.missing not in ("drop", "failure"):
            raise LabelsError(f"analysis.agreement.missing={self.missing}: known are drop, failure")
        if self.missing == "failure" and not self.success:
            raise LabelsError("analysis.agreement.missing=failure needs labels of success; without them use drop")


@dataclass(frozen=True)
class Rater:
    name: str
    kind: Kind
    derived: bool = False
    """Made of other raters' labels, so never compared with them."""


@dataclass(frozen=True)
class Ratings:
    """One question asked of all items."""

    category: str
    values: tuple[str, ...]
    """What a code stands for."""
    raters: tuple[Rater, ...]
    items: tuple[str, ...]
    codes: NDArray[np.int64]
    """(items, raters), NONE where there is no label."""
    given: NDArray[np.bool_]
    """Where a label is the rater's own, and not a missing verdict counted as failure."""
    confidence: NDArray[np.float64]
    """(items, raters), NaN where none was given."""
    clusters: NDArray[np.int64]
    strata: dict[str, NDArray[np.str_]]
    """Of each item, by column; empty where it has none."""

    @property
    def binary(self) -> bool:
        return self.values == BINARY

    def of_kind(self, kind: Kind) -> list[int]:
        return [number for number, rater in enumerate(self.raters) if rater.kind == kind and not rater.derived]

    def pairs(self) -> list[tuple[int, int]]:
        """Judges with people, people being the second; judges among themselves; people among themselves."""
        judges, humans = self.of_kind("judge"), self.of_kind("human")
        derived = [number for number, rater in enumerate(self.raters) if rater.derived]
        crossed = [(judge, human) for human in humans for judge in [*judges, *derived]]
        return crossed + [(a, b) for group in (judges, humans) for a in group for b in group if a < b]


def read_ratings(
    labels: Sequence[Label], convention: Convention, values: dict[str, tuple[str, ...]] | None = None
) -> list[Ratings]:
    """For each category; `values` are those a codebook declares, in its order."""
    categories = list(dict.fromkeys(label.category for label in labels))
    return [
        _ratings([label for label in labels if label.category == category], category, convention, values)
        for category in categories
    ]


def _ratings(
    labels: list[Label], category: str, convention: Convention, declared: dict[str, tuple[str, ...]] | None
) -> Ratings:
    names, codes = _coding(labels, category, convention, declared)
    raters = tuple(Rater(*pair) for pair in dict.fromkeys((label.rater, label.kind) for label in labels))
    if len(raters) < 2:
        about = f" on {category!r}" if category else ""
        raise LabelsError(
            f"{labels[0].where}: {raters[0].name} is the only rater{about}; give another one's labels or another judge"
        )
    items = {item: row for row, item in enumerate(dict.fromkeys(label.item for label in labels))}
    columns = {rater.name: column for column, rater in enumerate(raters)}
    matrix = np.full((len(items), len(raters)), NONE)
    confidence = np.full(matrix.shape, np.nan)
    for label in labels:
        at = items[label.item], columns[label.rater]
        matrix[at] = codes[label.label]
        confidence[at] = np.nan if label.confidence is None else label.confidence
    made = Ratings(
        category, names, raters, tuple(items), matrix, matrix != NONE, confidence, *_described(labels, items)
    )
    return _with_consensus(_filled(made) if convention.missing == "failure" else made)


def _coding(
    labels: list[Label], category: str, convention: Convention, declared: dict[str, tuple[str, ...]] | None
) -> tuple[tuple[str, ...], dict[str, int]]:
    if convention.success and declared is None:
        names: tuple[str, ...] = BINARY
        codes = convention.values
    else:
        seen = sorted({label.label for label in labels} - {"", *convention.excluded})
        names = (declared or {}).get(category) or tuple(seen)
        codes = {"": NONE} | dict.fromkeys(convention.excluded, NONE) | {name: at for at, name in enumerate(names)}
        if len(names) < 2:
            raise LabelsError(f"{labels[0].where}: every label is {', '.join(names) or 'empty'}; agreement needs two")
    for label in labels:
        if label.label not in codes:
            raise LabelsError(
                f"{label.where}: unknown label {label.label!r}; say what it is with analysis.agreement.success, "
                ".failure or .excluded (lists), or compare labels as they are with analysis.agreement.success=[]"
            )
    return names, codes


def _described(labels: list[Label], items: dict[str, int]) -> tuple[NDArray[np.int64], dict[str, NDArray[np.str_]]]:
    """Cluster and strata of each item, whichever of its rows says them."""
    columns = dict.fromkeys(name for label in labels for name in label.strata)
    strata = {name: [""] * len(items) for name in columns}
    clusters = [f"item {item}" for item in items]
    for label in labels:
        row = items[label.item]
        clusters[row] = f"cluster {label.cluster}" if label.cluster else clusters[row]
        for name, value in label.strata.items():
            strata[name][row] = value
    numbers = np.unique(clusters, return_inverse=True)[1]
    return numbers, {name: np.array(cells) for name, cells in strata.items()}


def _filled(ratings: Ratings) -> Ratings:
    """An item without a judge's verdict is one it did not pass; what people left out stays unknown."""
    judges = ratings.of_kind("judge")
    codes = ratings.codes.copy()
    codes[:, judges] = np.maximum(codes[:, judges], 0)
    return replace(ratings, codes=codes)


def _with_consensus(ratings: Ratings) -> Ratings:
    """What most judges say as one more judge, where there are people to compare it with; a tie is no verdict."""
    judges = ratings.of_kind("judge")
    if len(judges) < 2 or not ratings.binary or not ratings.of_kind("human"):
        return ratings
    verdict, margin = vote_margin(ratings.codes[:, judges])
    name = f"majority of {len(judges)} judges" if len(judges) > 2 else "consensus of 2 judges"
    return replace(
        ratings,
        raters=(*ratings.raters, Rater(name, "judge", derived=True)),
        codes=np.column_stack([ratings.codes, verdict]),
        given=np.column_stack([ratings.given, ratings.given[:, judges].any(1)]),
        confidence=np.column_stack([ratings.confidence, margin]),
    )
