"""Fields that cannot change an answer."""

from dataclasses import field
from typing import Any


def runtime(default: Any) -> Any:
    """A field that never moves a path."""
    if isinstance(default, list | dict):
        return field(default_factory=lambda: type(default)(default), metadata={"runtime": True})
    return field(default=default, metadata={"runtime": True})
