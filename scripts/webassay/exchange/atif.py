"""ATIF, the Agent Trajectory Interchange Format of Harbor: `trajectory.json` of versions 1.0 to 1.7.

| ATIF | here |
|---|---|
| the first step of the user | the task |
| a tool call | an event with an action; the first of a step has its `reasoning_content` as thoughts |
| the message of an agent's step with tool calls | the message of that event |
| an agent's last message, without tool calls | the answer, and the step that ends the run with it |
| content of an observation, other messages | events without an action |
| images by relative path | screenshots, in order |
| steps copied from another trajectory, trajectories of subagents | left out |

What ATIF has no field for goes into `extra.webassay`, of the trajectory and of each step, and is read back from there:
so nothing of a trajectory is lost on the way out and in again but its other files. What a log has no field for stays in
the document, which is kept as `atif.json` (exchange/atif_again.py).
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

import msgspec

from webassay.core.answer import NO_ANSWER, FinalAnswer
from webassay.core.events import TERMINATE, Event
from webassay.errors import TrajectoryError
from webassay.exchange.atif_out import IMAGES, OURS, TRAJECTORY
from webassay.exchange.source import Source
from webassay.exchange.trajectory import Imported, JsonObject, LeftOut, Tool, ended, is_moment, said, step

ORIGINAL = "atif.json"
VERSIONS = tuple(f"ATIF-v1.{minor}" for minor in range(8))
FINISHING = {TERMINATE, "finish", "done"}
ANSWERS = ("answer", "message", "text", "result")
"""Arguments of a call that ends a run, in which the answer is looked for."""

Content = str | list[JsonObject] | None


class Call(msgspec.Struct, frozen=True):
    function_name: str
    arguments: JsonObject = {}
    tool_call_id: str | None = None


class Result(msgspec.Struct, frozen=True):
    content: Content = None
    subagent_trajectory_ref: Any = None


class Observation(msgspec.Struct, frozen=True):
    results: tuple[Result, ...] = ()


class Step(msgspec.Struct, frozen=True):
    """Only fields that are used; `extra` and unknown ones may hold anything."""

    source: str
    message: Content = ""
    timestamp: str | None = None
    reasoning_content: str | None = None
    tool_calls: tuple[Call, ...] | None = None
    observation: Observation | None = None
    is_copied_context: bool | None = None
    extra: JsonObject | None = None

    @property
    def ours(self) -> JsonObject | None:
        return _ours(self.extra)


class Agent(msgspec.Struct, frozen=True):
    name: str
    version: str | None = None


class Document(msgspec.Struct, frozen=True):
    schema_version: str
    agent: Agent
    steps: tuple[Step, ...]
    final_metrics: JsonObject | None = None
    continued_trajectory_ref: str | None = None
    subagent_trajectories: Any = None
    extra: JsonObject | None = None


def documents(names: Sequence[str]) -> list[str]:
    return [TRAJECTORY] if TRAJECTORY in names else []


def read(source: Source, document: str) -> Imported:
    raw, found = read_document(source, document)
    ours = _ours(found.extra) or {}
    is_ours = "answer" in ours  # else the document came in as it is, and all that we had to add is an id
    kept = [one for one in found.steps if not one.is_copied_context]
    told = [one for one in kept if one.ours] if is_ours else kept  # the task, and frames without action, are no events
    events = [event for one in told for event in _events(one)]
    task_id = ours["task_id"] if isinstance(ours.get("task_id"), str) else _task_id(source, document)
    answer = _our_answer(ours) if "answer" in ours else FinalAnswer(_answer(kept, events), token_usage=_usage(found))
    task_data = ours["task_data"] if "task_data" in ours else {"task_id": task_id, "task": _task(kept)}
    return Imported(
        task_id=task_id,
        tool=Tool(found.agent.name, found.agent.version),
        events=tuple(events),
        answer=answer,
        screenshots=tuple(image["path"] for image in pictures(raw)),
        copied={} if is_ours else {ORIGINAL: document},
        times=_times(ours if is_ours else {}, kept),
        task_data=task_data if isinstance(task_data, dict) else None,
        left_out=tuple(_left_out(raw, found, source, document)),
        aborted=ours["aborted"] if isinstance(ours.get("aborted"), str) else None,
    )


def read_document(source: Source, document: str) -> tuple[JsonObject, Document]:
    """As it stands, and what is used of it."""
    try:
        raw = source.json(document)
        found = msgspec.convert(raw, Document)
    except msgspec.ValidationError as error:
        raise TrajectoryError(f"{source.folder / document}: {error}") from None
    if found.schema_version not in VERSIONS:
        raise TrajectoryError(
            f"{source.folder / document}: schema_version is {found.schema_version[:40]!r}, "
            f"and only {VERSIONS[0]} to {VERSIONS[-1]} are read"
        )
    return raw, found


def _ours(extra: JsonObject | None) -> JsonObject | None:
    ours = (extra or {}).get(OURS)
    return ours if isinstance(ours, dict) else None


def _task_id(source: Source, document: str) -> str:
    """Harbor's layout is `<trial>/agent/trajectory.json`."""
    if document != TRAJECTORY:
        return document.removesuffix(".json")
    folder = source.folder.resolve()
    return folder.parent.name if folder.name == "agent" else folder.name


def _events(one: Step) -> Iterator[JsonObject]:
    if one.ours is not None and isinstance(event := one.ours.get("event"), dict):
        yield _our_event(one, event)
        return
    text = _text(one.message)
    calls = one.tool_calls or ()
    for number, call in enumerate(calls):
        thoughts = (one.reasoning_content or "") if number == 0 else ""
        message = text if number == 0 else ""
        yield step(
            TERMINATE if call.function_name in FINISHING else call.function_name, call.arguments,
            thoughts=thoughts, message=message, timestamp=one.timestamp,
        )  # fmt: skip
    if text and not calls:
        yield said(one.source, text, one.timestamp) | (
            {"reasoning": one.reasoning_content} if one.reasoning_content else {}
        )
    for result in one.observation.results if one.observation else ():
        if content := _text(result.content):
            yield said("observation", content)


def _our_event(one: Step, event: JsonObject) -> JsonObject:
    """As it was: what has a field in ATIF is taken from there."""
    known: JsonObject = {"timestamp": one.timestamp} if one.timestamp is not None else {}
    if "message" not in event:
        known["message"] = _text(one.message)
    if one.tool_calls:
        thoughts = {} if one.reasoning_content is None else {"thoughts": one.reasoning_content}
        known |= {"action": one.tool_calls[0].function_name, "arguments": one.tool_calls[0].arguments | thoughts}
    return {key: value for key, value in (known | event).items() if (key, value) != ("message", None)}


def _answer(steps: list[Step], events: list[JsonObject]) -> str:
    """An agent's last word; where that is a call, an answer among its arguments if it ends the run."""
    agents = [one for one in steps if one.source == "agent"]
    if not agents:
        return NO_ANSWER
    last = agents[-1]
    if not last.tool_calls:
        if text := _text(last.message):
            events.append(ended(text, last.reasoning_content or "", how="the agent's last message calls no tool"))
        return text or NO_ANSWER
    taken = [Event(event) for event in events if event.get("action") is not None]
    if not taken or taken[-1].tool != TERMINATE:
        return NO_ANSWER
    given = (taken[-1].arguments.get(name) for name in ANSWERS)
    return next((one for one in given if isinstance(one, str)), _text(last.message))


def _our_answer(ours: JsonObject) -> FinalAnswer:
    try:
        return msgspec.convert(ours["answer"], FinalAnswer)
    except msgspec.ValidationError as error:
        raise TrajectoryError(f"extra.{OURS}.answer: {error}") from None


def _usage(found: Document) -> dict[str, JsonObject]:
    given = found.final_metrics or {}
    counts = {name: given.get(f"total_{name}") for name in ("prompt_tokens", "completion_tokens", "cached_tokens")}
    plain: JsonObject = {name: count for name, count in counts.items() if type(count) is int and 0 <= count < 2**53}
    cost = given.get("total_cost_usd")
    if isinstance(cost, int | float) and not isinstance(cost, bool) and 0 <= cost < 2**53:
        plain["cost"] = float(cost)
    return {found.agent.name: plain} if plain else {}


def _task(steps: list[Step]) -> str:
    return next((_text(one.message) for one in steps if one.source == "user"), "")


def _times(ours: JsonObject, steps: list[Step]) -> tuple[float, float] | None:
    """Moments without a time zone are none."""
    if isinstance(given := ours.get("times"), list) and len(given) == 2 and all(is_moment(one) for one in given):
        return given[0], given[1]
    if ours:
        return None
    moments = [_moment(one.timestamp) for one in steps if one.timestamp]
    known = [one for one in moments if one is not None]
    return (min(known), max(known)) if known and len(known) == len(moments) else None


def _moment(timestamp: str) -> float | None:
    try:
        moment = datetime.fromisoformat(timestamp)
        return moment.timestamp() if moment.tzinfo and is_moment(moment.timestamp()) else None
    except (ValueError, OverflowError, OSError):
        return None


def _text(content: Content) -> str:
    if isinstance(content, list):
        return "\n".join(part["text"] for part in content if isinstance(part.get("text"), str))
    return content or ""


def pictures(raw: JsonObject, *, copied: bool = False) -> Iterator[JsonObject]:
    """The places of a document that name one, in order; those of `copied` steps are another trajectory's."""
    for one in raw["steps"]:
        if one.get("is_copied_context") and not copied:
            continue
        results = (one.get("observation") or {}).get("results", ())
        for content in (one.get("message"), *(result.get("content") for result in results)):
            for part in content if isinstance(content, list) else ():
                image = part.get("source")
                if isinstance(image, dict) and isinstance(image.get("path"), str):
                    yield image


def _left_out(raw: JsonObject, found: Document, source: Source, document: str) -> Iterator[LeftOut]:
    if copied := sum(bool(one.is_copied_context) for one in found.steps):
        yield LeftOut(f"{copied} steps", "copied from another trajectory (is_copied_context)")
    if found.subagent_trajectories:
        yield LeftOut("subagent_trajectories", "of other agents")
    if found.continued_trajectory_ref:
        yield LeftOut(found.continued_trajectory_ref, "a continuation; import it as a trajectory of its own")
    paths = (PurePosixPath(image["path"]) for image in pictures(raw, copied=True))
    used = {path.parts[0] for path in paths if path.parts}
    if document == TRAJECTORY:
        for name in source.names():
            if name not in used | {document, IMAGES, "export.json"}:
                yield LeftOut(name, "no part of the trajectory")
