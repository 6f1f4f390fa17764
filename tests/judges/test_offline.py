"""Offline scoring as a function, and what it makes of hostile files."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.offline_logs import PAGES, har, make_logs, put, right_answer
from tests.released import released
from webassay.core.task import Task
from webassay.core.verdict import Assertion, Verdict
from webassay.errors import ConfigError
from webassay.judges.offline.plan import task_ids
from webassay.judges.offline.results import Provenance, eval_result, to_json
from webassay.judges.offline.score import Scores, score_logs

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


def test_a_task_that_takes_too_long_is_stopped_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import sys, time\n"
        "sys.addaudithook(lambda event, given: time.sleep(600) if event == 'open' and "
        "str(given[0]).endswith('132/network.har') else None)\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    scores = score(make_logs(tmp_path / "logs"), tasks="0,1,132,133", jobs=1, seconds=5)
    assert [row.status for row in scores.rows] == ["success", "failure", "error", "success"]
    assert "longer than 5 s" in scores.rows[2].reason


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
