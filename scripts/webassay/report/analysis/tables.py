"""The form of an analysis' tables: full precision for programs, short and safe text for people."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from webassay.report.analysis.record import Record
from webassay.report.tables import markdown_table, to_csv
from webassay.stats.spread import spread

ALL_RUNS = "all runs"
SAMPLES = 3
_MARKUP = re.compile(r"([\\`|<\[])")
_STEERING = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
_ESCAPED = re.compile(r"\\([\\`|<\[])")


@dataclass(frozen=True)
class Table:
    """`data` for programs, `shown` for people."""

    name: str
    title: str
    data: pd.DataFrame
    shown: pd.DataFrame
    note: str
    instead: str = ""
    """Said in the place of a table that has nothing to show."""

    @property
    def csv(self) -> str:
        return to_csv(self.data)

    @property
    def markdown(self) -> str:
        if self.instead:
            return f"# {self.title}\n\n{self.instead}\n"
        return markdown_table(self.title, self.shown, self.note)


def groups(records: Sequence[Record]) -> list[tuple[str, list[Record]]]:
    """Each run, and where there are several, or none, all of them together."""
    runs: dict[str, list[Record]] = {}
    for record in records:
        runs.setdefault(record.run, []).append(record)
    return [*runs.items(), *([(ALL_RUNS, list(records))] if len(runs) != 1 else [])]


def nothing_in(records: Sequence[Record]) -> str:
    return "" if records else "No trajectories were found, so there is nothing to count."


def completed_and_all(records: Sequence[Record]) -> dict[str, list[Record]]:
    return {"completed": [record for record in records if record.completed], "all": list(records)}


def judges_of(records: Iterable[Record]) -> list[str]:
    return sorted({judge for record in records for judge in record.scores})


def figures(values: Iterable[float | None], of: int) -> dict[str, Any]:
    """Columns of a line: what is known of a quantity, and of how many trajectories."""
    found = spread(values)
    return {
        "n": found.n,
        "of": of,
        "mean": found.mean,
        "sd": found.sd,
        "median": found.median,
        "min": found.least,
        "max": found.most,
        "total": found.total,
    }


def shown_mean(line: Mapping[str, Any], digits: int = 1) -> str:
    return f"{shown_spread(line['mean'], line['sd'], digits)} (n={line['n']})"


def shown_count(count: int, of: int) -> str:
    return f"{count} of {of}"


def for_people(lines: Iterable[dict[str, str]]) -> pd.DataFrame:
    """Text that came out of logs and names never becomes markup; a single run needs no column."""
    table = pd.DataFrame([{name: escaped(text) for name, text in line.items()} for line in lines]).fillna("")
    return table.drop(columns="run") if "run" in table and table["run"].nunique() == 1 else table


def escaped(text: str) -> str:
    """Nor may it steer a terminal or break a line of a table."""
    return _MARKUP.sub(r"\\\1", _STEERING.sub("\N{REPLACEMENT CHARACTER}", text))


def plain(text: str) -> str:
    """What `escaped` was given."""
    return _ESCAPED.sub(r"\1", text)


def samples(records: Sequence[Record], group: str) -> str:
    """The first three, and how many more there are."""
    more = f" (+{len(records) - SAMPLES} more)" if len(records) > SAMPLES else ""
    return ", ".join(named(record) if group == ALL_RUNS else record.task_id for record in records[:SAMPLES]) + more


def named(record: Record) -> str:
    return f"{record.run}/{record.task_id}"


def shown_number(value: float | None, digits: int = 1) -> str:
    """What nobody knows is n/a, never 0."""
    if value is None or math.isnan(value):
        return "n/a"
    return f"{value:,.{digits}f}"


def shown_spread(mean: float | None, sd: float | None, digits: int = 1) -> str:
    return "n/a" if mean is None else f"{shown_number(mean, digits)} ± {shown_number(sd, digits)}"


def percent(count: int, of: int) -> str:
    return f"{100 * count / of:.1f}" if of else "n/a"
