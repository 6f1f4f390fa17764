"""What was measured, as rows of one table: medians, and the middle half of the repeats as their spread."""

import os
import platform
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import pandas as pd

from webassay.core.files import write_text

NOTE = (
    "Medians of `n` repeats; `spread` is the middle half (quartiles) of what the goal is about: the ratio of the pairs "
    "where there is a reference, else our own value. The two sides of a pair ran one after the other in this run."
)


@dataclass(frozen=True)
class Row:
    what: str
    unit: str
    ours: float
    reference: float | None
    ratio: float | None
    """Median over pairs, so not exactly the quotient of the two medians beside it."""
    goal: str
    result: Literal["met", "missed", "no goal"]
    n: int
    spread: str


@dataclass(frozen=True)
class LeftOut:
    """What could not be measured here, and why; told below the table."""

    what: str
    why: str


def compared(what: str, unit: str, pairs: Sequence[tuple[float, float]], at_most: float | None = None) -> Row:
    """Pairs of (ours, reference); the goal is a ratio."""
    ours, reference = (pd.Series(side) for side in zip(*pairs, strict=True))
    ratios = ours / reference
    ratio = float(ratios.median())
    goal = f"≤ {_factor(at_most)} ×" if at_most else ""
    return Row(
        what,
        unit,
        float(ours.median()),
        float(reference.median()),
        ratio,
        goal,
        _result(ratio, at_most),
        len(pairs),
        _spread(ratios),
    )


def measured(what: str, unit: str, values: Sequence[float], at_most: float) -> Row:
    """Values with nothing beside them; the goal is a number of the same unit."""
    series = pd.Series(values)
    median = float(series.median())
    goal = f"≤ {at_most:g} {unit}"
    return Row(what, unit, median, None, None, goal, _result(median, at_most), len(values), _spread(series))


def write_table(rows: Iterable[Row | LeftOut], folder: Path) -> str:
    """`summary.csv` in full precision and `summary.md` for people, which is returned."""
    rows = list(rows)
    table = pd.DataFrame([asdict(row) for row in rows if isinstance(row, Row)])
    gaps = "".join(f"Left out: {row.what}: {row.why}\n\n" for row in rows if isinstance(row, LeftOut))
    shown = table.copy()
    for column in ("ours", "reference", "ratio"):
        shown[column] = ["" if pd.isna(value) else f"{value:.3g}" for value in table[column]]
    text = f"{shown.to_markdown(index=False, disable_numparse=True)}\n\n{NOTE}\n\n{gaps}{machine()}\n"
    write_text(folder / "summary.csv", table.to_csv(index=False, lineterminator="\n"))
    write_text(folder / "summary.md", text)
    return text


def machine() -> str:
    load = ", ".join(f"{value:.2f}" for value in os.getloadavg())
    return f"{os.cpu_count()} cores, {platform.platform()}, Python {platform.python_version()}; load at the end: {load}"


def _result(value: float, at_most: float | None) -> Literal["met", "missed", "no goal"]:
    if at_most is None:
        return "no goal"
    return "met" if value <= at_most else "missed"


def _factor(at_most: float) -> str:
    return f"{at_most:g}" if at_most >= 1 else f"1/{1 / at_most:g}"


def _spread(values: "pd.Series[float]") -> str:
    low, high = values.quantile(0.25), values.quantile(0.75)
    return f"{low:.3g} to {high:.3g}"
