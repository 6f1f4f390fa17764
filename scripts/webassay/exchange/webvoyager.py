"""WebVoyager: `interact_messages.json`, a chat in which the agent says `Thought: … Action: …`, and `screenshotN.png`.

`screenshot1_no_box.png` shows the first page without the numbered boxes: a second picture of one moment, left out.
Frame N is what the agent saw before action N. The numbers in brackets are those of the boxes.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from webassay.core.answer import NO_ANSWER, FinalAnswer
from webassay.core.events import TERMINATE
from webassay.errors import TrajectoryError
from webassay.exchange.source import Source, by_first_number
from webassay.exchange.trajectory import Imported, JsonObject, LeftOut, Tool, said, step

MESSAGES = "interact_messages.json"
_FRAME = re.compile(r"screenshot\d{1,9}\.png")
_TASK = re.compile(r"Now given a task:(.+?)Please interact with\s+(\S+)", re.DOTALL)
_BOXED = re.compile(r"(Click|Type|Scroll)\s*\[?(\w+)\]?(?:[;\s]+(.*))?", re.DOTALL)
_PLAIN = {"Wait": "wait", "GoBack": "history_back", "Google": "google"}
_VALUE = {"Type": "text", "Scroll": "direction"}


def documents(names: Sequence[str]) -> list[str]:
    return [MESSAGES] if MESSAGES in names else []


def read(source: Source, document: str) -> Imported:
    messages = source.json(document)
    if not isinstance(messages, list) or not all(isinstance(one, dict) for one in messages):
        raise TrajectoryError(f"{source.folder / document}: expected a list of messages")
    events = [event for message in messages for event in _events(message)]
    task_id = source.folder.name.removeprefix("task") or source.folder.name
    frames = by_first_number([name for name in source.names() if _FRAME.fullmatch(name)])
    unused = [name for name in source.names() if name not in frames and name != document]
    return Imported(
        task_id=task_id,
        tool=Tool("WebVoyager"),
        events=tuple(events),
        answer=FinalAnswer(_answer(events)),
        screenshots=tuple(frames),
        task_data=_task_data(task_id, messages),
        left_out=tuple(LeftOut(name, "no frame of the run, and no message") for name in unused),
    )


def _events(message: JsonObject) -> Iterator[JsonObject]:
    text = _text(message.get("content"))
    if message.get("role") == "assistant":
        yield _step(text)
    elif text:
        yield said(str(message.get("role") or "unknown"), text)


def _text(content: Any) -> str:
    """Of a text, or of a list of parts; pictures among them are the frames."""
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, dict)]
        return "\n".join(text for text in texts if isinstance(text, str))
    return content if isinstance(content, str) else ""


def _step(reply: str) -> JsonObject:
    before, given, action = reply.partition("Action:")
    thought = before.partition("Thought:")[2].strip()
    name, arguments = _action(action.strip()) if given else ("unknown", {"text": reply})
    return step(name, arguments, thoughts=thought, message=reply)


def _action(text: str) -> tuple[str, JsonObject]:
    if text.startswith("ANSWER"):
        return TERMINATE, {"answer": _without_brackets(text.removeprefix("ANSWER").lstrip("; "))}
    if plain := _PLAIN.get(text.rstrip("; .")):
        return plain, {}
    if match := _BOXED.fullmatch(text):
        name, box, value = match.groups()
        more = {_VALUE[name]: _without_brackets(value or "")} if name in _VALUE else {}
        return name.lower(), {"box": box} | more
    return "unknown", {"text": text}


def _without_brackets(text: str) -> str:
    """The prompt writes `[content]`, and some agents copy the brackets; one inside an answer is part of it."""
    text = text.strip()
    is_wrapped = text.startswith("[") and text.endswith("]") and "]" not in text[:-1]
    return text[1:-1] if is_wrapped else text


def _answer(events: list[JsonObject]) -> str:
    steps = [event for event in events if event["action"] is not None]
    if steps and steps[-1]["action"] == TERMINATE:
        return str(steps[-1]["arguments"]["answer"])
    return NO_ANSWER


def _task_data(task_id: str, messages: list[JsonObject]) -> JsonObject | None:
    for message in messages:
        if message.get("role") == "user" and (match := _TASK.search(_text(message.get("content")))):
            words, address = match[1].strip(), match[2]
            return {
                "task_id": task_id,
                "web_name": task_id.split("--")[0],
                "id": task_id,
                "ques": words,
                "web": address,
            }
    return None
