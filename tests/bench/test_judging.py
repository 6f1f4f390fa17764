"""The rows about judging, on made-up tasks and beside a stand-in for the release: that they say what they measure."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from webassay.bench import release
from webassay.bench.judging import check_judged, check_same, rows_of
from webassay.bench.logs import Logs, write_logs
from webassay.bench.recording import ENTRIES, SIZE
from webassay.bench.release import install_release
from webassay.bench.table import LeftOut, compared, write_table
from webassay.core.task import task_from_record
from webassay.errors import WebassayError
from webassay.evidence.trace import read_trace
from webassay.judges.verified import evaluate_file

SITES = {
    "shopping": {"urls": ["http://localhost:7770"], "login_path": "/login", "session_cookie": "PHPSESSID"},
    "gitlab": {"urls": ["http://localhost:8023"]},
}
NOTHING = {"type": "null"}
STAND_IN = """
import json, os, sys
from pathlib import Path
from types import SimpleNamespace

STATUS = "{status}"

class WebArenaVerified:
    def __init__(self, config):
        json.loads(config.read_text())["environments"]["__GITLAB__"]["urls"]

    def evaluate_task(self, task_id, agent_response, network_trace):
        agent_response.read_text()
        network_trace.read_text()
        return SimpleNamespace(score=float(STATUS == "success"), status=STATUS)

def main():
    folder = Path(sys.argv[sys.argv.index("--output-dir") + 1])
    for task in folder.iterdir():
        result = dict(status=STATUS, score=float(STATUS == "success"))
        (task / "eval_result.json").write_text(json.dumps(result))
"""


def response(action: str, data: Any = None, schema: dict[str, Any] = NOTHING) -> dict[str, Any]:
    expected = {"task_type": action, "status": "SUCCESS", "retrieved_data": data}
    return {"evaluator": "AgentResponseEvaluator", "ordered": False, "results_schema": schema, "expected": expected}


def event(url: str, **more: Any) -> dict[str, Any]:
    return {"evaluator": "NetworkEventEvaluator", "expected": {"url": url} | more}


def record(number: int, sites: list[str], *evaluators: dict[str, Any]) -> dict[str, Any]:
    start = [f"__{site.upper()}__" for site in sites]
    names = {"intent": "x", "intent_template": "x", "instantiation_dict": {}, "revision": 2}
    return {"task_id": number, "intent_template_id": 1, "sites": sites, "start_urls": start, "eval": evaluators} | names


PRICES = {"type": "array", "items": {"type": "number", "format": "currency"}}
RECORDS = [
    record(3, ["shopping"], response("retrieve", [112.5, 99.99], PRICES)),
    record(
        5,
        ["gitlab", "shopping"],
        response("mutate"),
        event(
            r"^__GITLAB__/api/v4/projects/\d+/members$",
            http_method="POST",
            response_status=201,
            post_data={"$.user.id": 7, "$.level": 30},
        ),
        event("__SHOPPING__/cart/add/", http_method="POST", response_status=302, post_data={"qty": "2"}),
    ),
    record(8, ["shopping"], response("navigate"), event("__SHOPPING__/orders/", query_params={"p": ["2"]})),
]


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Logs:
    return made_in(tmp_path_factory.mktemp("bench"))


@pytest.fixture
def stand_in(tmp_path: Path) -> Callable[[str], Path]:
    """A `python` in whose environment webarena-verified finds every task the same."""

    def make(status: str) -> Path:
        package = tmp_path / "webarena_verified"
        package.mkdir()
        (package / "__init__.py").touch()
        (package / "api.py").write_text(STAND_IN.replace("{status}", status))
        (package / "__main__.py").write_text("from webarena_verified.api import main\nmain()\n")
        python = tmp_path / "python"
        python.write_text(f'#!/bin/sh\nshift\nPYTHONPATH={tmp_path} exec {sys.executable} "$@"\n')
        python.chmod(0o755)
        return python

    return make


def made_in(folder: Path) -> Logs:
    return write_logs(folder, [task_from_record(one, "test") for one in RECORDS], SITES)


def test_recordings_have_their_size_and_are_the_same_every_time(logs: Logs, tmp_path: Path) -> None:
    again = made_in(tmp_path)
    for task, asked in zip(logs.ids, (0, 2, 1), strict=True):
        content = (logs.folder / task / "network.har").read_bytes()
        assert len(content) == pytest.approx(SIZE, rel=0.02)
        assert len(read_trace(logs.folder / task / "network.har")) == ENTRIES + asked
        assert content == (again.folder / task / "network.har").read_bytes()


def test_tasks_share_static_files_and_nothing_else(logs: Logs) -> None:
    first, other = ({event.url for event in read_trace(logs.folder / task / "network.har")} for task in ("3", "8"))
    assert {url for url in first & other if not url.endswith((".css", ".js", ".png", ".woff2"))} == set()
    assert len(first & other) > ENTRIES / 2


@pytest.mark.parametrize("profile", ["release", "paper"])
def test_judging_goes_its_whole_way(logs: Logs, profile: str) -> None:
    for task in logs.tasks:
        folder = logs.folder / task.task_id
        answer = (folder / "agent_response.json").read_text()
        trace = folder / "network.har"
        verdict = evaluate_file(task, answer, trace, environments=logs.environments, profile=profile)
        assert (verdict.score, verdict.reason) == (1.0, "")


def test_without_the_release_the_other_rows_are_measured(logs: Logs) -> None:
    rows = list(rows_of(logs, None, passes=2))
    assert [row.unit for row in rows] == ["ms", "ms", "s"]
    assert [row.goal for row in rows] == ["≤ 2 ×", "≤ 2 ×", ""]
    assert [row.n for row in rows] == [2, 2, 2]
    assert all(row.ours > 0 and row.reference and "3 tasks" in row.what for row in rows)


def test_beside_the_release_each_row_names_its_goal(logs: Logs, stand_in: Callable[[str], Path]) -> None:
    rows = list(rows_of(logs, stand_in("success"), passes=1))
    assert [row.unit for row in rows] == ["ms", "ms", "MB", "ms", "ms", "s", "ms"]
    assert [row.goal for row in rows] == ["≤ 1/15 ×", "≤ 1/15 ×", "", "≤ 2 ×", "≤ 2 ×", "", "≤ 1/60 ×"]
    assert all(row.ours > 0 and row.reference for row in rows)


def test_other_verdicts_than_the_releases_void_the_measurement(logs: Logs, stand_in: Callable[[str], Path]) -> None:
    with pytest.raises(WebassayError, match=r"3 of 3 verdicts differ.*task 3: .*success.*not .*failure.*void"):
        list(rows_of(logs, stand_in("failure"), passes=1))


@pytest.mark.parametrize(
    "ours, theirs",
    [
        ({"1": (1.0, "success")}, {"1": (0.0, "failure")}),
        ({"1": (None, "error")}, {"1": (0.0, "failure")}),
        ({}, {"1": (0.0, "failure")}),
        ({"1": (1.0, "success"), "2": (1.0, "success")}, {"1": (1.0, "success")}),
    ],
)
def test_score_and_status_of_every_task_must_agree(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    with pytest.raises(WebassayError, match="void"):
        check_same(ours, theirs)


def test_a_task_that_profile_paper_gives_up_voids_the_measurement() -> None:
    check_judged({"1": (0.0, "failure")})
    with pytest.raises(WebassayError, match="no verdict on task 2"):
        check_judged({"1": (0.0, "failure"), "2": (None, "error")})


def test_an_error_has_no_score_for_us_and_0_for_the_release() -> None:
    check_same({"1": (None, "error")}, {"1": [0.0, "error"]})


def test_what_is_left_out_is_told_below_the_table(tmp_path: Path) -> None:
    text = write_table([compared("a / b", "s", [(1.0, 2.0)]), LeftOut("judging", "no index")], tmp_path)
    assert "\n\nLeft out: judging: no index\n\n" in text
    assert list(pd.read_csv(tmp_path / "summary.csv")["what"]) == ["a / b"]


def test_an_index_out_of_reach_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release, "LOCK", tmp_path / "lock")
    (tmp_path / "lock").write_text(f"no-such-package==1.0 --hash=sha256:{'0' * 64}\n")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(WebassayError, match=r"could not be installed: .*no-such-package"):
        install_release(tmp_path / "release")


def test_the_lock_pins_the_release_with_hashes_and_names_no_index() -> None:
    text = release.LOCK.read_text()
    assert "\nwebarena-verified==1.2.3 \\\n    --hash=sha256:" in text
    assert "://" not in text
