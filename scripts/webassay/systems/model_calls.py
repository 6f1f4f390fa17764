"""`model_calls.jsonl`: what a model was shown last and what it said, one line a question.

What else it was sent follows from the system's prompt and its rule for older turns, both of which are identity.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from webassay.core.answer import Usage, added
from webassay.evidence.redact import Redactor
from webassay.llm.client import Reply
from webassay.llm.pictures import digested

FILE = "model_calls.jsonl"
CUT_SHORT = "cut_short"
"""Where a run keeps the calls of attempts that ended with their worker or its machine."""


def record_call(
    folder: Path,
    redactor: Redactor,
    component: str,
    messages: Sequence[Mapping[str, Any]],
    reply: Reply,
    calls: Sequence[Mapping[str, Any]] = (),
) -> None:
    """Appended at once, so that an attempt that breaks off has all calls before."""
    record = {
        "component": component,
        "messages": len(messages),
        "shown": _text(messages[-1].get("content", "")),
        "reply": reply.text,
        "finish_reason": reply.finish_reason,
        "model": reply.model,
        "usage": reply.usage,
    }
    if calls:
        record["calls"] = calls
    with (folder / FILE).open("ab") as stream:
        stream.write(msgspec.json.encode(redactor.logged(digested(record))) + b"\n")


def keep_calls(folder: Path, place: Path) -> None:
    """Those of an attempt that is given up, in a folder of their own; one rename, so that they are never in both."""
    if (folder / FILE).is_file():
        place.mkdir(parents=True, exist_ok=True)
        kept = place / str(sum(1 for _ in place.iterdir()))
        kept.mkdir()
        (folder / FILE).rename(kept / FILE)


def counted(folder: Path, prices: Mapping[str, float] | None) -> dict[str, Usage]:
    """By component, of an attempt that nobody is left to tell of; a line cut short is not counted."""
    used: dict[str, Usage] = {}
    try:
        lines = (folder / FILE).read_bytes().splitlines()
    except FileNotFoundError:  # nothing was asked, or it has just moved
        return used
    for line in lines:
        try:
            call = msgspec.json.decode(line, type=_Call)
        except msgspec.DecodeError:
            continue
        used[call.component] = added(used.get(call.component), call.usage, prices)
    return used


class _Call(msgspec.Struct, frozen=True):
    component: str
    usage: dict[str, int]


def _text(content: Any) -> str:
    """Without pictures: they are the trajectory's screenshots."""
    if isinstance(content, str):
        return content
    return "\n".join(str(part["text"]) for part in content if part["type"] in ("text", "input_text"))
