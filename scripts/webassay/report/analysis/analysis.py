"""From places to files: every trajectory read once, seven tables, three figures, and the records behind them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pandas as pd

from webassay.core.files import write_bytes, write_text
from webassay.report.analysis.averages import averages_table
from webassay.report.analysis.budgets import budgets_table
from webassay.report.analysis.errors import errors_table
from webassay.report.analysis.figures import figures
from webassay.report.analysis.places import Place, short_names
from webassay.report.analysis.record import Record, read_record
from webassay.report.analysis.refusals import refusals_table
from webassay.report.analysis.steps import steps_table
from webassay.report.analysis.tables import Table
from webassay.report.analysis.times import times_table
from webassay.report.analysis.tokens import tokens_table
from webassay.report.tables import to_csv


@dataclass(frozen=True)
class Analysis:
    records: tuple[Record, ...]
    tables: tuple[Table, ...]

    def write(self, folder: Path) -> None:
        """`<table>.csv`, `<table>.md`, `trajectories.csv`, `figures/`."""
        for table in self.tables:
            write_text(folder / f"{table.name}.csv", table.csv)
            write_text(folder / f"{table.name}.md", table.markdown)
        write_text(folder / "trajectories.csv", trajectories_csv(self.records))
        by_name = {table.name: table.data for table in self.tables}
        for name, content in figures(self.records, by_name["budgets"], by_name["errors"]).items():
            write_bytes(folder / "figures" / name, content)


def analyze(places: Iterable[Place], budgets: Sequence[int] = ()) -> Analysis:
    """`budgets` in steps; without any, shares of what each run was allowed."""
    records = _named_shortly([read_record(place) for place in places])
    tables = (
        averages_table(records),
        budgets_table(records, budgets),
        steps_table(records),
        times_table(records),
        tokens_table(records),
        errors_table(records),
        refusals_table(records),
    )
    return Analysis(records, tables)


def trajectories_csv(records: Iterable[Record]) -> str:
    """A line for each trajectory: from a number to the folders it is made of."""
    return to_csv(pd.DataFrame([_line(record) for record in records]))


def _line(record: Record) -> dict[str, object]:
    line = msgspec.structs.asdict(record)
    clock = msgspec.structs.asdict(line.pop("clock"))
    scores = {f"score {judge}": score for judge, score in line.pop("scores").items()}
    line["usage"] = msgspec.json.encode(record.usage).decode()
    line["earlier_errors"] = "; ".join(record.earlier_errors)
    return line | {f"log_{name}": value for name, value in clock.items()} | scores


def _named_shortly(records: Sequence[Record]) -> tuple[Record, ...]:
    names = short_names(list(dict.fromkeys(record.run for record in records)))
    return tuple(msgspec.structs.replace(record, run=names[record.run]) for record in records)
