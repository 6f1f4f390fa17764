"""What an attempt did to the whole database: two files compared, table by table, row by row, column by column.

Probes see what a task asks about; this sees everything else, so that a side effect cannot hide.
"""

import hashlib
import shutil
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from webassay.errors import EnvironmentFault

MOST_CHANGES = 10_000
"""More are as good as any number: nobody allows so many."""
LONGEST = 2_000
"""Characters of a value that are kept; a digest of the whole tells longer ones apart."""
PATIENCE = 10.0
"""Seconds to wait for a site that is still writing."""
TABLES = (
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    " AND sql NOT LIKE 'CREATE VIRTUAL%'"
)
"""Of a virtual table the ones that hold its rows are among them."""

Operation = Literal["insert", "update", "delete"]
Row = dict[str, Any]


class Change(msgspec.Struct, frozen=True):
    """One row that was made, changed or removed."""

    table: str
    op: Operation
    key: Any
    """Of the primary key: its value, or a list where it has several columns; the row's number where there is none."""
    before: Row | None = None
    after: Row | None = None
    """Of an update both hold only the columns that differ; bytes are written as hex digits."""


def snapshot(database: Path, copy: Path) -> None:
    """The database as it stands, for `changes_between` later on; nobody writes while it is copied."""
    with _reading(database):
        shutil.copyfile(database, copy)
        if (log := _log(database)).is_file():  # a site may keep its latest writes beside the file
            shutil.copyfile(log, _log(copy))


def changes_between(before: Path, after: Path, volatile: Collection[str] = ()) -> list[Change]:
    """All changes but those of volatile tables (`django_session`) and columns (`auth_user.last_login`), in order."""
    if _same_bytes(before, after):
        return []
    with _reading(before) as old, _reading(after) as new:
        tables = sorted((old.tables | new.tables) - set(volatile))
        found = [change for table in tables for change in _changed(table, old, new, volatile)]
    return sorted(found, key=_order)[:MOST_CHANGES]


@dataclass(frozen=True)
class _Side:
    """A database of the two, and the tables it has."""

    connection: sqlite3.Connection
    tables: frozenset[str]

    def content(self, table: str) -> list[tuple[Any, ...]]:
        """Undecoded, which is the quickest way to see that nothing changed, as in most tables of most tasks."""
        self.connection.text_factory = bytes
        return self.connection.execute(f"SELECT * FROM {_quoted(table)}").fetchall() if table in self.tables else []

    def rows(self, table: str, left_out: Collection[str]) -> dict[tuple[Any, ...], Row]:
        """By primary key, or where that may be null or there is none, by the numbers that SQLite gives to rows."""
        if table not in self.tables:
            return {}
        self.connection.text_factory = _text
        columns = self.connection.execute(f"PRAGMA table_info({_quoted(table)})").fetchall()
        names = [name for _, name, *_ in columns]
        by = _key_columns(columns) or ["rowid"]
        query = f"SELECT {', '.join([*by, *map(_quoted, names)])} FROM {_quoted(table)}"
        return {
            row[: len(by)]: {
                name: value for name, value in zip(names, row[len(by) :], strict=True) if name not in left_out
            }
            for row in self.connection.execute(query)
        }


def _key_columns(columns: Sequence[tuple[Any, ...]]) -> list[str]:
    keys = sorted(
        (number, name, required or kind.upper() == "INTEGER") for _, name, kind, required, _, number in columns
    )
    keys = [key for key in keys if key[0]]
    return [_quoted(name) for _, name, _ in keys] if all(never_null for *_, never_null in keys) else []


def _changed(table: str, old: _Side, new: _Side, volatile: Collection[str]) -> Iterator[Change]:
    if old.content(table) == new.content(table):
        return
    left_out = {column for name, _, column in (each.partition(".") for each in volatile) if name == table}
    before, after = old.rows(table, left_out), new.rows(table, left_out)
    for key in before.keys() - after.keys():
        yield Change(table, "delete", _key(key), _shown(before[key]), None)
    for key in after.keys() - before.keys():
        yield Change(table, "insert", _key(key), None, _shown(after[key]))
    for key in before.keys() & after.keys():
        was, now = before[key], after[key]
        if differing := [name for name in {**was, **now} if was.get(name) != now.get(name)]:
            sides = ({name: side.get(name) for name in differing} for side in (was, now))
            yield Change(table, "update", _key(key), *map(_shown, sides))


@contextmanager
def _reading(database: Path) -> Iterator[_Side]:
    """One consistent view of it, whoever else is at work."""
    try:
        with closing(sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True, timeout=PATIENCE)) as reader:
            reader.execute("BEGIN")
            tables = frozenset(name for (name,) in reader.execute(TABLES))
            if not tables:
                raise EnvironmentFault(f"{database}: the database has no tables")  # an emptied file looks like this
            yield _Side(reader, tables)
    except sqlite3.Error as error:
        raise EnvironmentFault(f"{database}: the database cannot be read ({error})") from None
    except OSError as error:
        raise EnvironmentFault(f"{database}: cannot be copied ({error.strerror or error})") from None


def _text(content: bytes) -> str:
    """SQLite does not look whether a text is one."""
    return content.decode("utf-8", "backslashreplace")


def _log(database: Path) -> Path:
    return database.with_name(database.name + "-wal")


def _same_bytes(before: Path, after: Path) -> bool:
    """So it is after most tasks, which only read; a log of writes beside the file would be missed, so there is none."""
    try:
        if any(_log(each).is_file() for each in (before, after)) or before.stat().st_size != after.stat().st_size:
            return False
        return before.read_bytes() == after.read_bytes()
    except OSError as error:
        raise EnvironmentFault(f"{error.filename}: the database cannot be read ({error.strerror})") from None


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _key(key: tuple[Any, ...]) -> Any:
    values = [_value(one) for one in key]
    return values[0] if len(values) == 1 else values


def _shown(row: Row) -> Row:
    return {name: _value(value) for name, value in row.items()}


def _value(value: Any) -> Any:
    text = value.hex() if isinstance(value, bytes) else value
    if not isinstance(text, str) or len(text) <= LONGEST:
        return text
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    return f"{text[:LONGEST]}… ({len(text)} characters, sha256 {digest})"


def _order(change: Change) -> tuple[str, str, int, float, str]:
    """Numbers by their size, before all else by its text."""
    is_number = isinstance(change.key, int | float)
    return change.table, change.op, not is_number, change.key if is_number else 0, str(change.key)
