"""Reading a trajectory folder, ours and webeval's."""

import json
from pathlib import Path

import pytest

from webassay.core.trajectory import (
    NO_ANSWER,
    Attempt,
    EventLog,
    FinalAnswer,
    Trajectory,
    evidence_digest,
    write_end,
)
from webassay.errors import TrajectoryError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    log = EventLog(tmp_path)
    log.write(message="m", url="http://x/", action="left_click", arguments={"action": "left_click", "thoughts": "why"})
    log.write(message="m", url="http://x/", action="terminate", arguments={"action": "terminate", "thoughts": ""})
    log.close()
    write_end(tmp_path, FinalAnswer("42"), Attempt("t", "d", 0, "answered"), 1.0, 3.5)
    return tmp_path


def test_what_was_written_is_read(folder: Path) -> None:
    found = Trajectory.from_folder(folder)
    assert found.outcome == "answered" and found.last_action == "terminate"
    assert found.actions == ('{"action": "left_click"}', '{"action": "terminate"}')
    assert found.thoughts == ("why", "")
    assert json.loads((folder / "times.json").read_text()) == {"start_time": 1.0, "end_time": 3.5, "duration": 2.5}


def test_the_answer_file_has_the_keys_of_webeval_and_no_others(folder: Path) -> None:
    assert list(json.loads((folder / "t_final_answer.json").read_text())) == [
        "final_answer", "env_state_json", "env_state_raw", "screenshots", "is_aborted", "is_rel_paths", "token_usage",
    ]  # fmt: skip


def test_webevals_own_agent_names_its_tool_in_the_arguments(folder: Path) -> None:
    line = {"type": "OtherEvent", "source": "FaraAgent", "action": "computer_use", "arguments": {"action": "terminate"}}
    (folder / "web_surfer.log").write_text(json.dumps(line) + "\n")
    (folder / "attempt.json").unlink()
    found = Trajectory.from_folder(folder)
    assert found.last_action == "terminate" and found.attempt is None


@pytest.mark.parametrize(
    "answer, aborted, outcome",
    [("x", False, "answered"), (NO_ANSWER, False, "over_budget"), (NO_ANSWER, True, "aborted"), ("x", True, "aborted")],
)
def test_outcomes(folder: Path, answer: str, aborted: bool, outcome: str) -> None:
    write_end(folder, FinalAnswer(answer, is_aborted=aborted), Attempt("t", "d", 0, "answered"), 0, 0)
    assert Trajectory.from_folder(folder).outcome == outcome


@pytest.mark.parametrize(
    "name, content, message",
    [
        ("web_surfer.log", None, "no such file"),
        ("web_surfer.log", "{}\n{\n", "line 2"),
        ("t_final_answer.json", None, "0 answer files"),
        ("t_final_answer.json", "{", "t_final_answer.json"),
        ("u_final_answer.json", "{}", "2 answer files"),
        ("attempt.json", "{", "attempt.json"),
    ],
)
def test_what_cannot_be_read_is_named(folder: Path, name: str, content: str | None, message: str) -> None:
    (folder / name).unlink(missing_ok=True)
    if content is not None:
        (folder / name).write_text(content)
    with pytest.raises(TrajectoryError, match=message):
        Trajectory.from_folder(folder)


@pytest.mark.parametrize(
    "name", ["state.json", "pages.json", "agent_response.json", "verifier.json", "initiators.json", "attempt.json"]
)
def test_evidence_of_the_same_size_is_other_evidence(folder: Path, name: str) -> None:
    digests = set()
    for content in ("[1]", "[2]"):
        (folder / name).write_text(content)
        digests.add(evidence_digest(folder))
    assert len(digests) == 2
