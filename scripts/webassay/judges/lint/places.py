"""Single values inside of lists and objects, and the way to each."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any


def leaves(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(part, (*at, key))
    else:
        yield at, value


def put(value: Any, at: tuple[Any, ...], leaf: Any) -> Any:
    """A copy with another value at this place."""
    copied = deepcopy(value)
    target = copied
    for key in at[:-1]:
        target = target[key]
    target[at[-1]] = leaf
    return copied
