"""JSONPath as jsonpath-ng 1.7.0 finds it, which the release pins.

Unlike later versions it takes an index into anything with a length (and raises for what has none, or for an object
without such a key), and compares a field with a number after turning it into a whole one ("1" and 1.9 are 1).
"""

import operator
import re
from collections.abc import Callable
from typing import Any

from webassay.evidence.fields import parsed_path, unfolded

_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "!=": operator.ne,
    "==": operator.eq,
    "=": operator.eq,
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
    "=~": lambda value, pattern: isinstance(value, str) and re.search(pattern, value) is not None,
}


def by_path(document: Any, path: str) -> list[Any]:
    """All that the path finds; if nothing, all that it finds once JSON inside strings is unfolded."""
    expression = parsed_path(path)
    return _found(expression, document) or _found(expression, unfolded(document))


def _found(node: Any, value: Any) -> list[Any]:
    """The kinds of node that paths of the release's tasks have; others are left to the library."""
    match type(node).__name__:
        case "Root" | "This":
            return [value]
        case "Child":
            return [one for left in _found(node.left, value) for one in _found(node.right, left)]
        case "Fields" if "*" not in node.fields:
            return [value[name] for name in node.fields if isinstance(value, dict) and name in value]
        case "Index" if len(node.indices) == 1:
            return [value[node.indices[0]]] if value and len(value) > node.indices[0] else []
        case "Filter":
            items = list(value.values()) if isinstance(value, dict) else value
            return (
                [one for one in items if all(_holds(test, one) for test in node.expressions)] if _is_list(items) else []
            )
        case _:
            return [one.value for one in node.find(value)]


def _holds(test: Any, item: Any) -> bool:
    if type(test).__name__ != "Expression" or test.op not in (None, *_OPERATORS):
        return bool(test.find(item))
    values = _found(test.target, item)
    return bool(values) if test.op is None else any(_compares(test, value) for value in values)


def _compares(test: Any, value: Any) -> bool:
    if isinstance(test.value, int):
        try:
            value = int(value)  # raises TypeError for null, lists and objects: an error to the release too
        except ValueError:
            return False
    return bool(_OPERATORS[test.op](value, test.value))


def _is_list(value: Any) -> bool:
    return isinstance(value, list)
