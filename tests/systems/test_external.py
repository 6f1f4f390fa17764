"""Somebody else's agent over CDP: it works in our browser, and our records and limits hold."""

import json
import os
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.built import miniweb
from webassay.benchmarks.selection import load_tasks
from webassay.config.experiment import plan_experiment
from webassay.config.kinds import build_system
from webassay.core.task import Task
from webassay.core.trajectory import Trajectory
from webassay.errors import ConfigError
from webassay.systems.runner import Ending, run_attempt
from webassay.systems.worker import Brief, surroundings

AGENT = Path(__file__).with_name("external_agent.py")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(folder: Path, way: str, *overrides: str, program: str = sys.executable) -> Ending:
    command = f"'system.command=[{program}, {AGENT}, {way}]'"
    config = plan_experiment("single", f"system=external {command} {' '.join(overrides)}").runs[0].config
    task = shop_price()
    with surroundings(Brief(str(folder), str(miniweb()), config)) as around:
        return run_attempt(task, 0, folder / "attempt", around)


def shop_price() -> Task:
    config = plan_experiment("single", "system=oracle").runs[0].config
    return next(task for task in load_tasks(config, miniweb()) if task.template == "shop-price")


@pytest.mark.parametrize("way", ["print", "write"])
def test_its_answer_and_what_it_did_are_kept(tmp_path: Path, way: str) -> None:
    ending = run(tmp_path, way)
    assert ending.outcome == "answered" and json.loads(ending.answer)["results"][0].startswith("£"), ending
    kept = Trajectory.from_folder(tmp_path / "attempt")
    assert [step.tool for step in kept.steps] == ["visit_url", "visit_url", "terminate"]
    assert "/search/?q=tent" in kept.steps[1].arguments["url"] and len(kept.screenshots) == 2
    entries = json.loads((tmp_path / "attempt" / "network.har").read_text())["log"]["entries"]
    assert any("/search/?q=tent" in entry["request"]["url"] for entry in entries)
    assert json.loads((tmp_path / "attempt" / "state.json").read_text())["changes"] == []


class Listener(BaseHTTPRequestHandler):
    hits: list[str] = []

    def do_GET(self) -> None:
        self.hits.append(self.path)
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


@pytest.fixture
def outside() -> Iterator[str]:
    Listener.hits.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Listener) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


def test_neither_its_page_nor_one_of_its_own_gets_out(tmp_path: Path, outside: str) -> None:
    ending = run(tmp_path, f"escape, '{outside}'".replace("'", '"'))
    assert (ending.outcome, json.loads(ending.answer)) == ("answered", {"refused": 8}), ending
    assert Listener.hits == []
    kept = Trajectory.from_folder(tmp_path / "attempt").attempt
    assert kept is not None and {"admin.localhost", "elsewhere.example", "file:"} <= set(kept.blocked)


@pytest.mark.parametrize(
    "way, settings, reason",
    [
        ("fail", "", "AgentFault: the command ended with status 1: I give up"),
        ("forever", "system.max_seconds=8", "OverBudget: more than 8 s"),
        ("rounds", "system.max_rounds=3", "OverBudget: more than 3 actions"),
    ],
)
def test_its_failures_are_its_own_and_it_does_not_outlive_them(
    tmp_path: Path, way: str, settings: str, reason: str
) -> None:
    ending = run(tmp_path, way, settings)
    assert (ending.outcome, ending.reason) == ("over_budget", reason)
    running = os.popen("ps -eo args").read().splitlines()
    assert not [line for line in running if f"{AGENT} {way}" in line]


def test_a_command_that_does_not_exist_is_an_error_of_the_configuration(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no-such-program"):
        run(tmp_path, "print", program="/no-such-program")


FUNCTIONS = """
import json
from playwright.async_api import async_playwright
from playwright.sync_api import sync_playwright

def look(task, cdp):
    with sync_playwright() as playwright:
        page = playwright.chromium.connect_over_cdp(cdp).contexts[0].pages[0]
        page.goto(task["start_url"] + "basket/")
        return {"action": "retrieve", "status": "SUCCESS", "results": [page.title(), task["intent"]]}

async def wait(task, cdp):
    async with async_playwright() as playwright:
        browser = await playwright.chromium.connect_over_cdp(cdp)
        return await browser.contexts[0].pages[0].title()

def fail(task, cdp):
    raise RuntimeError("I give up")
"""


def call(folder: Path, name: str) -> Ending:
    (folder / "agents_of_mine.py").write_text(FUNCTIONS)
    chosen = f"system=external system.entry_point=agents_of_mine:{name}"
    config = plan_experiment("single", chosen).runs[0].config
    with surroundings(Brief(str(folder), str(miniweb()), config)) as around:
        return run_attempt(shop_price(), 0, folder / "attempt", around)


def test_a_function_is_called_with_the_task_and_the_browser(tmp_path: Path) -> None:
    ending = call(tmp_path, "look")
    assert ending.outcome == "answered" and shop_price().intent in json.loads(ending.answer)["results"], ending
    kept = Trajectory.from_folder(tmp_path / "attempt")
    assert [step.tool for step in kept.steps] == ["visit_url", "visit_url", "terminate"]


def test_a_function_may_be_a_coroutine_and_its_failures_are_its_own(tmp_path: Path) -> None:
    assert "Fernhill" in call(tmp_path, "wait").answer
    assert call(tmp_path, "fail").reason.endswith("status 1: RuntimeError: I give up")
    with pytest.raises(ConfigError, match=r"system\.entry_point=agents_of_mine:gone: .*has no attribute"):
        call(tmp_path, "gone")


@pytest.mark.parametrize("words", ["", "'system.command=[a]' system.entry_point=b:c"])
def test_either_a_command_or_a_function_is_named(words: str) -> None:
    with pytest.raises(ConfigError, match=r"give system\.command=.* or system\.entry_point="):
        build_system(plan_experiment("single", f"system=external {words}").runs[0].config)
