"""`module:Class` in a configuration -> the object it names."""

import difflib
import importlib
import inspect
from typing import Any

from webassay.errors import ConfigError


def load_kind(kind: str) -> Any:
    """The module, or the attribute of it that a colon names."""
    module, _, name = kind.partition(":")
    try:
        found = importlib.import_module(module)
        return getattr(found, name) if name else found
    except (ImportError, AttributeError) as error:
        raise ConfigError(f"kind {kind!r}: {error}") from None


def build_kind(node: dict[str, Any], base_fields: set[str]) -> Any:
    """An instance from a node's own fields and `options`; those of the base schema are the caller's business."""
    cls = load_kind(node["kind"])
    arguments = {key: value for key, value in node.items() if key not in base_fields} | node.get("options", {})
    known = list(inspect.signature(cls).parameters)
    for key in arguments.keys() - set(known):
        near = difflib.get_close_matches(key, known, n=1)
        hint = f"did you mean {near[0]}?" if near else f"it takes {', '.join(known) or 'none'}"
        raise ConfigError(f"{node['name']}: {node['kind']} has no option {key!r}; {hint}")
    try:
        return cls(**arguments)
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{node['name']}: {error}") from None
