"""What the web surfer does without a browser: sizes, tool calls, and which turns are sent again."""

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from webassay.systems.acting import BadReply
from webassay.systems.websurfer.calls import Key, LeftClick, Scroll, Terminate, Type, Wait, read_call
from webassay.systems.websurfer.conversation import Conversation, shown_url
from webassay.systems.websurfer.pictures import Scale, smart_size

LEAST, MOST = 3136, 12_845_056


@pytest.mark.parametrize(
    "given, expected",
    [
        ((1440, 900), (1428, 896)),
        ((1280, 720), (1288, 728)),
        ((28, 28), (56, 56)),
        ((10, 10), (56, 56)),
        ((8000, 4000), (5068, 2520)),
    ],
)
def test_sides_are_multiples_of_28_within_the_bounds(given: tuple[int, int], expected: tuple[int, int]) -> None:
    assert smart_size(*given, LEAST, MOST) == expected


def test_coordinates_come_back_to_the_page() -> None:
    scale = Scale.of(1440, 900, LEAST, MOST)
    assert scale.to_page(714, 448) == (720, 450)
    assert scale.holds(1428, 896) and not scale.holds(1429, 0) and not scale.holds(-1, 0)


CLICK = '{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [3, 4.5]}}'


@pytest.mark.parametrize(
    "text, thought, action",
    [
        (f"I see it.\n<tool_call>\n{CLICK}\n</tool_call>", "I see it.", LeftClick(coordinate=(3, 4.5))),
        (f"<tool_call>{CLICK}", "", LeftClick(coordinate=(3, 4.5))),
        (f"<tool_call>\n{CLICK}\n</tool_call>\n<tool_call>\nnonsense", "", LeftClick(coordinate=(3, 4.5))),
        (
            "<tool_call>\n{'name': 'computer_use', 'arguments': {'action': 'input_text', 'text': 'it\\'s', "
            "'press_enter': False}}\n</tool_call>",
            "",
            Type(text="it's", press_enter=False),
        ),
        ('<tool_call>{"arguments": {"action": "sleep", "duration": 1}}', "", Wait(time=1)),
        ('<tool_call>{"arguments": {"action": "wait"}}', "", Wait(time=3)),
        ('<tool_call>{"arguments": {"action": "stop"}}', "", Terminate()),
        ('<tool_call>{"arguments": {"action": "keypress", "keys": ["ctrl", "a"]}}', "", Key(keys=["ctrl", "a"])),
        ('<tool_call>{"arguments": {"action": "scroll", "pixels": -300}}', "", Scroll(pixels=-300)),
    ],
)
def test_a_call_is_json_or_a_python_literal_and_the_first_counts(text: str, thought: str, action: object) -> None:
    assert read_call(text) == (thought, action)


@pytest.mark.parametrize(
    "text, told",
    [
        ("", "no <tool_call>"),
        ("Done.", "no <tool_call>"),
        ("<tool_call>", "not valid JSON"),
        ("<tool_call>\n__import__('os').system('true')\n</tool_call>", "not valid JSON"),
        ("<tool_call>" + "[" * 15_000, "not valid JSON"),
        ("<tool_call>" + "9" * 19_000, "is an object|not valid JSON"),
        ("<tool_call>" + "x" * 30_000, "30000 characters"),
        ("y" * 200_000, "200000 characters"),
        ("<tool_call>[1]</tool_call>", "is an object"),
        ('<tool_call>{"name": "computer_use", "arguments": "left_click"}', "is an object"),
        ('<tool_call>{"arguments": {"action": "fly"}}', "fly"),
        ('<tool_call>{"arguments": {"action": ["key"]}}', "action"),
        ("<tool_call>{'arguments': {1: {2}, 'action': b'x'}}", "."),
        ('<tool_call>{"arguments": {}}', "action"),
        ('<tool_call>{"arguments": {"action": "left_click"}}', "coordinate"),
        ('<tool_call>{"arguments": {"action": "left_click", "coordinate": [NaN, 1]}}', "coordinate"),
        ('<tool_call>{"arguments": {"action": "left_click", "coordinate": [1, 2, 3]}}', "coordinate"),
        ('<tool_call>{"arguments": {"action": "scroll", "pixels": Infinity}}', "pixels"),
        ('<tool_call>{"arguments": {"action": "terminate", "status": "maybe"}}', "maybe"),
    ],
)
def test_what_is_no_call_is_said_in_words(text: str, told: str) -> None:
    with pytest.raises(BadReply, match=told):
        read_call(text)


def sent(most: int, rounds: int, folder: Path) -> list[str]:
    """Each message in short: who, which text, with a picture or not."""
    path = folder / "shot.png"
    Image.new("RGB", (60, 60)).save(path)
    talk = Conversation("S", (56, 56), most)
    for number in range(rounds):
        talk.show(f"u{number}", path)
        if number < rounds - 1:
            talk.hear(f"a{number}")
    return [short(message) for message in talk.messages]


def short(message: Any) -> str:
    content = message["content"]
    if isinstance(content, str):
        return content
    return "+".join(part["text"] if part["type"] == "text" else "picture" for part in content)


@pytest.mark.parametrize(
    "most, rounds, expected",
    [
        (3, 1, ["S", "picture+u0"]),
        (3, 3, ["S", "picture+u0", "a0", "picture+u1", "a1", "picture+u2"]),
        (3, 5, ["S", "u0", "a0", "a1", "picture+u2", "a2", "picture+u3", "a3", "picture+u4"]),
        (1, 3, ["S", "u0", "a0", "a1", "picture+u2"]),
    ],
)
def test_old_turns_go_with_their_pictures_but_the_task_stays(
    tmp_path: Path, most: int, rounds: int, expected: list[str]
) -> None:
    assert sent(most, rounds, tmp_path) == expected


def test_an_address_is_shown_without_its_query_and_cut() -> None:
    assert shown_url("http://a.example/b?c=d", 100) == "http://a.example/b"
    assert shown_url("http://a.example/" + "b" * 100, 20) == "http://a.example/bbb ..."
