"""Asking a site what the agent did to it, by its database or its REST API: read-only in fact, not by promise."""

import sqlite3
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from webassay.core.task import Probe, Task
from webassay.errors import EnvironmentFault, TaskError
from webassay.evidence.fields import by_path

READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
MOST_SECONDS = 10.0
MOST_ROWS = 10_000

Answers = dict[str, list[list[Any]]]
Get = Callable[[str, str], bytes]


def ask(database: Path, task: Task) -> Answers:
    """The rows that each of the task's SQL probes sees; ATTACH, VACUUM INTO and the like are refused."""
    asked = [name for name, probe in task.probes.items() if probe.sql is not None]
    if not asked:
        return {}
    if not database.is_file():
        raise EnvironmentFault(f"{database}: no such database")
    with closing(sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True, timeout=10)) as connection:
        deadline = time.monotonic() + MOST_SECONDS
        connection.set_authorizer(lambda action, *_: sqlite3.SQLITE_OK if action in READING else sqlite3.SQLITE_DENY)
        connection.set_progress_handler(lambda: time.monotonic() > deadline, 10_000)
        return {name: _rows(connection, task, name) for name in asked}


def ask_rest(task: Task, get: Get) -> Answers:
    """The same for probes of JSON over HTTP; `get` asks a site for a path and only reads."""
    asked = {name: probe for name, probe in task.probes.items() if probe.path is not None}
    return {name: _cells(probe, get(probe.site or "", probe.path or ""), task, name) for name, probe in asked.items()}


def _cells(probe: Probe, content: bytes, task: Task, name: str) -> list[list[Any]]:
    """What a column finds nothing for is null; what is no single value is its JSON."""
    try:
        document = msgspec.json.decode(content)
        rows = by_path(document, probe.rows)
        return [[_cell(by_path(row, column)) for column in probe.columns] for row in rows[:MOST_ROWS]]
    except (ValueError, TypeError, RecursionError) as error:
        raise EnvironmentFault(f"task {task.task_id}, probe {name!r}: {probe.path} is no JSON ({error})") from None


def _cell(found: list[Any]) -> Any:
    value = found[0] if len(found) == 1 else found or None
    return msgspec.json.encode(value).decode() if isinstance(value, list | dict) else value


def check_probes(database: Path, tasks: Iterable[Task]) -> None:
    """A probe that fails on the seeded database is a mistake of the task, told before any agent has run."""
    checked: set[frozenset[tuple[str, Probe]]] = set()
    for task in tasks:
        probes = frozenset(task.probes.items())
        if probes not in checked:  # many tasks share theirs
            checked.add(probes)
            try:
                ask(database, task)
            except EnvironmentFault as error:
                raise TaskError(str(error)) from None


def _rows(connection: sqlite3.Connection, task: Task, name: str) -> list[list[Any]]:
    probe = task.probes[name]
    try:
        return [list(row) for row in connection.execute(probe.sql or "", probe.params)]
    except sqlite3.Error as error:
        raise EnvironmentFault(f"task {task.task_id}, probe {name!r}: {error}") from None
