"""The linter itself: a sound benchmark has no findings, and each weakness of a task is found by its name."""

from copy import deepcopy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from webassay.core.files import write_json
from webassay.core.task import Task, task_from_record
from webassay.core.trajectory import Attempt, EventLog, FinalAnswer, write_end
from webassay.judges.lint.ideal import ideal
from webassay.judges.lint.tasks import Report, findings_csv, lint_run

ENVIRONMENTS = {
    "shop": {
        "urls": ["http://shop.localhost"],
        "login_path": "/login/",
        "session_cookie": "sessionid",
        "user_header": "X-Site-User",
        "user": "emma@example.com",
    }
}
NOTHING_WRITTEN = {"evaluator": "ChangesEvaluator", "allowed": []}
PRICES = {"type": "array", "items": {"type": "number", "format": "currency"}}


def answer(action: str, data: Any = None) -> dict[str, Any]:
    schema = PRICES if data else {"type": "null"}
    expected = {"task_type": action, "status": "SUCCESS", "retrieved_data": data}
    return {"evaluator": "AgentResponseEvaluator", "results_schema": schema, "expected": expected}


def posted(path: str, **fields: str) -> dict[str, Any]:
    expected = {"url": f"__SHOP__{path}", "http_method": "POST", "response_status": 302, "post_data": fields}
    return {"evaluator": "NetworkEventEvaluator", "expected": expected}


PRICE = [answer("retrieve", [12.5]), NOTHING_WRITTEN]
OTHER_PRICE = [answer("retrieve", [19.0]), NOTHING_WRITTEN]
REVIEW = [
    answer("mutate"),
    posted("/reviews/add/", stars="4"),
    {"evaluator": "StateEvaluator", "probe": "reviews", "before": [[1, "ok"]], "after": [[1, "ok"], [4, "fine"]]},
    {
        "evaluator": "ChangesEvaluator",
        "allowed": [
            {"table": "reviews", "op": "insert"},
            {"table": "products", "op": "update", "rows": 1, "columns": ["rating"]},
        ],
    },
]


def task(task_id: str, evaluators: list[dict[str, Any]], **more: Any) -> Task:
    record = {"task_id": task_id, "intent": "…", "sites": ["shop"], "intent_template_id": "t", "account": "emma"}
    probes = {one["probe"]: {"sql": "SELECT 1"} for one in evaluators if one["evaluator"] == "StateEvaluator"}
    return task_from_record(record | {"eval": evaluators, "probes": probes} | more, "task")


def perform(one: Task, folder: Path) -> None:
    """A trajectory as an oracle would leave it."""
    case = ideal(one, ENVIRONMENTS)
    folder.mkdir(parents=True)
    log = EventLog(folder)
    for _ in range(6):
        log.write(message="", url="", action="visit_url", arguments={})
    log.close()
    write_json(folder / "network.har", {"log": {"entries": case.har}})
    write_json(folder / "state.json", case.state or {"before": {}, "after": {}, "changes": []})
    attempt = Attempt(one.task_id, one.execution_digest, 0, "answered", "", ENVIRONMENTS)
    write_end(folder, FinalAnswer(msgspec.json.encode(case.response).decode()), attempt, 0.0, 1.0)


def lint(folder: Path, *tasks: Task) -> Report:
    for one in tasks:
        if not (folder / "traj" / one.task_id).exists():
            perform(one, folder / "traj" / one.task_id)
    config = {"environment": {"database": "site.sqlite3"}, "judge": {"profile": "paper"}}
    plan: Any = SimpleNamespace(config=config, folder=folder)
    said: list[str] = []
    return lint_run(plan, tasks, said.append)


def test_a_sound_benchmark_has_no_findings(tmp_path: Path) -> None:
    report = lint(tmp_path, task("price", PRICE), task("other", OTHER_PRICE), task("review", REVIEW))
    assert report.findings == [] and report.tasks == 3
    assert report.tried["ideal"] == report.tried["oracle"] == 3 and report.tried["corruption"] > 60
    assert report.tried["pair of ideal evidence"] == report.tried["pair of real evidence"] == 6
    assert findings_csv({"run": report}) == "run,check,task_id,what,found\n"
    assert report.summary().endswith("findings: 0")


@pytest.mark.parametrize(
    "evaluators, found",
    [
        (REVIEW[:3], {"side effect in another table"}),
        ([*REVIEW[:2], REVIEW[3]], {"nothing changed"}),
        ([REVIEW[0], *REVIEW[2:]], set()),
        ([REVIEW[0], REVIEW[3]], {"nothing changed"}),
        (PRICE[:1], {"side effect in another table"}),
    ],
    ids=["side effects allowed", "rows not looked at", "state alone", "nothing expected", "may write"],
)
def test_a_weak_task_is_found(tmp_path: Path, evaluators: list[dict[str, Any]], found: set[str]) -> None:
    report = lint(tmp_path, task("weak", deepcopy(evaluators)))
    assert {finding.what for finding in report.findings if finding.check == "corruption"} >= found
    assert bool(report.findings) == bool(found)
    assert all(finding.found == "it passes" for finding in report.findings)


def test_tasks_that_pass_for_each_other_are_found(tmp_path: Path) -> None:
    report = lint(tmp_path, task("price", PRICE), task("double", PRICE), task("review", REVIEW))
    pairs = {(finding.check, finding.task_id, finding.what) for finding in report.findings}
    kinds = ("pair of ideal evidence", "pair of real evidence")
    assert pairs == {(kind, *pair) for kind in kinds for pair in (("price", "double"), ("double", "price"))}


def test_a_probe_that_only_one_task_has_does_not_hide_a_double(tmp_path: Path) -> None:
    watched = {"evaluator": "StateEvaluator", "probe": "stock", "before": [[5]], "after": [[5]]}
    report = lint(tmp_path, task("price", PRICE), task("double", [*PRICE, watched]))
    assert ("double", "price") in {(finding.task_id, finding.what) for finding in report.findings}


def test_a_task_that_its_ideal_does_not_pass_is_found(tmp_path: Path) -> None:
    broken = [answer("mutate"), posted("/a/", stars="4"), posted("/a/", stars="5"), NOTHING_WRITTEN]
    report = lint(tmp_path, task("price", PRICE), task("broken", broken))
    assert {(finding.check, finding.task_id) for finding in report.findings} >= {
        ("ideal", "broken"),
        ("oracle", "broken"),
    }


@pytest.mark.parametrize("damage", ["network.har", "attempt.json", "price_final_answer.json"])
def test_an_oracle_without_evidence_is_found(tmp_path: Path, damage: str) -> None:
    perform(task("price", PRICE), tmp_path / "traj" / "price")
    (tmp_path / "traj" / "price" / damage).write_text("{")
    (finding,) = lint(tmp_path, task("price", PRICE)).findings
    assert finding.check == "oracle" and damage in finding.found


def test_an_oracle_that_fails_is_found_with_its_reason(tmp_path: Path) -> None:
    perform(task("price", OTHER_PRICE), tmp_path / "traj" / "price")
    (finding,) = lint(tmp_path, task("price", PRICE)).findings
    assert finding.check == "oracle" and "results" in finding.found
