"""An experiment's systems in the forms that papers take over."""

import dataclasses
from collections.abc import Iterator

import pandas as pd
import pytest

from webassay.config.experiment import plan_experiment
from webassay.config.paths import ExperimentPlan
from webassay.report.headline import headline_sheet
from webassay.report.systems import system_comparisons

TASKS = [(f"{template}-{n}", template) for template in ("a", "b", "c") for n in range(2)]


@pytest.fixture(scope="module")
def experiment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ExperimentPlan]:
    """Composed once, in a folder of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("experiment"))
        yield plan_experiment("single", ["system=oracle,naive_na", "run_id=0,1,2"])


def scores(experiment: ExperimentPlan) -> pd.DataFrame:
    """The oracle errs in one task of its last run."""
    rows = [
        plan.columns
        | {"task_id": task, "template": template, "sites": "shop+wiki" if template == "c" else "shop"}
        | {"score": float(plan.columns["system"] == "oracle" and (task, plan.columns["run_id"]) != ("a-0", "2"))}
        for plan in experiment.runs
        for task, template in TASKS
    ]
    return pd.DataFrame(rows)


def test_runs_go_together_and_systems_meet_by_benchmark_and_judge(experiment: ExperimentPlan) -> None:
    (title, found), *others = system_comparisons(experiment, scores(experiment)).items()
    assert title == "miniweb, verified" and not others
    assert [(line.agent, str(line.coverage), line.runs) for line in found.lines] == [
        ("oracle", "18/18", 3),
        ("naive_na", "18/18", 3),
    ]
    assert found.lines[1].beside is not None and found.lines[1].beside.against.falls_behind


def test_means_over_runs_by_segment_and_level(experiment: ExperimentPlan) -> None:
    levels = {plan.run: dict.fromkeys([task for task, _ in TASKS[:2]], "hard") for plan in experiment.runs}
    table = headline_sheet(experiment, scores(experiment), levels).data.set_index(["system", "by", "of"])
    assert table.loc[("oracle", "all", ""), ["runs", "tasks"]].tolist() == [3, 6]
    assert table.loc[("oracle", "all", ""), "success"] == pytest.approx(17 / 18)
    assert table.loc[("oracle", "all", ""), "pass_at_k"] == 1
    assert table.loc[("oracle", "all", ""), "pass_all_k"] == pytest.approx(5 / 6)
    assert table.loc[("oracle", "segment", "multi"), "tasks"] == 2
    assert table.loc[("oracle", "level", "hard"), "success"] == pytest.approx(5 / 6)


def test_one_system_in_one_run_has_nothing_to_compare(experiment: ExperimentPlan) -> None:
    assert {"comparison", "headline"} <= set(experiment.sheets) and experiment.figures == ["paired"]
    alone = dataclasses.replace(experiment, runs=experiment.runs[:1])
    assert not {"comparison", "headline"} & set(alone.sheets) and alone.figures == []
