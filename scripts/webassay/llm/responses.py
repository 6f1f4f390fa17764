"""The Responses API: chat messages as its items, and what it gives as a turn."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from webassay.errors import ModelError
from webassay.llm.client import Reply, Turn
from webassay.llm.endpoint import Passing

SAMPLED = {"temperature": "temperature", "top_p": "top_p", "max_tokens": "max_output_tokens"}
"""By their names here; it has no seed."""
COUNTS = {"input_tokens": "prompt_tokens", "output_tokens": "completion_tokens", "total_tokens": "total_tokens"}


def body(
    model: str, items: Sequence[Mapping[str, Any]], options: Mapping[str, Any], form: Mapping[str, Any] | None
) -> dict[str, Any]:
    sent: dict[str, Any] = {"model": model, "input": [_item(item) for item in items], "store": False}
    sent |= {
        SAMPLED.get(name, name): value for name, value in options.items() if name in SAMPLED or name == "extra_body"
    }
    if form is not None:
        sent["text"] = {"format": {"type": "json_schema", "name": "reply", "schema": form, "strict": False}}
    return sent


def _item(item: Mapping[str, Any]) -> Mapping[str, Any]:
    content = item.get("content")
    if isinstance(content, str) or content is None or "type" in item:
        return item
    return {**item, "content": [_part(part) for part in content]}


def _part(part: Mapping[str, Any]) -> Mapping[str, Any]:
    match part:
        case {"type": "text", "text": text}:
            return {"type": "input_text", "text": text}
        case {"type": "image_url", "image_url": {"url": url, **more}}:
            return {"type": "input_image", "image_url": url, "detail": more.get("detail", "auto")}
    return part


def read(given: Any) -> Turn:
    """The package checks no shape here either."""
    from openai.types.responses import Response

    if isinstance(given, str):
        raise ModelError(f"the answer is a page or a text, not a response (is /v1 missing?): {given[:80]!r}")
    if not isinstance(given, Response):
        raise Passing("the answer is no response")
    plain = given.model_dump(mode="json", exclude_unset=True, warnings=False)
    if plain.get("error"):
        raise Passing(f"the model failed: {str(plain['error'])[:200]}")
    items = plain.get("output")
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise Passing("the answer has no output")
    if not items and _finish(plain) == "stop":  # cut off or filtered, an empty one is the model's answer
        raise Passing("the answer has no output")
    text = "".join(_texts(items))
    reply = Reply(text, str(plain.get("model", "")), dict(_counts(plain.get("usage"))), _finish(plain))
    return Turn(reply, tuple(items))


def _texts(items: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for item in items:
        for part in item.get("content") or () if item.get("type") == "message" else ():
            said = part.get("text") or part.get("refusal") if isinstance(part, dict) else None
            if isinstance(said, str):
                yield said


def _finish(plain: Mapping[str, Any]) -> str:
    """In the words of the other API."""
    reason = (plain.get("incomplete_details") or {}).get("reason")
    return {None: "stop", "max_output_tokens": "length"}.get(reason, str(reason))


def _counts(usage: Any) -> Iterator[tuple[str, int]]:
    given = usage if isinstance(usage, dict) else {}
    for theirs, ours in COUNTS.items():
        if isinstance(count := given.get(theirs), int):
            yield ours, max(count, 0)
    for side, name in (("output_tokens_details", "reasoning_tokens"), ("input_tokens_details", "cached_tokens")):
        if isinstance(details := given.get(side), dict) and isinstance(count := details.get(name), int):
            yield name, max(count, 0)
