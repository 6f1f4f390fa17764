"""The web surfer in the real browser, driven by tool calls that a test has written down, over real HTTP."""

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

from tests.llm.scripted import Said, completion, scripted
from tests.systems.surroundings import Stage, stage
from webassay.config.experiment import plan_experiment
from webassay.config.kinds import build_judge, build_system
from webassay.config.paths import RunPlan
from webassay.core.task import Task
from webassay.core.trajectory import Trajectory
from webassay.errors import ConfigError
from webassay.llm.client import Reply, client_for
from webassay.systems.oracle.hands import quoted
from webassay.systems.runner import Ending, run_attempt
from webassay.systems.session import Session
from webassay.systems.websurfer import WebSurfer
from webassay.systems.websurfer.pictures import Scale

SCALE = Scale.of(1440, 900, 3136, 12_845_056)
DONE = {"action": "terminate", "status": "success"}
MUTATED = '{"action": "mutate", "status": "SUCCESS", "results": null, "error_details": null}'


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """Planning keeps a cache under results/ of the current folder."""
    before = Path.cwd()
    os.chdir(tmp_path_factory.mktemp("cwd"))
    with stage(tmp_path_factory.mktemp("stage")) as ready:
        yield ready
    os.chdir(before)


@dataclass
class Eyes:
    """Stands in for a model's: says where an element is, and looks what an action has done, when the model is asked."""

    steps: list[Any]
    page: str = ""
    """HTML in place of the start page's."""
    look: str = ""
    seen: list[Any] = field(default_factory=list)
    said: str = ""

    def solve_with(self, system: WebSurfer) -> Any:
        eyes = self

        class Seeing:
            def solve(self, task: Task, session: Session) -> str:
                asked = session.ask

                def ask(component: str, messages: Any, **settings: Any) -> Reply:
                    eyes.prepare(session)
                    return asked(component, messages, **settings)

                session.ask = ask  # type: ignore[method-assign]
                return system.solve(task, session)

        return Seeing()

    def prepare(self, session: Session) -> None:
        if self.page and not self.seen:
            session.page.set_content(self.page)
        self.seen.append(session.page.evaluate(self.look) if self.look else None)
        step = self.steps.pop(0) if self.steps else DONE
        if isinstance(step, dict) and "at" in step:
            x, y = middle(session, step["at"])
            if not 0 < y < SCALE.page[1]:  # out of sight: scrolled to first
                self.steps.insert(0, step)
                step = {"action": "scroll", "pixels": SCALE.page[1] / 2 - y}
            else:
                seen = [x * SCALE.model[0] / SCALE.page[0], y * SCALE.model[1] / SCALE.page[1]]
                step = {key: value for key, value in step.items() if key != "at"} | {"coordinate": seen}
        self.said = step if isinstance(step, str) else call(step)


def middle(session: Session, selector: str) -> tuple[float, float]:
    box = session.page.locator(selector).bounding_box()
    assert box, selector
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def call(arguments: dict[str, Any]) -> str:
    tool = json.dumps({"name": "computer_use", "arguments": arguments})
    return f"Now {arguments['action']}.\n<tool_call>\n{tool}\n</tool_call>"


def surf(
    shop: Stage, eyes: Eyes, task: Task, folder: Path, *overrides: str
) -> tuple[Ending, list[list[dict[str, Any]]]]:
    """How it ended, and the messages of each question."""
    with scripted(lambda _: Said(completion(eyes.said).body)) as server:
        chosen = f"model=fara-7b model.endpoints=[{server.url}] model.retries=0"
        config = plan_experiment("single", f"system=websurfer {chosen} {' '.join(overrides)}").runs[0].config
        system = eyes.solve_with(build_system(config))
        settings, model = config["system"], client_for(config["model"])
        ending = run_attempt(task, 0, folder, replace(shop.around, system=system, settings=settings, model=model))
    return ending, [request["messages"] for request in server.requests]


def task_of(shop: Stage, template: str) -> Task:
    return next(task for task in shop.tasks if task.template == template)


def text_of(message: dict[str, Any]) -> str:
    return " ".join(part["text"] for part in message["content"] if part["type"] == "text")


def test_a_purchase(shop: Stage, tmp_path: Path) -> None:
    task = task_of(shop, "shop-order")
    values = task.instantiation_dict
    eyes = Eyes(
        [
            {"action": "type", "at": "#id_q", "text": values["product"]},
            {"action": "left_click", "at": f"article.product_pod h3 a:text-is({quoted(values['product'])})"},
            {"action": "click", "at": "#add_to_basket_form button[type=submit]"},
            {"action": "left_click", "at": ".basket-mini button:has-text('View basket')"},
            "I look around first.",  # no call at all: told, and made good
            {"action": "left_click", "at": "a:text-is('Proceed to checkout')"},
            {
                "action": "left_click",
                "at": f".choose-block .card:has(address:has-text({quoted(values['city'])})) button.ship-address",
            },
            {"action": "left_click", "at": "#view_preview"},
            {"action": "left_click", "at": "#place-order"},
            DONE,
            MUTATED,
        ]
    )
    ending, asked = surf(shop, eyes, task, tmp_path / task.task_id)
    assert (ending.outcome, ending.answer) == ("answered", MUTATED), ending
    changes = json.loads((tmp_path / task.task_id / "state.json").read_text())["changes"]
    assert "order_order" in {change["table"] for change in changes}
    judge = build_judge(plan_experiment("single", "system=websurfer").runs[0].config)
    verdict = judge.judge(task, Trajectory.from_folder(tmp_path / task.task_id))
    assert verdict.score == 1.0, verdict.reason
    assert "no <tool_call>" in text_of(asked[5][-1])
    kept = Trajectory.from_folder(tmp_path / task.task_id)
    tools = [step.tool for step in kept.steps if step.tool != "scroll"]
    assert tools == ["visit_url", "type", *["left_click"] * 7, "terminate"]
    assert kept.steps[1].arguments["text"] == values["product"] and kept.thoughts[1] == "Now type."
    assert len(kept.screenshots) == len(kept.steps) - 1
    assert kept.answer.token_usage["WebSurfer"]["num_calls"] == len(asked) == len(kept.steps) + 1


def test_a_retrieval_with_the_messages_that_the_model_was_trained_on(shop: Stage, tmp_path: Path) -> None:
    task = task_of(shop, "shop-price")
    answer = '{"action": "retrieve", "status": "SUCCESS", "results": ["129.00"], "error_details": null}'
    eyes = Eyes(
        [
            {"action": "web_search", "query": "tent"},
            {"action": "pause_and_memorize_fact", "fact": "It is a tent"},
            {"action": "visit_url", "url": "shop.localhost/catalogue/?page=2"},
            {"action": "scroll", "pixels": -200},
            DONE,
            "It costs 129.",
            f"```json\n{answer}\n```",
        ]
    )
    ending, asked = surf(shop, eyes, task, tmp_path / "attempt")
    assert ending.outcome == "answered" and json.loads(ending.answer.strip("`json\n")) == json.loads(answer)
    system, first = asked[0]
    assert system["content"].startswith("You are a helpful assistant.") and "1428x896" in system["content"]
    assert [part["type"] for part in first["content"]] == ["image_url", "text"] and text_of(first) == task.intent
    picture = first["content"][0]["image_url"]["url"].removeprefix("data:image/png;base64,")
    with Image.open(io.BytesIO(base64.b64decode(picture))) as shown:
        assert (shown.format, shown.size) == ("PNG", (1428, 896))
    assert "not among the sites" in text_of(asked[1][-1])
    assert "Facts you noted:\n- It is a tent" in text_of(asked[4][-1]), "shown again when its turn is long gone"
    assert "Current URL: http://shop.localhost/catalogue/\n" in text_of(asked[3][-1])
    assert sum("image_url" in str(message) for message in asked[4]) == 3 and text_of(asked[4][1]) == task.intent
    assert "does not have the form" in text_of(asked[6][-1])
    assert shop.around.sites.alive


PAGE = """<body style="margin:0;height:3000px"><input id=field value=old style="position:fixed;left:40px;top:40px">
<button id=button style="position:fixed;left:40px;top:100px">Press</button><div id=lid
 style="position:fixed;left:300px;top:40px;width:99px;height:99px;background:red"></div><script>
  window.seen = []
  document.onkeydown = event => { if (event.key.length > 1) seen.push('key ' + event.key) }
  button.onclick = event => seen.push('click')
  lid.onmousemove = event => seen[seen.length - 1] === 'over' || seen.push('over')
</script>"""
LOOK = "() => [(window.seen || []).splice(0), window.field?.value, Math.round(scrollY), location.pathname]"


def test_every_action_of_the_table_does_what_it_says(shop: Stage, tmp_path: Path) -> None:
    field_at: dict[str, Any] = {"at": "#field"}
    steps: list[tuple[dict[str, Any], list[Any], str | None, int]] = [
        ({"action": "left_click", "at": "#button"}, ["click"], "old", 0),
        ({"action": "mouse_move", "at": "#lid"}, ["over"], "old", 0),
        ({"action": "type", "text": "new", "press_enter": False, "delete_existing_text": True} | field_at,
         ["key Control", "key Backspace"], "new", 0),
        ({"action": "input_text", "text": "er\ud83d"}, ["key Enter"], "newer\ufffd", 0),  # at the focus
        ({"action": "key", "keys": ["ctrl", "a"]}, ["key Control"], "newer\ufffd", 0),
        ({"action": "keypress", "keys": ["Delete"]}, ["key Delete"], "", 0),
        ({"action": "scroll", "pixels": -700}, [], "", 700),
        ({"action": "scroll", "pixels": 250, "coordinate": [700, 400]}, [], "", 450),
        ({"action": "pause_and_memorize_fact", "fact": "x"}, [], "", 450),
        ({"action": "wait", "time": 0.1}, [], "", 450),
        ({"action": "sleep", "duration": 0.1}, [], "", 450),
        ({"action": "click", "at": "#button"}, ["click"], "", 450),
        ({"action": "hover", "at": "#lid"}, ["over"], "", 450),
        ({"action": "hover", "coordinate": [5000, 1]}, [], "", 450),
        ({"action": "key", "keys": ["NoSuchKey"]}, [], "", 450),
        ({"action": "web_search", "query": "tent"}, [], "", 450),
        ({"action": "visit_url", "url": "file:///etc/hostname"}, [], "", 450),
    ]  # fmt: skip
    given = [step for step, *_ in steps]
    last = [{"action": "visit_url", "url": "http://shop.localhost/basket/"}, {"action": "history_back"}]
    eyes = Eyes([*given, *last, {"action": "stop"}, MUTATED], PAGE, LOOK)
    ending, asked = surf(shop, eyes, task_of(shop, "shop-price"), tmp_path / "attempt")
    assert (ending.outcome, ending.answer) == ("answered", MUTATED), ending
    found = dict(zip(map(json.dumps, given), (seen[:3] for seen in eyes.seen[1:]), strict=False))
    assert found == {json.dumps(step): list(expected) for step, *expected in steps}
    assert [seen[3] for seen in eyes.seen[-4:]][1] == "/basket/" and eyes.seen[-1][3] != "/basket/"
    told = [text_of(messages[-1]) for messages in asked]
    failed = {number for number, text in enumerate(told) if "failed" in text or "not carried out" in text}
    assert failed == {14, 15, 16, 17}
    tools = [step.tool for step in Trajectory.from_folder(tmp_path / "attempt").steps]
    assert set(tools) == {
        *("visit_url", "left_click", "mouse_move", "type", "key", "scroll", "pause_and_memorize_fact", "wait"),
        *("web_search", "history_back", "terminate"),
    }


def test_bad_replies_and_rounds_are_bounded(shop: Stage, tmp_path: Path) -> None:
    task = task_of(shop, "shop-price")
    ending, asked = surf(shop, Eyes(["Hm."] * 9), task, tmp_path / "bad", "system.bad_replies=2")
    assert (ending.outcome, len(asked)) == ("over_budget", 3) and "without a usable tool call" in ending.reason
    waiting = Eyes([{"action": "wait", "time": 0}] * 9)
    ending, asked = surf(shop, waiting, task, tmp_path / "long", "system.max_rounds=3")
    assert (ending.reason, len(asked)) == ("OverBudget: more than 3 actions", 3)


def test_without_the_structured_response_the_last_thought_is_the_answer(shop: Stage, tmp_path: Path) -> None:
    ending, asked = surf(shop, Eyes([DONE]), task_of(shop, "shop-price"), tmp_path / "a", "system.structured=false")
    assert (ending.answer, len(asked)) == ("Now terminate.", 1)


@pytest.mark.parametrize(
    "template, has, lacks", [("default", "critical points", "# Tools"), ("qwen", "# Tools", "critical"),
                             ("with_ci", "<code>", "critical")],
)  # fmt: skip
def test_the_template_that_is_chosen_is_what_the_model_is_told(
    shop: Stage, tmp_path: Path, template: str, has: str, lacks: str
) -> None:
    chosen = ("system.structured=false", f"system.fn_call_template={template}")
    _, asked = surf(shop, Eyes([DONE]), task_of(shop, "shop-price"), tmp_path / "a", *chosen)
    told = asked[0][0]["content"]
    assert told.startswith("You are a helpful assistant.") and '"function": {"name": "computer_use"' in told
    assert has in told and lacks not in told and "{t" not in told.replace('{"t', "")


def test_an_unknown_template_is_named() -> None:
    with pytest.raises(ConfigError, match="fn_call_template 'thinking' is unknown; known are default, qwen, with_ci"):
        build_system(plan_experiment("single", "system=websurfer system.fn_call_template=thinking").runs[0].config)


def changed_by(setting: str) -> RunPlan:
    return plan_experiment("single", f"system=websurfer system.{setting}").runs[0]


@pytest.mark.parametrize(
    "setting",
    [
        *("max_n_images=2", "max_url_chars=50", "min_pixels=1000", "max_pixels=100000", "search_url=x", "max_rounds=9"),
        *("fn_call_template=qwen", "fn_call_templates.default=x"),
        *("structured=false", "bad_replies=1", "settle_seconds=1", "prompt=x", "next_prompt=x", "answer_prompt=x"),
    ],
)
def test_every_setting_is_part_of_the_identity(shop: Stage, setting: str) -> None:
    plain, changed = (
        plan_experiment("single", f"system=websurfer {each}").runs[0] for each in ("", f"system.{setting}")
    )
    assert plain.parts[0] != changed.parts[0] and plain.parts[1:] == changed.parts[1:]
