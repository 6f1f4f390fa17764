"""The baselines in the real browser on a real shop: they get to an answer, and do the same again."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.llm.scripted import Said, completion, scripted
from tests.systems.surroundings import Stage, stage
from webassay.config.experiment import plan_experiment
from webassay.core.task import Task
from webassay.core.trajectory import Trajectory
from webassay.errors import ConfigError

BASELINES = ["random_clicker", "fixed_navigation", "form_filler", "link_follower", "screenshot_taker"]
SEEDED = ["random_clicker", "form_filler"]
STEPS = 4


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """Planning keeps a cache under results/ of the current folder."""
    before = Path.cwd()
    os.chdir(tmp_path_factory.mktemp("cwd"))
    with stage(tmp_path_factory.mktemp("stage")) as ready:
        yield ready
    os.chdir(before)


@pytest.fixture
def task(shop: Stage) -> Task:
    return next(task for task in shop.tasks if task.sites == ("shop",))


def browse(shop: Stage, overrides: str, task: Task, folder: Path) -> Trajectory:
    ending = shop.run(f"{overrides} system.steps={STEPS} system.action_seconds=3", task, folder)
    assert ending.outcome == "answered", ending
    return Trajectory.from_folder(folder)


def entries(folder: Path) -> list[dict[str, dict[str, str]]]:
    found: list[dict[str, dict[str, str]]] = json.loads((folder / "network.har").read_text())["log"]["entries"]
    return found


@pytest.mark.parametrize("name", BASELINES)
def test_a_baseline_browses_answers_and_does_the_same_again(shop: Stage, task: Task, tmp_path: Path, name: str) -> None:
    first, again = (browse(shop, f"system={name}", task, tmp_path / str(n)) for n in range(2))
    assert first.actions == again.actions
    assert len(first.steps) == STEPS + 1 and first.last_action == "terminate", "each step is taken, and no more"
    assert {urlsplit(entry["request"]["url"]).hostname for entry in entries(first.folder)} == {"shop.localhost"}
    assert first.attempt is not None and first.attempt.blocked == ()
    assert len(first.answer.screenshots) >= STEPS // 2


@pytest.mark.parametrize("name", SEEDED)
def test_another_seed_is_another_walk(shop: Stage, task: Task, tmp_path: Path, name: str) -> None:
    walks = [browse(shop, f"system={name} system.seed={n}", task, tmp_path / str(n)).actions for n in range(2)]
    assert len(set(walks)) == 2


def test_the_form_filler_sends_forms(shop: Stage, task: Task, tmp_path: Path) -> None:
    walk = browse(shop, "system=form_filler", task, tmp_path / "attempt")
    assert any(entry["request"]["method"] == "POST" or "?" in entry["request"]["url"] for entry in entries(walk.folder))


HOSTILE = """() => {
  document.body.innerHTML = `<nav><a href="http://elsewhere.example/">out</a><a href="mailto:a@example.com">mail</a>
    <a href="http://[">broken</a><a href="/basket/" onclick="this.remove(); return false">gone</a></nav>
    <form action="http://elsewhere.example/"><input name=action><button>send</button></form>
    <form action="/x"><input type=file name=f><select name=s></select><button>send</button></form>
    <button disabled>never</button><div style="position:fixed;inset:0;z-index:9">lid</div>`;
}"""


@pytest.mark.parametrize("name", ["random_clicker", "fixed_navigation", "form_filler"])
def test_a_page_that_resists_stops_no_baseline(shop: Stage, task: Task, tmp_path: Path, name: str) -> None:
    script = f"document.addEventListener('DOMContentLoaded', {HOSTILE})"
    opened = shop.around.browser.new_context

    def hostile(**settings: object) -> object:
        context = opened(**settings)  # type: ignore[arg-type]
        context.add_init_script(script)
        return context

    shop.around.browser.new_context = hostile  # type: ignore[method-assign, assignment]
    try:
        ending = shop.run(f"system={name} system.steps=4 system.action_seconds=0.5", task, tmp_path / "attempt")
    finally:
        shop.around.browser.new_context = opened  # type: ignore[method-assign]
    assert ending.outcome == "answered", ending
    assert "could not" in (tmp_path / "attempt" / "core.log").read_text()
    blocked = Trajectory.from_folder(tmp_path / "attempt").attempt
    assert blocked is not None and blocked.blocked == ()


def test_a_model_answers_from_memory(shop: Stage, task: Task, tmp_path: Path) -> None:
    said = '{"action": "retrieve", "status": "SUCCESS", "results": ["12.99"], "error_details": null}'
    with scripted(completion(said)) as server:
        ending = shop.run(f"system=knowledge_only {scripted_model(server.url)}", task, tmp_path / "attempt")
    assert (ending.outcome, ending.answer) == ("answered", said)
    asked = server.requests[0]["messages"]
    assert asked[-1]["content"] == task.intent and "JSON" in asked[0]["content"]
    assert entries(tmp_path / "attempt") == [], "no page was visited"
    kept = Trajectory.from_folder(tmp_path / "attempt")
    counts = {"prompt_tokens": 7, "completion_tokens": 3, "reasoning_tokens": 0, "num_calls": 1}
    assert kept.answer.token_usage == {"KnowledgeOnly": counts}
    assert kept.attempt is not None and kept.attempt.model == {"name": "scripted-1", "fingerprint": "set-up-1"}
    called = json.loads((tmp_path / "attempt" / "model_calls.jsonl").read_text())
    assert (called["shown"], called["reply"]) == (task.intent, said)


def test_an_endpoint_that_fails_aborts_the_attempt(shop: Stage, task: Task, tmp_path: Path) -> None:
    with scripted(Said("<html>", content_type="text/html")) as server:
        ending = shop.run(f"system=knowledge_only {scripted_model(server.url)}", task, tmp_path / "attempt")
    assert ending.outcome == "aborted" and "no endpoint answered" in ending.reason


def test_a_question_beyond_the_models_context_is_the_systems_own_failure(
    shop: Stage, task: Task, tmp_path: Path
) -> None:
    said = Said('{"error": {"message": "maximum context length is 8 tokens"}}', 400)
    with scripted(said) as server:
        ending = shop.run(f"system=knowledge_only {scripted_model(server.url)}", task, tmp_path / "attempt")
    assert ending.outcome == "over_budget" and "maximum context length" in ending.reason


def test_no_model_is_an_error_of_the_configuration(shop: Stage, task: Task, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="model is none; choose one"):
        shop.run("system=knowledge_only", task, tmp_path / "attempt")


def test_the_prompt_is_part_of_the_identity(shop: Stage) -> None:
    one, other = plan_experiment("single", "system=knowledge_only system.prompt=Hello,Bye").runs
    assert one.parts[0] != other.parts[0] and one.parts[1:] == other.parts[1:]


def scripted_model(url: str) -> str:
    return f"model=gpt-4o model.endpoints=[{url}] model.api_key_env=null model.retries=0"
