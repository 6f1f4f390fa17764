"""The text agent in the real browser on a real shop, driven by replies that a test has written down."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.llm.scripted import Said, completion, scripted
from tests.systems.surroundings import Stage, stage
from webassay.config.experiment import plan_experiment
from webassay.core.task import Task
from webassay.core.trajectory import Trajectory
from webassay.systems.acting import BadReply
from webassay.systems.runner import Ending
from webassay.systems.text_agent.page import Element, View
from webassay.systems.text_agent.replies import Answer, Click, read_reply, reply_form

ANSWER = {"thought": "Seen", "action": "answer", "task": "retrieve", "status": "SUCCESS", "results": ["129.00"]}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """Planning keeps a cache under results/ of the current folder."""
    before = Path.cwd()
    os.chdir(tmp_path_factory.mktemp("cwd"))
    with stage(tmp_path_factory.mktemp("stage")) as ready:
        yield ready
    os.chdir(before)


def task_of(shop: Stage, template: str) -> Task:
    return next(task for task in shop.tasks if task.template == template)


def run(shop: Stage, said: list[Any], template: str, folder: Path, *overrides: str) -> tuple[Ending, list[str]]:
    """How it ended, and what the model was shown at each turn; the last reply is repeated."""
    waiting = [each if isinstance(each, str) else json.dumps(each) for each in said]

    def reply(request: dict[str, Any]) -> Said:
        text = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        shown = request["messages"][-1]["content"]
        # as a model would: it names what it sees by its label, and the test need not know the number
        numbered = re.sub(r"<(.+?)>", lambda label: str(number(shown, label[1])), text)
        return completion(numbered)

    with scripted(reply) as server:
        chosen = f"model=gpt-4o model.endpoints=[{server.url}] model.api_key_env=null model.retries=0"
        wanted = f"system=text_agent {chosen} {' '.join(overrides)}"
        ending = shop.run(wanted, task_of(shop, template), folder)
    return ending, [request["messages"][-1]["content"] for request in server.requests]


def number(shown: str, label: str) -> int:
    found = re.search(rf"\[(\d+)\] \w+ \"{re.escape(label)}", shown)
    assert found, shown
    return int(found[1])


def test_a_retrieval_is_read_off_the_page(shop: Stage, tmp_path: Path) -> None:
    task = task_of(shop, "shop-price")
    product = task.instantiation_dict["product"]
    steps = [
        f'Let me search. ```json\n{{"thought": "Search", "action": "fill", "element": <Search>, "text": "{product}", '
        '"enter": true}\n```',
        f'{{"thought": "Open it", "action": "click", "element": <{product}>}}',
        '{"action": "scroll", "direction": "down"}',
        '{"action": "go_back"}',
        ANSWER,
    ]
    ending, shown = run(shop, steps, "shop-price", tmp_path / "attempt")
    assert ending.outcome == "answered", ending
    assert json.loads(ending.answer)["results"] == ["129.00"]
    assert f"# {product}" in shown[2] and "£" in shown[2]
    assert f"Task: {task.intent}" in shown[0] and "failed" not in shown[-1]
    kept = Trajectory.from_folder(tmp_path / "attempt")
    assert [step.tool for step in kept.steps] == [
        *("visit_url", "type", "left_click", "scroll", "history_back", "terminate")
    ]
    assert kept.thoughts[1:3] == ("Search", "Open it") and len(kept.screenshots) == len(kept.steps) - 1
    used = kept.answer.token_usage["TextAgent"]
    assert used == {"prompt_tokens": 35, "completion_tokens": 15, "reasoning_tokens": 0, "num_calls": 5}


BAD = [
    ("", "it was empty"),
    ("I would click the first link.", "no JSON object"),
    ('{"action": "click", "element"', "JSON cannot be read"),
    ("[" * 5000, "no JSON object"),
    ('{"a":' * 5000, "JSON cannot be read"),
    ('{"action": "dance"}', "dance"),
    ('{"action": "click"}', "element"),
    ('{"action": "click", "element": 9999}', "no element '9999'"),
    ('{"action": "click", "element": ["a"]}', "element"),
    ('{"action": "press", "key": "NoSuchKey"}', "failed: .*NoSuchKey"),
    ('{"action": "goto", "url": "http://elsewhere.example/"}', "not among the sites"),
    ('{"action": "goto", "url": "file:///etc/hostname"}', "not among the sites"),
    ('{"action": "scroll", "direction": "down"} {"action": "go_back"}', "more than one action"),
    ('{"action": "answer", "task": "retrieve", "status": "SUCCESS"}', "form is wrong"),
    ("x" * 200_000, "200000 characters"),
]
"""A reply, and what the model is told of it."""


def test_what_cannot_be_done_is_told_and_can_be_mended(shop: Stage, tmp_path: Path) -> None:
    replies = [*(reply for reply, _ in BAD), ANSWER]
    bounds = ("system.action_seconds=2", "system.bad_replies=20", "system.history=1")
    ending, shown = run(shop, replies, "shop-price", tmp_path / "attempt", *bounds)
    assert ending.outcome == "answered", ending
    assert len(shown) == len(BAD) + 1
    for (reply, told), page in zip(BAD, shown[1:], strict=True):
        assert re.search(told, page), (reply[:80], page[:600])
        assert len(page) < 12_000


def test_a_model_that_never_makes_sense_has_failed_by_itself(shop: Stage, tmp_path: Path) -> None:
    ending, shown = run(shop, ["Hm."], "shop-price", tmp_path / "attempt", "system.bad_replies=2")
    assert (ending.outcome, len(shown)) == ("over_budget", 3) and "no action could be made" in ending.reason


def test_steps_are_bounded_and_what_is_shown_is_too(shop: Stage, tmp_path: Path) -> None:
    bounds = ("system.max_rounds=3", "system.characters=600", "system.elements=5", "system.history=1")
    ending, shown = run(shop, ['{"action": "press", "key": "Tab"}'], "shop-price", tmp_path / "attempt", *bounds)
    assert ending.reason == "OverBudget: more than 3 actions"
    assert all(len(each) < 1500 and "[6]" not in each and "scroll down to see more" in each for each in shown)


def test_every_setting_is_part_of_the_identity(shop: Stage) -> None:
    settings = {"characters": 1, "elements": 1, "history": 1, "bad_replies": 1, "settle_seconds": 1, "prompt": "Hi"}
    parts = {
        plan_experiment("single", f"system=text_agent system.{k}={v}").runs[0].parts[0] for k, v in settings.items()
    }
    assert len(parts | {plan_experiment("single", "system=text_agent").runs[0].parts[0]}) == len(settings) + 1


VIEW = View(
    "", "", (), (Element(1, "link", "Home", "a"), Element(2, "button", "Add", "b"), Element(3, "button", "Add", "c"))
)


@pytest.mark.parametrize("reference, path", [(1, "a"), ("2", "b"), ("[3]", "c"), ("Add [3]", "c"), ("home", "a")])
def test_an_element_is_found_by_number_or_label(reference: int | str, path: str) -> None:
    found = VIEW.find(reference)
    assert found is not None and found.path == path


@pytest.mark.parametrize("reference", [4, "Add", "", "nothing", "-1", "1e3"])
def test_what_is_no_element_or_several_is_none(reference: int | str) -> None:
    assert VIEW.find(reference) is None


def test_a_reply_may_stand_after_thinking_and_has_one_action() -> None:
    said = read_reply('<think>{"action": "go_back"}</think> Well: {"action": "click", "element": "Home"} That is it.')
    assert said == Click(element="Home")
    with pytest.raises(BadReply):
        read_reply("null")


def test_labels_that_the_form_allows_lead_to_their_elements() -> None:
    labels = reply_form(VIEW)["anyOf"][0]["properties"]["element"]["enum"]
    assert labels == ["Home", "Add [2]", "Add [3]"]
    assert [found.path for label in labels if (found := VIEW.find(label))] == ["a", "b", "c"]


def test_an_answer_is_a_structured_response() -> None:
    answer = Answer(task="mutate")
    assert json.loads(answer.response) == {
        "action": "mutate",
        "status": "SUCCESS",
        "results": None,
        "error_details": None,
    }
