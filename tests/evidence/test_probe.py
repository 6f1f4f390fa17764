"""Probes look and do not touch."""

import sqlite3
from pathlib import Path

import pytest

from webassay.core.task import Probe, Task
from webassay.errors import EnvironmentFault, TaskError
from webassay.evidence import probe
from webassay.evidence.probe import ask, check_probes


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "odd name?#.sqlite3"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (a, b)")
        connection.execute("INSERT INTO t VALUES (1, 'x'), (2, NULL)")
    return path


def task(sql: str, *params: str | int) -> Task:
    return Task("t", "", ("shop",), "template", (), probes={"p": Probe(sql, params)})


def test_rows_as_they_are(database: Path) -> None:
    assert ask(database, task("SELECT a, b FROM t WHERE a >= ? ORDER BY a", 1)) == {"p": [[1, "x"], [2, None]]}


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM t",
        "CREATE TABLE u (a)",
        "VACUUM INTO 'copy.db'",
        "ATTACH 'other.db' AS o",
        "PRAGMA writable_schema=1",
    ],
)
def test_a_probe_that_would_do_more_than_read_is_refused(
    database: Path, sql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(database.parent)
    before = database.read_bytes()
    with pytest.raises(EnvironmentFault, match=r"not authorized|authorization denied"):
        ask(database, task(sql))
    assert database.read_bytes() == before and list(database.parent.iterdir()) == [database]


def test_an_endless_probe_ends(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "MOST_SECONDS", 0.2)
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    with pytest.raises(EnvironmentFault, match="interrupted"):
        ask(database, task(endless))


@pytest.mark.parametrize("sql", ["SELEC 1", "SELECT c FROM t", "SELECT ? + ?"])
def test_a_mistake_in_a_probe_is_the_tasks(database: Path, sql: str) -> None:
    with pytest.raises(TaskError, match="task t, probe 'p'"):
        check_probes(database, [task(sql)])
