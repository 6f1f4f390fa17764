"""A key, a password and a token that an agent spreads by all ways there are: no file that is left behind holds one."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Done, Workspace
from tests.llm.scripted import Said, completion, scripted
from tests.workflow import canary_spellings
from webassay.sites.process import free_port

HERE = Path(__file__).parent
CANARIES = {
    "CANARY_API_KEY": "sk-canary-7f3a9b2c1d",
    "WEBARENA_REDDIT_PASSWORD": 'open "sesame" canary&1=2/é\'<b',
    "CANARY_BEARER_TOKEN": "canary.token+with/signs==9",
}


def repeat_the_key(request: dict[str, Any]) -> Said:
    return completion(f"Your key is {CANARIES['CANARY_API_KEY']}")


@pytest.fixture(scope="module")
def spread(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Workspace, Done]]:
    workspace = Workspace(tmp_path_factory.mktemp("canaries"))
    port = free_port()
    site = subprocess.Popen([sys.executable, str(HERE / "echo_site.py"), str(port)])
    wanted = {"task_type": "retrieve", "status": "SUCCESS", "retrieved_data": ["x"]}
    schema = {"type": "array", "items": {"type": "string"}}
    check = {"evaluator": "AgentResponseEvaluator", "results_schema": schema, "expected": wanted}
    task = {"sites": ["reddit"], "intent_template_id": "echo", "intent": "Say it", "start_urls": ["__REDDIT__/"]}
    lines = [json.dumps(task | {"task_id": name, "eval": [check]}) for name in ("answers", "fails")]
    (workspace.folder / "tasks.jsonl").write_text("\n".join(lines))
    with pytest.MonkeyPatch.context() as patch, scripted(repeat_the_key) as server:
        for name, value in CANARIES.items():
            patch.setenv(name, value)
        patch.setenv("PYTHONPATH", str(HERE))
        try:
            yield workspace, workspace.snakemake(overrides(port, server.url))
        finally:
            site.kill()
            site.wait()
    assert server.headers[0]["authorization"] == f"Bearer {CANARIES['CANARY_API_KEY']}"


def overrides(port: int, model: str) -> str:
    """The site stands for WebArena's forum, whose user's password comes from the environment."""
    site = f"url=http://127.0.0.1:{port} ready_path=/ ready_text=Echo login_path=/ account=reddit"
    given = [
        "system=oracle system.name=canary system.kind=canary_agent:Agent benchmark=file benchmark.path=tasks.jsonl",
        "environment=webarena",
        *(f"environment.sites.reddit.{setting}" for setting in site.split()),
        f"model=gpt-4o model.endpoints=[{model}] model.api_key_env=CANARY_API_KEY",
    ]
    return " ".join(given)


def test_it_was_spread_and_judged(spread: tuple[Workspace, Done]) -> None:
    workspace, done = spread
    assert done.status == 0, done.output
    attempts = [json.loads(path.read_text()) for path in workspace.folder.glob("results/runs/**/attempt.json")]
    assert {one["task_id"]: one["outcome"] for one in attempts} == {"answers": "answered", "fails": "over_budget"}
    (har,) = workspace.folder.glob("results/runs/**/traj/answers/network.har")
    entries = json.loads(har.read_text())["log"]["entries"]
    assert {entry["request"]["url"].partition("?")[0].rpartition("/")[2] for entry in entries} >= {
        *("echo", "post", "binary", "login", "socket", "written")
    }
    assert any(entry.get("_webSocketMessages") for entry in entries)
    calls = har.with_name("model_calls.jsonl").read_text()
    assert "Your key is redacted:" in calls and "Is redacted:" in calls


def test_no_file_holds_a_canary(spread: tuple[Workspace, Done]) -> None:
    """Not as it is, nor as JSON, HTML, an address, a form or base64 would write it; nor in what was printed."""
    workspace, done = spread
    looked = 0
    for folder in ("results", ".snakemake"):
        for path in workspace.folder.joinpath(folder).rglob("*"):
            if path.is_file():
                looked += 1
                for name, literal in spellings():
                    assert literal not in path.read_bytes(), (name, path)
    assert looked > 30
    assert not [name for name, literal in spellings() if literal in done.output.encode()]


def spellings() -> Iterator[tuple[str, bytes]]:
    for name, value in CANARIES.items():
        for written in (*canary_spellings.spellings(value), *canary_spellings.packed(value)):
            yield name, written.encode()
