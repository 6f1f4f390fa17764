"""What questions to models cost: exactly when they are answered, at most before they are asked."""

from collections.abc import Mapping, Sequence
from typing import Any

from webassay.core.answer import Prices, are_known, price
from webassay.errors import ConfigError
from webassay.llm.pictures import Picture

PICTURE_TOKENS = 50_000
"""At most, of a picture in full detail: gpt-4o-mini counts 48,169, most others 1,500."""


def cost(counts: Mapping[str, int], prices: Prices) -> float | None:
    """None where nobody knows the prices."""
    return price(counts, prices) if are_known(prices) else None


def most(
    messages: Sequence[Mapping[str, Any]], max_tokens: int, prices: Prices, picture_tokens: int = PICTURE_TOKENS
) -> float:
    """No token is shorter than a byte, and no answer longer than it may be."""
    asked = sum(_tokens(message, picture_tokens) for message in messages)
    counts = {"prompt_tokens": asked, "completion_tokens": max_tokens}
    found = cost(counts, prices)
    if found is None:
        raise ConfigError("llm.budget needs prices: judge.model.prices.prompt=… judge.model.prices.completion=…")
    return found


def told_or_most(told: Mapping[str, int], asked: Any, answer: str) -> Mapping[str, int]:
    """The endpoint's counts; where it tells none, the most that it can have been, marked as such."""
    if told.get("prompt_tokens") and "completion_tokens" in told:
        return told
    return {"prompt_tokens": _bytes(asked), "completion_tokens": len(answer.encode("utf-8", "replace"))} | {
        "estimated_calls": 1
    }


def _bytes(value: Any) -> int:
    """Of all words in it; a picture counts as one."""
    if isinstance(value, Picture) or (isinstance(value, str) and value.startswith("data:image/")):
        return PICTURE_TOKENS
    if isinstance(value, str):
        return len(value.encode("utf-8", "replace"))
    if isinstance(value, Mapping):
        return sum(map(_bytes, value.values()))
    return sum(map(_bytes, value)) if isinstance(value, list | tuple) else 0


def _tokens(message: Mapping[str, Any], picture_tokens: int) -> int:
    content = message["content"]
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return sum(picture_tokens if part["type"] == "image_url" else len(part["text"].encode()) for part in parts)
