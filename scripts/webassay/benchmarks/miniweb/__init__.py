"""Tasks over the sites in the box; every answer is asked of the seeded database, none is typed in."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from webassay.benchmarks.miniweb import admin, desk, forum, several, shop, wiki
from webassay.core.task import Task, unique
from webassay.errors import TaskError

VERSION = 2

SITES = (shop, admin, forum, wiki, desk, several)


def load(data: Path) -> list[Task]:
    """The tasks of a site that `python -m webassay.sites.miniweb build --out DATA` wrote."""
    path = data / "site.sqlite3"
    if not path.is_file():
        command = f"python -m webassay.sites.miniweb build --out {data}"
        raise TaskError(f"{path}: no such database; build it with `{command}`")
    database = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    try:
        return unique(tasks(database))
    except sqlite3.DatabaseError as error:
        raise TaskError(f"{path}: not a miniweb database ({error}); build it again") from None
    finally:
        database.close()


def tasks(database: sqlite3.Connection) -> Iterator[Task]:
    for site in SITES:
        for make in site.TASKS:
            yield from make(database)
