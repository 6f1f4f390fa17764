"""Records as checkouts have them, and where their applications may lie."""

import json
from pathlib import Path
from typing import Any

import pytest

from webassay.benchmarks.webarena_infinity import load
from webassay.config.checkout import applications
from webassay.errors import ConfigError, TaskError

RECORD = {"id": "task_e1", "difficulty": "easy", "instruction": "Do it.", "verify": "real-tasks/task_e1.py"}


def loaded(folder: Path, record: dict[str, Any], mark: bytes = b"") -> Any:
    (folder / "todo").mkdir()
    (folder / "todo" / "real-tasks.json").write_bytes(mark + json.dumps([record]).encode())
    return load(folder)[0]


@pytest.mark.parametrize(
    "change, name, difficulty",
    [
        ({}, "todo-real-task_e1", "easy"),
        ({"id": 3}, "todo-real-3", "easy"),
        ({"difficulty": 2}, "todo-real-task_e1", "2"),
        ({"difficulty": None}, "todo-real-task_e1", None),
        ({"verify": "./real-tasks/task_e1.py"}, "todo-real-task_e1", "easy"),
        ({"tags": [1]}, "todo-real-task_e1", "easy"),
    ],
)
def test_records_are_taken_as_they_come(tmp_path: Path, change: dict[str, Any], name: str, difficulty: str) -> None:
    task = loaded(tmp_path, RECORD | change, b"\xef\xbb\xbf")
    assert (task.task_id, task.difficulty, task.eval[0]["verify"]) == (name, difficulty, "real-tasks/task_e1.py")


def test_an_id_that_names_no_folder_still_tells_its_task_apart(tmp_path: Path) -> None:
    assert loaded(tmp_path, RECORD | {"id": "task e/1"}).task_id.startswith("todo-real-task_e_1-")


@pytest.mark.parametrize(
    "change",
    [{"verify": "../x.py"}, {"verify": "/x.py"}, {"verify": 3}, {"id": None}, {"id": True}, {"id": ""}],
)
def test_what_is_no_task_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    with pytest.raises(TaskError, match=r"real-tasks\.json, record 1"):
        loaded(tmp_path, RECORD | change)


@pytest.mark.parametrize(
    "given, root, names",
    [
        ("", "apps", ["a", "b"]),
        ("apps", "apps", ["a", "b"]),
        ("apps/a", "apps", ["a"]),
        ("grouped", "grouped/apps/office", ["c"]),
        ("deep", "deep/x/y", ["d"]),
    ],
)
def test_applications_are_found_where_they_lie(tmp_path: Path, given: str, root: str, names: list[str]) -> None:
    for folder in ("apps/a", "apps/b", "grouped/apps/office/c", "deep/x/y/d"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "server.py").touch()
    assert applications(str(tmp_path / given), "server.py", []) == (tmp_path / root, names)


def test_what_lies_there_instead_is_named(tmp_path: Path) -> None:
    for folder in ("one/a", "two/b"):
        (tmp_path / "apps" / folder).mkdir(parents=True)
    with pytest.raises(ConfigError, match=r"no folder with a server.py there; .*apps: one, two\)"):
        applications(str(tmp_path), "server.py", [])
    for folder in ("one/a", "two/b"):
        (tmp_path / "apps" / folder / "server.py").touch()
    with pytest.raises(ConfigError, match=r"give one of .*apps/one, .*apps/two"):
        applications(str(tmp_path), "server.py", [])
