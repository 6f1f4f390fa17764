"""`model_calls.jsonl`: what a model was shown last and what it said, one line a question.

What else it was sent follows from the system's prompt and its rule for older turns, both of which are identity.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from webassay.evidence.redact import Redactor
from webassay.llm.client import Reply

FILE = "model_calls.jsonl"


def record_call(
    folder: Path, redactor: Redactor, component: str, messages: Sequence[Mapping[str, Any]], reply: Reply
) -> None:
    """Appended at once, so that an attempt that breaks off has all calls before."""
    record = {
        "component": component,
        "messages": len(messages),
        "shown": _text(messages[-1]["content"]),
        "reply": reply.text,
        "finish_reason": reply.finish_reason,
        "model": reply.model,
        "usage": reply.usage,
    }
    with (folder / FILE).open("ab") as stream:
        stream.write(msgspec.json.encode(redactor.value(_writable(record))) + b"\n")


def _text(content: Any) -> str:
    """Without pictures: they are the trajectory's screenshots."""
    if isinstance(content, str):
        return content
    return "\n".join(str(part["text"]) for part in content if part["type"] == "text")


def _writable(record: dict[str, Any]) -> dict[str, Any]:
    """Half of a surrogate pair fits in no file."""
    return {
        key: value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
        for key, value in record.items()
    }
