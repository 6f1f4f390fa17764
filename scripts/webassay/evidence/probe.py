"""Asking a site's database what the agent did to it: read-only in fact, not by promise."""

import sqlite3
import time
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from webassay.core.task import Probe, Task
from webassay.errors import EnvironmentFault, TaskError

READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
MOST_SECONDS = 10.0

Answers = dict[str, list[list[Any]]]


def ask(database: Path, task: Task) -> Answers:
    """The rows that each of the task's probes sees; ATTACH, VACUUM INTO and the like are refused."""
    if not database.is_file():
        raise EnvironmentFault(f"{database}: no such database")
    with closing(sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True, timeout=10)) as connection:
        deadline = time.monotonic() + MOST_SECONDS
        connection.set_authorizer(lambda action, *_: sqlite3.SQLITE_OK if action in READING else sqlite3.SQLITE_DENY)
        connection.set_progress_handler(lambda: time.monotonic() > deadline, 10_000)
        return {name: _rows(connection, task, name) for name in task.probes}


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
        return [list(row) for row in connection.execute(probe.sql, probe.params)]
    except sqlite3.Error as error:
        raise EnvironmentFault(f"task {task.task_id}, probe {name!r}: {error}") from None
