"""What a run that was made elsewhere brings along, and what it must not be taken for."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.webeval_runs import write_trajectory
from webassay.core.task import Task
from webassay.core.trajectory import Attempt
from webassay.systems.imported import Imported
from webassay.systems.ledger import Ledger

TASK = Task("t", "How many?", ("shop",), "count", ())
MADE = Attempt(
    "t", TASK.execution_digest, 2, "answered", environments={"shop": {"urls": ["http://shop/"]}},
    browser={"name": "chromium"}, site_errors=3, blocked=("ads.test",), model={"asked": "m"}, captchas={"solved": 1},
)  # fmt: skip


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = write_trajectory(tmp_path / "source", "t", "42")
    (folder / "attempt.json").write_bytes(msgspec.json.encode(MADE))
    (folder / "task_data.json").write_text('{"precomputed_rubric": {"items": []}}')
    return folder


def taken(source: Path, run: Path, task: Task) -> tuple[dict[str, Any], Path]:
    ledger = Ledger(run)
    Imported(str(source.parent)).take(task, ledger, {"sites": {}})
    return json.loads((ledger.home(task) / "attempt.json").read_text()), ledger.home(task)


def test_what_an_attempt_tells_comes_along(source: Path, tmp_path: Path) -> None:
    attempt, home = taken(source, tmp_path / "run", TASK)
    assert msgspec.convert(attempt, Attempt) == msgspec.structs.replace(MADE, attempt=0)
    assert json.loads((home / "source_task_data.json").read_text()) == {"precomputed_rubric": {"items": []}}
    assert json.loads((home / "task_data.json").read_text())["intent"] == "How many?"


def test_a_trajectory_of_another_wording_is_none_of_this_task(source: Path, tmp_path: Path) -> None:
    attempt, home = taken(source, tmp_path / "run", msgspec.structs.replace(TASK, intent="How few?"))
    assert attempt["outcome"] == "aborted" and attempt["reason"] == f"{source}: of another wording of the task"
    assert (home / "web_surfer.log").read_bytes() == b""
