"""Judges of the same attempts beside each other: how often they agree, and what one of them could not judge."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from webassay.config.paths import ExperimentPlan
from webassay.report.agents_table import shown_percent
from webassay.report.sheet import Sheet
from webassay.stats.agreement import cohen_kappa, gwet_ac1, observed

NOTE = (
    "Attempts that both judges judged, over all runs that both saw. Raw agreement flatters where one verdict is "
    "frequent: read it beside κ and AC1. `no verdict`: attempts that one of the two could not judge. "
    "`snakemake agreement` gives intervals, and people's labels beside them."
)


def judge_pairs_sheet(experiment: ExperimentPlan, scores: pd.DataFrame) -> Sheet:
    lines = list(_lines(experiment, scores))
    shown = pd.DataFrame([_shown(line) for line in lines])
    return Sheet("judge_pairs", "Judges beside each other", pd.DataFrame(lines), shown, NOTE)


def _lines(experiment: ExperimentPlan, scores: pd.DataFrame) -> Iterator[dict[str, Any]]:
    passed = (scores["score"] >= 1).astype(float).where(scores["score"].notna())
    table = scores.assign(passed=passed).pivot_table(
        index=["run", "task_id"], columns="judge", values="passed", aggfunc="first", dropna=False
    )
    table = table.reindex(columns=experiment.judges)
    seen = scores.groupby("judge")["run"].unique()
    for first, second in combinations(experiment.judges, 2):
        runs = set(seen.get(first, ())) & set(seen.get(second, ()))
        both = table[table.index.get_level_values("run").isin(runs)][[first, second]]
        yield _line(first, second, both)


def _line(first: str, second: str, both: pd.DataFrame) -> dict[str, Any]:
    judged = both.dropna()
    counts = np.zeros((2, 2))
    np.add.at(counts, (judged[first].astype(int).to_numpy(), judged[second].astype(int).to_numpy()), 1)
    names = ("both_fail", "only_second", "only_first", "both_pass")
    kinds = dict(zip(names, counts.ravel(), strict=True))
    line: dict[str, Any] = {"first": first, "second": second, "judged": len(judged)}
    line |= {name: int(count) for name, count in kinds.items()} | {"no_verdict": len(both) - len(judged)}
    figures = {"agreement": observed(counts), "kappa": cohen_kappa(counts), "ac1": gwet_ac1(counts)}
    return line | {name: None if np.isnan(value) else float(value) for name, value in figures.items()}


def _shown(row: dict[str, Any]) -> dict[str, str]:
    counts = ("judged", "both_pass", "only_first", "only_second", "both_fail", "no_verdict")
    texts = {name: str(row[name]) for name in ("first", "second")}
    texts |= {name.replace("_", " "): str(row[name]) for name in counts}
    texts["agreement %"] = shown_percent(row["agreement"])
    figures = {"κ": row["kappa"], "AC1": row["ac1"]}
    return texts | {name: "n/a" if value is None else f"{value:.3f}" for name, value in figures.items()}
