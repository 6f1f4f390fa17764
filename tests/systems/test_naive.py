"""What the agents say that look at nothing."""

import json
from pathlib import Path
from typing import Any, cast

import pytest

from webassay.config.experiment import plan_experiment
from webassay.config.kinds import build_system
from webassay.core.response import Response, parse_response
from webassay.core.task import Task
from webassay.systems.session import Session

NOBODY = cast(Session, None)
"""They touch no session at all."""


def task(intent: str, task_id: str = "t1") -> Task:
    return Task(task_id, intent, ("shop",), "t", ())


def say(name: str, intent: str, task_id: str = "t1") -> str:
    config = plan_experiment("single", f"system={name}").runs[0].config
    answer: str = build_system(config).solve(task(intent, task_id), NOBODY)
    return answer


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "name, intent, results",
    [
        ("naive_yes", "Is it 5?", ["yes"]),
        ("naive_no", "Is it 5?", ["no"]),
        ("naive_yes_no", "Is it 5?", ["yes/no"]),
        ("naive_zero", "Is it 5?", ["0"]),
        ("naive_echo", "Is it 5?", ["Is it 5?"]),
        ("naive_numbers", "Orders 12 and 345 of v1.5?", ["12 345 1 5"]),
        ("naive_numbers", "How many?", ["0"]),
        ("naive_na", "Is it 5?", None),
    ],
)
def test_an_answer_is_wrong_in_nothing_but_its_content(name: str, intent: str, results: list[Any] | None) -> None:
    given = parse_response(say(name, intent))
    assert isinstance(given, Response) and (given.action, given.results) == ("retrieve", results)
    assert (given.status == "SUCCESS") == (results is not None)


def test_nothing_at_all_is_an_answer_too() -> None:
    assert say("naive_empty", "Is it 5?") == ""


def test_random_answers_are_of_every_kind_and_the_same_again_for_the_same_seed() -> None:
    first, again, other = (
        [json.loads(say(name, "?", f"t{n}"))["results"][0] for n in range(12)]
        for name in ("naive_random", "naive_random", "naive_random system.seed=1")
    )
    assert first == again != other
    assert any(text.isdigit() for text in first) and {"yes", "no"} & set(first)
    assert any(text[0].isupper() for text in first)
