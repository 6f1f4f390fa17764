"""How many steps trajectories took, by how they ended."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from webassay.report.analysis.record import Record
from webassay.report.analysis.tables import Table, figures, for_people, groups, nothing_in, shown_mean, shown_number
from webassay.stats.spread import histogram

NOTE = (
    "A step is an event with an action, whoever wrote it and whatever it is called. In brackets the trajectories of a "
    "group, n those whose steps are known; one without any counts as 0. `aborted` holds what cannot be read, too. "
    "`at max`: those with as many steps as the longest; `budget used`: those that took all the rounds they were "
    "allowed. steps.csv has the histogram, as steps:trajectories."
)
COUNTS = ("no_step", "one_step", "at_max", "budget_used")


def steps_table(records: Sequence[Record]) -> Table:
    lines = [
        {"run": run, "group": group} | _line(part)
        for run, members in groups(records)
        for group, part in _by_ending(members).items()
    ]
    shown = for_people(_shown(line) for line in lines if line["of"])
    return Table("steps", "Steps", pd.DataFrame(lines), shown, NOTE, nothing_in(records))


def _shown(line: dict[str, Any]) -> dict[str, str]:
    shown = {"run": line["run"], "group": f"{line['group']} ({line['of']})", "mean ± sd": shown_mean(line)}
    shown |= {"median": shown_number(line["median"])} | {name: shown_number(line[name], 0) for name in ("min", "max")}
    return shown | {name.replace("_", " "): str(line[name]) if line["n"] else "n/a" for name in COUNTS}


def _by_ending(records: Sequence[Record]) -> dict[str, list[Record]]:
    return {
        "all": list(records),
        "not aborted": [record for record in records if not record.broken_off],
        "aborted": [record for record in records if record.broken_off],
    }


def _line(records: Sequence[Record]) -> dict[str, Any]:
    line = figures((record.steps for record in records), len(records))
    counts = histogram(record.steps for record in records)
    spent = sum(record.rounds is not None and record.rounds >= record.max_rounds for record in records)
    return line | {
        "no_step": counts.get(0, 0),
        "one_step": counts.get(1, 0),
        "at_max": counts[max(counts)] if counts else 0,
        "budget_used": spent,
        "histogram": " ".join(f"{steps}:{count}" for steps, count in counts.items()),
    }
