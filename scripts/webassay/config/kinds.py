"""`module:Class` in a configuration -> the object it names."""

import dataclasses
import difflib
import importlib
import inspect
from typing import Any

from webassay.config.schema.judge import Judge
from webassay.config.schema.system import System
from webassay.errors import ConfigError


def load_kind(kind: str) -> Any:
    """The module, or the attribute of it that a colon names."""
    module, _, name = kind.partition(":")
    try:
        found = importlib.import_module(module)
        return getattr(found, name) if name else found
    except (ImportError, AttributeError) as error:
        raise ConfigError(f"kind {kind!r}: {error}") from None


def build_system(config: dict[str, Any]) -> Any:
    return _build(config["system"], System)


def build_judge(config: dict[str, Any]) -> Any:
    return _build(config["judge"], Judge)


def _build(node: dict[str, Any], base: type[System] | type[Judge]) -> Any:
    """An instance from `options` and the fields that the node has beyond its base schema."""
    cls = load_kind(node["kind"])
    common = {field.name for field in dataclasses.fields(base)}
    arguments = {key: value for key, value in node.items() if key not in common} | node.get("options", {})
    known = list(inspect.signature(cls).parameters)
    for key in arguments.keys() - set(known):
        near = difflib.get_close_matches(key, known, n=1)
        hint = f"did you mean {near[0]}?" if near else f"it takes {', '.join(known) or 'none'}"
        raise ConfigError(f"{node['name']}: {node['kind']} has no option {key!r}; {hint}")
    try:
        return cls(**arguments)
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{node['name']}: {error}") from None
