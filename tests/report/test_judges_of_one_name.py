"""A sweep over a judge's settings: every table tells its judges apart, and counts each once."""

import pandas as pd
import pytest

from webassay.config.experiment import plan_experiment
from webassay.config.paths import ExperimentPlan
from webassay.report.experiment import Numbers
from webassay.report.tables import named_judges, typed_scores

SWEEP = ["system=oracle,naive_na", "judge.profile=paper,release", "run_id=0,1"]
TASKS = [("a-1", "a"), ("b-1", "b")]
NAMES = ["verified profile=paper", "verified profile=release"]


@pytest.fixture
def experiment(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> ExperimentPlan:
    monkeypatch.chdir(str(tmp_path))
    return plan_experiment("single", SWEEP)


@pytest.fixture
def numbers(experiment: ExperimentPlan) -> Numbers:
    """Under `release` everything passes, under `paper` nothing."""
    said = {"sites": "shop", "execution": "answered", "verification": "scored", "reason": "", "parse_failure": False}
    rows = [
        plan.columns | said | {"task_id": task, "template": template, "score": _score(plan.config["judge"]["profile"])}
        for plan in experiment.runs
        for task, template in TASKS
    ]
    scores = named_judges(experiment, typed_scores(pd.DataFrame(rows)))
    return Numbers(experiment, scores, {run: {} for run in experiment.by_run}, {run: run for run in experiment.by_run})


def _score(profile: str) -> float:
    return float(profile == "release")


def test_judges_are_named_by_what_tells_them_apart(experiment: ExperimentPlan) -> None:
    assert experiment.judges == NAMES
    assert plan_experiment("single", ["judge.profile=release"]).judges == ["verified"]
    assert plan_experiment("single", ["judge=verified,webarena"]).judges == ["verified", "webarena"]


def test_every_table_is_made_and_tells_them_apart(numbers: Numbers) -> None:
    tables = {name: sheet.data for name, sheet in numbers.sheets.items()}
    assert {"summary", "judges", "ensembles", "comparison", "headline", "judge_pairs"} <= tables.keys()
    for name in ("summary", "ensembles", "headline", "sites", "templates"):
        assert set(tables[name]["judge"]) == set(NAMES), name
    success = tables["headline"].set_index(["system", "judge", "by"])["success"]
    assert success.loc[("oracle", NAMES[0], "all")] == 0 and success.loc[("oracle", NAMES[1], "all")] == 1
    passed = tables["ensembles"].set_index(["agent", "judge"])
    assert passed.loc[("any of them", NAMES[1]), "tasks"] == 2  # each task once, in however many runs
    assert list(tables["judge_pairs"][["judged", "only_second"]].to_numpy()[0]) == [8, 8]


def test_a_summary_says_a_judges_settings_once(numbers: Numbers) -> None:
    assert not numbers.summary["settings"].any()
