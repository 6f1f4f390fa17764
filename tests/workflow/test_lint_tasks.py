"""Every task in the box: done by the oracle in the browser, its verifier tried, its verdict the same in any order."""

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Done, Workspace, snakemake_command


def run(workspace: Workspace, overrides: str, *words: str) -> Done:
    done = workspace.run(*snakemake_command(overrides, *words), timeout=3600)
    assert done.status == 0, done.output
    return done


def test_no_verifier_in_the_box_is_at_fault(workspace: Workspace) -> None:
    done = run(workspace, "system=oracle", "lint_tasks")
    summary = re.search(r"(\d+) tasks: ideal evidence passes .*; findings: 0", done.output)
    assert summary and int(summary[1]) >= 65, done.output
    counts = re.findall(r"(\d+) of (\d+)", summary[0])
    assert len(counts) == 6 and all(right == tried != "0" for right, tried in counts)
    (findings,) = workspace.folder.glob("results/experiments/*/lint/findings.csv")
    assert list(csv.DictReader(findings.open())) == []


def left(folder: Path) -> tuple[Any, Any]:
    """Verdict and changes of the database."""
    (score,) = folder.glob("scores/verified_paper-????????.json")
    return json.loads(score.read_text())["score"], json.loads((folder / "state.json").read_text())["changes"]


@pytest.mark.slow
def test_two_passes_in_other_orders_give_the_same_verdicts_and_the_same_changes(workspace: Workspace) -> None:
    run(workspace, "system=oracle run_id=0,1 execution.shuffle=7")
    first, second = (
        {folder.name: left(folder) for folder in workspace.folder.glob(f"results/runs/*/*/*/*/{run_id}/traj/*")}
        for run_id in (0, 1)
    )
    assert len(first) + len(second) >= 200
    assert first == second and {score for score, _ in first.values()} == {1.0}
