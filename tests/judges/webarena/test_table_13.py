"""Table 13 of the WebArena Verified paper: answers without a look at any page, before the original harness."""

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.judges.webarena.recorded import trajectory, unread
from tests.released import released
from webassay.benchmarks import webarena
from webassay.benchmarks.webarena_verified_hard import MEMBER
from webassay.core.task import Task
from webassay.judges.webarena import WebArena
from webassay.systems.naive import Constant, Echo, Numbers

ROWS: dict[str, tuple[Callable[[Task], str], int, int]] = {
    "na": (lambda task: "N/A", 36, 9),
    "yes": (lambda task: "Yes", 5, 0),
    "yes_no": (lambda task: "Yes/No", 5, 0),
    "zero": (lambda task: "0", 15, 2),
    "numbers_only": (lambda task: " ".join(re.findall(r"\d+", task.intent)) or "0", 11, 2),
    "empty": (lambda task: "", 0, 0),
    "no": (lambda task: "No", 0, 0),
    "echo_intent": (lambda task: task.intent, 0, 0),
}
STRUCTURED = {
    "na": Constant("N/A", "NOT_FOUND_ERROR"),
    "yes": Constant("yes"),
    "yes_no": Constant("yes/no"),
    "zero": Constant("0"),
    "numbers_only": Numbers(),
    "empty": Constant(""),
    "no": Constant("no"),
    "echo_intent": Echo(),
}
"""The same rows as systems of this package, which answer in the verified form."""


@cache
def hard() -> frozenset[str]:
    return frozenset(map(str, json.loads((released() / MEMBER).read_text())["task_ids"]))


@cache
def tasks() -> list[Task]:
    return webarena.load(released())


def passed(answer: Callable[[Task], str], folder: Path) -> set[str]:
    judge = WebArena()
    return {
        task.task_id
        for task in tasks()
        if judge.judge(task, trajectory(folder, task, answer(task), unread(task))).score == 1
    }


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    return {name: passed(answer, tmp_path_factory.mktemp(name)) for name, (answer, _, _) in ROWS.items()}


def test_counts_on_all_tasks(outcomes: dict[str, set[str]]) -> None:
    assert {name: len(ids) for name, ids in outcomes.items()} == {name: count for name, (_, count, _) in ROWS.items()}
    assert len(set().union(*outcomes.values())) == 60


def test_counts_on_the_hard_ones(outcomes: dict[str, set[str]]) -> None:
    found = {name: ids & hard() for name, ids in outcomes.items()}
    assert {name: len(ids) for name, ids in found.items()} == {name: count for name, (_, _, count) in ROWS.items()}
    assert found["na"] == {"166", "191", "235", "301", "491", "791", "795", "797", "798"}
    assert found["numbers_only"] == found["zero"] == {"28", "31"}
    assert len(set().union(*found.values())) == 11


def test_structured_answers_pass_the_same_tasks(outcomes: dict[str, set[str]], tmp_path: Path) -> None:
    for name, system in STRUCTURED.items():
        assert passed(lambda task: system.solve(task, None), tmp_path / name) == outcomes[name]  # type: ignore[arg-type] # noqa: B023
