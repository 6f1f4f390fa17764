"""A trajectory on its way in: what a format's reader found, before it lies in a folder of webeval's shape."""

import hashlib
import json
import math
import os
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

import webassay
from webassay.core.answer import FinalAnswer
from webassay.core.events import INFERRED, TERMINATE
from webassay.core.trajectory import LOG
from webassay.errors import TrajectoryError
from webassay.exchange.source import Source, picture_suffix

RECORD = "import.json"

JsonObject = dict[str, Any]


class LeftOut(msgspec.Struct, frozen=True):
    """Something of the source that is not in the copy."""

    what: str
    why: str


class Tool(msgspec.Struct, frozen=True):
    """Who made the run, as far as its files tell."""

    name: str
    version: str | None = None


class ImportRecord(msgspec.Struct, frozen=True):
    """`import.json`: where a trajectory comes from."""

    format: str
    task_id: str
    """As the source spells it; the folder's name may be an escaped form."""
    tool: Tool
    source: str
    """The name of the folder, file or archive that was imported, and below it of the trajectory's document."""
    path_digest: str
    """sha256 of where that lay: tells two sources of one name apart, and nothing of the machine."""
    digest: str
    """Of `files`."""
    files: dict[str, str]
    """sha256 of each file of the source that was used."""
    left_out: tuple[LeftOut, ...]
    aborted: str | None
    """Why the run broke off, in the source's words."""
    webassay: str
    previous: JsonObject | None
    """The source's own import.json, where it was an import itself."""


@dataclass(frozen=True, kw_only=True)
class Imported:
    """All parts are optional but the id: a format gives what it knows, and nothing is made up."""

    task_id: str
    tool: Tool
    events: tuple[JsonObject, ...] | None = None
    """None where `web_surfer.log` is copied."""
    answer: FinalAnswer | None = None
    """None where the answer's file is copied; its screenshots are set when they are written."""
    screenshots: tuple[str, ...] = ()
    """Names in the source, in order."""
    copied: dict[str, str] = field(default_factory=dict)
    """Name in the trajectory -> name in the source."""
    links: dict[str, str] = field(default_factory=dict)
    """Name in the trajectory -> the frame beside it that it repeats."""
    times: tuple[float, float] | None = None
    task_data: JsonObject | None = None
    scores: dict[str, JsonObject] = field(default_factory=dict)
    left_out: tuple[LeftOut, ...] = ()
    aborted: str | None = None
    previous: JsonObject | None = None


def step(
    action: str,
    arguments: JsonObject,
    *,
    thoughts: str = "",
    message: str = "",
    url: str = "",
    timestamp: str | None = None,
    original: str | None = None,
) -> JsonObject:
    """An event with an action; `original` is the action in the words of a format that knows only words."""
    known = {"timestamp": timestamp} if timestamp else {}
    told = {"original": original} if original is not None else {}
    given = {"action": action} | arguments | ({"thoughts": thoughts} if thoughts else {})
    event = {"type": "WebSurferEvent", "source": "WebSurfer", "message": message, "url": url}
    return known | event | {"action": action, "arguments": given} | told


def said(source: str, message: str, timestamp: str | None = None) -> JsonObject:
    """An event that is no step: an observation, a word of the user's, an error."""
    known = {"timestamp": timestamp} if timestamp else {}
    return known | {"type": "OtherEvent", "source": source, "message": message, "action": None}


def ended(answer: str, thoughts: str = "", how: str = "the source has the answer and no action for it") -> JsonObject:
    """The step that webeval's format ends with, for a run of which the source tells in another way that it ended."""
    return step(TERMINATE, {"answer": answer}, thoughts=thoughts, message=how) | {"source": INFERRED}


def iso_time(seconds: Any) -> str | None:
    """Seconds since 1970 as webeval writes a moment, in UTC; None for what is no moment."""
    if not is_moment(seconds):
        return None
    return datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None).isoformat(timespec="microseconds")


def is_moment(seconds: Any) -> bool:
    plain = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    return plain and math.isfinite(seconds) and 0 < seconds < 2**35


@dataclass(frozen=True)
class Origin:
    """Where a trajectory was found."""

    given: Path
    """What was to be imported."""
    name: str
    """Of the trajectory's document, below it."""

    @property
    def shown(self) -> str:
        top = self.given.resolve().name
        return self.name if top == self.name else f"{top}/{self.name}"

    @property
    def path_digest(self) -> str:
        return hashlib.sha256(os.fsencode(self.given.resolve() / self.name)).hexdigest()


def write_import(folder: Path, format_name: str, source: Source, found: Imported, where: Origin) -> tuple[LeftOut, ...]:
    """Fill an empty folder; what could not be taken over comes back, and stands in import.json."""
    for name, origin in found.copied.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        source.copy(origin, folder / name)
    for name, frame in found.links.items():
        (folder / name).symlink_to(frame)
    frames, refused = _copy_screenshots(folder, source, found.screenshots)
    _write_parts(folder, found, frames)
    source.require_unchanged()
    left_out = (*found.left_out, *refused)
    record = ImportRecord(
        format_name, found.task_id, found.tool, where.shown, where.path_digest,
        source.digest, source.digests, left_out, found.aborted, webassay.__version__, found.previous,
    )  # fmt: skip
    write_readable(folder / RECORD, msgspec.to_builtins(record))
    return left_out


def _copy_screenshots(folder: Path, source: Source, names: tuple[str, ...]) -> tuple[list[str], list[LeftOut]]:
    """Each keeps the number of its place, so that one that is no picture leaves a gap and moves no other."""
    frames, refused = [], []
    for number, name in enumerate(names, 1):
        try:
            suffix = picture_suffix(source.first_bytes(name))
            if suffix is None:
                raise TrajectoryError("neither PNG, JPEG nor WebP by its first bytes")
            source.copy(name, folder / f"screenshot_{number}{suffix}")
            frames.append(f"screenshot_{number}{suffix}")
        except TrajectoryError as error:
            refused.append(LeftOut(name, str(error).replace(f"{source.folder}/", "")))
    return frames, refused


def _write_parts(folder: Path, found: Imported, frames: list[str]) -> None:
    if found.events is not None:
        lines = "".join(json.dumps(event, ensure_ascii=False) + "\n" for event in found.events)
        (folder / LOG).write_bytes(_utf8(lines))
    if found.task_data is not None:
        write_readable(folder / "task_data.json", found.task_data)
    for name, score in found.scores.items():
        (folder / "scores").mkdir(exist_ok=True)
        write_readable(folder / "scores" / f"{name}.json", score)
    if found.answer is not None:
        answer = msgspec.structs.replace(found.answer, screenshots=tuple(frames))
        write_readable(folder / f"{folder.name}_final_answer.json", answer.record())
    if found.times is not None:
        start, end = found.times
        times = {"start_time": start, "end_time": end, "duration": end - start}
        write_readable(folder / "times.json", times)


def write_readable(path: Path, value: Any) -> None:
    """As Python writes JSON: numbers of any size and NaN are legal in other people's files."""
    path.write_bytes(_utf8(json.dumps(value, indent=2, ensure_ascii=False) + "\n"))


def _utf8(text: str) -> bytes:
    """Half a surrogate pair, as in the name of a file that is no UTF-8, becomes '?'."""
    return text.encode("utf-8", "replace")
