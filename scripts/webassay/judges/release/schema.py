"""Values read under the task's JSON Schema.

Strictly, for the task's side: what cannot be read is an error. Leniently, for the agent's: it stays as it was given,
and JSON text is taken for the array or object that it holds.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from webassay.judges.release.addresses import Addresses
from webassay.judges.release.patterns import TooCostly
from webassay.judges.release.urls import UrlRules
from webassay.judges.release.values import KINDS, STRING, URL, Kind, Value, read_value

MAX_SHOWN_DEPTH = 100

Schema = Mapping[str, Any]


@dataclass(frozen=True)
class Reader:
    strict: bool
    addresses: Addresses | None = None
    """Whose addresses give way to placeholders; None: none do."""

    def value(self, kind: Kind, raw: Any) -> Any:
        """One value or its alternatives; raises what the kind raises."""
        rules = UrlRules(self.addresses, self.strict) if kind is URL else None
        return read_value(kind, raw, self.addresses.derender if self.addresses else None, rules)

    def value_or_raw(self, kind: Kind, raw: Any) -> Any:
        try:
            return self.value(kind, raw)
        except TooCostly:
            raise
        except Exception as problem:
            if self.strict:
                raise ValueError(f"{raw!r} cannot be read as {kind.name}: {problem}") from problem
            return raw

    def items(self, values: tuple[Any, ...], schema: Schema) -> tuple[Any, ...]:
        """The agent's or the task's list of results."""
        if schema.get("type", "array") != "array":
            raise ValueError(f"a schema of type {schema['type']!r} has no items")
        of_items = schema.get("items", {})
        if of_items.get("type", "string") == "object":
            return tuple(self._objects(item, of_items) for item in values)
        kind = KINDS.get(_name(of_items))
        if kind is None:
            raise ValueError(f"{_name(of_items)!r} is no type")
        return tuple(self.value_or_raw(kind, item) for item in values)

    def fields(self, values: Any, schema: Schema | None) -> Any:
        """Fields of a request by name: each under its own schema, else as a string."""
        if not values:
            return None
        part, is_array = _part(schema or {"type": "object"})
        if not isinstance(part, str):
            return self._objects(values, part)
        if is_array:
            return self._array(values, part) if isinstance(values, list | tuple) else self._raw(values, "array")
        return self.value_or_raw(KINDS[part], values)

    def _objects(self, values: Any, schema: Schema) -> Any:
        if isinstance(values, list | tuple):
            return tuple(self._object(one, schema) for one in values)
        return self._object(values, schema)

    def _object(self, given: Any, schema: Schema) -> Any:
        if isinstance(given, str):
            parsed = _from_json(given)
            given = parsed if isinstance(parsed, dict) else given
        if not isinstance(given, Mapping):
            return self._raw(given, "object")
        properties = schema.get("properties", {})
        return {name: self._property(value, properties.get(name)) for name, value in given.items()}

    def _property(self, value: Any, schema: Schema | None) -> Any:
        if value is None:
            return None
        if schema is None:
            return self.value_or_raw(STRING, value)
        part, is_array = _part(schema)
        try:
            if is_array:
                return self._array(value, part)
            return self.value(KINDS.get(part, STRING), value) if isinstance(part, str) else self._object(value, part)
        except TooCostly:
            raise
        except Exception as problem:
            if self.strict:
                raise ValueError(f"{value!r} cannot be read: {problem}") from problem
            return value

    def _array(self, values: Any, part: str | Schema) -> Any:
        if isinstance(values, str):
            parsed = _from_json(values)
            values = parsed if isinstance(parsed, list) else values
        if not isinstance(values, list | tuple):
            return self._raw(values, "array")
        if not isinstance(part, str):
            return self._objects(values, part)
        if part not in KINDS:
            raise ValueError(f"{part!r} is no type")
        return tuple(self.value_or_raw(KINDS[part], item) for item in values)

    def _raw(self, value: Any, wanted: str) -> Any:
        if self.strict:
            raise ValueError(f"{value!r} is no {wanted}")
        return value


def plain(value: Any, depth: int = 0) -> Any:
    """Without types: the first reading of each value, as reports show it; what is nested too deeply is cut off."""
    if isinstance(value, Value):
        return value.first
    if depth > MAX_SHOWN_DEPTH and isinstance(value, Mapping | list | tuple):
        return "…"
    if isinstance(value, Mapping):
        return {name: plain(one, depth + 1) for name, one in value.items()}
    return [plain(one, depth + 1) for one in value] if isinstance(value, list | tuple) else value


def _part(schema: Schema) -> tuple[str | Schema, bool]:
    """The name of a type or the schema of an object, and whether it is that of an array's items."""
    if schema.get("type") == "array":
        return _part(schema.get("items", {}))[0], True
    return (schema, False) if schema.get("type") == "object" else (_name(schema), False)


def _name(schema: Schema) -> str:
    return schema.get("format") or schema.get("type") or "string"


def _from_json(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return None
