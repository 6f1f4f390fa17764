"""Real trajectories of the public benchmarks, where they are at hand."""

import json
from pathlib import Path

import pytest

from tests.conftest import REPO
from tests.exchange.conftest import Exchange, folders, tree
from webassay.core.trajectory import Trajectory
from webassay.exchange.registry import EXPORTS

JUDGES = REPO.parent / "shared" / "data" / "judges"
pytestmark = pytest.mark.skipif(not JUDGES.is_dir(), reason="no ../shared/data/judges")
SAMPLES = [("om2w/example", "om2w", 1), ("om2w", "om2w", 1), ("webvoyager/results", "webvoyager", 4)]


@pytest.mark.parametrize("path, name, count", SAMPLES)
def test_they_come_in_and_load(path: str, name: str, count: int, dest: Path, bring: Exchange) -> None:
    before = tree(JUDGES / path, dest)
    report = bring(JUDGES / path, dest)
    assert report.format == name and [one.fate for one in report.moved] == ["written"] * count
    for folder in folders(dest):
        found = Trajectory.from_folder(folder, strict=True)
        assert found.completed and found.last_action == "terminate" and len(found.screenshots) > 2
        assert not any(step.tool == "unknown" for step in found.steps)
        assert json.loads((folder / "import.json").read_text())["left_out"] == []
    assert tree(JUDGES / path, dest) == before


@pytest.mark.parametrize("name", EXPORTS)
def test_they_go_out(name: str, dest: Path, bring: Exchange, send: Exchange) -> None:
    for path in ("om2w/example", "webvoyager/results"):
        bring(JUDGES / path, dest / "in")
    assert [one.fate for one in send(dest / "in", dest / "out", name).moved] == ["written"] * 5


def test_the_example_of_online_mind2web_is_the_same_afterwards(dest: Path, bring: Exchange, send: Exchange) -> None:
    bring(JUDGES / "om2w/example", dest / "in")
    send(dest / "in", dest / "out", "om2w")
    (there,), (here,) = (JUDGES / "om2w/example").iterdir(), folders(dest / "out")
    assert json.loads((here / "result.json").read_text()) == json.loads((there / "result.json").read_text())
    pictures = {path.name: path.read_bytes() for path in (there / "trajectory").iterdir()}
    assert {path.name: path.read_bytes() for path in (here / "trajectory").iterdir()} == pictures


def test_verdicts_of_all_its_judges(dest: Path, bring: Exchange) -> None:
    bring(JUDGES / "om2w", dest)
    (folder,) = folders(dest)
    scores = Trajectory.from_folder(folder).scores
    assert len(scores) == 5 and {score.score for score in scores.values()} == {1}
    written = [json.loads(path.read_text()) for path in (JUDGES / "om2w/example_result").iterdir()]
    assert {score.gpt_response_text for score in scores.values()} == {
        record["evaluation_details"]["response"] for record in written
    }
