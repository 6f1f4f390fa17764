"""Which tasks of a benchmark a run is about."""

from pathlib import Path
from typing import Any

from webassay.config.kinds import load_kind
from webassay.core.task import Task, unique
from webassay.errors import TaskError


def load_tasks(config: dict[str, Any], folder: Path) -> list[Task]:
    """The benchmark's tasks after `benchmark.select`, each checked against the environment's sites and accounts."""
    benchmark, environment = config["benchmark"], config["environment"]
    tasks = select(unique(load_kind(benchmark["kind"]).load(folder)), benchmark["select"])
    for task in tasks:
        for site in task.sites:
            if site not in environment["sites"]:
                raise TaskError(
                    f"task {task.task_id} needs the site {site!r}; environment {environment['name']!r} has "
                    f"{', '.join(environment['sites'])}"
                )
        if task.account is not None and task.account not in environment["accounts"]:
            raise TaskError(
                f"task {task.task_id} needs the account {task.account!r}; environment "
                f"{environment['name']!r} has {', '.join(environment['accounts']) or 'none'}"
            )
    return tasks


def select(tasks: list[Task], wanted: dict[str, Any]) -> list[Task]:
    """In the benchmark's order; a name that matches nothing is an error, not an empty run."""
    offered = {
        "tasks": {task.task_id for task in tasks},
        "templates": {task.template for task in tasks},
        "sites": {site for task in tasks for site in task.sites},
    }
    for key, known in offered.items():
        if unknown := set(wanted[key]) - known:
            raise TaskError(
                f"benchmark.select.{key}: {', '.join(sorted(unknown))} is not in the benchmark, which has "
                f"{', '.join(sorted(known)[:20])}{' …' if len(known) > 20 else ''}"
            )
    chosen = [task for task in tasks if _matches(task, wanted)]
    if wanted["limit"] is not None:
        chosen = chosen[: wanted["limit"]]
    if not chosen:
        raise TaskError("benchmark.select leaves no task")
    return chosen


def _matches(task: Task, wanted: dict[str, Any]) -> bool:
    return (
        (not wanted["tasks"] or task.task_id in wanted["tasks"])
        and (not wanted["templates"] or task.template in wanted["templates"])
        and (not wanted["sites"] or set(task.sites) <= set(wanted["sites"]))
    )
