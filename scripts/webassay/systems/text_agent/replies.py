"""What the model says -> one action, or the reason why there is none, which the model is told."""

import json
import re
from typing import Annotated, Any, Literal

import msgspec

from webassay.systems.acting import BadReply
from webassay.systems.response_form import ACTIONS, FAILURES, LONGEST_REASON, RESULTS, SUCCESS
from webassay.systems.text_agent.page import View

LONGEST_REPLY = 100_000
LONGEST_THOUGHT = 100
LONGEST_TYPED = 200
KEYS = ("Enter", "Escape", "Tab", "Backspace", "ArrowDown", "ArrowUp", "PageDown", "PageUp")

_FENCE = re.compile(r"```(?:json)?\s*(\{.*?\})\s*```", re.DOTALL)


class Step(msgspec.Struct, frozen=True, tag_field="action", kw_only=True):
    thought: str = ""


class Click(Step, tag="click", frozen=True):
    element: int | str


class Fill(Step, tag="fill", frozen=True):
    element: int | str
    text: str
    enter: bool = False


class SelectOption(Step, tag="select_option", frozen=True):
    element: int | str
    option: str


class Press(Step, tag="press", frozen=True):
    key: str


class Scroll(Step, tag="scroll", frozen=True):
    direction: Literal["up", "down"]


class Goto(Step, tag="goto", frozen=True):
    url: str


class GoBack(Step, tag="go_back", frozen=True):
    pass


class Wait(Step, tag="wait", frozen=True):
    seconds: Annotated[float, msgspec.Meta(ge=0, le=60)] = 2.0


class Answer(Step, tag="answer", frozen=True):
    task: str
    status: str = SUCCESS
    results: list[Any] | None = None
    details: str | None = None

    @property
    def response(self) -> str:
        """In the structured form that judges read."""
        fields = {"action": self.task, "status": self.status, "results": self.results, "error_details": self.details}
        return json.dumps(fields)


Action = Click | Fill | SelectOption | Press | Scroll | Goto | GoBack | Wait | Answer


def read_reply(text: str) -> Action:
    """The one JSON object of a reply, also in a fence or among words; two would be two guesses."""
    text = text.rpartition("</think>")[2].strip()
    if not text:
        raise BadReply("it was empty")
    if len(text) > LONGEST_REPLY:
        raise BadReply(f"it had {len(text)} characters")
    try:
        action: Action = msgspec.convert(_only_object(text), Action)
        return action
    except msgspec.ValidationError as error:
        raise BadReply(str(error)) from None


def _only_object(text: str) -> dict[str, Any]:
    fenced = _FENCE.search(text)
    start = fenced.start(1) if fenced else text.find("{")
    if start < 0:
        raise BadReply("it had no JSON object")
    try:
        value, end = json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError) as error:
        raise BadReply(f"its JSON cannot be read: {str(error)[:120]}") from None
    if '"action"' in text[end:]:
        raise BadReply("it had more than one action; give one at a time")
    assert isinstance(value, dict)  # it began with a brace
    return value


def reply_form(view: View) -> dict[str, Any]:
    """The actions that are possible on this page, for models that are held to a schema."""
    options = [_variant("scroll", direction={"enum": ["down", "up"]}), _variant("go_back")]
    if view.references:
        element = {"enum": list(view.references)}
        typed = {"type": "string", "maxLength": LONGEST_TYPED}
        options = [
            _variant("click", element=element),
            _variant("fill", element=element, text=typed, enter={"type": "boolean"}),
            _variant("select_option", element=element, option=typed),
            *options,
        ]
    done = {"task": {"enum": list(ACTIONS[1:])}, "status": {"const": SUCCESS}}
    found = {"task": {"const": ACTIONS[0]}, "status": {"const": SUCCESS}, "results": RESULTS}
    reason = {"type": "string", "maxLength": LONGEST_REASON}
    failed = {"task": {"enum": list(ACTIONS)}, "status": {"enum": list(FAILURES)}, "details": reason}
    return {"anyOf": [*options, *(_variant("answer", **fields) for fields in (found, done, failed))]}


def _variant(action: str, **arguments: Any) -> dict[str, Any]:
    properties = {"thought": {"type": "string", "maxLength": LONGEST_THOUGHT}, "action": {"const": action}} | arguments
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
