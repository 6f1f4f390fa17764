"""Overrides and sweeps in Hydra's grammar."""

from pathlib import Path

import pytest

from tests.conftest import REPO
from webassay.config.experiment import plan_experiment, split_overrides
from webassay.config.paths import in_shard
from webassay.errors import ConfigError


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "overrides, runs",
    [
        ("", 1),
        ("system=oracle", 1),
        ("system=naive_yes,naive_no run_id=1,2", 4),
        ("system=oracle run_id=range(0,3)", 3),
        ("system=glob(naive_*)", 9),
        # all but the two that have to be told what to run
        ("system=glob(*,exclude=[imported,external])", len(list((REPO / "config/system").glob("*.yaml"))) - 2),
        ("system=oracle judge.name=a,b", 2),
    ],
)
def test_a_sweep_is_the_product_of_its_choices(overrides: str, runs: int) -> None:
    assert len(plan_experiment("single", overrides).runs) == runs


@pytest.mark.parametrize(
    "overrides, name",
    [("", "quickstart"), ("run_id=3 execution.workers=1", "quickstart"), ("system=oracle", "single"),
     ("benchmark=webarena_verified", "single"), ("benchmark.select.limit=2", "quickstart")],
)  # fmt: skip
def test_naming_a_system_or_a_benchmark_means_one_run(overrides: str, name: str) -> None:
    assert plan_experiment(None, overrides).name == name


@pytest.mark.parametrize(
    "overrides, environment, judge",
    [
        ("benchmark=miniweb", "miniweb", "verified"),
        ("benchmark=webarena_verified", "webarena", "verified"),
        ("benchmark=webarena", "webarena", "webarena"),
        ("benchmark=webarena judge=verified", "webarena", "verified"),
    ],
)
def test_a_benchmark_brings_its_environment_and_judge(overrides: str, environment: str, judge: str) -> None:
    (run,) = plan_experiment(None, overrides).runs
    assert (run.config["environment"]["name"], run.config["judge"]["name"]) == (environment, judge)


def test_judges_share_the_folder_of_their_run() -> None:
    plan = plan_experiment("single", "system=oracle judge.name=a,b")
    assert len(plan.by_run) == 1 and len(plan.by_verdict) == 2


def test_the_users_choice_wins_over_the_experiments() -> None:
    assert {run.config["system"]["name"] for run in plan_experiment("chaos", "system=oracle").runs} == {"oracle"}


@pytest.mark.parametrize(
    "given, words",
    [("a=1 b=2", ["a=1", "b=2"]), ("a='x y'", ["a=x y"]), ("", []), (None, []), (["a=1"], ["a=1"])],
)
def test_overrides_are_split_as_a_shell_would(given: str | list[str] | None, words: list[str]) -> None:
    assert split_overrides(given) == words


def test_a_users_own_folder_is_filled_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    given = split_overrides("benchmark.path=~/tasks judge.name=a~/b ~model.seed")
    assert given == ["benchmark.path=/home/ada/tasks", "judge.name=a~/b", "~model.seed"]


def test_an_unknown_experiment_lists_the_known_ones() -> None:
    with pytest.raises(ConfigError, match=r"did you mean quickstart\? available: baselines, chaos, quickstart,"):
        plan_experiment("quickstrt")
    with pytest.raises(ConfigError):
        plan_experiment("../experiment/quickstart")


def test_every_experiment_says_how_to_run_it() -> None:
    for path in (REPO / "config" / "experiment").glob("*.yaml"):
        command = 'overrides="system=oracle benchmark=miniweb"' if path.stem == "single" else f"experiment={path.stem}"
        assert path.read_text().startswith(f"# snakemake --cores all --config {command}\n")


@pytest.mark.parametrize("count", [1, 2, 5, 26])
def test_each_task_is_in_exactly_one_shard(count: int) -> None:
    shards = [f"{index}-of-{count}" for index in range(count)]
    assert all(sum(in_shard(f"task-{n}", shard) for shard in shards) == 1 for n in range(100))


@pytest.mark.parametrize(
    "override, message",
    [
        ("execution.workers=0", "execution.workers=0: must be between"),
        ("benchmark.select.limit=-1", "benchmark.select.limit=-1: must be between"),
        ("benchmark.types=[x]", r"unknown key benchmark\.types; did you mean benchmark\.select\.types\?"),
        ("benchmark.limit=-1", "benchmark.select.limit=-1: must be between"),
        ("system.max_round=4", r"unknown key system\.max_round; did you mean system\.max_rounds\?"),
        ("+benchmark.zzz=4", r"unknown key benchmark\.zzz; known keys: dataset, kind"),
        ("analysis.confidence=95", "analysis.confidence=95"),
        ("system.max_rounds=-3", "system.max_rounds=-3"),
        ("environment.dataset.name=my/site", "it names a folder"),
        ("analysis.confidence=0.9,0.95", "change no score"),
        ("execution.workers=1,2", "in execution"),
        ("system=oracle execution.shards=1,2", "change no score"),
    ],
)
def test_values_that_no_type_forbids_are_refused(override: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        plan_experiment("single", override).shards  # noqa: B018


def test_the_short_name_of_the_limit_is_the_limit() -> None:
    short, full = (
        plan_experiment("single", f"system=oracle {key}=4") for key in ("benchmark.limit", "benchmark.select.limit")
    )
    assert short.runs == full.runs and short.runs[0].config["benchmark"]["select"]["limit"] == 4


def test_overrides_that_yaml_understood_otherwise_are_refused() -> None:
    with pytest.raises(ConfigError, match="was read as YAML"):
        split_overrides({"a": 1})  # type: ignore[arg-type]
