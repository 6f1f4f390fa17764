"""Tables 5 and 6, the numbers of Figures 2 and 13, success by site, and the hard subset beside the whole."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pandas as pd

from webassay.benchmarks import audit
from webassay.core.task import Task
from webassay.report.agents import Comparison, compare_each
from webassay.report.agents_table import comparisons_sheet, flat_note
from webassay.report.paper.group import Group
from webassay.report.paper.inputs import ORIGINAL, VERIFIED, Inputs
from webassay.report.paper.naive import UNION, Naive
from webassay.report.paper.tasks import SITES
from webassay.report.sheet import Sheet
from webassay.report.tables import shown_interval
from webassay.stats.coverage import coverage, judged
from webassay.stats.exploration import TAU, least_steps, normalised, usual_steps
from webassay.stats.paired import subset_difference
from webassay.stats.sites import by_site
from webassay.stats.strata import with_strata
from webassay.stats.success import Interval, template_macro

NOT_RUN = "n/a (no runs)"


def headline_table(inputs: Inputs, naive: Naive) -> Group:
    """Table 5, which has its naive rows even where no agent is known."""
    lines: list[tuple[str, str, pd.DataFrame]] = [
        ("naive, “N/A”", ORIGINAL, _as_attempts(inputs.original, naive.passed["na"])),
        ("naive, “N/A”", VERIFIED, _as_attempts(inputs.verified, naive.verified.get("na", frozenset()))),
        (f"naive, {UNION}", ORIGINAL, _as_attempts(inputs.original, naive.union)),
        (f"naive, {UNION}", VERIFIED, _as_attempts(inputs.verified, frozenset().union(*naive.verified.values()))),
        *((agent, judge, rows) for judge, agents in inputs.agents.items() for agent, rows in agents.items()),
    ]
    rows = [line for agent, judge, attempts in lines for line in _whole_and_hard(inputs, agent, judge, attempts)]
    data = pd.DataFrame(rows)
    note = (
        "Template-macro success in percent with its t-interval over T templates; in brackets the attempts where some "
        "are missing. Original: the harness of WebArena. The runs behind the paper's own row for OpenAI Operator are "
        "not published."
    ) + flat_note(map(_interval, rows), inputs.confidence)
    title = "Table 5: success under the original and the verified harness"
    return Group((Sheet("table_5", title, data, _side_by_side(data), note),))


def agent_tables(inputs: Inputs, comparisons: Mapping[str, Comparison]) -> Group:
    return Group(
        (
            _attempts(inputs),
            _exploration(inputs),
            comparisons_sheet("figure_13", "Figure 13: agents beside an anchor", comparisons, "judge"),
            _by_site(inputs),
            _full_and_hard(inputs),
        )
    )


def paired_comparisons(inputs: Inputs) -> dict[str, Comparison]:
    """One for each judge."""
    expected = dict.fromkeys(inputs.agents, inputs.task_ids)
    return compare_each(inputs.agents, expected, inputs.confidence, inputs.anchor)


def exploration_ratios(inputs: Inputs) -> dict[str, pd.DataFrame]:
    """Of each agent with steps, against what the sites usually take all of them together."""
    return {_label(inputs, judge, agent): rows for judge, agent, rows, _ in _explored(inputs)}


def _explored(inputs: Inputs) -> Iterator[tuple[str, str, pd.DataFrame, dict[str, float]]]:
    unachievable = audit.detect(inputs.original)["unachievable"]
    for judge, agents in inputs.agents.items():
        usual = usual_steps(pd.concat(agents.values()), unachievable)
        for agent, rows in agents.items():
            yield judge, agent, normalised(rows, usual, unachievable), usual


def _label(inputs: Inputs, judge: str, agent: str) -> str:
    return agent if len(inputs.agents) == 1 else f"{agent} ({judge})"


def _as_attempts(tasks: Iterable[Task], passed: frozenset[str]) -> pd.DataFrame:
    rows = [(task.task_id, task.template, "+".join(task.sites), float(task.task_id in passed), "0") for task in tasks]
    return pd.DataFrame(rows, columns=["task_id", "template", "sites", "score", "run_id"])


def _whole_and_hard(inputs: Inputs, agent: str, judge: str, attempts: pd.DataFrame) -> Iterator[dict[str, object]]:
    for subset, expected in (("all", inputs.task_ids), ("hard", sorted(inputs.hard))):
        rows = attempts[attempts["task_id"].isin(set(expected))]
        macro, covered = template_macro(rows, inputs.confidence), coverage(rows, expected)
        known = rows["score"].dropna()
        yield {
            "agent": agent,
            "judge": judge,
            "tasks": subset,
            "attempted": covered.attempted,
            "expected": covered.expected,
            "success": float(known.mean()) if len(known) else None,
            "macro": macro.mean,
            "half_width": macro.half_width,
            "templates": macro.templates,
        }


def _side_by_side(data: pd.DataFrame) -> pd.DataFrame:
    """A line for each agent, a column for each judge and set of tasks."""
    shown: dict[str, dict[str, str]] = {}
    judges = [ORIGINAL, VERIFIED, *(name for name in data["judge"].unique() if name not in (ORIGINAL, VERIFIED))]
    columns = [_column(judge, tasks) for judge in judges for tasks in ("all", "hard")]
    for row in data.to_dict("records"):
        line = shown.setdefault(str(row["agent"]), {"agent": str(row["agent"])} | dict.fromkeys(columns, NOT_RUN))
        missing = "" if row["attempted"] == row["expected"] else f" [{row['attempted']}/{row['expected']}]"
        line[_column(str(row["judge"]), str(row["tasks"]))] = shown_interval(_interval(row)) + missing
    return pd.DataFrame(shown.values())


def _interval(row: Mapping[Any, Any]) -> Interval:
    return Interval(row["macro"], row["half_width"], row["templates"])


def _column(judge: str, tasks: str) -> str:
    return {ORIGINAL: "original"}.get(judge, judge) + (", hard" if tasks == "hard" else "")


def _attempts(inputs: Inputs) -> Sheet:
    whole = audit.by_stratum(inputs.original)
    rows = []
    for judge, agents in inputs.agents.items():
        for agent, attempts in agents.items():
            counted = with_strata(attempts[judged(attempts)])["stratum"].value_counts()
            runs = attempts["run_id"].nunique()
            rows += [
                {"judge": judge, "agent": agent, "site": site, "attempted": int(counted.get(site, 0))}
                | {"expected": runs * whole[site]}
                for site in SITES
            ]
    data = pd.DataFrame(rows)
    cells = data.assign(cell=[f"{row['attempted']}/{row['expected']}" for row in rows])
    shown = cells.pivot(index=["judge", "agent"], columns="site", values="cell")[list(SITES)].reset_index()
    note = "Attempts with a score of those expected; what is missing was not attempted or not judged."
    return Sheet("table_6", "Table 6: attempts by agent and site", data, shown, note)


def _exploration(inputs: Inputs) -> Sheet:
    rows = []
    thresholds: dict[str, int] = {}
    for judge, agent, known, usual in _explored(inputs):
        thresholds |= least_steps(usual)
        given_up = known[known["kind"] == "unachievable"]["ratio"]
        others = known[known["kind"] == "achievable"]["ratio"]
        rows.append(
            {
                "judge": judge,
                "agent": agent,
                "unachievable": len(given_up),
                "explored": int((given_up >= TAU).sum()),
                "median_unachievable": float(given_up.median()) if len(given_up) else None,
                "median_achievable": float(others.median()) if len(others) else None,
                "attempts_left_out": len(inputs.agents[judge][agent]) - len(known),
            }
        )
    data = pd.DataFrame(rows)
    medians = {name: [_two(value) for value in data[name]] for name in ("median_unachievable", "median_achievable")}
    least = ", ".join(f"{site} {steps}" for site, steps in sorted(thresholds.items())) or "unknown"
    note = (
        f"R is an attempt's steps over its site's usual steps (the median of passed attempts at achievable tasks); "
        f"explored: R ≥ {TAU:g}. Least steps that count as explored: {least}. Left out: attempts without steps, or on "
        "sites where nobody passed."
    )
    title = "Figure 2: exploration of unachievable tasks"
    shown = data.assign(**medians).map(str).rename(columns=lambda name: name.replace("_", " "))
    return Sheet("figure_2", title, data, shown, note)


def _by_site(inputs: Inputs) -> Sheet:
    rows: list[dict[str, Any]] = []
    shown: list[dict[str, str]] = []
    for judge, agents in inputs.agents.items():
        for agent, attempts in agents.items():
            found = by_site(attempts, inputs.confidence)
            line = {"judge": judge, "agent": agent}
            rows += [
                {**line, "site": site, "macro": one.mean, "half_width": one.half_width, "templates": one.templates}
                for site, one in found.items()
            ]
            shown.append(line | {site: shown_interval(found.get(site, Interval(None, None, 0))) for site in SITES})
    note = "Template-macro success in percent within each site, t-interval over the site's T templates."
    note += flat_note(map(_interval, rows), inputs.confidence)
    return Sheet("sites", "Success by site", pd.DataFrame(rows), pd.DataFrame(shown), note)


def _full_and_hard(inputs: Inputs) -> Sheet:
    rows, shown = [], []
    for judge, agents in inputs.agents.items():
        for agent, attempts in agents.items():
            hard = inputs.on_hard(attempts)
            found = subset_difference(hard, attempts, inputs.confidence)
            whole, part = template_macro(attempts, inputs.confidence), template_macro(hard, inputs.confidence)
            rows.append(
                {
                    "judge": judge,
                    "agent": agent,
                    "all": whole.mean,
                    "hard": part.mean,
                    "difference": found.mean,
                    "difference_half_width": found.half_width,
                    "templates": found.templates,
                }
            )
            texts = {"all": whole, "hard": part, "hard − all, descriptive": found}
            shown.append({"judge": judge, "agent": agent} | {name: shown_interval(one) for name, one in texts.items()})
    note = (
        "The difference is over the templates in the hard subset. Its tasks are among all tasks, so the two are "
        "correlated by construction: the interval describes and tests nothing."
    )
    return Sheet("full_and_hard", "The hard subset beside all tasks", pd.DataFrame(rows), pd.DataFrame(shown), note)


def _two(value: object) -> str:
    return "n/a" if value is None or pd.isna(value) else f"{value:.2f}"  # type: ignore[call-overload]
