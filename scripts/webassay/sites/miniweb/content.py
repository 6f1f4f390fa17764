"""What a site's database says, apart from how SQLite stores it."""

import hashlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from webassay.core.digest import canonical_json
from webassay.errors import DatasetError

VOLATILE = ("django_session", "django_migrations")


def content_digest(database: Path) -> str:
    """sha256 over all rows of all tables in canonical order; file bytes would depend on SQLite's version."""
    summary = hashlib.sha256()
    for line in content(database):
        summary.update(line + b"\n")
    return summary.hexdigest()


def content(database: Path) -> Iterator[bytes]:
    """Canonical JSON: a line with the name of each table, then its rows, columns by name, sorted."""
    if not database.is_file():
        raise DatasetError(f"{database}: no such database; build it with `python -m webassay.sites.miniweb build`")
    connection = sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)
    try:
        connection.row_factory = sqlite3.Row
        for table in tables(connection):
            yield canonical_json(table)
            rows = connection.execute(f'SELECT * FROM "{table}"')
            yield from sorted(canonical_json({name: plain(row[name]) for name in row.keys()}) for row in rows)  # noqa: SIM118
    finally:
        connection.close()


def tables(connection: sqlite3.Connection) -> list[str]:
    names = (row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'"))
    return sorted(name for name in names if name not in VOLATILE and not name.startswith("sqlite_"))


def plain(value: Any) -> Any:
    return value.hex() if isinstance(value, bytes) else value
