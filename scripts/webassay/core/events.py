"""`web_surfer.log`: one JSON object a line, one line an event; a step is an event that has an `action`.

Older logs have text only. Where no line of a log has an action, steps are recovered from lines such as

    Thought #3: The total is shown.
    Action #3: executing tool 'computer_use' with arguments {"action": "terminate", "status": "success"}
"""

import json
import re
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from webassay.core.files import decode_lenient, encode_lenient
from webassay.errors import TrajectoryError

MAX_LINE = 64 * 2**20
BOM = b"\xef\xbb\xbf"
UNKNOWN = "unknown"
INFERRED = "webassay.import"
"""Source of a step that no log tells of, but an answer or a response does."""
TERMINATE = "terminate"
ENDINGS = {"stop_execution": TERMINATE, "stop_and_answer_question": TERMINATE, "stop": TERMINATE}
"""How other agents call their last action."""

_THOUGHT = re.compile(r"Thought #\d+:")
_ARGUMENTS = re.compile(r"with arguments\s+(?=\{)")
_ACTION = "\nAction #"


class Event(dict[str, Any]):
    """A line as it stands, with keys that nobody knows; read it like webeval's own dict, or by these names."""

    @property
    def source(self) -> str:
        return str(self.get("source") or "")

    @property
    def message(self) -> str:
        return str(self.get("message") or "")

    @property
    def timestamp(self) -> str:
        return str(self.get("timestamp") or "")

    @property
    def url(self) -> str:
        return str(self.get("url") or "")

    @property
    def action(self) -> str | None:
        return self.get("action")

    @property
    def arguments(self) -> dict[str, Any]:
        return self.get("arguments") or {}

    @property
    def thoughts(self) -> str:
        return str(self.arguments.get("thoughts") or "")

    @property
    def tool(self) -> str | None:
        """What was done: webeval's own agent calls every action `computer_use` and names the tool in the arguments."""
        if self.action is None:
            return None
        name = str(self.arguments.get("action") or self.action)
        return TERMINATE if name.startswith("finished(") else ENDINGS.get(name, name)


class EventLog:
    """Appends events as they happen, so that a crash leaves all that came before it."""

    def __init__(self, folder: Path) -> None:
        self._stream = (folder / "web_surfer.log").open("ab", buffering=0)

    def write(self, *, message: str, url: str, action: str, arguments: dict[str, Any]) -> None:
        now = datetime.fromtimestamp(time.time(), UTC).replace(tzinfo=None).isoformat(timespec="microseconds")
        event = {
            "timestamp": now,
            "type": "WebSurferEvent",
            "source": "WebSurfer",
            "message": message,
            "url": url,
            "action": action,
            "arguments": arguments,
        }
        self._stream.write(encode_lenient(event) + b"\n")

    def close(self) -> None:
        self._stream.close()


def read_events(path: Path, problems: list[str] | None = None) -> tuple[Event, ...]:
    """Those of a log, in order; what is wrong with a line is raised, or put into `problems` and the line left out.

    A byte order mark, CRLF and blank lines hold nothing and are passed over.
    """
    events = []
    for number, line in enumerate(path.read_bytes().removeprefix(BOM).split(b"\n"), 1):
        if not line or line.isspace():
            continue
        try:
            events.append(_event(line))
        except ValueError as error:
            _tell(f"{path}, line {number}: {error}", problems)
            events += _without_arguments(line)
    if events and all(event.action is None for event in events):
        return tuple(recovered(events))
    return tuple(events)


def recovered(events: Iterable[Event]) -> Iterable[Event]:
    """Steps out of a log of text; lines that tell of none are left out."""
    for event in events:
        if (step := step_of_text(event.message)) is not None:
            yield Event(event | step)


def step_of_text(message: str) -> dict[str, Any] | None:
    """`{action, arguments}` of a message with a thought and an action, by webeval's rules; None where it has none.

    The arguments are the JSON object between the first `with arguments {` and the last `}`; the name of the tool in
    quotes does not count, and a thought given among the arguments gives way to the one before them.
    """
    if "Thought #" not in message or "Action #" not in message:
        return None
    start, end = _ARGUMENTS.search(message), message.rfind("}")
    if start is None or end <= start.end() + 1:
        return None
    try:
        arguments = json.loads(message[start.end() : end + 1])
    except (ValueError, RecursionError):
        return None
    arguments["thoughts"] = _thought(message)
    return {"action": str(arguments.get("action") or UNKNOWN), "arguments": arguments}


def _thought(message: str) -> str:
    """From the first `Thought #n:` to the next line that begins with `Action #`; searched by hand, in linear time."""
    start = _THOUGHT.search(message)
    if start is None:
        return ""
    begin = start.end() + len(message[start.end() :]) - len(message[start.end() :].lstrip())
    end = message.find(_ACTION, begin)
    return "" if end < 0 else message[begin:end].strip()


def _event(line: bytes) -> Event:
    if len(line) > MAX_LINE:
        raise ValueError(f"{len(line) >> 20} MB, more than an event can have")
    record = decode_lenient(line)
    if not isinstance(record, dict):
        raise ValueError(f"an event is an object, not {_kind(record)}")
    for key, kinds in (("action", str), ("arguments", dict)):
        if not isinstance(record.get(key), kinds | None):
            raise ValueError(f"{key} is {_kind(record[key])}, expected {kinds.__name__} or null")
    return Event(record)


def _without_arguments(line: bytes) -> list[Event]:
    """Of a line whose arguments cannot be read, the rest; the arguments too where they are JSON within JSON."""
    try:
        record = decode_lenient(line)
        if not isinstance(record["action"], str) or len(line) > MAX_LINE:
            return []
    except (ValueError, TypeError, KeyError):
        return []
    try:
        arguments = decode_lenient(record["arguments"].encode())
    except (ValueError, AttributeError):
        arguments = {}
    return [Event(record | {"arguments": arguments if isinstance(arguments, dict) else {}})]


def _kind(value: Any) -> str:
    return f"a {type(value).__name__}"


def _tell(problem: str, problems: list[str] | None) -> None:
    if problems is None:
        raise TrajectoryError(problem)
    problems.append(problem)
