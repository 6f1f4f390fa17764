"""The benchmarks over WebArena's sites, asked for as a run asks for them."""

from pathlib import Path

import pytest

from webassay.config.experiment import plan_experiment
from webassay.config.paths import RunPlan
from webassay.errors import ConfigError


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def planned(*overrides: str, benchmark: str = "webarena_verified") -> RunPlan:
    given = ["system=naive_na", f"benchmark={benchmark}", "environment=webarena", *overrides]
    return plan_experiment("single", given).runs[0]


def test_the_three_benchmarks_share_one_wheel() -> None:
    plans = [planned(benchmark=name) for name in ("webarena_verified", "webarena_verified_hard", "webarena")]
    assert len({plan.benchmark_data.folder for plan in plans}) == 1 and len({plan.run for plan in plans}) == 3
    assert plans[0].benchmark_data.source == "wheel:webarena-verified==1.2.3"


def test_a_copy_of_ones_own_takes_the_place_of_the_wheel_and_of_its_pin(tmp_path: Path) -> None:
    copy = tmp_path / "mine.json"
    copy.write_text("[]")
    data = planned(f"benchmark.path={copy}").benchmark_data
    assert data.source == f"file:{copy}" and data.sha256 != planned().benchmark_data.sha256
    with pytest.raises(ConfigError, match=r"there is no file gone\.json"):
        planned("benchmark.path=gone.json")


def test_an_address_moves_no_path_but_a_fact_that_verdicts_rest_on_does() -> None:
    assert planned("environment.sites.gitlab.url=https://git.example").run == planned().run
    assert planned("environment.sites.gitlab.session_cookie=other").run != planned().run
    assert planned("environment.sites.gitlab.login_path=/in").run != planned().run


def test_selecting_by_type_is_another_run_and_no_selection_is_none() -> None:
    assert planned("benchmark.select.types=[mutate]").run != planned().run
    assert planned("benchmark.select.types=[]", "benchmark.select.limit=null").run == planned().run
