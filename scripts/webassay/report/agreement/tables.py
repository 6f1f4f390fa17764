"""All tables of an agreement, for programs: one row for each pair, stratum, group, contest, correction, level."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from webassay.report.agreement.corrections import correction_rows, coverage_rows
from webassay.report.agreement.pairs import (
    STATISTICS,
    Drawing,
    Pair,
    Row,
    confusion_rows,
    contest_rows,
    group_rows,
    pair_row,
    pairs_of,
    stratum_rows,
)
from webassay.stats.ratings import Ratings
from webassay.stats.resampling import Resampling

PAIR = ["category", "rater", "other"]
PARTS = ["", "_low", "_high", "_note"]
NUMBERS = [f"{name}{part}" for name in STATISTICS for part in PARTS]
COLUMNS = {
    "pairs": [*PAIR, "n", "clusters", "missing", "missing_other", "rate", "rate_other", "mcnemar_p", *NUMBERS],
    "strata": [*PAIR, "split", "stratum", "n", *NUMBERS],
    "confusion": [*PAIR, "label", "other_label", "items"],
    "groups": ["category", "raters", "n", *(f"alpha{part}" for part in PARTS)],
    "mcnemar": [*PAIR, "reference", "n", "only_rater_right", "only_other_right", "mcnemar_p"],
    "correction": [
        *PAIR,
        *("split", "stratum", "method", "estimate", "low", "high", "items", "labelled", "error", "warnings"),
    ],
    "coverage": [
        *PAIR,
        *("certainty", "items", "coverage", "accuracy", "accuracy_low", "kappa", "ac1", "reaches_target"),
    ],
}
"""Also of a table without rows."""


@dataclass(frozen=True)
class Agreement:
    """Ratings and the settings that they are analysed with."""

    ratings: list[Ratings]
    analysis: dict[str, Any]

    @property
    def confidence(self) -> float:
        return float(self.analysis["confidence"])

    @cached_property
    def pairs(self) -> list[Pair]:
        return pairs_of(self.ratings)

    @cached_property
    def tables(self) -> dict[str, pd.DataFrame]:
        return {name: _table(name, rows) for name, rows in self._rows().items()}

    def _rows(self) -> dict[str, Iterable[Row]]:
        node = self.analysis["agreement"]
        drawing = Drawing(Resampling(self.confidence, node["resamples"]), node["seed"])
        return {
            "pairs": [pair_row(pair, drawing) for pair in self.pairs],
            "strata": [row for pair in self.pairs for row in stratum_rows(pair, drawing)],
            "confusion": [row for pair in self.pairs for row in confusion_rows(pair)],
            "groups": [row for part in self.ratings for row in group_rows(part, drawing)],
            "mcnemar": [row for part in self.ratings for row in contest_rows(part)],
            "correction": [row for pair in self._judged() for row in correction_rows(pair, self.confidence)],
            "coverage": [
                row
                for pair in self._judged(derived=True)
                for row in coverage_rows(pair, self.confidence, node["target"])
            ],
        }

    def _judged(self, *, derived: bool = False) -> Iterator[Pair]:
        """A judge with a person; a consensus of judges has no rate of its own to correct."""
        for pair in self.pairs:
            if pair.has_reference and (derived or not pair.ratings.raters[pair.first].derived):
                yield pair


def _table(name: str, rows: Iterable[Row]) -> pd.DataFrame:
    return pd.DataFrame(list(rows), columns=COLUMNS[name])
