"""Which tasks of a benchmark a run is about."""

from pathlib import Path
from typing import Any

from webassay.benchmarks.dataset import benchmark_dataset, ensure_dataset
from webassay.config.kinds import load_kind
from webassay.core.response import SPELLINGS
from webassay.core.task import Task, unique
from webassay.errors import TaskError


def benchmark_tasks(config: dict[str, Any]) -> list[Task]:
    """For those who come without the workflow: the dataset is fetched where it is not there yet."""
    folder = ensure_dataset(benchmark_dataset(config))
    return select(unique(load_kind(config["benchmark"]["kind"]).load(folder)), config["benchmark"]["select"])


def load_tasks(config: dict[str, Any], folder: Path) -> list[Task]:
    """The benchmark's tasks after `benchmark.select`, each checked against the environment's sites and accounts."""
    benchmark, environment = config["benchmark"], config["environment"]
    tasks = select(unique(load_kind(benchmark["kind"]).load(folder)), benchmark["select"])
    for task in tasks:
        _check(task, environment)
    return tasks


def _check(task: Task, environment: dict[str, Any]) -> None:
    """What the task needs of its environment is there."""
    name, sites, accounts = environment["name"], environment["sites"], environment["accounts"]
    for site in () if environment.get("any_site") else task.sites:
        if site not in sites:
            raise TaskError(f"task {task.task_id} needs the site {site!r}; environment {name!r} has {', '.join(sites)}")
    if task.account is not None and task.account not in accounts:
        known = ", ".join(accounts) or "none"
        raise TaskError(f"task {task.task_id} needs the account {task.account!r}; environment {name!r} has {known}")
    if task.account is not None and accounts[task.account]["site"] not in (None, *task.sites):
        raise TaskError(f"task {task.task_id}: its account {task.account!r} is not known on {', '.join(task.sites)}")
    placeholders = tuple(f"__{site.upper()}__" for site in task.sites)
    for url in () if environment.get("any_site") else task.start_urls:
        if not url.startswith(placeholders):
            raise TaskError(f"task {task.task_id}: start URL {url!r} must begin with {' or '.join(placeholders)}")


def select(tasks: list[Task], wanted: dict[str, Any]) -> list[Task]:
    """In the benchmark's order; a name that matches nothing is an error, not an empty run."""
    offered = {
        "tasks": {task.task_id for task in tasks},
        "templates": {task.template for task in tasks},
        "sites": {site for task in tasks for site in task.sites},
        "types": {kind for task in tasks if (kind := task_type(task))},
        "difficulties": {task.difficulty for task in tasks if task.difficulty},
    }
    for key, known in offered.items():
        if unknown := set(wanted[key]) - known:
            raise TaskError(
                f"benchmark.select.{key}: {', '.join(sorted(unknown))} is not in the benchmark, which has "
                f"{', '.join(sorted(known)[:20]) or 'none'}{' …' if len(known) > 20 else ''}"
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
        and (not wanted["types"] or task_type(task) in wanted["types"])
        and (not wanted["difficulties"] or task.difficulty in wanted["difficulties"])
    )


def task_type(task: Task) -> str | None:
    """retrieve, mutate or navigate, as the expected response says; None where no evaluator expects a response."""
    for entry in task.eval:
        expected = entry.get("expected")
        if entry.get("evaluator") == "AgentResponseEvaluator" and isinstance(expected, dict):
            named = [value for key, value in expected.items() if SPELLINGS.get(key, key) == "action"]
            return str(named[0]).lower() if named else None
    return None
