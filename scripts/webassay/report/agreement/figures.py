"""Kappa and AC1 of each pair, and accuracy against coverage; the same bytes for the same tables."""

from collections.abc import Iterator
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from webassay.report.agreement.tables import PAIR
from webassay.report.drawing import BLUE, COLOURS, GREY, ORANGE, new_figure, styled

MARKS = ("o", "s", "D", "^", "v", "P")
LONGEST = 60
BESIDE = 0.012
"""Curves stand this much of the axis to the left of each other, since judges that judged all share their coverage."""


def kappa_figure(pairs: pd.DataFrame) -> Figure:
    """A line for each pair: kappa and AC1 with their intervals, raw agreement as a faint mark beside them."""
    with styled():
        figure = new_figure(6.5, 1.3 + 0.45 * len(pairs))
        axes = figure.subplots()
        rows = pairs.to_dict("records")
        for height, row in enumerate(reversed(rows)):
            _interval(axes, row, "kappa", height + 0.12, BLUE, "o", "Cohen κ")
            _interval(axes, row, "ac1", height - 0.12, ORANGE, "s", "Gwet AC1")
            axes.plot(row["agreement"], height, marker="|", color=GREY, markersize=9, ls="", label="raw agreement")
        axes.set_yticks(range(len(rows)), [_name(row) for row in reversed(rows)])
        axes.set_ylim(-0.6, len(rows) - 0.4)
        axes.set_xlim(min(0.0, axes.get_xlim()[0]), 1.02)
        axes.axvline(0, color=GREY, linewidth=0.8)
        axes.grid(axis="x", alpha=0.3)
        axes.set_xlabel("agreement beyond chance (0: chance, 1: full)")
        handles = dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True))
        axes.legend(handles.values(), handles.keys(), loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False)
        return figure


def _interval(axes: Axes, row: dict[Any, Any], name: str, height: float, colour: str, mark: str, label: str) -> None:
    """Nothing where the statistic is undefined, an open mark where it has no interval."""
    value, low, high = row[name], row[f"{name}_low"], row[f"{name}_high"]
    if not pd.isna(value):
        known = not pd.isna(low)
        axes.plot(value, height, mark, color=colour, markerfacecolor=colour if known else "white", label=label, ms=5)
        if known:
            axes.plot([low, high], [height, height], color=colour, linewidth=1.6)


def coverage_figure(coverage: pd.DataFrame, target: float) -> Figure:
    """Accuracy on the items a judge is surest of, with its lower bound; or a sentence where there is no curve."""
    with styled():
        figure = new_figure(6.5, 3.6)
        axes = figure.subplots()
        if coverage.empty:
            axes.axis("off")
            words = "No curve: it takes a judge, and human labels."
            axes.text(0.5, 0.5, words, ha="center", va="center")
            return figure
        left = max(0.0, float(coverage["coverage"].min()) - 0.1)
        for number, (label, rows) in enumerate(_curves(coverage)):
            beside = -number * BESIDE * (1 - left)
            colour, mark = COLOURS[number % len(COLOURS)], MARKS[number % len(MARKS)]
            axes.plot(rows["coverage"] + beside, rows["accuracy"], color=colour, marker=mark, ms=5, label=label)
            axes.vlines(rows["coverage"] + beside, rows["accuracy_low"], rows["accuracy"], color=colour, linewidth=1.2)
            axes.plot(rows["coverage"] + beside, rows["accuracy_low"], "_", color=colour, ms=7)
        axes.axhline(target, color=GREY, linestyle="--", linewidth=0.8)
        axes.annotate(f"target {target:g}", (left, target), (3, 2), textcoords="offset points", color=GREY)
        axes.set_xlim(left, 1 + 2 * BESIDE)
        axes.set_ylim(top=1.01)
        axes.grid(alpha=0.3)
        axes.set_xlabel("coverage: share of the items with a human label (marks moved apart)")
        axes.set_ylabel("accuracy, with its lower bound")
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, frameon=False)
        return figure


def _curves(coverage: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    for _, rows in coverage.groupby(PAIR, sort=False):
        yield _name(rows.iloc[0].to_dict()), rows


def _name(row: dict[Any, Any]) -> str:
    head = f"{row['category']}: " if row["category"] else ""
    text = f"{head}{row['rater']} – {row['other']}"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
