"""Recordings on disk, in every form that the release reads, whole and broken."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.judges.release.recorded import ENVIRONMENTS, answer, entry, network_evaluator, response_evaluator, task
from webassay.judges.release.rules import judge_file

TASK = task(response_evaluator("NAVIGATE"), network_evaluator("__SHOP__/a"))
ENTRIES = [entry("http://shop.test/", headers={"x": "ü"}), entry("http://shop.test/a")]
HAR = json.dumps({"log": {"entries": ENTRIES}}, ensure_ascii=False).encode()
LINES = "\n".join(
    json.dumps(line)
    for line in [{"type": "context-options"}, *({"type": "resource-snapshot", "snapshot": one} for one in ENTRIES)]
).encode()


def status(path: Path, one: Any = TASK, task_type: str = "NAVIGATE") -> str:
    return judge_file(one, answer(task_type), path, ENVIRONMENTS).status


@pytest.mark.parametrize("name", ["network.har", "trace.json"])
@pytest.mark.parametrize("content", [HAR, LINES, LINES + b"\n"], ids=["har", "playwright", "newline"])
def test_a_har_or_a_trace_by_that_name(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    assert status(tmp_path / name) == "success"


def test_playwright_traces(tmp_path: Path) -> None:
    (tmp_path / "trace.network").write_bytes(LINES)
    with zipfile.ZipFile(tmp_path / "trace.zip", "w") as archive:
        archive.writestr("trace.network", LINES)
    assert [status(tmp_path / name) for name in ("trace.network", "trace.zip", "")] == ["success"] * 3


@pytest.mark.parametrize(
    "content",
    [
        HAR[:-5],
        HAR + b"x",
        HAR.replace("ü".encode(), b"\xff"),
        b"\xef\xbb\xbf" + HAR,
        b"{}",
        b"null",
        b'{"log": null}',
        b'{"log": {"entries": []}}',
        b'{"log": {"entries": [5]}}',
        b"[" * 100_000,
        LINES.replace(b'"type"', b'"kind"'),
        LINES + b"\n\n{}",
    ],
)
def test_a_broken_file_is_an_error_that_names_it(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "network.har"
    path.write_bytes(content)
    verdict = judge_file(TASK, answer("NAVIGATE"), path, ENVIRONMENTS)
    assert (verdict.status, verdict.score, verdict.attribution) == ("error", None, "harness")
    assert str(path) in verdict.reason or "no object" in verdict.reason


def test_other_broken_recordings(tmp_path: Path) -> None:
    (tmp_path / "not.zip").write_bytes(LINES)
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr("other", LINES)
    (tmp_path / "folder.har").mkdir()
    for name in ("not.zip", "other.zip", "folder.har", "missing.har", "missing", ""):
        assert status(tmp_path / name) == "error", name


def test_an_entry_without_answer_matters_only_to_those_who_ask_for_it(tmp_path: Path) -> None:
    unanswered = {"request": ENTRIES[1]["request"]}
    path = tmp_path / "network.har"
    path.write_text(json.dumps({"log": {"entries": [ENTRIES[0], unanswered]}}))
    assert status(path) == "error"
    assert status(path, task(response_evaluator("MUTATE")), "MUTATE") == "success"


def test_an_empty_file_is_an_empty_trace_unlike_an_empty_list(tmp_path: Path) -> None:
    (tmp_path / "network.har").write_bytes(b"")
    assert status(tmp_path / "network.har") == "failure"
    assert status(tmp_path / "network.har", task(response_evaluator("MUTATE")), "MUTATE") == "success"


def test_numbers_and_text_that_a_strict_decoder_refuses(tmp_path: Path) -> None:
    path = tmp_path / "network.har"
    path.write_text(json.dumps({"log": {"entries": ENTRIES, "x": float("nan"), "y": "\ud800"}}))
    assert status(path) == "success"
