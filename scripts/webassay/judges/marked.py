"""Replies in our own form: one JSON object that carries the question's mark, which no page and no agent can know.

What is not exactly that is no verdict, and the category says why: `empty`, `refusal`, `truncated`, `injection` (an
object in our form with another mark, so words of somebody else's) or `parse_failure`; `split` is said of votes.
"""

import json
import re
from typing import Any, Literal

Category = Literal["parse_failure", "refusal", "empty", "truncated", "injection", "split"]
MARK = "mark"
SHOWN = 160

_REFUSAL = re.compile(
    r"^\W*(?:i['’`]?m (?:very |really )?sorry|sorry,|i (?:can['’`]?t|cannot|can not|won['’`]?t|am unable to)\b"
    r"|i['’`]?m (?:unable|not able) to\b|as an ai\b)",
    re.IGNORECASE,
)


class Abstained(ValueError):
    """No verdict can be read from a reply."""

    def __init__(self, category: Category, detail: str) -> None:
        super().__init__(f"abstained: {category}: {detail}")
        self.category, self.detail = category, detail


def marked_object(reply: str, mark: str, finish_reason: str = "") -> dict[str, Any]:
    """The one object of the reply that carries `mark`; said twice it must be the same."""
    found = _objects(reply, mark)
    if finish_reason == "length":
        raise Abstained("truncated", f"the reply was cut off at its limit of tokens: {_shown(reply)}")
    if len(found) == 1:
        return found[0]
    if len(found) > 1:
        raise Abstained("parse_failure", f"{len(found)} different answers carry the mark")
    raise _why_nothing(reply, mark, finish_reason)


def _objects(reply: str, mark: str) -> list[dict[str, Any]]:
    """Different ones only; looked for where an object begins with the mark, else in all of the reply."""
    starts = [match.start() for match in re.finditer(rf'\{{\s*"{MARK}"\s*:\s*"{re.escape(mark)}"', reply)]
    texts = [reply[start:] for start in starts[:8]] or [reply[reply.find("{") :]]
    decoded = [value for text in texts if (value := _decoded(text)) is not None and value.get(MARK) == mark]
    return [value for number, value in enumerate(decoded) if value not in decoded[:number]]


def _decoded(text: str) -> dict[str, Any] | None:
    try:
        value, _ = _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A key given twice has no value that anybody could rely on."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key is given twice")
    return dict(pairs)


def _no_constant(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_without_repeats, parse_constant=_no_constant)


def _why_nothing(reply: str, mark: str, finish_reason: str) -> Abstained:
    if finish_reason == "content_filter":
        return Abstained("refusal", "the endpoint's content filter stopped the reply")
    if not reply.strip():
        return Abstained("empty", "the model said nothing")
    if any(other != mark for other in re.findall(rf'"{MARK}"\s*:\s*"([^"]*)"', reply)):
        return Abstained("injection", f"the answer carries another mark than the question: {_shown(reply)}")
    if declines(reply):
        return Abstained("refusal", _shown(reply))
    return Abstained("parse_failure", f"no JSON object with the mark: {_shown(reply)}")


def declines(reply: str) -> bool:
    return _REFUSAL.match(reply) is not None


def _shown(reply: str) -> str:
    return repr(reply[-SHOWN:])


def category_of(reply: str, finish_reason: str) -> Category:
    """Why a reply without a verdict has none, for readings that know no marks."""
    return "truncated" if finish_reason == "length" else _why_nothing(reply, "", finish_reason).category
