"""From a number to the attempts that it counts: addresses of the tasks' page, with the filters set."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from webassay.report.experiment import Numbers
from webassay.report.sheet import Sheet
from webassay.report.site.matrix import failure_name
from webassay.report.tables import STATES

Cell = tuple[str, str]
"""A text, and where it leads; empty where to nothing."""
ALL = "success %, all"
"""The one rate that is over every attempt."""


def linked_rows(sheet: Sheet, numbers: Numbers) -> list[list[Cell]]:
    places = _Places(numbers)
    return [
        [(str(value), _address(places.of(sheet.name, number, row, str(column)))) for column, value in row.items()]
        for number, row in enumerate(sheet.shown.to_dict("records"))
    ]


def _address(wanted: Mapping[str, Any] | None) -> str:
    return f"tasks.html#{urlencode(wanted)}" if wanted else ""


class _Places:
    """Runs and judges by their names, with the numbers that the tasks' page has them under."""

    def __init__(self, numbers: Numbers) -> None:
        experiment = numbers.experiment
        runs, judges = list(experiment.by_run), list(experiment.judge_names)
        self._pairs = [(runs.index(plan.run), judges.index(plan.eval_hash)) for plan in experiment.runs]
        self._runs = {label: number for number, label in enumerate(numbers.labels.values())}
        self._judges = {name: number for number, name in enumerate(experiment.judges)}
        systems = [plan.columns["system"] for plan in experiment.by_run.values()]
        self._only = {name: number for number, name in enumerate(systems) if systems.count(name) == 1}

    def of(self, sheet: str, number: int, row: Mapping[Any, Any], column: str) -> dict[str, Any] | None:
        """The filters that leave what a cell counts; None where no filters do."""
        first = column == next(iter(row))
        match sheet:
            case "summary":
                return self._summary(number, column) if first or column in (*STATES, ALL) else None
            case "sites" | "templates":
                by = {sheet[:-1]: row[sheet[:-1]]}
                return by if first else self._column(column, by) if row[column] != "–" else None
            case "failures" if first or column == "attempts":
                named = {"failure": failure_name(row["fault"], row["check"])}
                return {"run": self._runs[row["run"]], "judge": self._judges[row["judge"]]} | named
            case "judge_pairs" if first and len(self._judges) == 2:
                return {"disagree": 1}
            case "usage" if first:
                judge = {"judge": self._judges[row["by"]]} if row["by"] in self._judges else {}
                return {"run": self._runs[row["run"]]} | judge
            case "judges" | "comparison" | "ensembles" | "headline":
                return self._system(row, column)
        return None

    def _summary(self, number: int, column: str) -> dict[str, Any]:
        run, judge = self._pairs[number]
        return {"run": run, "judge": judge} | ({"state": column} if column in STATES else {})

    def _column(self, column: str, by: dict[str, Any]) -> dict[str, Any]:
        """`run: judge`, or the run alone where there is one judge."""
        named = {f"{run}: {judge}": (place, seat) for run, place in self._runs.items()
                 for judge, seat in self._judges.items()}  # fmt: skip
        place, seat = named[column] if column in named else (self._runs[column], 0)
        return {"run": place, "judge": seat} | by

    def _system(self, row: Mapping[Any, Any], column: str) -> dict[str, Any] | None:
        """Of a system that was run once; its rate before a judge leads to that judge."""
        name = row.get("system", row.get("agent"))
        if name not in self._only:
            return None
        if row[column] == name:
            return {"run": self._only[name]}
        judge = column.removesuffix(": success %")
        return {"run": self._only[name], "judge": self._judges[judge]} if judge in self._judges else None
