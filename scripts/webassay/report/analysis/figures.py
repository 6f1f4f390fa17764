"""Three figures of an analysis: steps by outcome, scores at step budgets, errors by kind; the same bytes each time.

Colours are Okabe and Ito's, which colour-blind readers can tell apart; hatches and markers say the same without colour.
"""

from collections.abc import Callable, Sequence
from itertools import cycle

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from webassay.report.analysis.errors import LOGGED
from webassay.report.analysis.record import Record
from webassay.report.analysis.tables import ALL_RUNS
from webassay.report.drawing import BLUE, COLOURS, FORMS, ORANGE, YELLOW, new_figure, rendered, styled

OUTCOMES = {
    "answered": (BLUE, ""),
    "over_budget": (YELLOW, "//"),
    "aborted": (ORANGE, "xx"),
    "unreadable": ("#999999", ".."),
}
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*", "<")
MOST_BARS = 60
MOST_KINDS = 15
LABEL, PANEL_LABEL = 60, 40


def figures(records: Sequence[Record], budgets: pd.DataFrame, errors: pd.DataFrame) -> dict[str, bytes]:
    """File name -> content."""
    drawn: dict[str, Callable[[Figure], None]] = {
        "steps": lambda figure: _steps(figure, records),
        "budgets": lambda figure: _budgets(figure, budgets),
        "errors": lambda figure: _errors(figure, errors),
    }
    return {f"{name}.{form}": content for name, draw in drawn.items() for form, content in _rendered(draw).items()}


def _rendered(draw: Callable[[Figure], None]) -> dict[str, bytes]:
    """Form -> content."""
    with styled():
        figure = new_figure(7, 4)
        draw(figure)
    return {form: rendered(figure, form) for form in FORMS}


def _steps(figure: Figure, records: Sequence[Record]) -> None:
    known = [record for record in records if record.steps is not None]
    if not known:
        return _say(figure, "No trajectory has a known number of steps.")
    axes, most = figure.add_subplot(), max(record.steps or 0 for record in known)
    width = 1 + most // MOST_BARS
    below = [0] * (most // width + 1)
    for outcome, (colour, hatch) in OUTCOMES.items():
        counts = [0] * len(below)
        for record in known:
            counts[(record.steps or 0) // width] += record.outcome == outcome
        if sum(counts):
            at = [index * width + (width - 1) / 2 for index in range(len(counts))]
            label = f"{outcome.replace('_', ' ')} (n={sum(counts)})"
            axes.bar(at, counts, 0.9 * width, bottom=below, color=colour, hatch=hatch, edgecolor="white", label=label)
            below = [low + count for low, count in zip(below, counts, strict=True)]
    axes.set_ylim(0, 1.05 * max(below))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("steps" if width == 1 else f"steps, {width} to a bar")
    axes.set_ylabel("trajectories")
    axes.set_title(f"Steps by outcome (n={len(known)} of {len(records)})", loc="left")
    figure.legend(loc="outside lower left", ncols=len(OUTCOMES), fontsize=8)


def _budgets(figure: Figure, table: pd.DataFrame) -> None:
    """A panel for each judge, a line for each run."""
    lines = table[(table["graded"] > 0) & (table["run"] != ALL_RUNS)]
    if lines.empty:
        return _say(figure, "No trajectory has a score.")
    runs, judges = lines["run"].unique(), lines["judge"].unique()
    rows = -(-len(judges) // 2)
    figure.set_size_inches(7, 3.4 * rows + 0.18 * len(runs))
    panels = figure.subplots(rows, min(len(judges), 2), sharex=True, sharey=True, squeeze=False).flat
    styles = {run: style for run, *style in zip(runs, cycle(COLOURS), cycle(MARKERS), strict=False)}
    for judge, axes in zip(judges, panels, strict=False):
        _panel(axes, str(judge), lines[lines["judge"] == judge], styles)
    for axes in panels[len(judges) :]:
        axes.remove()
    figure.supylabel("mean score of judged trajectories", fontsize=9)
    if len(runs) > 1:
        named = [zip(*axes.get_legend_handles_labels(), strict=True) for axes in figure.axes]
        handles = {name: line for panel in named for line, name in panel}
        figure.legend(handles.values(), handles.keys(), loc="outside lower left", ncols=2, fontsize=8)


def _panel(axes: Axes, judge: str, lines: pd.DataFrame, styles: dict[str, list[str]]) -> None:
    shares = lines["percent"].notna().all()
    for run, part in lines.groupby("run", sort=False):
        colour, marker = styles[str(run)]
        at, label = part["percent" if shares else "budget"], _short(str(run))
        axes.plot(at, part["mean_graded"], color=colour, marker=marker, markersize=4, linewidth=1.2, label=label)
    few, many = lines["graded"].min(), lines["graded"].max()
    judged = f"n={few}" if few == many else f"n={few} to {many}"
    axes.set_title(f"{_short(judge, PANEL_LABEL)}\n{judged}", loc="left", fontsize=9)
    axes.set_xlabel("budget, percent of the rounds allowed" if shares else "budget in steps")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylim(-0.03, max(1.03, 1.03 * lines["mean_graded"].max()))
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0, symbol=" %"))


def _errors(figure: Figure, table: pd.DataFrame) -> None:
    """Of all runs together; rare kinds share a bar."""
    logged = table[(table["what"] == LOGGED) & (table["run"] == table["run"].iloc[-1])] if len(table) else table
    logged = logged[logged["count"] > 0] if len(logged) else logged
    if logged.empty:
        return _say(figure, "No core.log has an error.")
    counts = [(_short(kind), count) for kind, count in zip(logged["kind"], logged["count"], strict=True)]
    rest = counts[MOST_KINDS:]
    shown = counts[:MOST_KINDS] + ([(f"{len(rest)} more kinds", sum(count for _, count in rest))] if rest else [])
    figure.set_size_inches(7, 1.2 + 0.3 * len(shown))
    axes = figure.add_subplot()
    bars = axes.barh(range(len(shown)), [count for _, count in shown], 0.6, color=COLOURS[0])
    axes.bar_label(bars, padding=3)
    axes.set_yticks(range(len(shown)), [kind for kind, _ in shown])
    axes.set_ylim(len(shown) - 0.4, -0.6)
    axes.margins(x=0.08)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel(f"trajectories, of {logged['of'].iloc[0]}")
    figure.suptitle("Last error of each core.log, by kind", x=0.01, ha="left", fontsize="large")


def _say(figure: Figure, words: str) -> None:
    figure.set_size_inches(7, 1.5)
    figure.text(0.5, 0.5, words, ha="center", va="center")


def _short(text: str, longest: int = LABEL) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
