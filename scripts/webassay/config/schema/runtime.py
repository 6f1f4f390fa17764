"""Fields that cannot change an answer, or not always."""

from dataclasses import field
from typing import Any


def runtime(default: Any) -> Any:
    """A field that never moves a path."""
    return _marked("runtime", default)


def when_set(default: Any) -> Any:
    """A field that is identity where it is not empty: the path of those who do not use it stays what it was."""
    return _marked("when_set", default)


def _marked(how: str, default: Any) -> Any:
    if isinstance(default, list | dict):
        return field(default_factory=lambda: type(default)(default), metadata={how: True})
    return field(default=default, metadata={how: True})
