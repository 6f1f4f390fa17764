"""An experiment through Snakemake's Slurm executor: real jobs, the same paths and the same bytes as on one machine."""

import sys

import pandas as pd
import pytest

from tests.conftest import REPO, Done, Workspace
from tests.slurm.cluster import Cluster

pytestmark = pytest.mark.slow

CONSTANT = "system=constant_yes,constant_na execution=cluster execution.shards=2 benchmark.select.limit=4"
ORACLE = "system=oracle execution=cluster execution.shards=1 benchmark.select.limit=2"
SHARD_DONE = ("COMPLETED", "rule_shard_execute_retry_verify")
# Jobs of seconds in a queue of our own: look often, charge nobody.
TOY = ("--slurm-no-account", "--slurm-init-seconds-before-status-checks=1", "--seconds-between-status-checks=1")
# Waiting for a job that Slurm has lost, Snakemake ignores SIGTERM.
LIMIT = ("timeout", "--signal=KILL", "600")


def on_slurm(cluster: Cluster, workspace: Workspace, overrides: str) -> Done:
    snakemake = (sys.executable, "-m", "snakemake", "--snakefile", str(REPO / "Snakefile"))
    profile = f"--workflow-profile={REPO / 'config' / 'profiles' / 'slurm'}"
    words = (*LIMIT, "env", *cluster.variables, *snakemake, profile, *TOY, "--config", f"overrides={overrides}")
    done = workspace.run(*words, timeout=700)
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
