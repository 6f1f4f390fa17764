"""How long trajectories took, and how long it was from one action to the next."""

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

from webassay.report.analysis.record import Record
from webassay.report.analysis.tables import (
    Table,
    completed_and_all,
    figures,
    for_people,
    groups,
    nothing_in,
    shown_mean,
    shown_number,
)

NOTE = (
    "In seconds. `session`: from start to end, by times.json; `log`: from the first event to the last; `between "
    "actions`: the mean of each trajectory, where two steps have a time. Mean ± standard deviation over the n "
    "trajectories in which it is known, then the median, and from the shortest to the longest."
)
MEASURES: dict[str, Callable[[Record], float | None]] = {
    "session": lambda record: record.seconds,
    "log": lambda record: record.clock.seconds,
    "between actions": lambda record: record.clock.between,
}


def times_table(records: Sequence[Record]) -> Table:
    lines = [
        {"run": run, "measure": measure, "over": over} | figures(map(seconds, part), len(part))
        for run, members in groups(records)
        for measure, seconds in MEASURES.items()
        for over, part in completed_and_all(members).items()
    ]
    return Table("times", "Times", pd.DataFrame(lines), _shown(lines), NOTE, nothing_in(records))


def _shown(lines: Sequence[dict[str, Any]]) -> pd.DataFrame:
    """A line for each run and denominator, a column for each measure."""
    shown: dict[tuple[str, str], dict[str, str]] = {}
    for line in lines:
        row = shown.setdefault((line["run"], line["over"]), {"run": line["run"], "over": line["over"]})
        median, least, most = (shown_number(line[name]) for name in ("median", "min", "max"))
        row[line["measure"]] = shown_mean(line) + (f", {median} ({least} to {most})" if line["n"] else "")
    return for_people(shown.values())
