"""Figures 3 to 9 of a hard subset; the same bytes each time."""

from itertools import cycle

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from webassay.report.drawing import BLUE, COLOURS, GREY, ORANGE, drawable, new_figure, styled
from webassay.report.figures import message_figure, short
from webassay.report.subset.hard import CHOSEN, HardSubset

DASHES = ("-", "--", "-.", ":")
PI, P_HAT = "π, probability of being hard", "p̂, success of an average agent"
CAPTIONS = {
    "figure_3": "Figure 3: probability of being hard, eligible and selected tasks",
    "figure_4": "Figure 4: estimated success, eligible and selected tasks",
    "figure_5": "Figure 5: estimated success of each task by site",
    "figure_6": "Figure 6: median estimated success of each category by site",
    "figure_7": "Figure 7: agents on the pool and on the subset",
    "figure_8": "Figure 8: order and distance of the agents' success over resampled templates",
    "figure_9": "Figure 9: estimated success of the selected tasks under other caps",
}
"""Which of the paper's figures shows what is our reading of its text."""


def draw(found: HardSubset) -> dict[str, Figure]:
    with styled():
        return {
            "figure_3": _distributions(found, "pi", PI, [CHOSEN, "eligible"]),
            "figure_4": _distributions(found, "p_hat", P_HAT, [CHOSEN, "eligible"]),
            "figure_5": _by_site(found.selected),
            "figure_6": _categories(found),
            "figure_7": _agents(found.validation),
            "figure_8": _replicates(found),
            "figure_9": _distributions(found, "p_hat", P_HAT, found.ablations["name"].tolist()),
        }


def _distributions(found: HardSubset, quantity: str, label: str, names: list[str]) -> Figure:
    figure = new_figure(5.5, 3.6)
    axes = figure.add_subplot()
    rows = found.ecdf[(found.ecdf["quantity"] == quantity) & found.ecdf["tasks"].isin(names)]
    styles = zip(cycle(COLOURS), cycle(DASHES), strict=False)
    for (name, part), (colour, dash) in zip(rows.groupby("tasks", sort=False), styles, strict=False):
        count = _count(found, str(name))
        axes.step(
            [0, *part["value"], 1],
            [0, *part["share"], 1],
            dash,
            where="post",
            color=colour,
            label=f"{name} (n={count})",
        )
    axes.set(xlabel=label, ylabel="share of tasks", xlim=(0, 1), ylim=(0, 1.01))
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure


def _count(found: HardSubset, name: str) -> int:
    if name == "eligible":
        return int(found.selected["eligible"].sum())
    return int(found.ablations.loc[found.ablations["name"] == name, "tasks"].iloc[0])


def _by_site(selected: pd.DataFrame) -> Figure:
    """Each task in the order of its p̂ with its interval; those selected are filled."""
    figure, panels = _site_panels(selected, ["p_hat", "task_id"])
    for site, (axes, tasks) in panels.items():
        _column(axes, tasks[["p_low", "p_hat", "p_high"]], tasks["selected"], ("not selected", "selected"))
        axes.set_title(f"{site}\n{int(tasks['selected'].sum())} of {len(tasks)}", loc="left", fontsize=9)
        axes.set_xlabel("tasks by p̂")
    return _finished(figure, "p̂ with 95 % interval")


def _categories(found: HardSubset) -> Figure:
    """Each category in the order of its median; those very easy are filled."""
    figure, panels = _site_panels(found.categories, ["median_p_hat", "category"])
    for site, (axes, rows) in panels.items():
        _column(axes, rows[["low", "median_p_hat", "high"]], rows["very_easy"], ("category", "very easy category"))
        axes.axhline(found.settings.caps.tau_easy, color=GREY, linewidth=0.8, linestyle="--")
        axes.set_title(f"{site}\n{len(rows)} categories", loc="left", fontsize=9)
        axes.set_xlabel("categories by median")
    return _finished(figure, f"median p̂ with {100 * found.settings.category_confidence:g} % interval")


def _site_panels(table: pd.DataFrame, order: list[str]) -> tuple[Figure, dict[str, tuple[Axes, pd.DataFrame]]]:
    sites = sorted(table["site"].unique())
    figure = new_figure(1.6 + 1.7 * len(sites), 3.6)
    panels = figure.subplots(1, len(sites), sharey=True, squeeze=False)[0]
    rows = (table[table["site"] == site].sort_values(order) for site in sites)
    return figure, dict(zip(map(drawable, sites), zip(panels, rows, strict=True), strict=True))


def _column(axes: Axes, values: pd.DataFrame, marked: "pd.Series[bool]", labels: tuple[str, str]) -> None:
    """`values`: low, middle, high. Points are hollow, and filled where marked."""
    low, middle, high = (values[name].to_numpy() for name in values.columns)
    place = np.arange(len(values))
    axes.vlines(place, low, high, color="#CCCCCC", linewidth=0.6)
    for chosen, label in zip((False, True), labels, strict=True):
        which = marked.to_numpy("bool") == chosen
        colour = ORANGE if chosen else BLUE
        axes.scatter(
            place[which],
            middle[which],
            s=9,
            facecolors=colour if chosen else "none",
            edgecolors=colour,
            linewidths=0.6,
            label=label,
            zorder=2,
        )
    axes.set(ylim=(-0.02, 1.02), xticks=[])


def _finished(figure: Figure, label: str) -> Figure:
    """With the first panel's label and legend, which all of them share."""
    first = figure.axes[0]
    first.set_ylabel(label)
    figure.legend(*first.get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure


def _agents(validation: pd.DataFrame) -> Figure:
    """A line from each agent's success on the pool to that on the subset."""
    rows = {name: validation[validation["measure"] == f"success in the {name}"] for name in ("pool", "subset")}
    table = pd.DataFrame({name: part.set_index("of")["value"].astype("float64") for name, part in rows.items()})
    table = table.sort_values("pool")
    figure = new_figure(6.2, 1.2 + 0.34 * len(table))
    axes = figure.add_subplot()
    place = np.arange(len(table))
    axes.hlines(place, table["subset"], table["pool"], color="#BBBBBB", linewidth=1.2)
    for name, mark, colour in (("pool", "o", BLUE), ("subset", "^", ORANGE)):
        axes.plot(table[name], place, mark, color=colour, label=name, markersize=6)
    axes.set_yticks(place, [short(str(agent)) for agent in table.index])
    axes.set(xlim=(0, 1), ylim=(-0.6, len(table) - 0.4), xlabel="success")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


def _replicates(found: HardSubset) -> Figure:
    """How often each value comes out when templates are drawn anew; dashed: what a replicate must reach."""
    table, passed = found.replicates, found.settings.passed
    if table["mae"].notna().sum() < 2:
        return message_figure("One template: there is nothing to draw anew.")
    figure = new_figure(6.5, 3.0)
    panels = figure.subplots(1, 2)
    for axes, name, label, bound in zip(
        panels, ("tau", "mae"), ("Kendall's τ", "mean absolute difference"), (passed.tau, passed.mae), strict=True
    ):
        values = table[name].dropna()
        axes.hist(values, bins=20, color=COLOURS[0], edgecolor="white", linewidth=0.5)
        axes.axvline(bound, color=ORANGE, linestyle="--", linewidth=1.2)
        axes.set_xlabel(f"{label} (dashed: {bound:g})")
        axes.set_title(f"{len(values)} of {len(table)} replicates", loc="left", fontsize=9)
    panels[0].set_ylabel("replicates")
    return figure
