"""Outcomes of agents on tasks, checked, and pooled for the hardness model."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from webassay.core.task import Task
from webassay.errors import WebassayError


@dataclass(frozen=True)
class Pool:
    """One attempt of each agent at each task that the model is about."""

    tasks: pd.DataFrame
    """task_id, site, template, category; in the order of the ids."""
    attempts: pd.DataFrame
    """agent, task (row of `tasks`), success (0 or 1), steps (from 1 to the budget), exhausted."""
    several_sites: tuple[str, ...]
    """Tasks left out of the model because they cross sites."""
    left_out: dict[str, int]
    """Outcomes that were given and are not in `attempts`, counted by reason."""
    source: str = ""
    """Where they come from, for the record."""

    @property
    def agents(self) -> list[str]:
        return sorted(self.attempts["agent"].unique())


def read_categories(path: Path) -> dict[str, str]:
    """A user's own grouping of the tasks: task_id,category."""
    try:
        table = pd.read_csv(path, dtype="str", keep_default_na=False, encoding="utf-8-sig")
        pairs = list(zip(table["task_id"].str.strip(), table["category"].str.strip(), strict=True))
    except (OSError, ValueError, pd.errors.ParserError, KeyError) as error:
        raise WebassayError(f"{path}: expected a CSV with the columns task_id and category ({error})") from None
    for task_id, count in Counter(task_id for task_id, _ in pairs).items():
        if count > 1:
            raise WebassayError(f"{path}: task {task_id!r} stands there {count} times")
    for task_id, category in pairs:
        if not task_id or not category:
            raise WebassayError(f"{path}: a line without task_id or category (task_id={task_id!r})")
    return dict(pairs)


def by_number(task_id: str) -> tuple[int, int, str]:
    """Ids that are numbers first and in their order: 9 before 10."""
    plain = task_id.isascii() and task_id.isdigit()
    return (0, int(task_id), task_id) if plain else (1, 0, task_id)


def pool_attempts(
    outcomes: pd.DataFrame,
    tasks: Sequence[Task],
    categories: Mapping[str, str],
    budget: int,
    excluded_sites: Sequence[str] = (),
) -> Pool:
    """Single-site tasks with at least one attempt that is judged and whose number of steps is known.

    `outcomes`: agent, task_id, success, num_steps, budget, and run_id where an agent has several runs. Success is
    coerced: a score of 1 or more is 1, any other 0. Of several attempts of an agent at a task the first counts, runs in
    the order of their ids. Without categories of the user's the template is the category.
    """
    known = {task.task_id: task for task in tasks}
    _check_known(outcomes, known, categories)
    several = {task.task_id for task in tasks if len(task.sites) > 1}
    excluded = {task.task_id for task in tasks if task.task_id not in several and set(task.sites) & set(excluded_sites)}
    rows, left_out = _usable(_in_order(outcomes), several, excluded)
    ids = sorted(rows["task_id"].unique(), key=by_number)
    table = pd.DataFrame(
        {
            "task_id": ids,
            "site": [known[name].sites[0] for name in ids],
            "template": [known[name].template for name in ids],
            "category": [categories.get(name, "") if categories else known[name].template for name in ids],
        },
        dtype="str",
    )
    if uncovered := table.loc[table["category"] == "", "task_id"].tolist():
        raise WebassayError(f"analysis.subset.categories: {len(uncovered)} tasks have no category: {_some(uncovered)}")
    return Pool(table, _attempts(rows, ids, budget), tuple(sorted(several, key=by_number)), left_out)


def _in_order(outcomes: pd.DataFrame) -> pd.DataFrame:
    if "run_id" not in outcomes:
        return outcomes
    names = outcomes["run_id"].tolist()
    return outcomes.iloc[sorted(range(len(names)), key=lambda place: by_number(names[place]))]


def _check_known(outcomes: pd.DataFrame, known: Mapping[str, Task], categories: Mapping[str, str]) -> None:
    for what, ids in (("outcomes", set(outcomes["task_id"])), ("categories", set(categories))):
        if unknown := ids - known.keys():
            raise WebassayError(
                f"{what} name {len(unknown)} tasks that the benchmark has not: {_some(unknown)}; "
                "is benchmark= the one that they are about?"
            )


def _some(ids: "set[str] | list[str]") -> str:
    return ", ".join(sorted(ids, key=by_number)[:10]) + (" …" if len(ids) > 10 else "")


def _usable(outcomes: pd.DataFrame, several: set[str], excluded: set[str]) -> tuple[pd.DataFrame, dict[str, int]]:
    """What is left after each reason in turn, and how many it took."""
    reasons: dict[str, Callable[[pd.DataFrame], pd.Series[bool]]] = {
        "of tasks on several sites": lambda rows: rows["task_id"].isin(several),
        "of tasks on excluded sites": lambda rows: rows["task_id"].isin(excluded),
        "not judged": lambda rows: rows["success"].isna(),
        "without a number of steps": lambda rows: rows["num_steps"].isna(),
        "of an agent that had attempted the task before": lambda rows: rows.duplicated(["agent", "task_id"]),
    }
    left_out = {}
    rows = outcomes
    for reason, applies in reasons.items():
        found = applies(rows)
        left_out[reason] = int(found.sum())
        rows = rows[~found]
    if rows.empty:
        told = ", ".join(f"{count} {reason}" for reason, count in left_out.items() if count) or "none was given"
        raise WebassayError(f"no outcome is left to learn hardness from: {told}")
    return rows, left_out


def _attempts(rows: pd.DataFrame, ids: list[str], budget: int) -> pd.DataFrame:
    own_budget = rows["budget"].fillna(budget).clip(upper=budget)
    success = (rows["success"] >= 1).astype("int64")
    table = pd.DataFrame(
        {
            "agent": rows["agent"],
            "task": rows["task_id"].map({name: number for number, name in enumerate(ids)}),
            "success": success,
            "steps": np.floor(rows["num_steps"].clip(1, budget)).astype("int64"),
            "exhausted": (success == 0) & (rows["num_steps"] >= own_budget),
        }
    )
    return table.sort_values(["task", "agent"], ignore_index=True)
