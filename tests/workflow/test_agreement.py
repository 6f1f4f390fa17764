"""The rule `agreement` in real runs: over a file of labels, and over an experiment's own verdicts."""

import sys
from pathlib import Path

import pandas as pd
import pytest

from tests.conftest import REPO, Done, Workspace

LABELS = "item,rater,label,kind,stratum\n" + "".join(
    f"t{at},{rater},{label},{kind},{'easy' if at % 2 else 'hard'}\n"
    for at in range(12)
    for rater, kind, label in [("gpt", "judge", int(at % 3 == 0)), ("ada", "human", int(at % 3 == 0 or at == 4))]
)


def agreement(workspace: Workspace, overrides: str) -> Done:
    command = [sys.executable, "-m", "snakemake", "-s", str(REPO / "Snakefile"), "--cores", "1", "agreement"]
    return workspace.run(*command, "--config", f"overrides={overrides}")


def outputs(workspace: Workspace) -> dict[str, bytes]:
    (folder,) = workspace.folder.glob("results/experiments/*/agreement")
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_file_of_labels_becomes_tables_and_figures_without_running_anything_else(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    (tmp_path / "labels.csv").write_text(LABELS)
    done = agreement(workspace, "analysis.labels=labels.csv")
    assert done.status == 0, done.output
    assert done.jobs == {"agreement": 1}
    made = outputs(workspace)
    tables = ("pairs", "strata", "groups", "mcnemar", "correction", "coverage")
    assert made.keys() == {f"{name}.{form}" for name in tables for form in ("csv", "md")} | {
        "labels.csv", "confusion.csv", "pairs.tex", "strata.tex",
        "kappa.pdf", "kappa.png", "coverage.pdf", "coverage.png",
    }  # fmt: skip
    (row,) = pd.read_csv(next(tmp_path.glob("results/experiments/*/agreement/pairs.csv"))).to_dict("records")
    assert (row["n"], row["agreement"], round(row["kappa"], 4)) == (12, 11 / 12, 0.8235)
    assert agreement(workspace, "analysis.labels=labels.csv").nothing_to_do
    for path in tmp_path.glob("results/experiments/*/agreement/*"):
        path.unlink()
    assert agreement(workspace, "analysis.labels=labels.csv").status == 0
    assert outputs(workspace) == made


def test_a_broken_row_is_named(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text(LABELS + "t1,gpt,1,judge,easy\n")
    done = agreement(Workspace(tmp_path), "analysis.labels=labels.csv")
    assert done.status != 0 and "Traceback" not in done.output
    assert "labels.csv, line 26: gpt labels t1 a second time" in done.output


@pytest.mark.slow
def test_the_judges_of_an_experiment_and_people_who_labelled_its_runs(workspace: Workspace) -> None:
    overrides = "system=naive_na judge=webarena,verified benchmark.select.sites=[shop]"
    assert agreement(workspace, overrides).status == 0
    (path,) = workspace.folder.glob("results/experiments/*/agreement/labels.csv")
    own = pd.read_csv(path, dtype=str, keep_default_na=False)
    assert set(own["rater"]) == {"webarena", "verified"} and set(own["kind"]) == {"judge"}
    items = own["item"].drop_duplicates()
    people = "item,rater,label,kind\n" + "".join(f"{item},ada,failure,human\n" for item in items)
    (workspace.folder / "people.csv").write_text(people)
    asked = f"{overrides} analysis.labels=people.csv analysis.agreement.with_scores=true"
    done = agreement(workspace, asked)
    assert done.status == 0 and done.jobs == {"agreement": 1}, done.output
    pairs = [pd.read_csv(path) for path in workspace.folder.glob("results/experiments/*/agreement/pairs.csv")]
    both = max(pairs, key=len).set_index(["rater", "other"])
    assert both.loc[("verified", "ada"), "agreement"] == 1 and both.loc[("webarena", "ada"), "agreement"] < 1
