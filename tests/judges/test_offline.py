"""Offline scoring as a function, and what it makes of hostile files."""

import json
import os
import shutil
import threading
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.offline_logs import PAGES, har, make_logs, put, right_answer
from tests.released import released
from webassay.core.task import Task
from webassay.core.verdict import Assertion, Verdict
from webassay.errors import ConfigError
from webassay.judges.offline.plan import task_ids
from webassay.judges.offline.pool import CHUNK, Pool
from webassay.judges.offline.results import Provenance, eval_result, to_json
from webassay.judges.offline.score import Scores, score_logs
from webassay.judges.offline.worker import Brief, Order, Report

PAGE = PAGES["shopping_admin"]
GOOD = har(PAGE)
DEEP = b"[" * 200_000


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def score(logs: Path, **asked: Any) -> Scores:
    return score_logs(logs, dataset=released() / "webarena-verified.json", **asked)


def sparse(path: Path, size: int) -> None:
    with path.open("wb") as stream:
        stream.truncate(size)


def test_the_function_gives_the_rows_and_tells_of_each(tmp_path: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    logs = make_logs(tmp_path / "logs")
    scores = score(logs, tasks="0,1,132-134", jobs=2, watch=lambda row, done, of: seen.append((row.task_id, done, of)))
    assert [(row.task_id, row.status) for row in scores.rows] == [
        ("0", "success"), ("1", "failure"), ("132", "success"), ("133", "success"), ("134", "missing"),
    ]  # fmt: skip
    assert sorted(seen) == sorted((name, number, 4) for (name, _, _), number in zip(seen, range(1, 5), strict=True))
    assert {name for name, _, _ in seen} == {"0", "1", "132", "133"}
    assert [row.task_id for row in scores.unevaluated] == ["134"] and scores.judged == 4


@pytest.mark.parametrize(
    "response",
    [b"", b"{", b"\xff\xfe{}", b"null", b"[]", b"NaN", DEEP, b'{"a":' * 100_000, b'"' + b"x" * 10_000_000 + b'"',
     b'{"task_type": "RETRIEVE", "status": "SUCCESS", "retrieved_data": ["\\ud800"]}',
     b'{"task_type": "RETRIEVE", "status": "SUCCESS", "retrieved_data": [1' + b"0" * 5000 + b"]}"],
    ids=["empty", "cut", "bytes", "null", "list", "nan", "deep", "deeper", "10 MB", "surrogate", "number"],
)  # fmt: skip
def test_an_answer_that_is_none_is_a_failure_with_a_reason(tmp_path: Path, response: bytes) -> None:
    put(tmp_path / "logs", "0", response, GOOD)
    (row,) = score(tmp_path / "logs", tasks="0", jobs=1).rows
    assert (row.status, row.score, row.parse_failure, row.attribution) == ("failure", 0.0, True, "agent")
    assert row.reason and (tmp_path / "logs" / "0" / "eval_result.json").read_bytes()


@pytest.mark.parametrize(
    "trace",
    [b"", b"{", b"\xff\xfe{}", b"null", b"[]", b'{"log": {}}', DEEP, b'{"log":' * 100_000, b"PK\x03\x04"],
    ids=["empty", "cut", "bytes", "null", "list", "no entries", "deep", "deeper", "zip"],
)
def test_a_trace_that_is_none_is_an_error_with_a_reason_and_never_zero(tmp_path: Path, trace: bytes) -> None:
    put(tmp_path / "logs", "0", right_answer("0"), trace)
    (row,) = score(tmp_path / "logs", tasks="0", jobs=1).rows
    assert (row.status, row.score) == ("error", None)
    assert "network.har" in row.reason and str(tmp_path) not in row.reason


@pytest.mark.parametrize("name", ["agent_response.json", "network.har"])
def test_two_gigabytes_are_refused_without_reading_them(tmp_path: Path, name: str) -> None:
    folder = put(tmp_path / "logs", "0", right_answer("0"), GOOD)
    sparse(folder / name, 2**31)
    (row,) = score(tmp_path / "logs", tasks="0", jobs=1, seconds=60).rows
    assert row.status in ("error", "failure") and row.score in (None, 0.0) and row.reason


def test_a_pipe_or_a_folder_in_place_of_a_file_is_missing_and_nobody_waits_for_it(tmp_path: Path) -> None:
    os.mkfifo(put(tmp_path / "logs", "0", right_answer("0"), None) / "network.har")
    (put(tmp_path / "logs", "1", right_answer("1"), None) / "network.har").mkdir()
    assert [row.status for row in score(tmp_path / "logs", tasks="0,1").rows] == ["missing", "missing"]


def test_a_file_that_may_not_be_read_is_missing_until_it_may(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = put(tmp_path / "logs", "0", right_answer("0"), GOOD)
    (folder / "agent_response.json").chmod(0)
    if os.access(folder / "agent_response.json", os.R_OK):
        pytest.skip("this user may read everything")
    assert [row.status for row in score(tmp_path / "logs", tasks="0").rows] == ["missing"]
    (folder / "agent_response.json").chmod(0o644)
    assert [row.status for row in score(tmp_path / "logs", tasks="0").rows] == ["success"]


def sleeping(folder: Path, monkeypatch: pytest.MonkeyPatch, file: str) -> None:
    """A worker that opens it never comes back."""
    (folder / "sitecustomize.py").write_text(
        "import sys, time\n"
        "sys.addaudithook(lambda event, given: time.sleep(600) if event == 'open' and "
        f"str(given[0]).endswith({file!r}) else None)\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(folder))


def test_orders_that_a_hanging_worker_does_not_read_block_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sleeping(tmp_path, monkeypatch, "first")
    tasks = [Task(str(number), "long" * 50_000, ("map",), "1", ()) for number in range(4 * CHUNK)]
    names = ["first", *(f"no{number}" for number in range(1, 4 * CHUNK))]
    orders = [Order(task, "", name, "t", {}) for task, name in zip(tasks, names, strict=True)]
    judge = {"kind": "webassay.judges.verified:Verified", "name": "verified", "options": {}}
    pool, reports = Pool(Brief(str(tmp_path), judge, Provenance("1", "2", "3")), 1, 5), list[Report]()
    thread = threading.Thread(target=lambda: reports.extend(pool.judge(orders)), daemon=True)
    thread.start()
    thread.join(60)
    told = {report.entry.row.task_id: report.entry.row.reason for report in reports if report.entry}
    assert len(told) == len(orders)
    assert "longer than 5 s" in told.pop("0") and all("No such file" in reason for reason in told.values())


def test_a_task_that_takes_too_long_is_stopped_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sleeping(tmp_path, monkeypatch, "132/network.har")
    scores = score(make_logs(tmp_path / "logs"), tasks="0,1,132,133", jobs=1, seconds=5)
    assert [row.status for row in scores.rows] == ["success", "failure", "error", "success"]
    assert "longer than 5 s" in scores.rows[2].reason


def test_verdicts_that_came_with_the_logs_change_nothing(tmp_path: Path) -> None:
    """Those that scoring once kept there, and those of its present ledger."""
    put(tmp_path / "logs", "1", {"task_type": "RETRIEVE", "status": "SUCCESS", "retrieved_data": ["no"]}, GOOD)
    assert score(tmp_path / "logs", tasks="1").rows[0].score == 0.0
    (ledger,) = (tmp_path / "results" / "scores").glob("logs-*/ledger.jsonl")
    forged = ledger.read_bytes().replace(b'"failure","score":0.0', b'"success","score":1.0')
    assert forged != ledger.read_bytes()
    shutil.rmtree(ledger.parent)
    before = set((tmp_path / "logs").rglob("*"))
    for name in (
        ".webassay/scores.jsonl",
        ".webassay/ledger.jsonl",
        f"results/scores/{ledger.parent.name}/ledger.jsonl",
    ):
        (tmp_path / "logs" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "logs" / name).write_bytes(forged)
    scores = score(tmp_path / "logs", tasks="1")
    assert (scores.judged, scores.kept, scores.rows[0].score) == (1, 0, 0.0)
    for name in (".webassay", "results"):
        shutil.rmtree(tmp_path / "logs" / name)
    assert set((tmp_path / "logs").rglob("*")) == before


def test_a_result_is_never_written_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("mine")
    for task_id, link in (("0", Path.symlink_to), ("1", Path.hardlink_to)):
        link(put(tmp_path / "logs", task_id, right_answer(task_id), GOOD) / "eval_result.json", tmp_path / "victim")
    for name in ("scores.csv", "eval_results.json"):
        (tmp_path / "logs" / name).symlink_to(tmp_path / "victim")
    assert [row.status for row in score(tmp_path / "logs", tasks="0,1").rows] == ["success", "success"]
    assert (tmp_path / "victim").read_text() == "mine"
    assert json.loads((tmp_path / "logs" / "0" / "eval_result.json").read_text())["score"] == 1.0
    assert not any(path.is_symlink() for path in (tmp_path / "logs").rglob("*"))


def test_a_task_s_folder_that_leads_elsewhere_is_an_error_unless_results_go_elsewhere(tmp_path: Path) -> None:
    folder = put(tmp_path / "mine", "0", right_answer("0"), GOOD)
    put(tmp_path / "logs", "1", right_answer("1"), GOOD)
    (tmp_path / "logs" / "0").symlink_to(folder)
    first, second = score(tmp_path / "logs", tasks="0,1").rows
    assert (first.status, first.score, second.status) == ("error", None, "success")
    assert "a link that leads out of" in first.reason
    assert sorted(path.name for path in folder.iterdir()) == ["agent_response.json", "network.har"]
    assert [row.status for row in score(tmp_path / "logs", tasks="0", out=tmp_path / "out").rows] == ["success"]
    (tmp_path / "logs" / "0").unlink()
    (tmp_path / "logs" / "0").symlink_to("1")
    assert [row.status for row in score(tmp_path / "logs", tasks="0").rows] == ["failure"]


def test_a_summary_that_is_a_pipe_is_replaced_and_nobody_waits_for_it(tmp_path: Path) -> None:
    put(tmp_path / "logs", "0", right_answer("0"), GOOD)
    os.mkfifo(tmp_path / "logs" / "eval_results.json")
    score(tmp_path / "logs", tasks="0")
    assert json.loads((tmp_path / "logs" / "eval_results.json").read_text())["summary"]["overall"]["total"] == 1


def test_a_body_beside_an_unpacked_trace_is_one_of_its_inputs(tmp_path: Path) -> None:
    trace = put(tmp_path / "logs", "0", right_answer("0"), None) / "network.har"
    (trace / "resources" / "deep" / "deeper").mkdir(parents=True)
    events = ({"type": "resource-snapshot", "snapshot": event} for event in GOOD["log"]["entries"])
    (trace / "trace.network").write_text("".join(json.dumps(event) + "\n" for event in events))
    (trace / "resources" / "deep" / "deeper" / "loop").symlink_to(trace)
    (trace / "resources" / "1f.json").write_text("{}")
    assert [score(tmp_path / "logs", tasks="0").judged for _ in range(2)] == [1, 0]
    (trace / "resources" / "1f.json").write_text("{} ")
    assert [score(tmp_path / "logs", tasks="0").judged for _ in range(2)] == [1, 0]


@pytest.mark.parametrize("name", [f"{'1f' * 20}.json", "resources/1f.json"])
def test_a_body_beside_a_har_is_one_of_its_inputs(tmp_path: Path, name: str) -> None:
    body = put(tmp_path / "logs", "0", right_answer("0"), GOOD) / name
    body.parent.mkdir(exist_ok=True)
    for content in ("{}", "{} "):
        body.write_text(content)
        assert [score(tmp_path / "logs", tasks="0").judged for _ in range(2)] == [1, 0]


def test_one_mended_task_of_a_copy_of_the_data_is_judged_alone(tmp_path: Path) -> None:
    records = json.loads((released() / "webarena-verified.json").read_text())
    logs, mine = make_logs(tmp_path / "logs"), tmp_path / "webarena-verified.json"
    asked: dict[str, Any] = {"tasks": "0,1,132,133", "dataset": mine}
    mine.write_text(json.dumps(records))
    assert score_logs(logs, **asked).judged == 4
    records[1]["intent"] += "?"
    mine.write_text(json.dumps(records))
    scores = score_logs(logs, **asked)
    assert (scores.judged, scores.kept) == (1, 3)


@pytest.mark.parametrize("profile, judged", [("release", 0), ("paper", 1)])
def test_settings_that_a_profile_does_not_read_judge_nothing_anew(tmp_path: Path, profile: str, judged: int) -> None:
    put(tmp_path / "logs", "0", right_answer("0"), GOOD)
    score(tmp_path / "logs", tasks="0", profile=profile)
    again = score(tmp_path / "logs", tasks="0", profile=profile, overrides=["judge.tolerances.currency=0.5"])
    assert again.judged == judged


@pytest.mark.parametrize("words, ids", [("1", ["1"]), ("1, 3-5 tent", ["1", "3", "4", "5", "tent"]), ("07", ["07"])])
def test_lists_of_tasks(words: str, ids: list[str]) -> None:
    assert task_ids(words) == ids


@pytest.mark.parametrize("words", [",", "5-1", "0-999999999", "@/dev/null"])
def test_lists_that_are_none(words: str) -> None:
    with pytest.raises(ConfigError):
        task_ids(words)


def test_values_that_json_cannot_hold_spoil_no_result() -> None:
    task = Task("1", "?", ("map",), "2", ())
    check = Assertion("response.results", False, [1.0], [float("nan"), 10**5000, "\ud800"], reason="\ud800")
    provenance = Provenance("1", "2", "3")
    result = json.loads(to_json(eval_result(task, Verdict(0.0, "failure", "x", (check,)), provenance)))
    assert result["score"] == 0.0 and result["evaluators_results"][0]["expected"] == [1.0]


def test_an_error_is_not_a_score_but_the_release_writes_zero() -> None:
    result = eval_result(Task("1", "?", ("map",), "2", ()), Verdict(None, "error", "why"), Provenance("1", "2", "3"))
    assert (result["status"], result["score"], result["error_msg"]) == ("error", 0.0, "why")


def test_each_network_event_is_an_evaluator_of_its_own() -> None:
    names = ("response.action", "response.status", "network.1", "network.2.url", "network.2.status", "activity.map")
    verdict = Verdict(1.0, "success", assertions=tuple(Assertion(name, True) for name in names))
    result = eval_result(Task("1", "?", ("map",), "2", ()), verdict, Provenance("1", "2", "3"))
    assert [one["evaluator_name"] for one in result["evaluators_results"]] == [
        "AgentResponseEvaluator", "NetworkEventEvaluator", "NetworkEventEvaluator", "ActivityEvaluator",
    ]  # fmt: skip
