"""Every shape in which webeval and its relatives have left trajectories, made by hand."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from webassay.core.answer import Usage
from webassay.core.screenshots import frames_in
from webassay.core.trajectory import Trajectory
from webassay.errors import TrajectoryError

PNG = b"\x89PNG\r\n\x1a\n"
FARA = [
    {"message": "Thought #1: Look.\nAction #1: executing tool 'visit_url' with arguments {}", "type": "OtherEvent"},
    {
        "source": "FaraAgent", "message": "computer_use( {} )", "url": "http://shop/", "action": "computer_use",
        "arguments": {"action": "visit_url", "url": "http://shop/a", "thoughts": "Look."},
        "timestamp": "2026-05-01T10:00:00.000001", "type": "OtherEvent",
    },
    {"message": "Observation#1: A page.", "timestamp": "2026-05-01T10:00:01.5", "type": "OtherEvent"},
    {
        "source": "FaraAgent", "message": "", "url": "", "action": "computer_use",
        "arguments": {"action": "terminate", "status": "success", "thoughts": "It costs $5."}, "type": "OtherEvent",
    },
]  # fmt: skip
FARA_TEXT_ONLY = [
    {"message": "\nThought #1: Look.\nAction #1: executing tool 'computer_use' with arguments "
     '{"action": "visit_url", "url": "http://shop/a"}', "type": "OtherEvent"},
    {"message": "Observation#1: A page.", "type": "OtherEvent"},
    {"message": "\nThought #2: It costs $5.\nAction #2: executing tool 'computer_use' with arguments "
     '{"action": "terminate", "status": "success"}', "type": "OtherEvent"},
]  # fmt: skip
SOLVER = [
    {"source": "WebSurfer-SummarizedAction", "message": "I open it.", "url": "http://shop/", "action": None,
     "arguments": None, "type": "WebSurferEvent"},
    {"source": "WebSurfer", "message": "", "url": "http://shop/", "action": "visit_url",
     "arguments": {"url": "http://shop/a", "reasoning": "Look."}, "type": "WebSurferEvent"},
    {"source": "WebSurfer", "message": "", "url": "http://shop/a", "action": "stop_and_answer_question",
     "arguments": {"answer": "$5"}, "type": "WebSurferEvent"},
    {"source": "WebSurfer", "message": "Web surfing done. Final target: …", "action": None, "type": "WebSurferEvent"},
    {"prompt_tokens": 10, "completion_tokens": 2, "timestamp": "2026-01-01T00:00:00.0", "type": "LLMCallEvent"},
]  # fmt: skip
VERIFIER_BENCH = [
    {"type": "WebSurferEvent", "source": "WebSurfer", "message": "m", "url": "", "action": "visit_url",
     "arguments": {"url": "http://shop/a"}, "execution_status": {"nested": [1]}},
    {"type": "WebSurferEvent", "source": "WebSurfer", "url": "", "action": "terminate", "arguments": {}},
]  # fmt: skip
ECHOVERSE = [
    {"source": "agent", "url": "http://shop/", "action": "visit_url", "arguments": {"url": "http://shop/a"}},
    {"source": "agent", "url": "http://shop/a", "action": "terminate", "arguments": {"o": {"p": [{}]}}},
]  # fmt: skip
OLD_BUG: list[dict[str, Any]] = []


def make(folder: Path, events: list[dict[str, Any]], answer: dict[str, Any], *frames: str, task: str = "t") -> Path:
    (folder / "web_surfer.log").write_text("".join(json.dumps(event) + "\n" for event in events))
    (folder / f"{task}_final_answer.json").write_text(json.dumps(answer))
    for frame in frames:
        (folder / frame).write_bytes(PNG)
    return folder


@pytest.mark.parametrize("events", [FARA, FARA_TEXT_ONLY, SOLVER, VERIFIER_BENCH, ECHOVERSE])
def test_every_generation_of_logs_gives_the_same_steps(tmp_path: Path, events: list[dict[str, Any]]) -> None:
    found = Trajectory.from_folder(make(tmp_path, events, {"final_answer": "$5"}))
    assert [step.tool for step in found.steps] == ["visit_url", "terminate"]
    assert len(found.actions) == len(found.thoughts) == 2
    assert json.loads(found.actions[0])["url"] == "http://shop/a" and "thoughts" not in json.loads(found.actions[0])
    assert found.last_action == "terminate" and found.completed


def test_thoughts_are_those_of_the_steps(tmp_path: Path) -> None:
    for events in (FARA, FARA_TEXT_ONLY):
        assert Trajectory.from_folder(make(tmp_path, events, {})).thoughts == ("Look.", "It costs $5.")


def test_a_log_that_a_logger_swallowed_is_empty(tmp_path: Path) -> None:
    found = Trajectory.from_folder(make(tmp_path, OLD_BUG, {"final_answer": "$5"}))
    assert (found.events, found.steps, found.actions, found.thoughts, found.last_action) == ((), (), (), (), None)
    assert found.completed


@pytest.mark.parametrize(
    "usage, expected",
    [
        ({}, {}),
        ({"FaraAgent": {"prompt_tokens": 5, "completion_tokens": 2}}, {"FaraAgent": Usage(5, 2)}),
        (
            {"MultimodalWebSurferTaskSolving":
             {"prompt_tokens": 5, "completion_tokens": 2, "reasoning_tokens": 1, "num_calls": 4}},
            {"MultimodalWebSurferTaskSolving": Usage(5, 2, 1, 4)},
        ),
        ({"a": {"prompt_tokens": "many", "cached_tokens": 3}}, {"a": Usage()}),
        ({"a": None, "b": [1], "c": {"prompt_tokens": 1}}, {"c": Usage(1)}),
        ({"a": {"prompt_tokens": True, "cost": True, "num_calls": 10**30}}, {"a": Usage(num_calls=10**30)}),
    ],
)  # fmt: skip
def test_token_counts(tmp_path: Path, usage: dict[str, Any], expected: dict[str, Usage]) -> None:
    found = Trajectory.from_folder(make(tmp_path, FARA, {"token_usage": usage}))
    assert found.answer.usage == expected and found.answer.token_usage == usage


def test_keys_that_nobody_knows_are_kept(tmp_path: Path) -> None:
    record = {"final_answer": "$5", "model_output": {"a": 1}, "is_rel_paths": True}
    answer = Trajectory.from_folder(make(tmp_path, FARA, record)).answer
    assert answer.extra == {"model_output": {"a": 1}} and answer.record().items() >= record.items()


def test_nulls_and_missing_keys_are_defaults(tmp_path: Path) -> None:
    found = Trajectory.from_folder(
        make(tmp_path, FARA, {"final_answer": None, "screenshots": None, "is_aborted": None})
    )
    assert found.answer.final_answer == "<no_answer>" and found.outcome == "over_budget" and not found.completed


def test_any_answer_file_will_do_where_no_final_one_is(tmp_path: Path) -> None:
    make(tmp_path, FARA, {"final_answer": "$5"})
    (tmp_path / "t_final_answer.json").rename(tmp_path / "t_answer.json")
    assert Trajectory.from_folder(tmp_path).answer.final_answer == "$5"


@pytest.mark.parametrize(
    "names, expected",
    [
        (["screenshot10.png", "screenshot2.png"], ["screenshot2.png", "screenshot10.png"]),
        (["screenshot1.png", "screenshot0.png"], ["screenshot0.png", "screenshot1.png"]),
        (["screenshot_2.png", "screenshot_1.png"], ["screenshot_1.png", "screenshot_2.png"]),
        (["screenshot_1_pre.png", "screenshot_1_post.png"], ["screenshot_1_post.png"]),
        (["screenshot_1.png", "screenshot_1_post.png", "screenshot_2_post.png", "screenshot_1_pre.png"],
         ["screenshot_1_post.png", "screenshot_2_post.png"]),
        (["screenshot_scaled.png", "screenshot1_no_box.png", "screenshot.png", "xscreenshot1.png"], []),
        (["screenshot_1.jpg"], ["screenshot_1.jpg"]),
        (["screenshot_1.png", "screenshot0.png", "screenshot1.png", "screenshot_2.png"],
         ["screenshot0.png", "screenshot1.png"]),
        (["screenshot1.png", "screenshot_1.png"], ["screenshot1.png", "screenshot_1.png"]),
    ],
)  # fmt: skip
def test_screenshots_in_the_folder_go_by_their_number(names: list[str], expected: list[str]) -> None:
    assert frames_in(names) == expected


def test_listed_screenshots_keep_their_order_and_doubles(tmp_path: Path) -> None:
    listed = ["screenshot_2.png", "screenshot_1.png", "screenshot_1.png"]
    found = Trajectory.from_folder(
        make(tmp_path, SOLVER, {"screenshots": listed}, "screenshot_1.png", "screenshot_2.png")
    )
    assert [path.name for path in found.screenshots] == listed and found.latest_screenshot == tmp_path / listed[-1]


def test_absolute_paths_are_of_another_machine(tmp_path: Path) -> None:
    folder = tmp_path / "t"
    folder.mkdir()
    listed = ["/home/someone/runs/u/screenshot_1.png", "C:\\runs\\u\\screenshot_2.png", "/t/runs/t/shots/3.png"]
    found = Trajectory.from_folder(make(folder, SOLVER, {"screenshots": listed, "is_rel_paths": False}))
    assert [path.relative_to(folder).as_posix() for path in found.screenshots] == [
        "screenshot_1.png",
        "screenshot_2.png",
        "shots/3.png",
    ]


@pytest.mark.parametrize("name", ["../x.png", "a/../../x.png", "..", "", "a\0b.png"])
def test_a_screenshot_never_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(TrajectoryError, match="leads out of the folder"):
        Trajectory.from_folder(make(tmp_path, SOLVER, {"screenshots": [name]}))


def test_nor_does_a_link(tmp_path: Path) -> None:
    folder = tmp_path / "t"
    folder.mkdir()
    (tmp_path / "secret.png").write_bytes(PNG)
    (folder / "screenshot_1.png").symlink_to("../secret.png")
    make(folder, SOLVER, {"screenshots": ["screenshot_1.png"]})
    with pytest.raises(TrajectoryError, match="a link that leads out of the folder"):
        Trajectory.from_folder(folder)


def test_links_that_an_evaluator_made_are_no_frames(tmp_path: Path) -> None:
    make(tmp_path, FARA, {}, "screenshot0.png", "screenshot1.png")
    (tmp_path / "screenshot_1.png").symlink_to("screenshot0.png")
    (tmp_path / "screenshot_2.png").symlink_to(tmp_path / "screenshot1.png")
    assert [path.name for path in Trajectory.from_folder(tmp_path).screenshots] == [
        "screenshot0.png",
        "screenshot1.png",
    ]


def test_a_tolerant_reading_lists_what_it_left_out(tmp_path: Path) -> None:
    make(tmp_path, FARA, {"final_answer": "$5", "screenshots": ["../x.png"]})
    with (tmp_path / "web_surfer.log").open("a") as log:
        log.write("{broken\n")
    (tmp_path / "attempt.json").write_text("[")
    found = Trajectory.from_folder(tmp_path, strict=False)
    assert len(found.steps) == 2 and found.answer.final_answer == "$5" and found.screenshots == ()
    assert [problem.split(str(tmp_path))[1].split(":")[0] for problem in found.problems] == [
        "/web_surfer.log, line 5", "/attempt.json", "",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "record, expected",
    [
        ({"screenshots": ["screenshot_1.png", "../x.png", "screenshot_2.png"]}, {}),
        ({"screenshots": ["screenshot_1.png", None, "screenshot_2.png"]}, {}),
        ({"token_usage": []}, {"token_usage": {}}),
        ({"is_aborted": "no"}, {}),
        ({"screenshots": 7, "is_rel_paths": 3}, {}),
    ],
)
def test_a_tolerant_reading_leaves_out_no_more_than_it_must(
    tmp_path: Path, record: dict[str, Any], expected: dict[str, Any]
) -> None:
    make(tmp_path, FARA, {"final_answer": "$5", "more": 1} | record, "screenshot_1.png", "screenshot_2.png")
    with pytest.raises(TrajectoryError):
        Trajectory.from_folder(tmp_path)
    found = Trajectory.from_folder(tmp_path, strict=False)
    assert [path.name for path in found.screenshots] == ["screenshot_1.png", "screenshot_2.png"]
    assert (found.answer.final_answer, found.outcome, found.answer.extra) == ("$5", "answered", {"more": 1})
    assert len(found.problems) == len(record) and found.answer.record().items() >= expected.items()


@pytest.mark.parametrize(
    "record, answer, outcome",
    [
        ({"is_aborted": 0, "final_answer": 42}, "42", "answered"),
        ({"is_aborted": 1, "final_answer": {"price": "5 €"}}, '{"price": "5 €"}', "aborted"),
    ],
)
def test_webeval_looks_at_no_types(tmp_path: Path, record: dict[str, Any], answer: str, outcome: str) -> None:
    found = Trajectory.from_folder(make(tmp_path, FARA, record))
    assert (found.answer.final_answer, found.outcome) == (answer, outcome)


@pytest.mark.parametrize("given, read", [('{"x": 1}', {"x": 1}), ("{", {}), ("[1]", {}), ([1], {}), (7, {})])
def test_a_step_whose_arguments_cannot_be_read_is_a_step(tmp_path: Path, given: Any, read: dict[str, Any]) -> None:
    make(tmp_path, [*FARA[:2], {"action": "wait", "arguments": given, "url": "u"}], {"final_answer": "$5"})
    found = Trajectory.from_folder(tmp_path, strict=False)
    assert found.steps[-1] == {"action": "wait", "arguments": read, "url": "u"} and len(found.problems) == 1


def test_a_folder_of_nothing_is_an_abort_that_says_why(tmp_path: Path) -> None:
    found = Trajectory.from_folder(tmp_path, strict=False)
    assert found.outcome == "aborted" and found.events == () and len(found.problems) == 2
    with pytest.raises(TrajectoryError, match="nowhere: No such file"):
        Trajectory.from_folder(tmp_path / "nowhere", strict=False)


@pytest.mark.parametrize(
    "files, expected",
    [
        ({"gpt_eval.json": '{"score": 1.0, "gpt_response_text": "SUCCESS"}'}, 1.0),
        ({"mmrubric_0.8-5-3.json": '{\n  "score": 0,\n  "gpt_response_text": "{}"\n}'}, 0.0),
        ({"a.json": '{"score": 0.5, "gpt_response_text": null, "step_budget_scores": {}}'}, 0.5),
        ({"a.json": '{"score": 1, "gpt_response_text": {"rubric_is_success": true}}'}, 1.0),
        ({"a.json": '{"sco'}, None),
        ({"a.json": '{"score": NaN}'}, None),
        ({"a.json": '{"score": null, "gpt_response_text": null}'}, None),
        ({"a.json": '{"score": 1}', "b.json": '{"score": 0}'}, None),
        ({"a.json": '{"score": 1}', "a.meta.json": '{"score": 0}'}, 1.0),
        ({}, None),
    ],
)
def test_scores(tmp_path: Path, files: dict[str, str], expected: float | None) -> None:
    make(tmp_path, FARA, {}) and (tmp_path / "scores").mkdir()
    for name, content in files.items():
        (tmp_path / "scores" / name).write_text(content)
    assert Trajectory.from_folder(tmp_path).score == expected


@pytest.mark.parametrize("name", ["web_surfer.log", "t_final_answer.json", "screenshot_1.png"])
def test_pipes_and_links_in_circles_never_block(tmp_path: Path, name: str) -> None:
    make(tmp_path, FARA, {})
    (tmp_path / name).unlink(missing_ok=True)
    os.mkfifo(tmp_path / name)
    (tmp_path / "circle.json").symlink_to("circle.json")
    found = Trajectory.from_folder(tmp_path, strict=False)
    assert found.screenshots == () and len(found.problems) == (name != "screenshot_1.png")
