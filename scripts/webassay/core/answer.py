"""`<task_id>_final_answer.json`: what the agent said in the end, in webeval's keys."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from webassay.core.files import decode_lenient
from webassay.errors import TrajectoryError

NO_ANSWER = "<no_answer>"


class Usage(msgspec.Struct, frozen=True):
    """Tokens of one component; older files have the first two only."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0
    num_calls: int = 1
    cost: float | msgspec.UnsetType = msgspec.UNSET
    """In the currency of the model's prices; unset, and in no file, where there were none: that is not 0."""
    estimated_calls: int | msgspec.UnsetType = msgspec.UNSET
    """Of which the endpoint told no counts, so that they stand here with the most that they can have been."""


Prices = Mapping[str, float | None]
"""Of a million tokens: `prompt`, `completion`, and `cached` where those that an endpoint still had cost less."""


def added(before: Usage | None, counts: Mapping[str, int], prices: Prices | None = None) -> Usage:
    """With one more call's counts, as an endpoint tells them."""
    names = ("prompt_tokens", "completion_tokens", "reasoning_tokens")
    sums = {name: (getattr(before, name) if before else 0) + counts.get(name, 0) for name in names}
    spent = (before.cost or 0.0) if before else 0.0
    cost = spent + price(counts, prices) if prices and are_known(prices) else msgspec.UNSET
    calls = (before.num_calls if before else 0) + 1
    guessed = ((before.estimated_calls or 0) if before else 0) + counts.get("estimated_calls", 0)
    tokens = (sums["prompt_tokens"], sums["completion_tokens"], sums["reasoning_tokens"])
    return Usage(*tokens, calls, cost, guessed or msgspec.UNSET)


def are_known(prices: Prices) -> bool:
    return prices.get("prompt") is not None and prices.get("completion") is not None


def price(counts: Mapping[str, int], prices: Prices) -> float:
    """Of one call."""
    asked = counts.get("prompt_tokens", 0)
    cached = min(counts.get("cached_tokens", 0), asked) if prices.get("cached") is not None else 0
    fresh = asked - cached
    said = counts.get("completion_tokens", 0)
    paid = ((fresh, "prompt"), (cached, "cached"), (said, "completion"))
    return sum(tokens * (prices.get(kind) or 0.0) for tokens, kind in paid) / 1e6


class FinalAnswer(msgspec.Struct, frozen=True):
    """Key for key what webeval's own reader accepts; keys that it does not know are kept in `extra`."""

    final_answer: str = NO_ANSWER
    env_state_json: Any = NO_ANSWER
    env_state_raw: Any = NO_ANSWER
    screenshots: tuple[str, ...] = ()
    is_aborted: bool = False
    is_rel_paths: bool = True
    token_usage: dict[str, Any] = {}
    extra: dict[str, Any] = {}

    @property
    def usage(self) -> dict[str, Usage]:
        """By component; a count that is no whole number is no count."""
        return {
            component: msgspec.convert(dict(_counts(counts)), Usage)
            for component, counts in self.token_usage.items()
            if isinstance(counts, dict)
        }

    def record(self) -> dict[str, Any]:
        """As it stands in the file."""
        known = {name: getattr(self, name) for name in KEYS}
        return known | self.extra


def _counts(given: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, count in given.items():
        if name in Usage.__struct_fields__ and type(count) is (float if name == "cost" else int):  # True is an int
            yield name, count


KEYS = tuple(name for name in FinalAnswer.__struct_fields__ if name != "extra")


def read_answer(path: Path, problems: list[str] | None = None) -> FinalAnswer:
    """A null stands for the default; what is no such value is raised, or put into `problems` and left out."""
    try:
        record = decode_lenient(path.read_bytes())
        if not isinstance(record, dict):
            raise ValueError(f"an answer is an object, not a {type(record).__name__}")
        known = {key: _as_written(key, record[key]) for key in KEYS if record.get(key) is not None}
        if problems is not None:
            known = dict(_readable(known, path, problems))
        extra = {key: value for key, value in record.items() if key not in KEYS}
        return msgspec.convert(known | {"extra": extra}, FinalAnswer)
    except ValueError as error:
        raise TrajectoryError(f"{path}: {error}") from None
    except OSError as error:
        raise TrajectoryError(f"{path}: {error.strerror}") from None


def _as_written(key: str, value: Any) -> Any:
    """webeval's own reader looks at no types: its answers may be numbers, and its flags too."""
    if key == "is_aborted" and type(value) is int and value in (0, 1):
        return bool(value)
    return json.dumps(value, ensure_ascii=False) if key == "final_answer" and not isinstance(value, str) else value


def _readable(known: Mapping[str, Any], path: Path, problems: list[str]) -> Iterator[tuple[str, Any]]:
    for key, value in known.items():
        try:
            msgspec.convert({key: value}, FinalAnswer)
            yield key, value
        except ValueError as error:
            problems.append(f"{path}: {error}")
            if key == "screenshots" and isinstance(value, list):
                yield key, [name for name in value if isinstance(name, str)]


def answer_files(names: list[str]) -> list[str]:
    """`*_final_answer.json`; where there is none, `*_answer.json`, which is all that webeval's reader asks for."""
    final = [name for name in names if name.endswith("_final_answer.json")]
    return final or [name for name in names if name.endswith("_answer.json")]
