"""Outcomes that others published: a CSV file with a row for each attempt of an agent at a task.

Columns: `agent`, `task_id`, `success` (from 0 to 1, true or false, or empty where nobody judged it); optional
`num_steps`, `run_id`, `budget` (the most steps that the agent had) and any others. It is somebody else's file, so every
doubt is an error that names the row.
"""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from webassay.core.task import Task
from webassay.errors import DatasetError
from webassay.stats.attempts import by_number
from webassay.stats.coverage import duplicates

REQUIRED = ("agent", "task_id", "success")
KEYS = ["agent", "run_id", "task_id"]
MOST_STEPS = 1_000_000
COLUMNS = [*KEYS, "template", "sites", "score", "steps", "budget"]
TRUTH = {"true": "1", "false": "0"}


def read_outcomes(path: Path, tasks: Sequence[Task]) -> pd.DataFrame:
    """Rows in the form that statistics take, with the template and sites of the benchmark's own tasks; runs in order,
    9 before 10."""
    table = _read(path)
    known = {task.task_id: task for task in tasks}
    strange = ~table["task_id"].isin(known.keys())
    _refuse(path, table, strange, "task_id", "is no task of the benchmark; is benchmark= the one that it is about?")
    _refuse(path, table, table["agent"] == "", "agent", "names nobody")
    table["score"] = _number(path, table, "success", 1)
    table["steps"] = _number(path, table, "num_steps", MOST_STEPS)
    table["budget"] = _number(path, table, "budget", MOST_STEPS)
    if twice := duplicates(table, KEYS):
        raise DatasetError(
            f"{path}: {len(twice)} attempts are there twice, first {twice[0]}; repeated runs need a column run_id"
        )
    table["template"] = [known[id].template for id in table["task_id"]]
    table["sites"] = ["+".join(known[id].sites) for id in table["task_id"]]
    order = table.assign(run_id=table["run_id"].map(by_number)).sort_values(KEYS).index
    return table.loc[order, COLUMNS].reset_index(drop=True)


def _read(path: Path) -> pd.DataFrame:
    try:
        table = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8-sig")
    except FileNotFoundError:
        raise DatasetError(f"{path}: no such file") from None
    except (ValueError, OSError) as error:  # pandas' own errors are ValueErrors
        raise DatasetError(f"{path}: not a CSV file ({str(error).splitlines()[0]})") from None
    if not isinstance(table.index, pd.RangeIndex):
        raise DatasetError(f"{path}: not a CSV file (rows have more fields than the header)")
    if missing := [name for name in REQUIRED if name not in table.columns]:
        raise DatasetError(f"{path}: no column {', '.join(missing)}; it needs {', '.join(REQUIRED)}")
    if table.empty:
        raise DatasetError(f"{path}: no rows")
    if "run_id" not in table.columns:
        table["run_id"] = "0"
    for name in table.columns:
        table[name] = table[name].str.strip()
    return table


def _number(path: Path, table: pd.DataFrame, name: str, most: int) -> "pd.Series[float]":
    """Empty cells are unknown."""
    texts = table[name] if name in table.columns else pd.Series("", index=table.index)
    numbers = pd.to_numeric(texts.str.lower().replace(TRUTH), errors="coerce").astype(float)
    _refuse(path, table, numbers.isna() & (texts != ""), name, "is no number")
    _refuse(path, table, numbers.notna() & ~numbers.between(0, most), name, f"must be between 0 and {most}, or empty")
    return numbers


def _refuse(path: Path, table: pd.DataFrame, wrong: "pd.Series[bool]", name: str, why: str) -> None:
    if wrong.any():
        first = int(wrong.to_numpy().argmax())
        raise DatasetError(f"{path}, line {first + 2}: {name}={table[name].iloc[first]!r} {why}")
