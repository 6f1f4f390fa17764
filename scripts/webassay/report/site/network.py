"""Requests of a trajectory for people: what was asked, what came back, and during which step."""

from bisect import bisect_right
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from webassay.core.trajectory import Trajectory
from webassay.errors import TrajectoryError
from webassay.evidence.har import NetworkEvent
from webassay.evidence.trace import MAX_BYTES, read_trace
from webassay.report.site.files import shown

MOST = 2000
"""Rows on a page; those that decided a verdict are always among them."""
LONGEST_URL, LONGEST_POST = 500, 2000


class _Content(msgspec.Struct, frozen=True, gc=False):
    size: float = -1
    kind: str | None = msgspec.field(name="mimeType", default=None)


class _Post(msgspec.Struct, frozen=True, gc=False):
    text: str | None = None


class _Asked(msgspec.Struct, frozen=True, gc=False):
    method: str
    url: str
    post: _Post | None = msgspec.field(name="postData", default=None)


class _Answered(msgspec.Struct, frozen=True, gc=False):
    status: int = -1
    content: _Content | None = None


class _Entry(msgspec.Struct, frozen=True, gc=False):
    """What people look at, with times, which judging does without."""

    request: _Asked
    response: _Answered = _Answered()
    started: str = msgspec.field(name="startedDateTime", default="")
    time: float | None = None
    kind: str | None = msgspec.field(name="_resourceType", default=None)


class _Log(msgspec.Struct, frozen=True, gc=False):
    entries: tuple[_Entry, ...]


class _Har(msgspec.Struct, frozen=True, gc=False):
    log: _Log


_DECODER = msgspec.json.Decoder(_Har)


def network_of(trajectory: Trajectory, decided: set[int]) -> dict[str, Any]:
    """`{events, left_out, problem}`; numbers are those of the recording, as verdicts cite them."""
    path = trajectory.trace
    if not path.is_file():
        return {"events": [], "left_out": 0, "problem": f"There is no recording of the network ({path.name})."}
    try:
        rows = _timed(path, trajectory) if path.suffix == ".har" else [_plain(one) for one in read_trace(path)]
    except (TrajectoryError, OSError, ValueError, RecursionError) as error:
        return {"events": [], "left_out": 0, "problem": f"{path.name} cannot be read: {shown(str(error), 300)}"}
    numbered = [{"i": number} | row for number, row in enumerate(rows)]
    kept = [row for row in numbered if row["i"] < MOST or row["i"] in decided]
    return {"events": kept, "left_out": len(numbered) - len(kept), "problem": ""}


def _timed(path: Path, trajectory: Trajectory) -> list[dict[str, Any]]:
    if path.stat().st_size > MAX_BYTES:
        raise ValueError("too large to be shown")
    entries = _DECODER.decode(path.read_bytes()).log.entries
    # only our own logs and recordings are known to be by the same clock
    starts = [_seconds(step.timestamp) for step in trajectory.steps] if trajectory.attempt else []
    if any(start is None for start in starts):
        starts = []
    return [_row(entry, _step(entry.started, starts)) for entry in entries]


def _step(started: str, starts: Sequence[float | None]) -> int | None:
    """The last step that had begun; None where times are unknown or the request came before all steps."""
    moment = _seconds(started)
    if moment is None or not starts:
        return None
    return bisect_right([start or 0 for start in starts], moment) or None


def _seconds(text: str) -> float | None:
    """Our logs say UTC without saying so."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _row(entry: _Entry, step: int | None) -> dict[str, Any]:
    content = entry.response.content or _Content()
    row = _asked(entry.request.method, entry.request.url, entry.response.status, entry.kind)
    post = entry.request.post.text if entry.request.post else None
    return row | {
        "ms": round(entry.time) if entry.time is not None and entry.time >= 0 else None,
        "size": int(content.size) if content.size >= 0 else None,
        "post": shown(post, LONGEST_POST) if post else None,
        "step": step,
    }


def _plain(event: NetworkEvent) -> dict[str, Any]:
    post = event.request.body.text if event.request.body else None
    row = _asked(event.method, event.url, event.status, event.resource_type)
    return row | {"ms": None, "size": None, "post": shown(post, LONGEST_POST) if post else None, "step": None}


def _asked(method: str, url: str, status: int, kind: str | None) -> dict[str, Any]:
    return {"method": method, "url": shown(url, LONGEST_URL), "status": status if status > 0 else None, "kind": kind}
