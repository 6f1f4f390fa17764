"""The same runs before several judges, in the forms of the paper's Tables 5 and 13.

Table 5: each entrant's success under each judge, and what the last judge takes away from the first. Table 13: how many
tasks the members of an ensemble (agents that know nothing) pass under each judge, alone and together.
"""

from collections.abc import Iterator, Sequence

import pandas as pd

from webassay.config.naming import differing_settings
from webassay.config.paths import ExperimentPlan, RunPlan
from webassay.report.sheet import Sheet
from webassay.report.tables import shown_interval, shown_rate
from webassay.stats.success import Interval, denominators, template_macro

ANY = "any of them"
MINUS = " − "
JUDGES_NOTE = (
    "Success in percent under each judge, ungraded tasks as 0; template-macro with its interval over templates (T). "
    "The difference pairs the judges task by task. An ensemble passes a task if any of its members does."
)
ENSEMBLES_NOTE = (
    "Tasks passed by agents that know nothing of them; a harness that can be trusted gives each of them 0 of all."
)


def compared_judges(experiment: ExperimentPlan, scores: pd.DataFrame) -> pd.DataFrame:
    """Table 5, a line for each entrant and judge; the difference between the last judge and the first as one more."""
    confidence = experiment.runs[0].config["analysis"]["confidence"]
    judges = experiment.judges
    lines = []
    for entrant, rows in _entrants(experiment, scores):
        for judge in judges:
            part = denominators(rows[rows["judge"] == judge])["all"]
            lines.append(_line(entrant, judge, part["score"], template_macro(part, confidence)))
        if len(judges) > 1:
            paired = _paired(rows, judges[0], judges[-1])
            lines.append(
                _line(entrant, f"{judges[-1]}{MINUS}{judges[0]}", paired["score"], template_macro(paired, confidence))
            )
    return pd.DataFrame(lines)


def ensembles(experiment: ExperimentPlan, scores: pd.DataFrame) -> pd.DataFrame:
    """Table 13, a line for each member and judge, and for all members together."""
    lines = []
    for ensemble, members in _ensembles(experiment).items():
        parts = [(name, _of(scores, plans)) for name, plans in members.items()]
        parts.append((ANY, _union(pd.concat([rows for _, rows in parts]))))
        for agent, rows in parts:
            for judge in experiment.judges:
                passed = rows[rows["judge"] == judge]["score"] >= 1
                line = {"ensemble": ensemble, "agent": agent, "judge": judge}
                lines.append(line | {"passed": int(passed.sum()), "tasks": len(passed)})
    return pd.DataFrame(lines)


def judges_sheet(experiment: ExperimentPlan, scores: pd.DataFrame) -> Sheet:
    table = compared_judges(experiment, scores)
    return Sheet("judges", "The same runs before each judge", table, _judges_shown(table), JUDGES_NOTE)


def ensembles_sheet(experiment: ExperimentPlan, scores: pd.DataFrame) -> Sheet:
    table = ensembles(experiment, scores)
    return Sheet("ensembles", "Agents that know nothing", table, _ensembles_shown(table), ENSEMBLES_NOTE)


def _judges_shown(table: pd.DataFrame) -> pd.DataFrame:
    shown = pd.DataFrame({"system": table["system"].drop_duplicates()})
    for judge, part in table.groupby("judge", sort=False):
        rows = part.to_dict("records")
        macro = [shown_interval(Interval(row["macro"], row["half_width"], row["templates"])) for row in rows]
        if MINUS in str(judge):
            shown[judge] = macro
        else:
            shown[f"{judge}: success %"] = [shown_rate(row["success"], row["n"]) for row in rows]
            shown[f"{judge}: template-macro"] = macro
    return shown


def _ensembles_shown(table: pd.DataFrame) -> pd.DataFrame:
    shown = table[["ensemble", "agent"]].drop_duplicates()
    for judge, part in table.groupby("judge", sort=False):
        shown[str(judge)] = [
            f"{row['passed']} of {row['tasks']} ({100 * row['passed'] / max(row['tasks'], 1):.1f} %)"
            for row in part.to_dict("records")
        ]
    return shown


def _entrants(experiment: ExperimentPlan, scores: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Systems of no ensemble one by one, then each ensemble as the union of its members."""
    single = [plan for plan in experiment.runs if not plan.config["system"]["ensemble"]]
    for name, plans in named_systems(single).items():
        yield name, _of(scores, plans)
    for ensemble, members in _ensembles(experiment).items():
        rows = pd.concat([_of(scores, plans) for plans in members.values()])
        yield f"{ensemble}, any of {len(members)}", _union(rows)


def _ensembles(experiment: ExperimentPlan) -> dict[str, dict[str, list[RunPlan]]]:
    """Ensemble -> member -> its plans, in the experiment's order."""
    names = dict.fromkeys(plan.config["system"]["ensemble"] for plan in experiment.runs)
    return {
        name: named_systems([plan for plan in experiment.runs if plan.config["system"]["ensemble"] == name])
        for name in names
        if name
    }


def named_systems(plans: Sequence[RunPlan]) -> dict[str, list[RunPlan]]:
    """Runs of one system, model and benchmark under one name; repeats (run ids) and judges go together."""
    alike: dict[tuple[str, ...], list[RunPlan]] = {}
    for plan in plans:
        alike.setdefault((plan.parts[0], plan.parts[1], plan.parts[3]), []).append(plan)
    firsts = [group[0] for group in alike.values()]
    return {_name(group[0], firsts): group for group in alike.values()}


def _name(plan: RunPlan, others: list[RunPlan]) -> str:
    varied = [key for key in ("model", "benchmark") if len({other.columns[key] for other in others}) > 1]
    words = [plan.columns["system"], *(plan.columns[key] for key in varied), differing_settings(plan, others)]
    return " ".join(filter(None, words))


def _of(scores: pd.DataFrame, plans: list[RunPlan]) -> pd.DataFrame:
    return scores[scores["run"].isin({plan.run for plan in plans})]


def _union(rows: pd.DataFrame) -> pd.DataFrame:
    """One row for each judge and task: passed if any member passed it in any run."""
    keys = ["judge", "benchmark", "template", "task_id"]
    best = rows.fillna({"score": 0.0}).groupby(keys, sort=False)["score"].max()
    return best.reset_index().assign(execution="answered", run=ANY)


def _paired(rows: pd.DataFrame, first: str, last: str) -> pd.DataFrame:
    """The difference of the two judges' scores of each trajectory."""
    table = denominators(rows)["all"].set_index(["run", "template", "task_id"])
    before, after = (table.loc[table["judge"] == judge, ["score"]] for judge in (first, last))
    return (after - before).dropna().reset_index()


def _line(entrant: str, judge: str, scores: "pd.Series[float]", macro: Interval) -> dict[str, object]:
    return {
        "system": entrant,
        "judge": judge,
        "n": len(scores),
        "success": float(scores.mean()) if len(scores) else None,
        "macro": macro.mean,
        "half_width": macro.half_width,
        "templates": macro.templates,
    }
