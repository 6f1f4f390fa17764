"""Workers that die, hang or are interrupted: what they leave, and what is said of it."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.conftest import Workspace, snakemake_command
from tests.workflow.tasks_file import record, write

AGENT = """
import os, time
VERSION = 1
ANSWER = '{"action": "retrieve", "status": "SUCCESS", "results": ["x"]}'

class Dying:
    def solve(self, task, session):
        session.start()
        if task.task_id == "fatal" and session.attempt == 0:
            os.kill(os.getpid(), 9)
        return ANSWER

class Slow:
    def solve(self, task, session):
        session.start()
        time.sleep(2)
        return ANSWER
"""
BASE = "benchmark=file benchmark.path=tasks.jsonl system=oracle system.name=own"


@pytest.fixture
def own_agent(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    (workspace.folder / "own_agent.py").write_text(AGENT)
    monkeypatch.setenv("PYTHONPATH", str(workspace.folder))
    write(workspace.folder / "tasks.jsonl", [record(name) for name in ("fatal", "one", "two")])
    return workspace


def attempts(workspace: Workspace) -> dict[str, list[str]]:
    """Outcomes by task, the newest attempt last."""
    found: dict[str, list[str]] = {}
    for path in sorted(workspace.folder.glob("results/runs/**/attempt.json"), key=lambda path: -len(path.parts)):
        attempt = json.loads(path.read_text())
        found.setdefault(attempt["task_id"], []).append(attempt["outcome"])
    return found


def test_a_worker_that_dies_is_replaced_and_what_it_left_is_kept(own_agent: Workspace) -> None:
    done = own_agent.snakemake(f"{BASE} system.kind=own_agent:Dying")
    assert done.status == 0, done.output
    assert attempts(own_agent) == {"fatal": ["aborted", "answered"], "one": ["answered"], "two": ["answered"]}
    kept = next(own_agent.folder.glob("results/runs/*/*/*/*/0/traj/fatal/attempts/0"))
    assert "visit_url" in (kept / "web_surfer.log").read_text()
    assert (kept / "screenshot_1.png").is_file() and (kept / "core.log").read_text()
    assert json.loads((kept / "attempt.json").read_text())["reason"] == "the worker process died or hung"


def wait_for(path: Path, pattern: str) -> None:
    deadline = time.monotonic() + 60
    while not list(path.glob(pattern)):
        assert time.monotonic() < deadline, f"no {pattern}"
        time.sleep(0.05)


def test_ctrl_c_records_no_abort_and_the_same_command_goes_on(own_agent: Workspace) -> None:
    command = snakemake_command(f"{BASE} system.kind=own_agent:Slow")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = own_agent.start(*command, start_new_session=True, **quiet)
    wait_for(own_agent.folder, "results/runs/*/*/*/*/0/running/*/screenshot_1.png")
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(60) != 0
    assert "aborted" not in str(attempts(own_agent))
    deadline = time.monotonic() + 10
    while own_agent.processes() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert own_agent.processes() == []
    assert own_agent.run(*command).status == 0
    assert attempts(own_agent) == {name: ["answered"] for name in ("fatal", "one", "two")}
