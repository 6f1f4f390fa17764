"""The three benchmarks over WebArena's sites, from the released files."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import REPO
from tests.evidence.recording import entry
from tests.released import released
from webassay.benchmarks import webarena, webarena_verified, webarena_verified_hard
from webassay.benchmarks.selection import load_tasks, select
from webassay.core.task import Task
from webassay.errors import TaskError, WebassayError
from webassay.judges.verified import evaluate

NOTHING = {"tasks": [], "templates": [], "sites": [], "types": [], "difficulties": [], "limit": None}
ENVIRONMENT = yaml.safe_load((REPO / "config/environment/webarena.yaml").read_text()) | {"accounts": {}}


def verified() -> list[Task]:
    return webarena_verified.load(released())


def selected(**wanted: Any) -> list[Task]:
    return select(verified(), NOTHING | wanted)


@pytest.mark.parametrize(
    "name, count, templates",
    [("webarena_verified", 812, 190), ("webarena_verified_hard", 258, None), ("webarena", 812, None)],
)
def test_all_tasks_have_what_they_need_of_the_environment(name: str, count: int, templates: int | None) -> None:
    config = {"benchmark": {"kind": f"webassay.benchmarks.{name}", "select": NOTHING}, "environment": ENVIRONMENT}
    tasks = load_tasks(config, released())
    assert len(tasks) == count
    assert all(task.start_urls and task.account is None for task in tasks)
    assert templates is None or len({task.template for task in tasks}) == templates


def test_records_of_the_release_are_kept_whole() -> None:
    records = json.loads((released() / webarena_verified.MEMBER).read_text())
    for record, task in zip(records, verified(), strict=True):
        assert task.task_id == str(record["task_id"]) and task.template == str(record["intent_template_id"])
        for key in ("intent", "intent_template", "instantiation_dict", "revision"):
            assert getattr(task, key) == record[key]
        for key in ("sites", "start_urls", "eval"):
            assert list(getattr(task, key)) == record[key]


def test_records_of_the_original_can_be_made_again_from_the_tasks() -> None:
    records = json.loads((released() / webarena.MEMBER).read_text())
    for record, task in zip(records, webarena.load(released()), strict=True):
        (entry,) = task.eval
        rest = entry["record"]
        checks = {key: value for key, value in entry.items() if key not in ("evaluator", "record")}
        assert {
            "task_id": int(task.task_id),
            "intent_template_id": int(task.template),
            "sites": list(task.sites),
            "intent": task.intent,
            "intent_template": task.intent_template,
            "instantiation_dict": task.instantiation_dict,
            "eval": checks,
            **rest,
        } == record
        assert " |AND| ".join(task.start_urls) == record["start_url"]


def test_several_start_pages_are_several() -> None:
    counts = Counter(len(task.start_urls) for task in webarena.load(released()))
    assert counts == {1: 807, 2: 4, 3: 1}


@pytest.mark.parametrize("profile", ["paper", "release"])
def test_the_original_is_refused_by_the_judge_that_does_not_know_it(profile: str) -> None:
    environments = {name: {"urls": [site["url"]]} for name, site in ENVIRONMENT["sites"].items()}
    answer = {"action": "retrieve", "status": "SUCCESS", "results": ["x"]}
    page = entry("http://localhost:7780/admin/dashboard/")
    verdict = evaluate(webarena.load(released())[0], answer, [page], environments=environments, profile=profile)
    assert (verdict.score, verdict.status) == (None, "error") and "WebArenaEvaluator" in verdict.reason


def test_the_hard_subset_is_the_list_and_the_list_is_what_its_checksum_says(tmp_path: Path) -> None:
    subset = json.loads((released() / webarena_verified_hard.MEMBER).read_text())
    assert [task.task_id for task in webarena_verified_hard.load(released())] == [str(n) for n in subset["task_ids"]]
    subset["task_ids"][0] += 1
    (tmp_path / "subset.json").write_text(json.dumps(subset))
    with pytest.raises(TaskError, match="the file was changed"):
        webarena_verified_hard.read_subset(tmp_path / "subset.json")


def test_tasks_of_a_type() -> None:
    counts = {kind: len(selected(types=[kind])) for kind in ("retrieve", "mutate", "navigate")}
    assert counts == {"retrieve": 325, "mutate": 374, "navigate": 113}
    assert len(selected(types=["mutate", "navigate"])) == 487


def test_ways_of_selecting_are_combined() -> None:
    tasks = selected(sites=["gitlab", "reddit"], types=["mutate"], limit=5)
    assert len(tasks) == 5 and all(set(task.sites) <= {"gitlab", "reddit"} for task in tasks)
    assert [task.task_id for task in selected(templates=["279"])] == ["0", "1", "2", "3", "4", "5", "6"]
    assert [task.task_id for task in selected(tasks=["811", "7"])] == ["7", "811"]


@pytest.mark.parametrize("wanted", [{"types": ["click"]}, {"sites": ["shop"]}, {"tasks": ["812"]}])
def test_a_choice_that_the_benchmark_has_not_is_an_error(wanted: dict[str, Any]) -> None:
    with pytest.raises(TaskError, match="is not in the benchmark"):
        selected(**wanted)


def test_types_are_unknown_where_no_response_is_expected() -> None:
    with pytest.raises(TaskError, match="types: retrieve is not in the benchmark, which has none"):
        select(webarena.load(released()), NOTHING | {"types": ["retrieve"]})


@pytest.mark.parametrize("record", [1, {}, {"eval": []}, {"eval": {}}, {"eval": {}, "start_url": "__MAP__"}])
def test_a_record_that_is_no_task_of_the_original_is_named(tmp_path: Path, record: Any) -> None:
    (tmp_path / "tasks.json").write_text(json.dumps([record]))
    with pytest.raises(WebassayError, match=r"tasks\.json, record 1"):
        webarena.load(tmp_path)
