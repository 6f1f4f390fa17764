"""Outcomes that others published: a CSV file with a row for each attempt of an agent at a task.

Columns: `agent`, `task_id`, `success` (0, 1, or empty where nobody judged it); optional `num_steps`, `run_id` and any
others. The file is somebody else's, so every doubt is an error that names the row.
"""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from webassay.core.task import Task
from webassay.errors import DatasetError
from webassay.stats.coverage import duplicates

REQUIRED = ("agent", "task_id", "success")
KEYS = ["agent", "run_id", "task_id"]
MOST_STEPS = 1_000_000
OUT_OF_RANGE = f"must be between 0 and {MOST_STEPS}"
COLUMNS = [*KEYS, "template", "sites", "score", "steps"]


def read_outcomes(path: Path, tasks: Sequence[Task]) -> pd.DataFrame:
    """Rows in the form that statistics take, with the template and sites of the benchmark's own tasks."""
    table = _read(path)
    known = {task.task_id: task for task in tasks}
    _refuse(path, table, ~table["task_id"].isin(known.keys()), "task_id", "is no task of the benchmark")
    _refuse(path, table, table["agent"] == "", "agent", "names nobody")
    table["score"] = _number(path, table, "success")
    _refuse(path, table, ~table["score"].isin((0, 1)) & table["score"].notna(), "success", "must be 0, 1 or empty")
    table["steps"] = _number(path, table, "num_steps")
    _refuse(
        path,
        table,
        ~table["steps"].fillna(0).between(0, MOST_STEPS),
        "num_steps",
        OUT_OF_RANGE,
    )
    if twice := duplicates(table, KEYS):
        raise DatasetError(
            f"{path}: {len(twice)} attempts are there twice, first {twice[0]}; repeated runs need a column run_id"
        )
    table["template"] = [known[id].template for id in table["task_id"]]
    table["sites"] = ["+".join(known[id].sites) for id in table["task_id"]]
    return table[COLUMNS].sort_values(KEYS, ignore_index=True)


def _read(path: Path) -> pd.DataFrame:
    try:
        table = pd.read_csv(path, dtype=str, keep_default_na=False)
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


def _number(path: Path, table: pd.DataFrame, name: str) -> "pd.Series[float]":
    """Empty cells are unknown."""
    texts = table[name] if name in table.columns else pd.Series("", index=table.index)
    numbers = pd.to_numeric(texts, errors="coerce").astype(float)
    _refuse(path, table, numbers.isna() & (texts != ""), name, "is no number")
    return numbers


def _refuse(path: Path, table: pd.DataFrame, wrong: "pd.Series[bool]", name: str, why: str) -> None:
    if wrong.any():
        first = int(wrong.to_numpy().argmax())
        raise DatasetError(f"{path}, line {first + 2}: {name}={table[name].iloc[first]!r} {why}")
