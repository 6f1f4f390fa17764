"""Three figures of a hard subset: distributions of π and of p̂, and p̂ by site; the same bytes each time."""

from itertools import cycle

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from webassay.report.drawing import COLOURS, new_figure, styled
from webassay.report.subset.hard import HardSubset

DASHES = ("-", "--", "-.", ":")


def draw(found: HardSubset) -> dict[str, Figure]:
    with styled():
        return {
            "ecdf_pi": _distributions(found, "pi", "π, probability of being hard"),
            "ecdf_p_hat": _distributions(found, "p_hat", "p̂, success of an average agent"),
            "p_hat_by_site": _by_site(found.selected),
        }


def _distributions(found: HardSubset, quantity: str, label: str) -> Figure:
    figure = new_figure(5.5, 3.6)
    axes = figure.add_subplot()
    rows = found.ecdf[found.ecdf["quantity"] == quantity]
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
    axes.legend(loc="lower right" if quantity == "p_hat" else "upper left")
    return figure


def _count(found: HardSubset, name: str) -> int:
    if name == "eligible":
        return int(found.selected["eligible"].sum())
    return int(found.ablations.loc[found.ablations["name"] == name, "tasks"].iloc[0])


def _by_site(selected: pd.DataFrame) -> Figure:
    """Each task in the order of its p̂ with its interval; those selected are filled."""
    sites = sorted(selected["site"].unique())
    figure = new_figure(1.6 + 1.7 * len(sites), 3.6)
    panels = figure.subplots(1, len(sites), sharey=True, squeeze=False)[0]
    for site, axes in zip(sites, panels, strict=True):
        _site_panel(axes, site, selected[selected["site"] == site].sort_values(["p_hat", "task_id"]))
    panels[0].set_ylabel("p̂ with 95 % interval")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2)
    return figure


def _site_panel(axes: Axes, site: str, tasks: pd.DataFrame) -> None:
    place = np.arange(len(tasks))
    axes.vlines(place, tasks["p_low"], tasks["p_high"], color="#CCCCCC", linewidth=0.6)
    for chosen, label, fill in ((False, "not selected", "none"), (True, "selected", COLOURS[1])):
        which = (tasks["selected"] == chosen).to_numpy()
        axes.scatter(
            place[which],
            tasks["p_hat"][which],
            s=9,
            facecolors=fill,
            edgecolors=COLOURS[int(chosen)],
            linewidths=0.6,
            label=label,
            zorder=2,
        )
    axes.set_title(f"{site}\n{int(tasks['selected'].sum())} of {len(tasks)}", loc="left", fontsize=9)
    axes.set(ylim=(-0.02, 1.02), xlabel="tasks by p̂", xticks=[])
