"""What questions to models cost: exactly when they are answered, at most before they are asked."""

from collections.abc import Mapping, Sequence
from typing import Any

from webassay.core.answer import Prices, are_known, price
from webassay.errors import ConfigError

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


def _tokens(message: Mapping[str, Any], picture_tokens: int) -> int:
    content = message["content"]
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return sum(picture_tokens if part["type"] == "image_url" else len(part["text"].encode()) for part in parts)
