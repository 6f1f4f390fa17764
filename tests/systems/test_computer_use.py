"""The computer-use tool in the real browser, driven by calls that a test has written down, over real HTTP."""

import base64
import io
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.llm.scripted import message, response, scripted
from tests.systems.surroundings import Stage, stage
from webassay.config.experiment import plan_experiment
from webassay.config.kinds import build_judge, build_system
from webassay.core.task import Task
from webassay.core.trajectory import Trajectory
from webassay.errors import ConfigError
from webassay.llm.client import Turn, client_for
from webassay.systems.oracle.hands import quoted
from webassay.systems.runner import Ending, run_attempt
from webassay.systems.session import Session

MUTATED = '{"action": "mutate", "status": "SUCCESS", "results": null, "error_details": null}'
DONE = [message("It is done.")]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """Planning keeps a cache under results/ of the current folder."""
    before = Path.cwd()
    os.chdir(tmp_path_factory.mktemp("cwd"))
    with stage(tmp_path_factory.mktemp("stage")) as ready:
        yield ready
    os.chdir(before)


def call(action: dict[str, Any] | None = None, *checks: dict[str, str], **more: Any) -> dict[str, Any]:
    record = {"type": "computer_call", "id": "cu_1", "call_id": "call_1", "status": "completed"}
    return record | {"pending_safety_checks": list(checks)} | ({"action": action} if action else {}) | more


def function(name: str, arguments: str) -> dict[str, Any]:
    record = {"type": "function_call", "id": "fc_1", "call_id": "call_2", "status": "completed"}
    return record | {"name": name, "arguments": arguments}


@dataclass
class Eyes:
    """Stands in for a model's: says where an element is, and looks what an action has done, when the model is asked."""

    steps: list[Any]
    page: str = ""
    look: str = ""
    seen: list[Any] = field(default_factory=list)
    said: list[dict[str, Any]] = field(default_factory=list)

    def solve_with(self, system: Any) -> Any:
        eyes = self

        class Seeing:
            def solve(self, task: Task, session: Session) -> str:
                asked = session.respond

                def respond(component: str, items: Any, **settings: Any) -> Turn:
                    eyes.prepare(session)
                    return asked(component, items, **settings)

                session.respond = respond  # type: ignore[method-assign]
                return str(system.solve(task, session))

        return Seeing()

    def prepare(self, session: Session) -> None:
        if self.page and not self.seen:
            session.page.set_content(self.page)
        self.seen.append(session.page.evaluate(self.look) if self.look else None)
        step = self.steps.pop(0) if self.steps else DONE
        self.said = [self._placed(one, session) for one in (step if isinstance(step, list) else [call(step)])]

    def _placed(self, item: dict[str, Any], session: Session) -> dict[str, Any]:
        action = item.get("action")
        if not (isinstance(action, dict) and "at" in action):
            return item
        target = session.page.locator(action["at"])
        target.scroll_into_view_if_needed()
        box = target.bounding_box()
        assert box
        x, y = round(box["x"] + box["width"] / 2), round(box["y"] + box["height"] / 2)
        return item | {"action": {key: value for key, value in action.items() if key != "at"} | {"x": x, "y": y}}


def operate(
    shop: Stage, eyes: Eyes, task: Task, folder: Path, *overrides: str
) -> tuple[Ending, list[dict[str, Any]], list[str]]:
    """How it ended, and the body and path of each question."""
    with scripted(lambda _: response(*eyes.said)) as server:
        chosen = f"model=computer-use-preview model.endpoints=[{server.url}] model.api_key_env=null model.retries=0"
        config = plan_experiment("single", f"system=computer_use {chosen} {' '.join(overrides)}").runs[0].config
        system = eyes.solve_with(build_system(config))
        settings, model = config["system"], client_for(config["model"])
        ending = run_attempt(task, 0, folder, replace(shop.around, system=system, settings=settings, model=model))
    return ending, server.requests, server.paths


def task_of(shop: Stage, template: str) -> Task:
    return next(task for task in shop.tasks if task.template == template)


def click(selector: str) -> dict[str, Any]:
    return {"type": "click", "button": "left", "at": selector}


def test_a_purchase(shop: Stage, tmp_path: Path) -> None:
    task = task_of(shop, "shop-order")
    values = task.instantiation_dict
    check = {"id": "sc_1", "code": "irreversible", "message": "This orders something."}
    chosen = f".choose-block .card:has(address:has-text({quoted(values['city'])})) button.ship-address"
    eyes = Eyes(
        [
            click("#id_q"),
            {"type": "type", "text": values["product"]},
            [{"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "Now I search."}]},
             call({"type": "keypress", "keys": ["ENTER"]})],
            click(f"article.product_pod h3 a:text-is({quoted(values['product'])})"),
            click("#add_to_basket_form button[type=submit]"),
            [function("goto", json.dumps({"url": "http://shop.localhost/checkout/shipping-address/"}))],
            click(chosen),
            click("#view_preview"),
            [call(click("#place-order"), check)],
            DONE,
            [message(MUTATED)],
        ]
    )  # fmt: skip
    ending, asked, paths = operate(shop, eyes, task, tmp_path / task.task_id)
    assert (ending.outcome, ending.answer) == ("answered", MUTATED), ending
    judge = build_judge(plan_experiment("single", "system=computer_use").runs[0].config)
    kept = Trajectory.from_folder(tmp_path / task.task_id)
    verdict = judge.judge(task, kept)
    assert verdict.score == 1.0, verdict.reason
    assert set(paths) == {"/v1/responses"} and len(asked) == 11
    ordered = kept.steps[-2].arguments
    assert ordered["acknowledged_safety_checks"] == ["irreversible"] and kept.thoughts[3] == "Now I search."
    assert "acknowledged a safety check: irreversible: This orders" in (kept.folder / "core.log").read_text()
    assert asked[9]["input"][-1]["acknowledged_safety_checks"] == [check]
    assert [step.tool for step in kept.steps] == [
        *("visit_url", "left_click", "type", "key", "left_click", "left_click", "visit_url"),
        *("left_click", "left_click", "left_click", "terminate"),
    ]
    assert len(kept.screenshots) == len(kept.steps) - 1
    used = kept.answer.token_usage["ComputerUse"]
    assert used == {"prompt_tokens": 77, "completion_tokens": 33, "reasoning_tokens": 11, "num_calls": 11}


def test_what_is_sent(shop: Stage, tmp_path: Path) -> None:
    eyes = Eyes([{"type": "screenshot"}, DONE, [message("It costs 129.")], [message(MUTATED)]])
    task = task_of(shop, "shop-price")
    prices = "model.prices.prompt=3 model.prices.completion=12 model.prices.cached=1"
    ending, asked, _ = operate(shop, eyes, task, tmp_path / "attempt", prices, "system.viewport.width=1024")
    assert ending.answer == MUTATED
    first = asked[0]
    assert (first["model"], first["temperature"], first["truncation"]) == ("computer-use-preview", 0.6, "auto")
    tool = {"type": "computer_use_preview", "display_width": 1024, "display_height": 720, "environment": "browser"}
    assert first["tools"][0] == tool and [one["name"] for one in first["tools"][1:]] == ["goto", "back"]
    assert first["store"] is False and "previous_response_id" not in first
    words, picture = first["input"][0]["content"]
    assert words == {"type": "input_text", "text": task.intent}
    with Image.open(io.BytesIO(base64.b64decode(picture["image_url"].removeprefix("data:image/png;base64,")))) as shown:
        assert (shown.format, shown.size) == ("PNG", (1024, 720)), "not scaled: coordinates are the page's"
    given, back = asked[1]["input"][1:]
    assert given["type"] == "computer_call" and back["call_id"] == given["call_id"]
    assert back["output"]["type"] == "computer_screenshot" and back["acknowledged_safety_checks"] == []
    assert [one["tool_choice"] for one in asked] == ["auto", "auto", "none", "none"]
    assert "does not have the form" in asked[3]["input"][-1]["content"][0]["text"]
    used = Trajectory.from_folder(tmp_path / "attempt").answer.token_usage["ComputerUse"]
    assert used["cost"] == pytest.approx(4 * (5 * 3 + 2 * 1 + 3 * 12) / 1e6)


PAGE = """<body style="margin:0;height:3000px;width:3000px;user-select:none"><input id=field value=old
 style="position:fixed;left:40px;top:40px"><button id=button style="position:fixed;left:40px;top:100px">Press</button>
<div id=lid style="position:fixed;left:300px;top:40px;width:99px;height:99px;background:red"></div><script>
  window.seen = []
  const note = (name, event) => seen.push(name + (event.shiftKey ? '+shift' : ''))
  document.onkeydown = event => { if (event.key.length > 1) seen.push('key ' + event.key) }
  button.onclick = event => note('click', event)
  button.ondblclick = event => note('double', event)
  button.oncontextmenu = event => { event.preventDefault(); note('menu', event) }
  button.onauxclick = event => event.button === 1 && note('middle', event)
  lid.onmousemove = event => seen[seen.length - 1] === 'over' || seen.push('over')
  lid.onmousedown = event => seen.push('down')
  document.onmouseup = event => event.target === document.body && seen.push('up elsewhere')
</script>"""
LOOK = """() => [(window.seen || []).splice(0), window.field?.value, Math.round(scrollX), Math.round(scrollY),
  location.pathname]"""


def test_every_action_does_what_it_says(shop: Stage, tmp_path: Path) -> None:
    steps: list[tuple[Any, list[Any], str | None, int, int]] = [
        (click("#button"), ["click"], "old", 0, 0),
        (click("#button") | {"keys": ["SHIFT"]}, ["key Shift", "click+shift"], "old", 0, 0),
        (click("#button") | {"button": "right"}, ["menu"], "old", 0, 0),
        (click("#button") | {"button": "wheel"}, ["middle"], "old", 0, 0),
        ({"type": "double_click", "at": "#button"}, ["click", "click", "double"], "old", 0, 0),
        ({"type": "move", "at": "#lid"}, ["over"], "old", 0, 0),
        ({"type": "drag", "path": [{"x": 350, "y": 90}, {"x": 600, "y": 500}]},
         ["over", "down", "up elsewhere"], "old", 0, 0),
        (click("#field"), [], "old", 0, 0),
        ({"type": "keypress", "keys": ["CTRL", "A"]}, ["key Control"], "old", 0, 0),
        ({"type": "type", "text": "new"}, [], "new", 0, 0),
        ({"type": "scroll", "x": 640, "y": 600, "scroll_x": 100, "scroll_y": 300}, [], "new", 100, 300),
        ({"type": "scroll", "x": 640, "y": 600, "scroll_x": 0, "scroll_y": -100}, [], "new", 100, 200),
        ({"type": "screenshot"}, [], "new", 100, 200),
        ({"type": "wait"}, [], "new", 100, 200),
        ({"type": "move", "x": 5000, "y": 1}, [], "new", 100, 200),
        ({"type": "dance"}, [], "new", 100, 200),
        ({"type": "keypress", "keys": ["NoSuchKey"]}, [], "new", 100, 200),
        ([call(actions=[{"type": "type", "text": "er"}, {"type": "keypress", "keys": ["HOME"]}])],
         ["key Home"], "newer", 100, 200),
        ([function("goto", '{"url": "http://elsewhere.example/"}')], [], "newer", 100, 200),
        ([function("goto", "{")], [], "newer", 100, 200),
        ([function("run", '{"code": "rm"}')], [], "newer", 100, 200),
    ]  # fmt: skip
    given = [json.loads(json.dumps(step)) for step, *_ in steps]
    basket = [function("goto", '{"url": "http://shop.localhost/basket/"}')]
    eyes = Eyes([*given, basket, [function("back", "")], DONE, [message(MUTATED)]], PAGE, LOOK)
    ending, asked, _ = operate(shop, eyes, task_of(shop, "shop-price"), tmp_path / "attempt")
    assert (ending.outcome, ending.answer) == ("answered", MUTATED), ending
    found = [seen[:4] for seen in eyes.seen[1 : len(steps) + 1]]
    for (step, *expected), seen in zip(steps, found, strict=True):
        assert seen == expected, step
    assert [seen[4] for seen in eyes.seen[-3:]] == ["/basket/", eyes.seen[0][4], eyes.seen[0][4]] or eyes.seen
    failed = [number for number, question in enumerate(asked) if told(question)]
    assert failed == [15, 16, 17, 19, 20, 21]
    tools = {step.tool for step in Trajectory.from_folder(tmp_path / "attempt").steps}
    assert tools >= {"right_click", "middle_click", "double_click", "left_click_drag", "mouse_move", "screenshot"}


def told(question: dict[str, Any]) -> bool:
    """Whether the newest items say that something failed."""
    last = question["input"][-1]
    words = json.dumps(last.get("content") or last.get("output"))
    return "Your last action failed" in words or "not carried out" in words or "not among the sites" in words


def test_calls_that_make_no_sense_and_rounds_are_bounded(shop: Stage, tmp_path: Path) -> None:
    task = task_of(shop, "shop-price")
    nonsense = Eyes([[call({"type": "dance"})] for _ in range(9)])
    ending, asked, _ = operate(shop, nonsense, task, tmp_path / "bad", "system.bad_replies=2")
    assert (ending.outcome, len(asked)) == ("over_budget", 3) and "calls that cannot be read" in ending.reason
    forever = Eyes([{"type": "screenshot"} for _ in range(9)])
    ending, asked, _ = operate(shop, forever, task, tmp_path / "long", "system.max_rounds=3")
    assert (ending.reason, len(asked)) == ("OverBudget: more than 3 actions", 3)


@pytest.mark.parametrize("tool", ["computer", "telepathy"])
def test_newer_models_know_the_tool_by_another_name(shop: Stage, tmp_path: Path, tool: str) -> None:
    task = task_of(shop, "shop-price")
    if tool == "telepathy":
        with pytest.raises(ConfigError, match="tool 'telepathy' is unknown; known are computer_use_preview, computer"):
            operate(shop, Eyes([]), task, tmp_path / "a", f"system.tool={tool}")
        return
    ending, asked, _ = operate(
        shop, Eyes([DONE]), task, tmp_path / "a", f"system.tool={tool}", "system.structured=false"
    )
    assert (ending.answer, len(asked), asked[0]["tools"][0]) == ("It is done.", 1, {"type": "computer"})


def test_the_papers_settings() -> None:
    run = plan_experiment("single", "system=computer_use model=computer-use-preview").runs[0]
    assert (run.config["system"]["max_rounds"], run.config["model"]["temperature"]) == (40, 0.6)
