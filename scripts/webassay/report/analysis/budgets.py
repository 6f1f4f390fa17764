"""What each run would have scored with fewer steps."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

import pandas as pd

from webassay.report.analysis.record import Record
from webassay.report.analysis.tables import Table, for_people, groups, judges_of, nothing_in, shown_count
from webassay.stats.budgets import Used, score_at, step_budgets

NOTE = (
    "Mean score in percent at each budget of steps: a trajectory that used more gets 0 there. Over the `judged` "
    "trajectories, which have a score and a known number of steps; budgets.csv has the means over all of them too, not "
    "judged as 0."
)
NOT_JUDGED = "No trajectory has a score, so there is nothing to say of budgets."


def budgets_table(records: Sequence[Record], budgets: Sequence[int] = ()) -> Table:
    """At `budgets` in steps; without any, at webeval's shares of what each run was allowed."""
    lines = list(_lines(records, budgets))
    instead = nothing_in(records) or ("" if judges_of(records) else NOT_JUDGED)
    return Table("budgets", "Scores at step budgets", pd.DataFrame(lines), _shown(lines), NOTE, instead)


def _lines(records: Sequence[Record], budgets: Sequence[int]) -> Iterator[dict[str, Any]]:
    for run, members in groups(records):
        allowed = {record.max_rounds for record in members} or {0}
        if len(allowed) > 1:
            continue  # shares of different allowances are no budget in steps
        (max_rounds,) = allowed
        chosen: list[tuple[int | None, int]] = [(None, budget) for budget in budgets]
        chosen = chosen or [*step_budgets(max_rounds).items()]
        for judge in judges_of(members) or [""]:
            used = [Used(record.scores.get(judge), record.rounds) for record in members]
            for percent, budget in chosen:
                told = {"run": run, "judge": judge, "max_rounds": max_rounds, "percent": percent, "budget": budget}
                yield told | asdict(score_at(budget, used))


def _shown(lines: Sequence[dict[str, Any]]) -> pd.DataFrame:
    """A line for each run and judge, a column for each budget."""
    shown: dict[tuple[str, str], dict[str, str]] = {}
    for line in lines:
        row = shown.setdefault((line["run"], line["judge"]), {"run": line["run"], "judge": line["judge"]})
        row |= {"judged": shown_count(line["graded"], line["tasks"]), "rounds": str(line["max_rounds"])}
        heading = f"{line['percent']} %" if line["percent"] else f"≤ {line['budget']}"
        row[heading] = "n/a" if line["mean_graded"] is None else f"{100 * line['mean_graded']:.1f}"
    return for_people(shown.values())
