"""The event log: steps recovered from text by webeval's rules, and lines that are no events."""

import json
from pathlib import Path
from typing import Any

import pytest

from webassay.core.events import read_events, step_of_text
from webassay.errors import TrajectoryError

STOP = 'Action #1: executing tool \'computer_use\' with arguments {"action": "terminate"}'
CLICK = '{"action": "left_click", "coordinate": [1, 2]}'


def text(thought: str = "The total is shown.", arguments: str = CLICK, tool: str = "computer_use") -> str:
    return f"\nThought #3: {thought}\nAction #3: executing tool '{tool}' with arguments {arguments}"


def step(action: str, thoughts: str = "The total is shown.", /, **arguments: Any) -> dict[str, Any]:
    """`arguments` besides the action's own name, which stands among them unless it says otherwise."""
    return {"action": action, "arguments": {"action": action} | arguments | {"thoughts": thoughts}}


CLICKED: dict[str, Any] = {"coordinate": [1, 2]}
UNNAMED = {"x": 1, "thoughts": "The total is shown."}
RECOVERED: list[tuple[str, str, dict[str, Any] | None]] = [
    ("as written", text(), step("left_click", **CLICKED)),
    ("no thought", "Action #1: x with arguments {}", None),
    ("no action", "Thought #1: I wonder.", None),
    ("neither", "Observation#1: a page", None),
    ("empty", "", None),
    ("thought without number sign", text().replace("Thought #", "Thought "), None),
    ("action without number sign", text().replace("Action #", "Action "), None),
    ("order does not count for the test", f"{STOP}\nThought #1: late", step("terminate", "")),
    ("empty thought", text(""), step("left_click", "", **CLICKED)),
    ("blank thought", text("  \n "), step("left_click", "", **CLICKED)),
    ("thought of lines", text("a\nb\n\nc"), step("left_click", "a\nb\n\nc", **CLICKED)),
    ("thought is stripped", text("  a  "), step("left_click", "a", **CLICKED)),
    ("thought with CRLF", text("a\r"), step("left_click", "a", **CLICKED)),
    ("no newline before the action", f"Thought #1: a {STOP}", step("terminate", "")),
    ("thought number of digits", text().replace("Thought #3", "Thought #12"), step("left_click", **CLICKED)),
    ("thought number missing", text().replace("Thought #3", "Thought #"), step("left_click", "", **CLICKED)),
    ("thought number of letters", text().replace("Thought #3", "Thought #x"), step("left_click", "", **CLICKED)),
    ("first of two thoughts", f"Thought #1: a\nThought #2: b\n{STOP}", step("terminate", "a\nThought #2: b")),
    ("up to the first action", f"Thought #1: a\nAction #1: b\n{STOP}", step("terminate", "a")),
    ("the tool's name is ignored", text(tool="click"), step("left_click", **CLICKED)),
    ("no action among the arguments", text(arguments='{"x": 1}'), {"action": "unknown", "arguments": UNNAMED}),
    ("empty action", text(arguments='{"action": ""}'), step("unknown", action="")),
    ("null action", text(arguments='{"action": null}'), step("unknown", action=None)),
    ("model's own thoughts give way", text(arguments='{"action": "wait", "thoughts": "x"}'), step("wait")),
    ("no arguments", text(arguments=""), None),
    ("empty arguments", text(arguments="{}"), None),
    ("blank arguments", text(arguments="{ }"), {"action": "unknown", "arguments": {"thoughts": UNNAMED["thoughts"]}}),
    ("python's quotes", text(arguments="{'action': 'wait'}"), None),
    ("python's constants", text(arguments='{"action": None}'), None),
    ("a list", text(arguments='["wait"]'), None),
    ("a list with an object in it", text(arguments='[{"action": "wait"}]'), None),
    ("broken JSON", text(arguments='{"action": "wait"'), None),
    ("trailing comma", text(arguments='{"action": "wait",}'), None),
    ("text after", text(arguments=CLICK + " and more"), step("left_click", **CLICKED)),
    ("line after", text(arguments=CLICK + "\nObservation#3: done"), step("left_click", **CLICKED)),
    ("a stray brace after", text(arguments=CLICK + "\n}"), None),
    ("an object after", text(arguments=CLICK + ' {"a": 1}'), None),
    ("nested", text(arguments='{"action": "type", "o": {"p": {}}}'), step("type", o={"p": {}})),
    ("braces in a string", text(arguments='{"action": "type", "text": "}{"}'), step("type", text="}{")),
    ("over lines", text(arguments='{\n"action":\n"wait"\n}'), step("wait")),
    ("newline before the arguments", text().replace("arguments {", "arguments\n{"), step("left_click", **CLICKED)),
    ("spaces before the arguments", text().replace("arguments {", "arguments   {"), step("left_click", **CLICKED)),
    ("the thought quotes arguments", text('I run with arguments {"a": 1}'), None),
    ("the thought has braces", text("see {this}"), step("left_click", "see {this}", **CLICKED)),
    ("not ASCII", text("Größe", '{"action": "type", "text": "日本"}'), step("type", "Größe", text="日本")),
    ("escapes", text(arguments=r'{"action": "type", "text": "a\nb\"c"}'), step("type", text='a\nb"c')),
    ("Infinity", text(arguments='{"action": "wait", "time": Infinity}'), step("wait", time=float("inf"))),
    ("10,000 deep", text(arguments='{"a":' * 10_000 + "1" + "}" * 10_000), None),
]  # fmt: skip


@pytest.mark.parametrize("message, expected", [row[1:] for row in RECOVERED], ids=[row[0] for row in RECOVERED])
def test_a_step_is_recovered_from_text(message: str, expected: dict[str, Any] | None) -> None:
    assert step_of_text(message) == expected


def test_hostile_text_takes_no_time() -> None:
    assert step_of_text("Thought #1:" * 20_000 + "\nAction #" * 20_000 + "with arguments {" * 20_000) is None


def log(folder: Path, *lines: str | bytes | dict[str, Any]) -> Path:
    def line(content: str | bytes | dict[str, Any]) -> bytes:
        text = json.dumps(content) if isinstance(content, dict) else content
        return text.encode() if isinstance(text, str) else text

    path = folder / "web_surfer.log"
    path.write_bytes(b"\n".join(map(line, lines)))
    return path


STEP = {"source": "WebSurfer", "action": "click", "arguments": {"x": 1}, "url": "http://x/", "message": "m"}


def test_text_is_recovered_only_where_no_line_has_an_action(tmp_path: Path) -> None:
    only_text = read_events(log(tmp_path, {"message": text(), "type": "OtherEvent"}, {"message": "Observation#1: x"}))
    assert [(event.action, event.thoughts, event.get("type")) for event in only_text] == [
        ("left_click", "The total is shown.", "OtherEvent")
    ]
    mixed = read_events(log(tmp_path, {"message": text()}, STEP))
    assert [event.action for event in mixed] == [None, "click"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n", "\r\n \r\n"])
def test_line_ends_and_a_byte_order_mark_hold_nothing(tmp_path: Path, end: str) -> None:
    content = "\ufeff" + end.join([json.dumps(STEP), json.dumps(STEP)]) + end
    assert [event.action for event in read_events(log(tmp_path, content))] == ["click", "click"]


def test_an_empty_log_is_legal(tmp_path: Path) -> None:
    assert read_events(log(tmp_path)) == ()


@pytest.mark.parametrize(
    "line, said",
    [
        ('{"action": "cl', "not valid JSON"),
        (b'{"action": "\xff"}', "not valid JSON"),
        ("[1]", "an event is an object, not a list"),
        ("null", "an event is an object, not a NoneType"),
        ('{"action": 7}', "action is a int, expected str or null"),
        ('{"arguments": "x"}', "arguments is a str, expected dict or null"),
        ("[" * 10_000, "not valid JSON"),
        ('{"a":' * 10_000 + "1" + "}" * 10_000, "not valid JSON"),
    ],
)
def test_a_broken_line_is_named_or_left_out(tmp_path: Path, line: str | bytes, said: str) -> None:
    path = log(tmp_path, STEP, line, STEP)
    with pytest.raises(TrajectoryError, match=r"web_surfer\.log, line 2: ") as raised:
        read_events(path)
    problems: list[str] = []
    assert len(read_events(path, problems)) == 2
    assert problems == [str(raised.value)] and said in problems[0]


def test_a_line_of_100_mb_is_refused(tmp_path: Path) -> None:
    path = log(tmp_path, STEP, '{"message": "' + "x" * 100_000_000 + '"}', STEP)
    with pytest.raises(TrajectoryError, match=r"line 2: 95 MB, more than an event can have"):
        read_events(path)


def test_what_pythons_writer_makes_is_read(tmp_path: Path) -> None:
    (event,) = read_events(log(tmp_path, '{"action": "wait", "arguments": {"time": NaN, "text": "\\ud800"}}'))
    assert event.arguments["time"] != event.arguments["time"] and event.arguments["text"] == "?"


@pytest.mark.parametrize(
    "event, tool",
    [
        ({"action": "computer_use", "arguments": {"action": "left_click"}}, "left_click"),
        ({"action": "click"}, "click"),
        ({"action": "click", "arguments": None}, "click"),
        ({"action": "stop_and_answer_question"}, "terminate"),
        ({"action": "stop_execution"}, "terminate"),
        ({"action": "computer_use", "arguments": {"action": "stop"}}, "terminate"),
        ({"action": "finished(content='42')"}, "terminate"),
        ({"source": "WebSurfer-SummarizedAction", "action": None}, None),
    ],
)
def test_the_tool_of_a_step(tmp_path: Path, event: dict[str, Any], tool: str | None) -> None:
    (found,) = read_events(log(tmp_path, event, STEP))[:1]
    assert found.tool == tool
