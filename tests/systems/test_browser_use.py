"""A third party's agent, browser-use out of its package, in our browser: a scripted model tells it what to do."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import REPO
from tests.llm.scripted import Said, completion, scripted
from tests.once import once
from tests.systems import test_external
from tests.systems.test_external import Listener, outside  # noqa: F401  (fixture)
from webassay.config.experiment import plan_experiment
from webassay.config.kinds import build_judge
from webassay.core.python_environment import python_with
from webassay.core.trajectory import Trajectory
from webassay.errors import WebassayError
from webassay.systems.runner import Ending

AGENT = Path(__file__).with_name("browser_use_agent.py")
LOCK = REPO / "envs" / "browser_use.lock"
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def python() -> Iterator[Path]:
    """Its hundred packages, which need not stand beside ours."""
    try:
        yield python_with(LOCK, once("browser-use", lambda folder: folder.mkdir()) / "python")
    except WebassayError as error:
        pytest.skip(f"no package index: {error}")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def drive(python: Path, folder: Path, steps: list[Any], monkeypatch: pytest.MonkeyPatch) -> tuple[Ending, list[str]]:
    """How it ended, and what its model was shown; a `<pattern>` in a step is the number of the element it names."""
    waiting = list(steps)

    def reply(request: dict[str, Any]) -> Said:
        shown = json.dumps(request["messages"][-1], ensure_ascii=False).replace('\\"', '"').replace("\\n", "\n")
        step = waiting.pop(0) if waiting else {"done": {"text": "I am lost", "success": False}}
        action = re.sub(r'"<(.+?)>"', lambda wanted: number(shown, wanted[1]), json.dumps(step))
        said = {"evaluation_previous_goal": "", "memory": "", "next_goal": "go on"}
        return completion(json.dumps(said | {"action": [json.loads(action)]}))

    with scripted(reply) as server:
        monkeypatch.setenv("SCRIPTED_MODEL", server.url)
        monkeypatch.setattr(test_external, "AGENT", AGENT)
        ending = test_external.run(folder, "go", "system.max_seconds=200", program=str(python))
        shown = [json.dumps(request["messages"][-1]) for request in server.requests]
    return ending, shown


def number(shown: str, pattern: str) -> str:
    found = re.search(rf"\[(\d+)\]<{pattern}", shown)
    assert found, (pattern, shown[-6000:])
    return found[1]


def test_it_does_a_task_and_all_its_evidence_is_there(
    python: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = {"action": "retrieve", "status": "SUCCESS", "results": ["129.00"], "error_details": None}
    steps = [
        {"input": {"index": "<input[^>]*id_q|<input>", "text": "Ridgeway Two-Person Tent"}},
        {"send_keys": {"keys": "Enter"}},
        {"done": {"text": json.dumps(answer), "success": True}},
    ]
    ending, shown = drive(python, tmp_path, steps, monkeypatch)
    core = (tmp_path / "attempt" / "core.log").read_text()
    assert ending.outcome == "answered" and json.loads(ending.answer) == answer, (ending, core[-3000:])
    kept = Trajectory.from_folder(tmp_path / "attempt")
    assert [step.tool for step in kept.steps] == ["visit_url", "visit_url", "terminate"]
    assert "/search/?q=Ridgeway" in kept.steps[1].arguments["url"] and len(kept.screenshots) == 2
    entries = json.loads((tmp_path / "attempt" / "network.har").read_text())["log"]["entries"]
    assert any("/search/?q=Ridgeway" in entry["request"]["url"] for entry in entries)
    assert json.loads((tmp_path / "attempt" / "state.json").read_text())["changes"] == []
    assert "image_url" in shown[0] and "Ridgeway" in shown[2]
    judge = build_judge(plan_experiment("single", "system=external 'system.command=[x]'").runs[0].config)
    verdict = judge.judge(test_external.shop_price(), kept)
    assert verdict.score == 1.0, verdict.reason


def test_the_limits_hold_for_it_too(
    python: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    outside: str,  # noqa: F811
) -> None:
    steps = [
        {"navigate": {"url": outside, "new_tab": False}},
        {"navigate": {"url": outside, "new_tab": True}},
        {"navigate": {"url": "http://admin.localhost/dashboard/", "new_tab": False}},
        {"done": {"text": "{}", "success": True}},
    ]
    ending, _ = drive(python, tmp_path, steps, monkeypatch)
    assert ending.outcome == "answered", (ending, (tmp_path / "attempt" / "core.log").read_text()[-3000:])
    assert Listener.hits == []
    blocked = Trajectory.from_folder(tmp_path / "attempt").attempt
    assert blocked is not None and "admin.localhost" in blocked.blocked
    running = os.popen("ps -eo args").read()
    assert str(AGENT) not in running
