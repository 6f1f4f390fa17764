"""An experiment without a browser, judged by rules and by a scripted model, and its bundle; made once."""

import shutil
from pathlib import Path

import pytest

from tests.conftest import Workspace
from tests.judges.asked import answering, png
from tests.llm.scripted import scripted
from tests.once import once
from tests.report.crate.made import OVERRIDES, har
from tests.webeval_runs import write_runs, write_tasks
from webassay.report.crate.view import bundle_and_show


def _make(folder: Path) -> None:
    folder.mkdir()
    write_tasks(folder / "tasks.jsonl")
    runs = write_runs(folder / "runs")
    for number, path in enumerate(sorted(runs.rglob("screenshot0.png"))):
        path.write_bytes(png(number))
        (path.parent / "network.har").write_bytes(har())
    with scripted(answering(lambda _, __: {"verdict": "success", "evidence": [1], "reason": "It is there."})) as server:
        done = Workspace(folder).snakemake(f"{OVERRIDES} judge.model.endpoints=[{server.url}]")
        assert done.status == 0 and server.requests, done.output


@pytest.fixture
def experiment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the workspace, where the test is; its only experiment's folder."""
    home = tmp_path / "there"
    shutil.copytree(once("crate", _make), home)
    monkeypatch.chdir(home)
    (folder,) = Path("results/experiments").iterdir()
    return folder


@pytest.fixture
def bundle(experiment: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """As a folder, so that tests can change it; they stand in an empty one."""
    bundle_and_show(None, tmp_path / "bundle", frozenset(), None)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    shutil.rmtree(tmp_path / "there")
    return tmp_path / "bundle"
