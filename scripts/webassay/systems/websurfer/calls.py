"""The tool of the model, and what it says -> one call of it, or the reason why there is none, which it is told."""

import ast
import json
from typing import Annotated, Any, Literal

import msgspec

from webassay.systems.acting import BadReply

TOOL = "computer_use"
OPEN, CLOSE = "<tool_call>", "</tool_call>"
LONGEST_REPLY = 100_000
LONGEST_CALL = 20_000
DEFAULT_WAIT = 3.0

Number = Annotated[float, msgspec.Meta(ge=-1e5, le=1e5)]
"""Neither NaN nor infinite."""
Point = tuple[Number, Number]


class Step(msgspec.Struct, frozen=True, tag_field="action", kw_only=True):
    pass


class Key(Step, frozen=True, tag="key"):
    keys: list[str]


class Type(Step, frozen=True, tag="type"):
    text: str
    coordinate: Point | None = None
    """None: where the keyboard's focus is."""
    press_enter: bool = True
    delete_existing_text: bool = False


class MouseMove(Step, frozen=True, tag="mouse_move"):
    coordinate: Point


class LeftClick(Step, frozen=True, tag="left_click"):
    coordinate: Point


class Scroll(Step, frozen=True, tag="scroll"):
    pixels: Number
    """Up is positive."""
    coordinate: Point | None = None


class VisitUrl(Step, frozen=True, tag="visit_url"):
    url: str


class WebSearch(Step, frozen=True, tag="web_search"):
    query: str


class HistoryBack(Step, frozen=True, tag="history_back"):
    pass


class Memorize(Step, frozen=True, tag="pause_and_memorize_fact"):
    fact: str


class Wait(Step, frozen=True, tag="wait"):
    time: Number = DEFAULT_WAIT


class Terminate(Step, frozen=True, tag="terminate"):
    status: Literal["success", "failure"] = "success"


Action = Key | Type | MouseMove | LeftClick | Scroll | VisitUrl | WebSearch | HistoryBack | Memorize | Wait | Terminate
ALIASES = {
    "keypress": "key",
    "input_text": "type",
    "hover": "mouse_move",
    "click": "left_click",
    "sleep": "wait",
    "stop": "terminate",
}


def read_call(text: str) -> tuple[str, Action]:
    """The thought before the first call, and that call; further ones are not carried out."""
    if len(text) > LONGEST_REPLY:
        raise BadReply(f"it had {len(text)} characters")
    thought, found, rest = text.partition(OPEN)
    if not found:
        raise BadReply(f"it had no {OPEN}")
    call = _literal(rest.partition(CLOSE)[0].strip())
    arguments = call.get("arguments") if isinstance(call, dict) else None
    if not isinstance(arguments, dict):
        raise BadReply('a call is an object with "name" and "arguments", which is an object too')
    try:
        action: Action = msgspec.convert(_canonical(arguments), Action)
    except msgspec.ValidationError as error:
        raise BadReply(str(error)) from None
    return thought.strip(), action


def _literal(text: str) -> Any:
    """JSON, or else what Python would write of it: models trained on both mix them up."""
    if len(text) > LONGEST_CALL:
        raise BadReply(f"its call had {len(text)} characters")
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise BadReply(f"its call is not valid JSON: {text[:80]!r}") from None


def _canonical(arguments: dict[Any, Any]) -> dict[Any, Any]:
    given = dict(arguments)
    action = given.get("action")
    if isinstance(action, str):
        given["action"] = action = ALIASES.get(action, action)
    if action == "wait" and "duration" in given:
        given.setdefault("time", given["duration"])
    return given


def signature(size: tuple[int, int]) -> str:
    """The one tool as JSON, told in its description how large the screen is in the model's pixels."""
    point = {
        "type": "array",
        "items": {"type": "number"},
        "description": "[x, y] in pixels from the upper left corner.",
    }
    properties = {
        "action": {"type": "string", "enum": ACTION_NAMES, "description": ACTIONS_DESCRIBED},
        "keys": {"type": "array", "items": {"type": "string"}, "description": "For key: pressed together, in order."},
        "text": {"type": "string", "description": "For type."},
        "press_enter": {"type": "boolean", "description": "For type: Enter afterwards; true unless given."},
        "delete_existing_text": {"type": "boolean", "description": "For type: empty the field first; else false."},
        "coordinate": point,
        "pixels": {"type": "number", "description": "For scroll: how far; positive is up, negative is down."},
        "url": {"type": "string", "description": "For visit_url."},
        "query": {"type": "string", "description": "For web_search."},
        "fact": {"type": "string", "description": "For pause_and_memorize_fact: what will be needed later."},
        "time": {"type": "number", "description": "For wait: seconds."},
        "status": {"type": "string", "enum": ["success", "failure"], "description": "For terminate."},
    }
    function = {
        "name": TOOL,
        "description": (
            f"A mouse and a keyboard for the browser window of which you get screenshots. Its resolution is "
            f"{size[0]}x{size[1]}. Aim at the middle of what you click."
        ),
        "parameters": {"type": "object", "properties": properties, "required": ["action"]},
    }
    return json.dumps({"type": "function", "function": function})


DESCRIBED = {
    "key": "press keys",
    "type": "write text, after a click at coordinate if one is given",
    "mouse_move": "move the pointer",
    "left_click": "click",
    "scroll": "turn the wheel",
    "visit_url": "open an address",
    "web_search": "look something up in a search engine",
    "history_back": "go to the page before",
    "pause_and_memorize_fact": "note a fact, which you are then shown at every step",
    "wait": "let time pass",
    "terminate": "end the task",
}
ACTION_NAMES = list(DESCRIBED)
ACTIONS_DESCRIBED = "; ".join(f"{name}: {meaning}" for name, meaning in DESCRIBED.items())
