"""What questions to models cost: exactly when they are answered, at most before they are asked."""

from collections.abc import Mapping, Sequence
from typing import Any

from webassay.errors import ConfigError

KINDS = ("input", "output", "cached")
PICTURE_TOKENS = 3000
"""At most, of a picture in full detail; published rules for screenshots come to half of it."""
MILLION = 1_000_000


def cost(counts: Mapping[str, int], prices: Mapping[str, float]) -> float | None:
    """Of tokens as endpoints count them, by prices of a million; None where nobody knows the prices."""
    if unknown := prices.keys() - set(KINDS):
        raise ConfigError(f"model.prices: {min(unknown)} is unknown; known are {', '.join(KINDS)}")
    if "input" not in prices or "output" not in prices:
        return None
    cached = min(counts.get("cached_tokens", 0), counts.get("prompt_tokens", 0))
    fresh = counts.get("prompt_tokens", 0) - cached
    read = fresh * prices["input"] + cached * prices.get("cached", prices["input"])
    return (read + counts.get("completion_tokens", 0) * prices["output"]) / MILLION


def most(messages: Sequence[Mapping[str, Any]], max_tokens: int, prices: Mapping[str, float]) -> float:
    """No token is shorter than a byte, and no answer longer than it may be."""
    counts = {"prompt_tokens": sum(map(_tokens, messages)), "completion_tokens": max_tokens}
    found = cost(counts, prices)
    if found is None:
        raise ConfigError("llm.budget needs prices: +judge.model.prices.input=… +judge.model.prices.output=…")
    return found


def _tokens(message: Mapping[str, Any]) -> int:
    content = message["content"]
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return sum(PICTURE_TOKENS if part["type"] == "image_url" else len(part["text"].encode()) for part in parts)
