"""Benchmarks on the open web: their tasks, out of a user's own copy of the files."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.judges.corpus import shared
from webassay.benchmarks import online_mind2web, webtailbench, webtailbench_refusals, webvoyager
from webassay.benchmarks.dataset import ensure_dataset
from webassay.benchmarks.selection import load_tasks
from webassay.config.experiment import plan_experiment
from webassay.config.paths import RunPlan
from webassay.core.task import Task, safe_id
from webassay.errors import ConfigError, DatasetError, TaskError

RUBRIC = {"items": [{"criterion": "It is booked", "max_points": 2}]}


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def planned(benchmark: str, path: Path | str, *overrides: str) -> RunPlan:
    given = ["system=naive_na", f"benchmark={benchmark}", f"benchmark.path={path}", "judge=verified", *overrides]
    return plan_experiment("single", given).runs[0]


def tasks_of(benchmark: str, path: Path | str, *overrides: str) -> list[Task]:
    plan = planned(benchmark, path, *overrides)
    return load_tasks(plan.config, ensure_dataset(plan.benchmark_data))


@pytest.mark.parametrize(
    "benchmark, file, count",
    [
        ("webvoyager", "WebVoyager_data_08312025.jsonl", 595),
        ("webvoyager_original", "WebVoyager_data_original.jsonl", 643),
    ],
)
def test_webvoyager(benchmark: str, file: str, count: int) -> None:
    tasks = tasks_of(benchmark, shared(f"tasks/{file}"))
    assert len(tasks) == count and len({task.template for task in tasks}) == 15
    assert all(task.start_urls[0].startswith("https://") for task in tasks)
    assert Counter(task.sites for task in tasks)[("wolfram_alpha",)] == 46


def test_online_mind2web_by_level() -> None:
    path = shared("tasks/Online_Mind2Web_06042025.json")
    tasks = tasks_of("online_mind2web", path)
    assert Counter(task.difficulty for task in tasks) == {"easy": 83, "medium": 143, "hard": 74}
    assert len({task.template for task in tasks}) == 137
    assert len(tasks_of("online_mind2web", path, "benchmark.select.difficulties=[hard,easy]")) == 157
    with pytest.raises(TaskError, match="difficulties: hotels is not in the benchmark, which has easy, hard, medium"):
        tasks_of("online_mind2web", path, "benchmark.select.difficulties=[hotels]")


@pytest.mark.parametrize(
    "benchmark", ["webvoyager", "online_mind2web", "webtailbench", "webtailbench_v1", "webtailbench_refusals"]
)
@pytest.mark.parametrize("path", ["", "gone.json"])
def test_where_there_is_no_file_the_error_says_where_to_get_it(benchmark: str, path: str) -> None:
    with pytest.raises(
        ConfigError, match=r"benchmark\.path: there is no file.*get it from .*(github|huggingface).*revision"
    ):
        planned(benchmark, path)


def test_another_file_than_the_pinned_one_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.jsonl").write_text("{}\n")
    with pytest.raises(DatasetError, match="the configuration pins 5c8cb175"):
        tasks_of("webvoyager", "mine.jsonl")


def test_no_agent_is_sent_to_the_open_web(tmp_path: Path) -> None:
    from webassay.systems.supervisor import Crew

    table(tmp_path / "t.tsv", [row()])
    plan = planned("webtailbench", "t.tsv")
    with (
        pytest.raises(ConfigError, match="environment=live: no browser of this machine is sent"),
        Crew.of(plan, "execute", "0-of-1", tmp_path),
    ):
        pass


def row(**changes: Any) -> dict[str, Any]:
    return {
        "benchmark": "flights",
        "id": "flights_1",
        "task_summary": "Book it",
        "precomputed_rubric": RUBRIC,
    } | changes


def table(path: Path, rows: list[dict[str, Any]]) -> Path:
    """As upstream writes it: cells that hold JSON are quoted."""
    import csv

    cells = [
        {key: json.dumps(value) if isinstance(value, dict) else value for key, value in one.items()} for one in rows
    ]
    with path.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, fieldnames=list(cells[0]), delimiter="\t")
        writer.writeheader()
        writer.writerows(cells)
    return path


def test_the_versions_of_webtailbench_have_names_of_their_own_and_can_be_pinned(tmp_path: Path) -> None:
    path = table(tmp_path / "own.tsv", [row()])
    plans = [planned(name, path) for name in ("webtailbench", "webtailbench_v1")]
    assert len({plan.run for plan in plans}) == 2
    with pytest.raises(DatasetError, match="sha256"):
        tasks_of("webtailbench_v1", path, f"benchmark.dataset.sha256={'0' * 64}")


def test_webtailbench_keeps_its_rubrics(tmp_path: Path) -> None:
    rows = [row(), row(id="jobs 2", benchmark="jobs", precomputed_rubric="", task_summary='He said "hi"')]
    first, second = tasks_of("webtailbench", table(tmp_path / "v2.tsv", rows))
    assert first.eval == ({"evaluator": webtailbench.EVALUATOR, "rubric": RUBRIC},) and first.template == "flights"
    assert second.eval == ({"evaluator": webtailbench.EVALUATOR},) and second.intent == 'He said "hi"'
    assert second.task_id == safe_id("jobs 2") and second.start_urls == ()


def test_another_rubric_is_the_same_execution(tmp_path: Path) -> None:
    other = {"items": [{"criterion": "It is cheap", "max_points": 1}]}
    (before,) = tasks_of("webtailbench", table(tmp_path / "v1.tsv", [row()]))
    (after,) = tasks_of("webtailbench", table(tmp_path / "v2.tsv", [row(precomputed_rubric=other)]))
    assert before.digest != after.digest and before.execution_digest == after.execution_digest


def test_older_tables_and_refusals(tmp_path: Path) -> None:
    older = {
        "benchmark": "flights",
        "subdir": "flights_1",
        "task_summary": "Book it",
        "init_url": "https://www.x.com/a",
    }
    (task,) = tasks_of("webtailbench", table(tmp_path / "old.tsv", [older]))
    assert (task.task_id, task.sites, task.start_urls) == ("flights_1", ("x.com",), ("https://www.x.com/a",))
    (task,) = tasks_of("webtailbench_refusals", table(tmp_path / "no.tsv", [row(precomputed_rubric="")]))
    assert task.eval[0]["refusal"] is True


@pytest.mark.parametrize(
    "module, name, content, said",
    [
        (
            webvoyager,
            "tasks.jsonl",
            '{"web_name": "A", "id": "A--1", "ques": "?"}',
            "record 1: not a task of WebVoyager: no web",
        ),
        (
            webvoyager,
            "tasks.jsonl",
            '{"web_name": "A", "id": "A--1", "ques": "?", "web": "x"}',
            "no address of the web",
        ),
        (webvoyager, "tasks.jsonl", "[1]", "not a task of WebVoyager"),
        (online_mind2web, "tasks.json", '[{"task_id": "a"}]', "no confirmed_task, website, level"),
        (
            online_mind2web,
            "tasks.json",
            '[{"task_id": "a", "confirmed_task": "?", "website": "https://a.b", "level": "soft"}]',
            "level 'soft'",
        ),
        (webtailbench, "tasks.tsv", "benchmark\tid\ttask_summary\nx\ty\n", "row 2: not as many cells"),
        (webtailbench, "tasks.tsv", "benchmark\tid\tt\nx\ty\tz\n", "no task_summary"),
        (webtailbench, "tasks.tsv", "benchmark\tid\ttask_summary\tprecomputed_rubric\na\tb\tc\t{x\n", "not JSON"),
        (
            webtailbench,
            "tasks.tsv",
            "benchmark\tid\ttask_summary\tprecomputed_rubric\na\tb\tc\t[1]\n",
            "no list of items",
        ),
        (webtailbench_refusals, "tasks.tsv", "id\ttask_summary\nx\ty\n", "no benchmark"),
    ],
)
def test_a_broken_record_is_named(tmp_path: Path, module: Any, name: str, content: str, said: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(TaskError, match=said):
        module.load(tmp_path)


def test_ids_that_cannot_name_a_folder_stay_apart() -> None:
    assert safe_id("Amazon--1") == "Amazon--1"
    assert safe_id("BBC News--1") != safe_id("BBC_News--1") and safe_id("../x").startswith("x-")
