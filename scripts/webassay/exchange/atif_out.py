"""A trajectory as an ATIF 1.7 document: one step for an event, pictures beside it."""

from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

import webassay
from webassay.core.events import Event
from webassay.core.trajectory import LOG, Trajectory
from webassay.exchange.outgoing import copy_frames, other_files, task_data, task_words
from webassay.exchange.source import Source
from webassay.exchange.trajectory import RECORD, JsonObject, LeftOut, write_readable

TRAJECTORY, IMAGES, OURS = "trajectory.json", "images", "webassay"
VERSION = "ATIF-v1.7"
MEDIA = {".png": "image/png", ".jpg": "image/jpeg", ".webp": "image/webp"}


def write(source: Source, trajectory: Trajectory, folder: Path) -> list[LeftOut]:
    frames, left_out = copy_frames(source, trajectory, folder / IMAGES, "{:03}")
    images: list[JsonObject] = [
        {"type": "image", "source": {"media_type": MEDIA[path.suffix], "path": f"{IMAGES}/{path.name}"}}
        for path in frames
    ]
    log = source.read(LOG)
    if unread := sum(1 for line in log.split(b"\n") if line.strip()) - len(trajectory.events):
        left_out.append(LeftOut(f"{unread} lines of {LOG}", "text that tells of no step"))
    data = task_data(source)
    steps = _steps(trajectory, images, task_words(data))
    record = {
        "schema_version": VERSION,
        "session_id": trajectory.task_id,
        "agent": _agent(source, trajectory),
        "steps": steps,
        "final_metrics": _metrics(trajectory, len(steps)),
        "extra": {OURS: _extra(source, trajectory, data)},
    }
    write_readable(folder / TRAJECTORY, record)
    why = "an ATIF document has no place for it"
    return [*left_out, *other_files(source, trajectory, why, held=("times.json",))]


def _agent(source: Source, trajectory: Trajectory) -> JsonObject:
    """Who made the run, of an import; else who speaks in its log."""
    record = source.json(RECORD) if RECORD in source.names() else {}
    tool = record.get("tool") if isinstance(record, dict) else None
    told = {key: value for key, value in tool.items() if isinstance(value, str)} if isinstance(tool, dict) else {}
    spoken = next((event.source for event in trajectory.steps if event.source), "unknown")
    return {"name": told.get("name", spoken), "version": told.get("version", "unknown")}


def _steps(trajectory: Trajectory, images: list[JsonObject], words: str) -> list[JsonObject]:
    """The task, then the events; a frame for each action, one too many with the task, more with the last action."""
    actions = len(trajectory.steps)
    before = 1 if len(images) == actions + 1 else 0
    message: Any = [{"type": "text", "text": words}, *images[:before]] if before else words
    steps = [{"step_id": 1, "source": "user", "message": message}]
    left, done = images[before:], 0
    for event in trajectory.events:
        frames: list[JsonObject] = []
        if event.action is not None:
            done += 1
            count = len(left) if done == actions else 1
            frames, left = left[:count], left[count:]
        steps.append({"step_id": len(steps) + 1} | _step(event, frames, len(steps) + 1))
    if left:  # frames of a run without actions
        steps.append({"step_id": len(steps) + 1, "source": "system", "message": left})
    return steps


def _step(event: Event, frames: list[JsonObject], number: int) -> JsonObject:
    rest = {key: value for key, value in event.items() if key not in ("timestamp", "message", "action", "arguments")}
    rest |= {key: event[key] for key in ("timestamp", "message") if key in event and not _is_plain(key, event[key])}
    timestamp = event.get("timestamp")
    told: JsonObject = {"timestamp": timestamp} if _is_plain("timestamp", timestamp) else {}
    message = event["message"] if _is_plain("message", event.get("message")) else ""
    if "message" not in event:
        rest["message"] = None
    if event.action is None:
        rest |= {key: event[key] for key in ("action", "arguments") if key in event}
        return told | {"source": "system", "message": message, "extra": {OURS: {"event": rest}}}
    arguments = dict(event.arguments)
    thoughts = arguments.pop("thoughts") if isinstance(arguments.get("thoughts"), str) else None
    call = {"tool_call_id": f"call_{number}", "function_name": event.action, "arguments": arguments}
    reasoning = {} if thoughts is None else {"reasoning_content": thoughts}
    content = {"results": [{"source_call_id": call["tool_call_id"], "content": frames}]} if frames else None
    seen = {"observation": content} if content else {}
    step = {"source": "agent", "message": message} | reasoning | {"tool_calls": [call]} | seen
    return told | step | {"extra": {OURS: {"event": rest}}}


def _is_plain(key: str, value: Any) -> bool:
    """Whether ATIF's field takes it: a text, and of moments only what ISO 8601 allows."""
    if not isinstance(value, str):
        return False
    return key == "message" or _is_iso(value)


def _is_iso(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
        return True
    except ValueError:
        return False


def _metrics(trajectory: Trajectory, steps: int) -> JsonObject:
    usage = list(trajectory.answer.usage.values())
    if not usage:
        return {"total_steps": steps}
    costs = [one.cost for one in usage if one.cost is not msgspec.UNSET]
    return {
        "total_prompt_tokens": sum(one.prompt_tokens for one in usage),
        "total_completion_tokens": sum(one.completion_tokens for one in usage),
        **({"total_cost_usd": sum(costs)} if costs else {}),
        "total_steps": steps,
    }


def _extra(source: Source, trajectory: Trajectory, data: Any) -> JsonObject:
    answer = msgspec.to_builtins(msgspec.structs.replace(trajectory.answer, screenshots=()))
    times = trajectory.times
    return {
        "version": webassay.__version__,
        "task_id": trajectory.task_id,
        "outcome": trajectory.outcome,
        "answer": answer,
        "times": [times.start_time, times.end_time] if times else None,
        "aborted": trajectory.attempt.reason if trajectory.attempt and trajectory.is_aborted else None,
        "task_data": data,
        "log_sha256": source.digests[LOG],
    }
