"""Mistakes of a user, each answered by one line that names the key or file and the way out."""

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import REPO, Workspace
from tests.released import released
from tests.workflow.tasks_file import record, write

FILE = "benchmark=file benchmark.path=tasks.jsonl"


@pytest.mark.parametrize(
    "overrides, message",
    [
        ("system.max_roundz=3", "unknown key system.max_roundz; did you mean system.max_rounds?"),
        ("+system.zap=1", "unknown key system.zap"),
        ("nothing=1", "unknown key nothing"),
        ("system.max_rounds=many", "system.max_rounds: Value 'many' of type 'str' could not be converted to Integer"),
        ("system=orcle", "did you mean oracle?"),
        ("judge.profile=lenient", "profile='lenient' is not known"),
        ("run_id=../../x", "run_id=../../x: it names a folder"),
        ("analysis.confidence=[1", "is not in Hydra's grammar"),
        ("model.name=${oc.env:HOME}", "model.name: "),
        ("benchmark=file", "benchmark.path has no value"),
        ("benchmark=file benchmark.path=none.jsonl", "there is no file none.jsonl"),
        ("benchmark.select.tasks=[nope]", "benchmark.select.tasks: nope is not in the benchmark"),
        ("execution.shards=0", "execution.shards=0: must be between"),
        ("system=oracle browser.executable=/no/such/browser", "no browser (looked at /no/such/browser)"),
        ("environment.dataset.sha256=" + "0" * 64, "has sha256 "),
        ("system.kind=no_such_module:Agent", "there is no module 'no_such_module'"),
        ("system=oracle +system.options.speed=9", "has no option 'speed'"),
    ],
)
def test_a_mistake_in_an_override_is_named(shared_workspace: Workspace, overrides: str, message: str) -> None:
    done = shared_workspace.webassay("run", "system=naive_yes", "benchmark.select.limit=1", *overrides.split())
    assert done.status != 0
    assert message in done.output
    assert "Traceback" not in done.output


@pytest.mark.parametrize("overrides", ["system.max_roundz=3", "system=orcle", "model.name=${oc.env:HOME}"])
def test_plain_snakemake_tells_it_without_a_traceback_too(shared_workspace: Workspace, overrides: str) -> None:
    done = shared_workspace.snakemake(overrides, profile=None)
    assert done.status != 0
    assert overrides.partition("=")[0] in done.output
    assert "Traceback" not in done.output


@pytest.mark.parametrize(
    "content, message",
    [
        ("{\n", "line 1: not valid JSON"),
        (json.dumps(record("a")) + "\n" + json.dumps(record("a")), "task_id 'a' is used twice"),
        (json.dumps(record("../../x")), "task_id '../../x' cannot name a folder"),
        (json.dumps(record("a") | {"sites": ["moon"]}), "needs the site 'moon'"),
        (json.dumps(record("a") | {"account": "root"}), "needs the account 'root'"),
        (json.dumps(record("a") | {"intnet": "x"}), "unknown field `intnet`"),
        (json.dumps({"task_id": "a"}), "missing required field"),
        (json.dumps(record("a") | {"sites": []}), "has no site"),
        (json.dumps(record("a") | {"start_urls": ["__ADMIN__/"]}), "must begin with __SHOP__"),
        (json.dumps(record("a") | {"probes": {"p": {"sql": "SELEC 1"}}}), "task a, probe 'p': near"),
        ("", "leaves no task"),
    ],
)
def test_a_broken_task_file_is_named(shared_workspace: Workspace, content: str, message: str) -> None:
    (shared_workspace.folder / "tasks.jsonl").write_text(content)
    done = shared_workspace.snakemake(f"system=naive_yes {FILE}")
    assert done.status != 0
    assert message in done.output
    assert "Traceback" not in done.output


def test_a_deployment_that_is_not_there_is_named_before_an_agent_goes_there(shared_workspace: Workspace) -> None:
    released()  # or skipped, where the tasks cannot be fetched
    done = shared_workspace.snakemake(
        "system=naive_na benchmark=webarena_verified environment=webarena benchmark.select.limit=1"
    )
    assert done.status != 0 and "Traceback" not in done.output
    assert "does not answer" in done.output and "it runs elsewhere: start it there" in done.output


@pytest.fixture
def copy_of_config(tmp_path: Path) -> Path:
    """A checkout whose configuration can be broken."""
    for name in ("config", "rules", "scripts"):
        shutil.copytree(REPO / name, tmp_path / "repo" / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(REPO / "Snakefile", tmp_path / "repo")
    return tmp_path / "repo"


@pytest.mark.parametrize(
    "file, content, message",
    [
        ("experiment/quickstart.yaml", "runs: [", "quickstart.yaml: broken YAML"),
        ("experiment/quickstart.yaml", "run: [a=1]", "expected `runs:`"),
        ("system/oracle.yaml", "name: [", "broken YAML"),
        ("system/oracle.yaml", "name: oracle\nkind: webassay.systems.oracle:Oracle\nmax_round: 3", "max_round"),
    ],
)
def test_a_broken_configuration_file_is_named(
    workspace: Workspace, copy_of_config: Path, file: str, content: str, message: str
) -> None:
    (copy_of_config / "config" / file).write_text(content)
    done = workspace.run(sys.executable, "-m", "snakemake", "-s", str(copy_of_config / "Snakefile"), "--cores", "1")
    assert done.status != 0
    assert message in done.output
    assert "Traceback" not in done.output


def test_a_port_in_use_is_named(shared_workspace: Workspace) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = shared_workspace.snakemake(f"system=naive_yes run_id=port environment.port={port} execution.workers=1")
    assert done.status != 0
    assert f"did not start on port {port}" in done.output and "in use" in done.output
    assert "Traceback" not in done.output


def test_an_unreadable_trajectory_is_named_and_the_others_are_judged(shared_workspace: Workspace) -> None:
    workspace = shared_workspace
    write(workspace.folder / "tasks.jsonl", [record("good"), record("bad")])
    overrides = f"system=naive_yes {FILE}"
    assert workspace.snakemake(overrides).status == 0
    log = next(workspace.folder.glob("results/runs/*/*/*/*/0/traj/bad/web_surfer.log"))
    log.write_text("{broken\n")
    done = workspace.snakemake(f"{overrides} judge.name=again")
    assert done.status != 0
    assert "1 of 2 trajectories could not be judged" in done.output and "traj/bad/web_surfer.log, line 1" in done.output
    assert len(list(workspace.folder.glob("results/runs/*/*/*/*/0/traj/good/scores/again*.meta.json"))) == 1


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200m", "tmpfs", str(folder)], capture_output=True)
    if mounted.returncode:
        pytest.skip("a small disk needs the right to mount one")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def fill(folder: Path, leave: int) -> Path:
    filler = folder / "filler"
    with filler.open("wb") as stream:
        os.posix_fallocate(stream.fileno(), 0, shutil.disk_usage(folder).free - leave)
    return filler


def test_a_full_disk_is_told_before_anything_starts_and_nothing_is_lost(small_disk: Path) -> None:
    workspace, first = Workspace(small_disk), ["system=oracle", "benchmark.select.limit=1"]
    assert workspace.webassay("run", *first).status == 0
    kept = workspace.attempts()
    filler = fill(small_disk, leave=2**20)
    done = workspace.webassay("run", *first, "run_id=1")
    assert done.status != 0
    assert "only 1 MB left" in done.output and "Traceback" not in done.output
    filler.unlink()
    assert workspace.webassay("run", *first, "run_id=1").status == 0
    assert kept.items() <= workspace.attempts().items()


FILLING_AGENT = """
from pathlib import Path
VERSION = 1

class Filling:
    def solve(self, task, session):
        session.start()
        with (session.folder.parents[6] / "filler").open("wb") as stream:
            while True:
                stream.write(b"0" * 2**20)
"""


def test_a_disk_that_fills_stops_the_run(small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The agent's own write fails first here; that the disk is full is not its failure."""
    workspace = Workspace(small_disk)
    (small_disk / "filling_agent.py").write_text(FILLING_AGENT)
    monkeypatch.setenv("PYTHONPATH", str(small_disk))
    overrides = "system=oracle system.name=filling system.kind=filling_agent:Filling benchmark.select.limit=2"
    done = workspace.snakemake(overrides)
    assert done.status != 0
    assert "MB left for" in done.output
    assert not list(small_disk.glob("results/runs/*/*/*/*/0/traj/*"))
