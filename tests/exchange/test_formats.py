"""Each format as its tool writes it, and what becomes of it."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.exchange import made
from tests.exchange.conftest import Exchange, folders
from webassay.core.trajectory import NO_ANSWER, Trajectory
from webassay.errors import ConfigError
from webassay.exchange.registry import EXPORTS
from webassay.exchange.trajectory import ImportRecord


def only(dest: Path) -> Trajectory:
    (folder,) = folders(dest)
    return Trajectory.from_folder(folder, strict=True)


def record(trajectory: Trajectory) -> ImportRecord:
    return msgspec.json.decode((trajectory.folder / "import.json").read_bytes(), type=ImportRecord)


def left_out(trajectory: Trajectory) -> set[str]:
    return {one.what for one in record(trajectory).left_out}


def task_data(trajectory: Trajectory) -> Any:
    return json.loads((trajectory.folder / "task_data.json").read_text())


@pytest.mark.parametrize("name", made.MAKERS)
def test_formats_are_found_by_their_files_and_taken_over_once(
    name: str, source: Path, dest: Path, bring: Exchange
) -> None:
    made.MAKERS[name](source)
    report = bring(source, dest)
    assert report.format == name and [one.fate for one in report.moved] == ["written"]
    assert record(only(dest)).format == name and len(record(only(dest)).digest) == 64
    assert [one.fate for one in bring(source, dest).moved] == ["standing"]
    assert [one.fate for one in bring(source, dest / "named", name).moved] == ["written"]


@pytest.mark.parametrize("name", ["webeval", "webassay"])
def test_our_own_folders_are_copied_as_they_stand(name: str, source: Path, dest: Path, bring: Exchange) -> None:
    folder = made.MAKERS[name](source)
    (folder / "stranger").symlink_to("/etc/passwd")
    bring(source, dest)
    copied = {path.relative_to(dest / "t1") for path in (dest / "t1").rglob("*")}
    assert copied == {path.relative_to(folder) for path in folder.rglob("*")} - {Path("stranger")} | {
        Path("import.json")
    }
    for path in copied - {Path("import.json")}:
        if (folder / path).is_file():
            assert (dest / "t1" / path).read_bytes() == (folder / path).read_bytes()
    assert (dest / "t1" / "screenshot_2.png").readlink() == Path("screenshot1.png")
    assert left_out(only(dest)) == {"stranger"}


TEXT = 'Thought #1: Look.\nAction #1: executing tool \'x\' with arguments {"action": "terminate"}'
GENERATIONS: dict[str, tuple[list[dict[str, Any]], str, str]] = {
    "text only": ([{"message": TEXT}, {"message": "Observation#1: A page."}], "screenshot0.png", "terminate"),
    "solver": (
        [
            {"source": "WebSurfer-SummarizedAction", "message": "I stop.", "action": None, "arguments": None},
            {"source": "WebSurfer", "action": "stop_and_answer_question", "arguments": {"answer": "$5"}, "url": ""},
        ],
        "screenshot_1.png",
        "terminate",
    ),
    "no type": ([{"source": "agent", "action": "wait", "arguments": {"o": {}}}], "screenshot_1_post.png", "wait"),
    "swallowed by a logger": ([], "screenshot0.png", ""),
}


@pytest.mark.parametrize("name", GENERATIONS)
def test_every_generation_of_webeval(name: str, source: Path, dest: Path, bring: Exchange, send: Exchange) -> None:
    events, frame, last = GENERATIONS[name]
    made.put(source / "t" / "web_surfer.log", made.lines(*events))
    made.put(source / "t" / "t_answer.json", {"final_answer": "$5", "token_usage": {"MultimodalWebSurfer": {}}})
    made.put(source / "t" / frame, made.PNG)
    bring(source, dest / "in")
    found = only(dest / "in")
    assert (found.last_action or "") == last and len(found.screenshots) == 1 and found.answer.final_answer == "$5"
    for form in EXPORTS:
        (moved,) = send(dest / "in", dest / form, form).moved
        assert moved.folder, moved.reason
    lost = {one.what for one in send(dest / "in", dest / "atif2", "atif").moved[0].left_out}
    assert ("1 lines of web_surfer.log" in lost) == (name == "text only")


def test_an_import_of_an_import_keeps_where_it_came_from(source: Path, dest: Path, bring: Exchange) -> None:
    made.om2w(source)
    bring(source, dest / "first")
    bring(dest / "first", dest / "second")
    found = record(only(dest / "second"))
    assert found.format == "webeval" and found.previous and found.previous["format"] == "om2w"


def test_om2w(source: Path, dest: Path, bring: Exchange) -> None:
    made.om2w(source)
    made.om2w_verdicts(source)
    bring(source, dest)
    found = only(dest)
    assert [step.tool for step in found.steps] == ["click", "type", "unknown", "terminate"]
    assert found.steps[0].arguments == {"action": "click", "element": '<a id="x -> y">', "thoughts": "Go there."}
    assert found.steps[1].arguments["value"] == "tent -> B" and found.steps[2].arguments["text"] == "look around"
    assert found.thoughts == ("Go there.", "", "Look.", "")
    assert found.answer.final_answer == "It costs $5." and found.completed
    assert [path.read_bytes()[8] for path in found.screenshots] == [0, 1, 2, 10]
    assert task_data(found) == {"task_id": "t1", "task": "Find the price."}
    assert {name: score.score for name, score in found.scores.items()} == {
        "WebJudge_o4-mini_score_threshold_3": 1,
        "agente": 0,
    }
    assert found.scores["agente"].gpt_response_text == "Status: failure"
    assert left_out(found) == {"none_auto_eval_results.json"}


@pytest.mark.parametrize("given", [None, "", 0])
def test_om2w_without_a_response_has_no_end(given: Any, source: Path, dest: Path, bring: Exchange) -> None:
    folder = made.om2w(source)
    result = json.loads((folder / "result.json").read_text())
    made.put(folder / "result.json", result | {"final_result_response": given})
    report = bring(source, dest)
    if given == 0:
        assert "final_result_response" in report.moved[0].reason
    else:
        expected = NO_ANSWER if given is None else ""
        assert only(dest).answer.final_answer == expected and only(dest).last_action == "unknown"


def test_webvoyager(source: Path, dest: Path, bring: Exchange) -> None:
    made.webvoyager(source)
    bring(source, dest)
    found = only(dest)
    assert found.folder.name == "Shop--1"
    assert [json.loads(action) for action in found.actions] == [
        {"action": "type", "box": "8", "text": "a tent"},
        {"action": "scroll", "box": "WINDOW", "direction": "down"},
        {"action": "click", "box": "17"},
        {"action": "unknown", "text": "I shall think."},
        {"action": "terminate", "answer": "It costs [$5] here."},
    ]
    assert found.thoughts[0] == "Search for it [there]." and found.answer.final_answer == "It costs [$5] here."
    assert [path.read_bytes()[8] for path in found.screenshots] == [1, 2, 3, 10, 11]
    assert left_out(found) == {"screenshot1_no_box.png"}
    assert task_data(found) == {
        "task_id": "Shop--1", "web_name": "Shop", "id": "Shop--1", "ques": "Find the price.", "web": "https://shop.test/"
    }  # fmt: skip


def test_agentlab(source: Path, dest: Path, bring: Exchange) -> None:
    made.agentlab(source)
    bring(source, dest)
    found = only(dest)
    assert found.folder.name == "webarena.310"
    assert [step.tool for step in found.steps] == ["click", "fill", "terminate"]
    assert found.thoughts == ("thought 0", "thought 1", "thought 2") and found.steps[2].url == "http://shop/2"
    assert found.answer.final_answer == "It costs $5 (now)." and found.completed
    assert found.steps[0].timestamp == "1970-01-01T00:01:40.500000"
    assert found.times and (found.times.start_time, found.times.end_time) == (100.0, 102.5)
    assert [path.name for path in found.screenshots] == [f"screenshot_{number}.jpg" for number in (1, 2, 3)]
    assert found.answer.usage["agent"].prompt_tokens == 70 and found.scores["agentlab_reward"].score == 1.0
    assert left_out(found) == {"step_0.pkl.gz", "exp_args.pkl"}
    assert record(found).tool.version == "0.4.1" and task_data(found)["seed"] == 7


@pytest.mark.parametrize(
    "summary, answer, outcome, last",
    [
        ({"terminated": True}, "", "answered", "terminate"),
        ({"truncated": True}, NO_ANSWER, "over_budget", "click"),
        ({"err_msg": "Timeout"}, NO_ANSWER, "aborted", "click"),
    ],
)
def test_how_a_run_of_agentlab_ended(
    summary: dict[str, Any], answer: str, outcome: str, last: str, source: Path, dest: Path, bring: Exchange
) -> None:
    made.put(source / "run" / "summary_info.json", summary | {"cum_reward": 0})
    made.put(source / "run" / "steps_info.json", {"step": 0, "action": "click('1')"})
    bring(source, dest)
    found = only(dest)
    assert (found.answer.final_answer, found.outcome, found.last_action) == (answer, outcome, last)
    assert bool(found.scores) == (outcome != "aborted")
    assert record(found).aborted == (summary.get("err_msg") if outcome == "aborted" else None)


def test_pickles_are_never_loaded(source: Path, dest: Path, bring: Exchange) -> None:
    made.put(source / "run" / "summary_info.json", {"terminated": True})
    made.put(source / "run" / "step_0.pkl.gz", b"anything")
    report = bring(source, dest)
    assert "1 steps are in pickles, which are never loaded" in report.moved[0].reason and not folders(dest)


def test_a_run_of_agentlab_that_goes_on_is_told(source: Path, dest: Path, bring: Exchange) -> None:
    (made.agentlab(source) / "summary_info.json").unlink()
    (moved,) = bring(source, dest, "agentlab").moved
    assert "nothing says how the run ended" in moved.reason


def test_a_run_of_agent_reward_bench(source: Path, dest: Path, bring: Exchange) -> None:
    made.reward_bench(source)
    bring(source, dest, "agentlab")
    found = only(dest)
    assert found.answer.final_answer == "no such thing" and found.thoughts == ("Look.", "")
    assert len(found.screenshots) == 1 and left_out(found) == {"gone.png"}
    with pytest.raises(ConfigError, match="give --format"):
        bring(source, dest)


def test_webarena_verified_invents_no_actions(source: Path, dest: Path, bring: Exchange) -> None:
    folder = made.webarena_verified(source)
    made.put(source / "43" / "network.har", {})
    report = bring(source, dest)
    assert [one.fate for one in report.moved] == ["written", "skipped"] and "no agent_response" in report.moved[
        1
    ].reason
    found = only(dest)
    assert [step.tool for step in found.steps] == ["terminate"]
    assert found.answer.final_answer == (folder / "agent_response.json").read_text()
    for name in ("agent_response.json", "network.har", "a" * 40 + ".json"):
        assert (found.folder / name).read_bytes() == (folder / name).read_bytes()
    assert record(found).tool.version == "1.2.3"


@pytest.mark.parametrize("minor", range(8))
def test_atif_of_every_version(minor: int, source: Path, dest: Path, bring: Exchange) -> None:
    folder = made.atif(source)
    document = json.loads((folder / "trajectory.json").read_text())
    made.put(folder / "trajectory.json", document | {"schema_version": f"ATIF-v1.{minor}"})
    bring(source, dest)
    found = only(dest)
    assert [step.tool for step in found.steps] == ["visit_url", "wait", "terminate"]
    assert found.thoughts[0] == "Why not." and found.steps[0].message == "I look."
    assert found.answer.final_answer == "It costs $5." and found.completed
    assert [event.message for event in found.events if event.action is None] == [
        "You browse.", "Find the price.", "A page.", "It costs $5.",
    ]  # fmt: skip
    assert len(found.screenshots) == 1 and left_out(found) == {"1 steps"}
    assert found.times and found.times.duration == 7.0 and task_data(found)["task"] == "Find the price."
    assert found.answer.usage["terminus"].prompt_tokens == 7


def test_atif_of_another_version_is_refused(source: Path, dest: Path, bring: Exchange) -> None:
    folder = made.atif(source)
    document = json.loads((folder / "trajectory.json").read_text())
    made.put(folder / "trajectory.json", document | {"schema_version": "ATIF-v2.0"})
    assert "ATIF-v2.0" in bring(source, dest).moved[0].reason


def test_a_call_that_finishes_has_the_answer(source: Path, dest: Path, bring: Exchange) -> None:
    call = {"tool_call_id": "1", "function_name": "finish", "arguments": {"message": "$5"}}
    steps = [{"step_id": 1, "source": "agent", "message": "", "tool_calls": [call]}]
    made.put(source / "trajectory.json", {"schema_version": "ATIF-v1.0", "agent": {"name": "a"}, "steps": steps})
    bring(source / "trajectory.json", dest)
    assert only(dest).answer.final_answer == "$5" and only(dest).last_action == "terminate"
    assert only(dest).folder.name == "source"
