"""An experiment through Snakemake's Slurm executor: real jobs, the same paths and the same bytes as on one machine."""

import subprocess
import sys

import pandas as pd
import psutil
import pytest

from tests.conftest import REPO, Done, Workspace
from tests.slurm.cluster import Cluster, wait_until

pytestmark = pytest.mark.slow

CONSTANT = "system=naive_yes,naive_na execution=cluster execution.shards=2 benchmark.select.limit=4"
ORACLE = "system=oracle execution=cluster execution.shards=1 benchmark.select.limit=2"
SHARD_DONE = ("COMPLETED", "rule_shard_execute_retry_verify")
# Jobs last seconds here: look often.
TOY = ("--slurm-init-seconds-before-status-checks=1", "--seconds-between-status-checks=1")
# Waiting for a job that Slurm has lost, Snakemake ignores SIGTERM.
LIMIT = ("timeout", "--signal=KILL", "600")


def command(cluster: Cluster, overrides: str) -> tuple[str, ...]:
    snakemake = (sys.executable, "-m", "snakemake", "--snakefile", str(REPO / "Snakefile"))
    profile = f"--workflow-profile={REPO / 'config' / 'profiles' / 'slurm'}"
    return (*LIMIT, "env", *cluster.variables, *snakemake, profile, *TOY, "--config", f"overrides={overrides}")


def on_slurm(cluster: Cluster, workspace: Workspace, overrides: str) -> Done:
    done = workspace.run(*command(cluster, overrides), timeout=700)
    assert done.status == 0, done.output[-5000:]
    return done


def score_tables(workspace: Workspace) -> dict[str, bytes]:
    """Of the experiment and of its runs, by path."""
    found = workspace.folder.glob("results/**/scores.csv")
    return {str(path.relative_to(workspace.folder)): path.read_bytes() for path in found}


def test_same_bytes_as_on_one_machine_and_nothing_twice(
    cluster: Cluster, workspace: Workspace, tmp_path_factory: pytest.TempPathFactory
) -> None:
    local = Workspace(tmp_path_factory.mktemp("local"))
    before = cluster.jobs()
    on_slurm(cluster, workspace, CONSTANT)
    after = cluster.jobs()
    assert after[len(before) :] == [SHARD_DONE] * 4  # two systems, two shards
    assert local.snakemake(CONSTANT).status == 0
    assert len(score_tables(local)) == 3
    assert score_tables(workspace) == score_tables(local)
    assert on_slurm(cluster, workspace, CONSTANT).nothing_to_do
    assert cluster.jobs() == after


def test_a_browser_in_a_job(cluster: Cluster, workspace: Workspace) -> None:
    before = cluster.jobs()
    on_slurm(cluster, workspace, ORACLE)
    assert cluster.jobs()[len(before) :] == [SHARD_DONE]
    [scores] = workspace.scores()
    assert pd.read_csv(scores)["score"].tolist() == [1.0, 1.0]
    screenshots = workspace.folder.glob("results/runs/**/traj/*/screenshot_*.png")
    assert len({path.parent for path in screenshots}) == 2


def test_jobs_of_a_killed_snakemake_and_of_the_next_never_share_a_shard(cluster: Cluster, workspace: Workspace) -> None:
    overrides = "system=oracle execution=cluster execution.shards=1 execution.workers=1"
    first = workspace.start(*command(cluster, overrides), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_until(lambda: any(workspace.folder.glob("results/runs/**/running/*/web_surfer.log")), "no task began")
    for process in psutil.Process(first.pid).children(recursive=True):
        process.kill()
    first.wait()
    workspace.run(*command(cluster, overrides), timeout=700)  # may find the shard busy, and then says so
    wait_until(cluster.is_idle, "a job goes on for ever")
    on_slurm(cluster, workspace, overrides)
    [scores] = workspace.scores()
    assert set(pd.read_csv(scores)["score"]) == {1.0}
    assert len(workspace.attempts()) == len(pd.read_csv(scores))
