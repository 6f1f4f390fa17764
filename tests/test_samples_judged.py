"""Real trajectories of the public benchmarks, from another tool's files to a verdict, to replay and out again."""

import json
from pathlib import Path

import pytest

from tests.conftest import REPO, Workspace
from tests.judges.asked import answering
from tests.llm.scripted import scripted

JUDGES = REPO.parent / "shared" / "data" / "judges"
pytestmark = pytest.mark.skipif(not JUDGES.is_dir(), reason="no ../shared/data/judges")


def rows(workspace: Workspace) -> list[dict[str, object]]:
    return [json.loads(line) for line in (workspace.folder / "in" / "verify_report.jsonl").read_text().splitlines()]


def scores(workspace: Workspace) -> dict[Path, bytes]:
    found = workspace.folder.glob("in/*/scores/webvoyager-*.json")
    return {path: path.read_bytes() for path in found if ".meta." not in path.name}


def test_they_are_judged_over_http_and_again_without(workspace: Workspace) -> None:
    for path in ("om2w/example", "webvoyager/results"):
        done = workspace.webassay("import", str(JUDGES / path), "in")
        assert done.status == 0, done.output
    model = ("--set", "judge.model.name=scripted", "--set", "judge.images.most=3")
    with scripted(answering(lambda _, mark: {"verdict": "failure", "evidence": [], "reason": "Not there."})) as server:
        endpoint = ("--set", f"judge.model.endpoints=[{server.url}]")
        done = workspace.webassay("verify", "in", "--judge", "webvoyager", *model, *endpoint)
        assert done.status == 0, done.output
        asked = len(server.requests)
    assert [(row["status"], row["score"]) for row in rows(workspace)] == [("ok", 0.0)] * 5 and asked == 5
    before = scores(workspace)
    again = workspace.webassay("verify", "in", "--judge", "webvoyager", *model, "--redo", "--set", "llm.mode=replay")
    assert again.status == 0 and scores(workspace) == before, again.output
    assert workspace.webassay("export", "--format", "webeval", "in", "out").status == 0
    assert len(list(workspace.folder.glob("out/*/scores/webvoyager-*.json"))) == 5
