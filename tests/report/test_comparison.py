"""Judges side by side and agents that know nothing, in the forms of the paper's Tables 5 and 13."""

import pandas as pd
import pytest

from webassay.config.experiment import plan_experiment
from webassay.config.paths import ExperimentPlan
from webassay.report.comparison import compared_judges, ensembles, ensembles_sheet, judges_sheet

TASKS = [("a-1", "a"), ("a-2", "a"), ("b-1", "b")]
PASSED = {
    ("oracle", "first"): [1, 1, 1],
    ("oracle", "second"): [1, 1, 1],
    ("naive_na", "first"): [1, 0, 0],
    ("naive_na", "second"): [0, 0, 0],
    ("naive_zero", "first"): [0, 0, 1],
    ("naive_zero", "second"): [0, 0, None],
}


@pytest.fixture
def experiment(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> ExperimentPlan:
    monkeypatch.chdir(str(tmp_path))
    return plan_experiment("single", ["system=oracle,naive_na,naive_zero", "judge.name=first,second"])


@pytest.fixture
def scores(experiment: ExperimentPlan) -> pd.DataFrame:
    rows = [
        plan.columns | {"task_id": task, "template": template, "score": score, "execution": "answered"}
        for plan in experiment.runs
        for (task, template), score in zip(TASKS, PASSED[plan.columns["system"], plan.columns["judge"]], strict=True)
    ]
    return pd.DataFrame(rows).astype({"score": float})


def test_an_ensemble_passes_what_any_member_passes(experiment: ExperimentPlan, scores: pd.DataFrame) -> None:
    table = compared_judges(experiment, scores).set_index(["system", "judge"])
    assert table.loc[("naive, any of 2", "first"), "success"] == pytest.approx(2 / 3)
    assert table.loc[("naive, any of 2", "first"), "macro"] == 0.75  # half of template a, all of b
    assert table.loc[("naive, any of 2", "second"), "success"] == 0
    assert table.loc[("naive, any of 2", "second"), "n"] == 3  # ungraded counts as 0, it does not vanish


def test_the_difference_is_paired_by_task(experiment: ExperimentPlan, scores: pd.DataFrame) -> None:
    table = compared_judges(experiment, scores).set_index(["system", "judge"])
    assert table.loc[("oracle", "second − first"), "macro"] == 0
    assert table.loc[("naive, any of 2", "second − first"), "macro"] == -0.75
    assert "−75.0 ± " in judges_sheet(experiment, scores).markdown()


def test_each_member_has_its_count_and_so_have_all_together(experiment: ExperimentPlan, scores: pd.DataFrame) -> None:
    table = ensembles(experiment, scores).set_index(["agent", "judge"])
    assert table.loc[("naive_na", "first"), "passed"] == 1
    assert table.loc[("any of them", "first"), "passed"] == 2
    assert table.loc[("any of them", "second"), "passed"] == 0
    assert "2 of 3 (66.7 %)" in ensembles_sheet(experiment, scores).markdown()
