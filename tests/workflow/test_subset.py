"""`snakemake subset` from outcomes and from an experiment's own runs, in real folders."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.built import plan
from tests.conftest import Workspace, snakemake_command
from tests.report.latex import check
from webassay.benchmarks.miniweb import load
from webassay.config.paths import SUBSET_FIGURES, SUBSET_SHEETS
from webassay.core.digest import digest
from webassay.stats.simulate import draw_outcomes, draw_world


def outcomes(workspace: Workspace, agents: int = 5) -> Path:
    """Of simulated agents on miniweb's own tasks."""
    tasks = load(workspace.folder / plan().folder)
    rng = np.random.default_rng(0)
    world = draw_world([task for task in tasks if len(task.sites) == 1], {}, agents, rng, mean=-2.5)
    path = workspace.folder / "outcomes.csv"
    draw_outcomes(world, rng).to_csv(path, index=False)
    return path


def subset_folder(workspace: Workspace) -> Path:
    (folder,) = workspace.folder.glob("results/experiments/*/subset")
    return folder


def test_a_subset_from_outcomes_has_all_its_files_and_is_made_once(workspace: Workspace) -> None:
    outcomes(workspace)
    command = snakemake_command("system=oracle analysis.outcomes=outcomes.csv", "subset")
    done = workspace.run(*command)
    assert done.status == 0, done.output
    folder = subset_folder(workspace)
    table = pd.read_csv(folder / "hardness.csv", dtype={"task_id": "str"})
    subset = json.loads((folder / "subset.json").read_text())
    crossing = [task.task_id for task in load(workspace.folder / plan().folder) if len(task.sites) > 1]
    assert set(subset["task_ids"]) == {*table.loc[table["selected"], "task_id"], *crossing}
    assert subset["checksum"] == digest(sorted(subset["task_ids"]))
    assert table.groupby(["site", "category"])["selected"].sum().max() == 3
    assert json.loads((folder / "diagnostics.json").read_text())["converged"]
    assert sorted(path.name for path in (folder / "figures").iterdir()) == [
        f"{name}.{form}" for name in SUBSET_FIGURES for form in ("pdf", "png")
    ]
    assert {path.stem for path in (folder / "tables").iterdir()} == set(SUBSET_SHEETS)
    check(folder / "subset.tex")
    assert workspace.run(*command).nothing_to_do


def test_too_few_agents_are_told_with_the_way_out(workspace: Workspace) -> None:
    outcomes(workspace, agents=3)
    done = workspace.run(*snakemake_command("system=oracle analysis.outcomes=outcomes.csv", "subset"))
    assert done.status != 0
    assert "analysis.subset.caps.min_agents=3" in done.output


@pytest.mark.slow
def test_a_subset_from_own_runs_knows_their_steps(workspace: Workspace) -> None:
    runs = (
        "system=noisy_oracle system.rate=0.3,0.6 system.seed=1,2 benchmark.select.sites=[shop] benchmark.select.limit=8"
    )
    done = workspace.run(*snakemake_command(f"{runs} analysis.subset.min_successes=5", "subset"), timeout=900)
    assert done.status == 0, done.output
    table = pd.read_csv(subset_folder(workspace) / "hardness.csv")
    told = json.loads((subset_folder(workspace) / "diagnostics.json").read_text())
    assert (table["attempts"] == 4).all() and len(told["agents"]) == 4
    assert (table["n_ref"] > 1).all()
