"""Putting an attempt in place can be cut at any rename; the next one to look finishes it."""

import os
from pathlib import Path

import pytest

from webassay.core.processes import exclusive
from webassay.core.task import Task
from webassay.core.trajectory import Attempt, FinalAnswer, Outcome, write_end
from webassay.errors import BusyError, TrajectoryError
from webassay.systems.ledger import Ledger

TASK = Task("t", "Do it.", ("shop",), "template", ())


def finish(ledger: Ledger, number: int, outcome: Outcome = "aborted", task: Task = TASK) -> None:
    folder = ledger.workplace(task)
    folder.mkdir(parents=True)
    write_end(folder, FinalAnswer(), Attempt("t", task.execution_digest, number, outcome), 0, 0)


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path)


def test_earlier_attempts_are_kept_under_their_number(ledger: Ledger) -> None:
    for number in range(3):
        finish(ledger, number)
        ledger.place(TASK)
    found = ledger.attempt(TASK)
    assert found is not None and found.attempt == 2
    assert sorted(path.name for path in (ledger.home(TASK) / "attempts").iterdir()) == ["0", "1"]


@pytest.mark.parametrize("cut", range(4))
def test_a_placing_cut_short_is_finished_by_the_next_look(
    ledger: Ledger, cut: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(2):
        finish(ledger, number)
        ledger.place(TASK)
    finish(ledger, 2)
    left, rename = [cut], os.rename

    def rename_until_cut(source: Path, target: Path) -> None:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        rename(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", rename_until_cut)
        if cut < 3:
            with pytest.raises(KeyboardInterrupt):
                ledger.place(TASK)
        else:
            ledger.place(TASK)
    found = ledger.attempt(TASK)
    assert found is not None and found.attempt == 2
    assert sorted(path.name for path in (ledger.home(TASK) / "attempts").iterdir()) == ["0", "1"]


def test_a_living_worker_is_not_disturbed(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its lock is held: looking from elsewhere neither removes its folder nor waits for ever."""
    monkeypatch.setattr("webassay.systems.ledger.exclusive", lambda path: exclusive(path, patience=0.1))
    ledger.workplace(TASK).mkdir(parents=True)
    with ledger.lock("t"), pytest.raises(BusyError):
        ledger.attempt(TASK)
    assert ledger.workplace(TASK).exists()


def test_an_attempt_in_flight_leaves_nothing(ledger: Ledger) -> None:
    ledger.workplace(TASK).mkdir(parents=True)
    (ledger.workplace(TASK) / "web_surfer.log").touch()
    assert ledger.attempt(TASK) is None
    assert not ledger.workplace(TASK).exists()


def test_another_wording_is_set_aside_and_comes_back(ledger: Ledger) -> None:
    other = Task("t", "Do it now.", ("shop",), "template", ())
    finish(ledger, 0, "answered")
    ledger.place(TASK)
    assert ledger.attempt(other) is None
    finish(ledger, 0, "over_budget", other)
    ledger.place(other)
    found = ledger.attempt(TASK)
    assert found is not None and found.outcome == "answered"
    again = ledger.attempt(other)
    assert again is not None and again.outcome == "over_budget"


def test_a_folder_that_is_not_ours_is_neither_used_nor_removed(ledger: Ledger) -> None:
    ledger.home(TASK).mkdir(parents=True)
    (ledger.home(TASK) / "notes.txt").write_text("mine")
    with pytest.raises(TrajectoryError, match="not a trajectory of webassay"):
        ledger.attempt(TASK)
    assert (ledger.home(TASK) / "notes.txt").exists()
