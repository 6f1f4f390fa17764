"""Two databases compared: what is told, in which order, and what is no change."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from webassay.core.files import read_json, write_json
from webassay.errors import EnvironmentFault
from webassay.evidence import changes
from webassay.evidence.changes import Change, changes_between, snapshot

SCHEMA = """
CREATE TABLE product (id INTEGER PRIMARY KEY, title TEXT COLLATE NOCASE, stock INTEGER, picture BLOB);
CREATE TABLE session (key TEXT NOT NULL PRIMARY KEY, data TEXT);
CREATE TABLE tag (product INTEGER NOT NULL, name TEXT NOT NULL, weight REAL, PRIMARY KEY (product, name));
CREATE TABLE note (text TEXT);
CREATE TABLE loose (code TEXT PRIMARY KEY, text TEXT);
INSERT INTO product VALUES (1, 'Tent', 5, x'00ff'), (2, 'Stove', 3, NULL), (10, 'Mug', 8, NULL);
INSERT INTO session VALUES ('abc', 'anonymous');
INSERT INTO tag VALUES (1, 'camp', 1.0), (2, 'cook', 2.0);
INSERT INTO note VALUES ('first'), ('second');
INSERT INTO loose VALUES (NULL, 'one'), (NULL, 'two');
"""


def write(database: Path, sql: str) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(sql)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    write(tmp_path / "site.sqlite3", SCHEMA)
    return tmp_path / "site.sqlite3"


def changed(database: Path, sql: str, volatile: tuple[str, ...] = ()) -> list[Change]:
    before = database.with_name("before.sqlite3")
    snapshot(database, before)
    write(database, sql)
    return changes_between(before, database, volatile)


@pytest.mark.parametrize(
    "sql, table, op, key, before, after",
    [
        ("UPDATE product SET stock = 4 WHERE id = 1", "product", "update", 1, {"stock": 5}, {"stock": 4}),
        (
            "UPDATE product SET title = 'tent' WHERE id = 1",
            "product",
            "update",
            1,
            {"title": "Tent"},
            {"title": "tent"},
        ),
        (
            "UPDATE product SET picture = NULL WHERE id = 1",
            "product",
            "update",
            1,
            {"picture": "00ff"},
            {"picture": None},
        ),
        ("INSERT INTO note VALUES ('third')", "note", "insert", 3, None, {"text": "third"}),
        ("DELETE FROM note WHERE text = 'first'", "note", "delete", 1, {"text": "first"}, None),
        ("UPDATE tag SET weight = 3 WHERE product = 2", "tag", "update", [2, "cook"], {"weight": 2.0}, {"weight": 3.0}),
        (
            "INSERT OR REPLACE INTO session VALUES ('abc', 'x')",
            "session",
            "update",
            "abc",
            {"data": "anonymous"},
            {"data": "x"},
        ),
        ("UPDATE loose SET text = '2' WHERE text = 'two'", "loose", "update", 2, {"text": "two"}, {"text": "2"}),
        ("CREATE TABLE made (a); INSERT INTO made VALUES (x'61')", "made", "insert", 1, None, {"a": "61"}),
        (
            "DROP TABLE note; CREATE TABLE note (words TEXT); INSERT INTO note VALUES ('second'), ('x')",
            "note",
            "update",
            1,
            {"text": "first", "words": None},
            {"text": None, "words": "second"},
        ),
    ],
)
def test_a_change_is_told_by_table_key_and_columns(
    database: Path, sql: str, table: str, op: str, key: Any, before: Any, after: Any
) -> None:
    assert changed(database, sql)[0] == Change(table, op, key, before, after)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1",
        "UPDATE product SET stock = stock + 0",
        "BEGIN; UPDATE product SET stock = 9; ROLLBACK",
        "DELETE FROM tag WHERE product = 2; INSERT INTO tag VALUES (2, 'cook', 2.0)",
        "CREATE INDEX by_title ON product (title); VACUUM",
        "CREATE TABLE empty (a)",
    ],
)
def test_what_changes_no_row_is_no_change(database: Path, sql: str) -> None:
    assert changed(database, sql) == []


@pytest.mark.parametrize(
    "volatile, tables",
    [
        ((), ["product", "session"]),
        (("session",), ["product"]),
        (("product.stock",), ["session"]),
        (("session.data", "product.stock"), []),
        (("product.title", "tag"), ["product", "session"]),
    ],
)
def test_volatile_tables_and_columns_are_left_out(database: Path, volatile: tuple[str, ...], tables: list[str]) -> None:
    sql = "UPDATE product SET stock = 1 WHERE id = 2; UPDATE session SET data = 'emma'"
    assert [change.table for change in changed(database, sql, volatile)] == tables


def test_a_volatile_column_is_left_out_of_new_rows_too(database: Path) -> None:
    (found,) = changed(database, "INSERT INTO product VALUES (3, 'Rope', 1, x'01')", ("product.picture",))
    assert found.after == {"id": 3, "title": "Rope", "stock": 1}


def test_changes_come_in_order_of_table_operation_and_key(database: Path) -> None:
    sql = "UPDATE product SET stock = 0; DELETE FROM tag; INSERT INTO product VALUES (3, '', 0, NULL)"
    found = [(change.table, change.op, change.key) for change in changed(database, sql)]
    updates = [("product", "update", key) for key in (1, 2, 10)]
    assert found == [
        ("product", "insert", 3),
        *updates,
        ("tag", "delete", [1, "camp"]),
        ("tag", "delete", [2, "cook"]),
    ]


def test_long_values_are_cut_but_still_told_apart(database: Path) -> None:
    write(database, f"UPDATE note SET text = '{'x' * 5000}a' WHERE rowid = 1")
    (found,) = changed(database, f"UPDATE note SET text = '{'x' * 5000}b' WHERE rowid = 1")
    assert found.before != found.after and found.after is not None and len(found.after["text"]) < 2100


def test_what_is_no_text_and_no_json_number_can_be_written_down(database: Path, tmp_path: Path) -> None:
    found = changed(database, "INSERT INTO note VALUES (CAST(x'80ff' AS TEXT)); UPDATE tag SET weight = 9e999")
    write_json(tmp_path / "state.json", found)
    assert read_json(tmp_path / "state.json")[0]["after"] == {"text": "\\x80\\xff"}


def test_more_changes_than_anybody_allows_are_cut_short(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "MOST_CHANGES", 3)
    assert [change.table for change in changed(database, "UPDATE product SET stock = 0; DELETE FROM tag")] == [
        "product"
    ] * 3


def test_writes_that_lie_in_a_log_beside_the_file_are_seen(database: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(database)) as site:
        site.execute("PRAGMA journal_mode = WAL")
        site.execute("UPDATE product SET stock = 1 WHERE id = 1")
        site.commit()
        snapshot(database, tmp_path / "before.sqlite3")
        site.execute("UPDATE product SET stock = 2 WHERE id = 1")
        site.commit()
        (found,) = changes_between(tmp_path / "before.sqlite3", database)
        assert (found.before, found.after) == ({"stock": 1}, {"stock": 2})


def test_a_locked_database_is_the_surroundings_fault(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "PATIENCE", 0.1)
    snapshot(database, tmp_path / "before.sqlite3")
    write(database, "UPDATE product SET stock = 0")
    with closing(sqlite3.connect(database, isolation_level=None)) as site:
        site.execute("BEGIN EXCLUSIVE")
        for compare in (
            lambda: snapshot(database, tmp_path / "x"),
            lambda: changes_between(tmp_path / "before.sqlite3", database),
        ):
            with pytest.raises(EnvironmentFault, match=r"site\.sqlite3: .*locked"):
                compare()


@pytest.mark.parametrize("content", [b"", b"no database at all" * 300, b"SQLite format 3\x00" + b"\xff" * 8000])
def test_a_broken_database_is_the_surroundings_fault(database: Path, tmp_path: Path, content: bytes) -> None:
    snapshot(database, tmp_path / "before.sqlite3")
    database.write_bytes(content)
    with pytest.raises(EnvironmentFault, match=r"site\.sqlite3"):
        snapshot(database, tmp_path / "other")
    with pytest.raises(EnvironmentFault, match=r"site\.sqlite3"):
        changes_between(tmp_path / "before.sqlite3", database)


def test_a_page_that_was_overwritten_is_noticed(database: Path, tmp_path: Path) -> None:
    snapshot(database, tmp_path / "before.sqlite3")
    content = bytearray(database.read_bytes())
    content[4096:8192] = b"\xff" * 4096
    database.write_bytes(content)
    with pytest.raises(EnvironmentFault, match=r"site\.sqlite3: .*malformed"):
        changes_between(tmp_path / "before.sqlite3", database)


@pytest.mark.parametrize("missing", ["before.sqlite3", "site.sqlite3"])
def test_a_missing_database_is_the_surroundings_fault(database: Path, tmp_path: Path, missing: str) -> None:
    snapshot(database, tmp_path / "before.sqlite3")
    (tmp_path / missing).unlink()
    with pytest.raises(EnvironmentFault, match=missing):
        changes_between(tmp_path / "before.sqlite3", database)
