"""Figures as PDF and PNG: the same data give the same bytes, and no colour is needed to read them."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import pandas as pd

from webassay.report.agents import Comparison, Line
from webassay.report.drawing import BLUE, GREY, ORANGE, drawable, new_figure, styled
from webassay.report.tables import shown_interval
from webassay.stats.exploration import TAU
from webassay.stats.paired import Difference

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARKS = {"achievable": ("o", BLUE), "unachievable": ("^", ORANGE)}
LINE = 46  # characters of a name
LEAST_SHOWN = 5.0  # points to each side of zero
MOST_SHOWN = 3.0  # of R


def paired_figure(comparisons: Mapping[str, Comparison]) -> "Figure":
    """Figure 13: each agent's difference to the anchor over templates, a panel for each comparison."""
    panels = {title: comparison for title, comparison in comparisons.items() if _drawn(comparison)}
    if not panels:
        return message_figure("No two agents share a template: there is no difference to draw.")
    heights = [len(_drawn(comparison)) for comparison in panels.values()]
    figure, axes = _panels(heights, width=7.2)
    for (title, comparison), axis in zip(panels.items(), axes, strict=True):
        _differences(axis, comparison)
        axis.set_title(f"{title}, anchor: {short(comparison.anchor)}", loc="left", fontsize=9)
    axes[-1].set_xlabel(
        "difference of template-macro success to the anchor, percentage points\n"
        "(● interval excludes zero, ○ it does not, × no interval)"
    )
    return figure


def _drawn(comparison: Comparison) -> list[Line]:
    found = [line for line in comparison.lines if line.beside and line.beside.against.interval.mean is not None]
    return sorted(found, key=lambda line: line.beside.against.interval.mean or 0 if line.beside else 0)


def _differences(axis: "Axes", comparison: Comparison) -> None:
    lines = _drawn(comparison)
    for place, line in enumerate(lines):
        assert line.beside
        _difference(axis, place, line.beside.against)
    axis.axvline(0, color=GREY, linewidth=0.8, linestyle="--")
    axis.set_yticks(range(len(lines)), [short(line.agent) for line in lines])
    axis.set_ylim(-0.6, len(lines) - 0.4)
    axis.margins(x=0.08)
    low, high = axis.get_xlim()
    axis.set_xlim(min(low, -LEAST_SHOWN), max(high, LEAST_SHOWN))


def _difference(axis: "Axes", place: int, against: Difference) -> None:
    interval = against.interval
    mean = 100 * (interval.mean or 0)
    if interval.half_width is None:
        axis.plot(mean, place, "x", color=GREY)
    else:
        decided = against.outperforms or against.falls_behind
        inside, half = BLUE if decided else "white", 100 * interval.half_width
        axis.errorbar(mean, place, xerr=half, fmt="o", color=BLUE, mfc=inside, markersize=5, capsize=3)
    beside = (1.01, place)
    text = shown_interval(interval)
    axis.annotate(text, beside, xycoords=("axes fraction", "data"), va="center", fontsize=8)


def exploration_figure(ratios: Mapping[str, pd.DataFrame], tau: float = TAU) -> "Figure":
    """Figure 2: steps before the end relative to the site's usual steps, where the task can be done and where not."""
    panels = {agent: rows for agent, rows in ratios.items() if len(rows)}
    if not panels:
        return message_figure("No agent's steps are known: outcomes need a column num_steps.")
    figure, axes = _panels([3] * len(panels), width=7.2)
    for (agent, rows), axis in zip(panels.items(), axes, strict=True):
        _shares(axis, rows)
        axis.axvline(tau, color=GREY, linewidth=0.8, linestyle="--")
        axis.set_title(short(agent), loc="left", fontsize=9)
        axis.tick_params(labelbottom=axis is axes[-1])
    axes[len(axes) // 2].set_ylabel("share of attempts with at most R")
    axes[-1].set_xlabel(f"R = steps / usual steps of the site (dashed: τ = {tau:g}; shown up to {MOST_SHOWN:g})")
    return figure


def _shares(axis: "Axes", rows: pd.DataFrame) -> None:
    """Curves of what is counted so far; marks tell the kinds apart where colours cannot."""
    for kind, (mark, colour) in MARKS.items():
        values = rows.loc[rows["kind"] == kind, "ratio"].sort_values().tolist()
        if values:
            shares = [(place + 1) / len(values) for place in range(len(values))]
            label = f"{kind} (n={len(values)})"
            every = max(1, len(values) // 12)
            axis.plot(
                [0, *values, max(values[-1], MOST_SHOWN)],
                [0, *shares, 1],
                drawstyle="steps-post",
                color=colour,
                linewidth=1.2,
                marker=mark,
                markersize=4,
                markevery=(every, every),
                label=label,
            )
    axis.set_xlim(0, MOST_SHOWN)
    axis.set_ylim(0, 1.03)
    axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize=8)


def message_figure(text: str) -> "Figure":
    """What is missing, in the place of what would be drawn."""
    lines = textwrap.wrap(drawable(text), 2 * LINE)
    figure, axes = _panels([len(lines) // 2 + 1], width=6)
    axes[0].set_axis_off()
    axes[0].text(0.5, 0.5, "\n".join(lines), ha="center", va="center")
    return figure


def _panels(heights: Sequence[int], width: float) -> tuple["Figure", list["Axes"]]:
    """One below the other, each as high as what is in it."""
    with styled():
        inches = [0.55 + 0.32 * height for height in heights]
        figure = new_figure(width, sum(inches) + 0.5)
        axes = figure.subplots(len(heights), 1, squeeze=False, gridspec_kw={"height_ratios": inches})
    return figure, [row[0] for row in axes]


def short(name: str) -> str:
    """Over two lines; what the font has not is spelled."""
    return textwrap.fill(drawable(name), LINE, max_lines=2, placeholder=" …")
