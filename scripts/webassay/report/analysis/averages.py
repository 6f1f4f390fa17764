"""Means over completed runs and over all, each beside the number of trajectories that it is taken over."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import pandas as pd

from webassay.report.analysis.record import Record
from webassay.report.analysis.tables import (
    Table,
    completed_and_all,
    figures,
    for_people,
    groups,
    judges_of,
    nothing_in,
    shown_mean,
)

NOTE = (
    "`completed`: ended with an answer; `all`: every trajectory; in brackets how many these are. Mean ± standard "
    "deviation over the n whose figure is known: a score that nobody gave is left out, but in the line that counts it "
    "as 0 and says so."
)
AS_ZERO = "all, not judged as 0"
Figure = Callable[[Record], float | None]


def averages_table(records: Sequence[Record]) -> Table:
    lines = [
        {"run": run, "measure": measure, "judge": judge, "over": over} | figures(map(figure, part), len(part))
        for run, members in groups(records)
        for measure, judge, figure in _measures(members)
        for over, part, figure in _parts(measure, figure, members)
    ]
    return Table("averages", "Averages", pd.DataFrame(lines), _shown(lines), NOTE, nothing_in(records))


def _shown(lines: Sequence[dict[str, Any]]) -> pd.DataFrame:
    """A line for each run and denominator, a column for each measure."""
    partly = {(line["run"], AS_ZERO) for line in lines if line["over"] == "all" and 0 < line["n"] < line["of"]}
    shown: dict[tuple[str, str], dict[str, str]] = {}
    for line in lines:
        key = (line["run"], line["over"])
        if line["over"] != AS_ZERO or key in partly:
            row = shown.setdefault(key, {"run": line["run"], "over": f"{line['over']} ({line['of']})"})
            row[f"{line['measure']} {line['judge']}".strip()] = shown_mean(line, 3 if line["judge"] else 1)
    return for_people(shown.values())


def _measures(records: Sequence[Record]) -> Iterator[tuple[str, str, Figure]]:
    """Name, judge, and how a trajectory shows it; without any judge the score is unknown, and said to be."""
    for judge in judges_of(records) or [""]:
        yield "score", judge, partial(_score, judge)
    yield "steps", "", lambda record: record.steps
    yield "seconds", "", lambda record: record.seconds
    yield "prompt tokens", "", lambda record: _tokens(record, "prompt_tokens")
    yield "completion tokens", "", lambda record: _tokens(record, "completion_tokens")


def _parts(measure: str, figure: Figure, records: Sequence[Record]) -> Iterator[tuple[str, Sequence[Record], Figure]]:
    for over, part in completed_and_all(records).items():
        yield over, part, figure
    if measure == "score" and any(figure(record) is not None for record in records):
        yield AS_ZERO, records, lambda record: figure(record) or 0.0


def _score(judge: str, record: Record) -> float | None:
    return record.scores.get(judge)


def _tokens(record: Record, kind: str) -> int | None:
    return sum(getattr(used, kind) for used in record.usage.values()) if record.usage else None
