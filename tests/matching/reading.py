"""Two spellings held against each other under a type, as the tests of types do."""

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from webassay.matching.tolerance import Tolerances
from webassay.matching.types import TYPES

EXACT = Tolerances(duration_seconds=0, duration_relative=0, distance_metres=0, distance_relative=0)

unhurried = settings(deadline=None)
"""For the first value of a type, which may have a library to load."""

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)

EXPECTED: dict[str, Any] = {
    "string": "a",
    "text": "a",
    "number": 1,
    "integer": 1,
    "boolean": True,
    "null": None,
    "currency": "$1.00",
    "date": "2024-04-05",
    "month": "May",
    "duration": "1h 30min",
    "distance": "1.7km",
    "coordinates": {"latitude": "40.4424191", "longitude": "-79.9397388"},
    "location-name": "Harvard University",
    "address": "123 Main St, Springfield, IL 62701",
    "full_address": "123 Main St, Springfield, IL 62701",
    "url": "http://a.b/",
    "json": '{"a": [1, true]}',
    "markdown": "# Title\n\n- one",
    "base64": "SGVsbG8=",
    "string_list": "5,1842",
}
"""One sound expectation of every type."""


def same(kind: str, one: Any, other: Any, tolerances: Tolerances = EXACT) -> bool:
    found = TYPES[kind]
    return found.same(found.read(one), found.read(other), tolerances)
