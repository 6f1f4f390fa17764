"""Success by site and by template, a column for each run and judge."""

from collections.abc import Mapping

import pandas as pd

from webassay.config.paths import ExperimentPlan
from webassay.report.sheet import Sheet
from webassay.report.tables import shown_rate

NOTE = (
    "Success in percent with its number of attempts, ungraded as 0. A task over several sites counts under each "
    "of them."
)


def sites_sheet(experiment: ExperimentPlan, scores: pd.DataFrame, labels: Mapping[str, str]) -> Sheet:
    split = scores.assign(site=scores["sites"].str.split("+")).explode("site")
    return _sheet("sites", "Success by site", "site", split, experiment, labels)


def templates_sheet(experiment: ExperimentPlan, scores: pd.DataFrame, labels: Mapping[str, str]) -> Sheet:
    return _sheet("templates", "Success by template", "template", scores, experiment, labels)


def _sheet(
    name: str, title: str, by: str, rows: pd.DataFrame, experiment: ExperimentPlan, labels: Mapping[str, str]
) -> Sheet:
    lines = []
    for plan in experiment.runs:
        part = rows[(rows["run"] == plan.run) & (rows["eval_hash"] == plan.eval_hash)]
        for value, group in part.groupby(by, sort=True):
            judge = experiment.judge_names[plan.eval_hash]
            line = {"run": labels[plan.run], "judge": judge, by: str(value), "attempts": len(group)}
            passed, success = int((group["score"] >= 1).sum()), group["score"].fillna(0.0).mean()
            lines.append(line | {"passed": passed, "success": success})
    columns = ["run", "judge", by, "attempts", "passed", "success"]
    data = pd.DataFrame(lines, columns=columns)
    return Sheet(name, title, data, _shown(data, by), NOTE)


def _shown(data: pd.DataFrame, by: str) -> pd.DataFrame:
    """A line for each site or template; judges are named where there are several."""
    several = data["judge"].nunique() > 1
    shown: dict[str, dict[str, str]] = {}
    for row in data.to_dict("records"):
        column = f"{row['run']}: {row['judge']}" if several else str(row["run"])
        shown.setdefault(row[by], {by: row[by]})[column] = shown_rate(row["success"], row["attempts"])
    table = pd.DataFrame(list(shown.values()), columns=None if shown else [by])
    return table.fillna("–").sort_values(by, ignore_index=True)
