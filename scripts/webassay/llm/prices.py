"""What questions to models cost: exactly when they are answered, at most before they are asked."""

from collections.abc import Mapping, Sequence
from typing import Any

from webassay.core.answer import Prices, are_known, price
from webassay.errors import ConfigError

PICTURE_TOKENS = 3000
"""At most, of a picture in full detail; published rules for screenshots come to half of it."""


def cost(counts: Mapping[str, int], prices: Prices) -> float | None:
    """None where nobody knows the prices."""
    return price(counts, prices) if are_known(prices) else None


def most(messages: Sequence[Mapping[str, Any]], max_tokens: int, prices: Prices) -> float:
    """No token is shorter than a byte, and no answer longer than it may be."""
    counts = {"prompt_tokens": sum(map(_tokens, messages)), "completion_tokens": max_tokens}
    found = cost(counts, prices)
    if found is None:
        raise ConfigError("llm.budget needs prices: judge.model.prices.prompt=… judge.model.prices.completion=…")
    return found


def _tokens(message: Mapping[str, Any]) -> int:
    content = message["content"]
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return sum(PICTURE_TOKENS if part["type"] == "image_url" else len(part["text"].encode()) for part in parts)
