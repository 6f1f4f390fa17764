"""Online-Mind2Web: `result.json` and, in `trajectory/`, images in the order of the first number in their names.

An action is one line of text: JSON (as webeval's agents are judged), `<element> -> OPERATION: value` (as Mind2Web's),
or words. The format has no action for the end; an agent that gave a final response ended its run with it, so one event
says so (`source: webassay.import`). Thoughts belong to actions by position; one more than there are actions is the
thought behind the response.

Verdicts are taken over from files `*results.json` (JSON Lines) that lie in the source or in a folder directly in it,
where the record is of this run: the same id, and the same task and actions as far as it tells of them. The response of
a judge is a string in what the code writes and a list of one in what was published.
"""

import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from webassay.core.answer import NO_ANSWER, FinalAnswer
from webassay.core.events import INFERRED, TERMINATE, Event
from webassay.core.files import decode_lenient
from webassay.core.trajectory import Trajectory
from webassay.errors import TrajectoryError
from webassay.exchange.outgoing import copy_frames, other_files, task_data, task_words
from webassay.exchange.source import Source, by_first_number, folder_name
from webassay.exchange.trajectory import (
    Imported,
    JsonObject,
    LeftOut,
    Tool,
    ended,
    said,
    step,
    write_readable,
)

RESULT, IMAGES, THOUGHT = "result.json", "trajectory", "thought"
_OPERATION = re.compile(r" -> ([A-Z][A-Z_ ]*)(?::\s*(.*))?\Z", re.DOTALL)


class Result(msgspec.Struct, frozen=True):
    """`result.json`, as far as it is common to all agents."""

    task: str
    action_history: tuple[str, ...]
    task_id: str | int | None = None
    final_result_response: str | None = None
    thoughts: tuple[str | None, ...] | None = None
    input_image_paths: Any = None


def documents(names: Sequence[str]) -> list[str]:
    return [RESULT] if RESULT in names else []


def read(source: Source, document: str) -> Imported:
    record = source.json(document)
    try:
        result = msgspec.convert(record, Result)
    except msgspec.ValidationError as error:
        raise TrajectoryError(f"{source.folder / document}: {error}") from None
    task_id = source.folder.name if result.task_id is None else str(result.task_id)
    events = tuple(_events(result))
    images = [f"{IMAGES}/{name}" for name in by_first_number(source.names(IMAGES))]
    left_out = [LeftOut(f"{IMAGES}/{name}", "no number in its name") for name in source.names(IMAGES)]
    left_out = [one for one in left_out if one.what not in images]
    if result.input_image_paths:
        left_out.append(LeftOut("input_image_paths", "pictures of the task, not of the run"))
    scores, disputed = _scores(source, task_id, result)
    given = result.final_result_response
    return Imported(
        task_id=task_id,
        tool=Tool("Online-Mind2Web"),
        events=events,
        answer=FinalAnswer(NO_ANSWER if given is None else given),
        screenshots=tuple(images),
        task_data={"task_id": task_id, "task": result.task} | _more(record),
        scores=scores,
        left_out=(*left_out, *disputed),
    )


def _more(record: JsonObject) -> JsonObject:
    """Fields of the task that some agents write beside the run's, such as `level` and `website`."""
    return {key: value for key, value in record.items() if key not in Result.__struct_fields__}


def _events(result: Result) -> Iterator[JsonObject]:
    thoughts = [thought or "" for thought in result.thoughts or ()]
    actions = result.action_history
    thoughts += [""] * (len(actions) - len(thoughts))
    steps = [_step(text, thought) for text, thought in zip(actions, thoughts, strict=False)]
    yield from steps
    surplus = thoughts[len(actions) :]
    if result.final_result_response and not (steps and Event(steps[-1]).tool == TERMINATE):
        last = surplus.pop() if len(surplus) == 1 else ""
        yield ended(result.final_result_response, last)
    yield from (said(THOUGHT, thought) for thought in surplus)


def _step(text: str, thoughts: str) -> JsonObject:
    given = _decoded(text)
    if isinstance(given, dict) and isinstance(given.get("action"), str):
        return step(given["action"], given, thoughts=thoughts, message=text)
    if match := _OPERATION.search(text):
        arguments = {"element": text[: match.start()]} | ({"value": match[2]} if match[2] else {})
        return step(match[1].lower(), arguments, thoughts=thoughts, message=text, original=text)
    return step("unknown", {"text": text}, thoughts=thoughts, message=text, original=text)


def _decoded(text: str) -> Any:
    try:
        return decode_lenient(text.encode("utf-8", "replace")) if text.startswith("{") else None
    except ValueError:
        return None


def _scores(source: Source, task_id: str, result: Result) -> tuple[dict[str, JsonObject], list[LeftOut]]:
    """By the name of the file without its ending; two verdicts that differ are none."""
    scores: dict[str, JsonObject] = {}
    disputed = []
    for path in _result_files(source.root):
        found = path.stat()
        records = _verdicts(path, found.st_size, found.st_mtime_ns).get(task_id, [])
        told = [_score(record) for record in records if _is_of(record, result)]
        if told and told[0] is not None and all(score == told[0] for score in told):
            name = path.name.removesuffix(".json").removesuffix("results").rstrip("_").removesuffix("_auto_eval")
            scores[folder_name(name or "results")] = told[0]
        elif told:
            disputed.append(LeftOut(path.name, "verdicts that differ, or none (neither 0 nor 1)"))
    return scores, disputed


def _result_files(root: Path) -> list[Path]:
    found = [*root.glob("*results.json"), *root.glob("*/*results.json")]
    inside = root.resolve()
    return sorted(path for path in found if path.is_file() and path.resolve().is_relative_to(inside))


@lru_cache(maxsize=8)
def _verdicts(path: Path, size: int, changed: int) -> dict[str, list[JsonObject]]:
    """By task; lines that are no records are no verdicts."""
    by_task: dict[str, list[JsonObject]] = {}
    for line in Source(path.parent, path.parent).read(path.name).splitlines():
        try:
            record = decode_lenient(line)
        except ValueError:
            continue
        if isinstance(record, dict) and isinstance(record.get("task_id"), str | int):
            by_task.setdefault(str(record["task_id"]), []).append(record)
    return by_task


def _is_of(record: JsonObject, result: Result) -> bool:
    """Agents share task ids: a verdict on another agent's run is none on this one."""
    told = {key: record[key] for key in ("final_result_response", "action_history") if key in record}
    same_task = record.get("task", record.get("confirmed_task", result.task)) == result.task
    mine: JsonObject = {
        "final_result_response": result.final_result_response, "action_history": list(result.action_history)
    }  # fmt: skip
    return same_task and all(mine[key] == value for key, value in told.items())


def _score(record: JsonObject) -> JsonObject | None:
    """webeval's two keys; None where no label is given, which is not the same as 0."""
    details = record.get("evaluation_details")
    detail = details[0] if isinstance(details, list) and len(details) == 1 else details
    detail = detail if isinstance(detail, dict) else {}
    labels = (detail.get("predicted_label"), record.get("predicted_label"), record.get("final_eval"))
    label = next((one for one in labels if one is not None), None)
    response = detail.get("response")
    if isinstance(response, list) and len(response) == 1:
        response = response[0]
    if isinstance(label, bool) or label not in (0, 1):
        return None
    return {"score": label, "gpt_response_text": response if isinstance(response, str) else None}


def write(source: Source, trajectory: Trajectory, folder: Path) -> list[LeftOut]:
    """An aborted run is refused: the format cannot say so, and its judges would call it a failure."""
    if trajectory.is_aborted:
        raise TrajectoryError(f"{trajectory.folder}: aborted, and a {RESULT} cannot say so")
    data = task_data(source)
    answer = trajectory.answer.final_answer
    record = {
        "task_id": trajectory.task_id,
        "task": task_words(data),
        "final_result_response": None if answer == NO_ANSWER else answer,
        "action_history": [_text(event) for event in trajectory.steps if event.source != INFERRED],
        "thoughts": _thoughts(trajectory),
    }
    if isinstance(data, dict) and isinstance(data.get("task_id"), str) and folder_name(data["task_id"]) == folder.name:
        record["task_id"] = data["task_id"]  # which the folder's name may only paraphrase
    write_readable(folder / RESULT, record)
    _, refused = copy_frames(source, trajectory, folder / IMAGES, "{}_full_screenshot")
    return [*refused, *_not_held(trajectory, source, record)]


def _text(event: Event) -> str:
    """webeval's agents are judged by their arguments; who had words keeps them."""
    if isinstance(event.get("original"), str):
        return str(event["original"])
    arguments = {key: value for key, value in event.arguments.items() if key != "thoughts"}
    return json.dumps({"action": event.action} | arguments)


def _thoughts(trajectory: Trajectory) -> list[str]:
    thoughts = [event.thoughts for event in trajectory.steps]
    while thoughts and not thoughts[-1]:
        thoughts.pop()
    return thoughts + [event.message for event in trajectory.events if _is_thought(event)]


def _is_thought(event: Event) -> bool:
    """One that the source gave without an action to it."""
    return event.action is None and event.source == THOUGHT


def _not_held(trajectory: Trajectory, source: Source, record: JsonObject) -> Iterator[LeftOut]:
    why = f"a {RESULT} has no place for it"
    if any(event.url or event.timestamp for event in trajectory.steps):
        yield LeftOut("urls and times of the steps", why)
    if any(event.action is None and not _is_thought(event) for event in trajectory.events):
        yield LeftOut("events that are no steps", why)
    if trajectory.answer.token_usage:
        yield LeftOut("token_usage of the answer", why)
    if not record["task"]:
        yield LeftOut("the task's words", "task_data.json does not have them")
    yield from other_files(source, trajectory, why)
