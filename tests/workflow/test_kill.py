"""kill -9 at random moments: nothing finished is lost or done again, nothing is left running."""

import random
import shutil
import signal
import subprocess
import time
from pathlib import Path

import psutil
import pytest

from tests.conftest import Workspace, snakemake_command

OVERRIDES = "system=oracle benchmark.select.limit=5"


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The scores of a run that nobody killed."""
    workspace = Workspace(tmp_path_factory.mktemp("undisturbed"))
    done = workspace.snakemake(OVERRIDES)
    assert done.status == 0, done.output
    return workspace.scores()[0].read_bytes()


def kill(process: "subprocess.Popen[str]", whole_tree: bool, rng: random.Random) -> None:
    """Snakemake alone, or it and all its descendants in any order."""
    victims = [psutil.Process(process.pid)]
    if whole_tree:
        victims += psutil.Process(process.pid).children(recursive=True)
        rng.shuffle(victims)
    for victim in victims:
        try:
            victim.send_signal(signal.SIGKILL)
        except psutil.NoSuchProcess:
            continue
    process.wait()


def assert_nothing_left_running(workspace: Workspace) -> None:
    deadline = time.monotonic() + 10
    while (left := workspace.processes()) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not left, [process.cmdline() for process in left]


def kill_repeatedly(workspace: Workspace, times: int, rng: random.Random) -> None:
    """Each kill meets the state that the one before left; a run that ends unharmed begins anew and does not count."""
    killed = 0
    while killed < times:
        finished = workspace.attempts()
        with (workspace.folder / "output.txt").open("w") as output:
            process = workspace.start(*snakemake_command(OVERRIDES), stdout=output, stderr=output)
            try:
                process.wait(rng.uniform(0.3, 9.0))
                shutil.rmtree(workspace.folder / "results")
                continue
            except subprocess.TimeoutExpired:
                kill(process, whole_tree=killed % 2 == 0, rng=rng)
                killed += 1
        assert_nothing_left_running(workspace)
        now = workspace.attempts()
        assert {key: now.get(key) for key in finished} == finished, "a finished task ran again or is gone"


def survives(workspace: Workspace, undisturbed: bytes, times: int, seed: int) -> None:
    kill_repeatedly(workspace, times, random.Random(seed))
    finished = workspace.attempts()
    done = workspace.snakemake(OVERRIDES)
    assert done.status == 0, done.output
    now = workspace.attempts()
    assert {key: now.get(key) for key in finished} == finished
    assert len(now) == 5, "a kill was recorded as an attempt"
    assert workspace.scores()[0].read_bytes() == undisturbed
    assert_nothing_left_running(workspace)


def test_five_kills(workspace: Workspace, undisturbed: bytes) -> None:
    survives(workspace, undisturbed, times=5, seed=20261118)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_fifty_kills(tmp_path: Path, undisturbed: bytes, seed: int) -> None:
    survives(Workspace(tmp_path), undisturbed, times=5, seed=seed)
