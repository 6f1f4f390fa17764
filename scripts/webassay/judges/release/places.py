"""Coordinates, names of places and US addresses, as the release reads and compares them."""

import re
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from rapidfuzz import fuzz
from rapidfuzz.utils import default_process

from webassay.judges.release.text import fold

DEGREES = 1e-5
NAME_SIMILARITY = 79.5
"""80 after rounding to a whole number."""
ADDRESS_FIELDS = ("city", "state", "street", "house_number", "postcode")
_LATIN_1 = dict.fromkeys(range(128, 256))

Point = Mapping[str, float]


def read_point(value: Any) -> Point:
    """From a pair, an object with keys that begin `latitude` and `longitude`, or any text that geopy knows."""
    if not value:
        raise ValueError("no coordinates")
    with warnings.catch_warnings():  # geopy warns of a latitude before it refuses it
        warnings.simplefilter("ignore")
        point = _point(value)
    if not -90.0 <= point.latitude <= 90.0:
        raise ValueError("no latitude")
    return {"latitude": point.latitude, "longitude": point.longitude}


def _point(value: Any) -> Any:
    import geopy  # its geocoders come along: only for those who need it

    if isinstance(value, str):
        return geopy.Point(value)
    if isinstance(value, Mapping):
        return geopy.Point(latitude=value[_latitude_key(value)], longitude=value[_longitude_key(value)])
    if isinstance(value, list | tuple) and len(value) == 2:
        return geopy.Point(latitude=value[0], longitude=value[1])
    raise ValueError("no coordinates")


def is_pair(value: Any) -> bool:
    """One point, where another list would be alternatives."""
    return (
        isinstance(value, list | tuple) and len(value) == 2 and all(isinstance(one, int | float | str) for one in value)
    )


def same_point(expected: Sequence[Point], actual: Sequence[Point]) -> bool:
    """Of several alternatives only the first counts."""
    return all(abs(expected[0][axis] - actual[0][axis]) <= DEGREES for axis in ("latitude", "longitude"))


def read_place(value: Any) -> str:
    if value is None:
        raise ValueError("no name")
    return str(value).lower().strip() if value else ""


def same_place(expected: Sequence[str], actual: Sequence[str]) -> bool:
    """Similar in 80 of 100, the words in any order."""
    return any(_similar(one, other) for one in expected for other in actual)


def _similar(one: str, other: str) -> bool:
    if not one or not other:
        return one == other
    return (
        fuzz.token_sort_ratio(*(default_process(text.translate(_LATIN_1)) for text in (one, other))) >= NAME_SIMILARITY
    )


def read_address(value: Any) -> Mapping[str, str | None]:
    """An object with at least the five fields, in the abbreviations of the US Postal Service."""
    if not isinstance(value, dict) or not value or not set(ADDRESS_FIELDS) <= value.keys():
        raise ValueError(f"no address with {', '.join(ADDRESS_FIELDS)}")
    from scourgify import normalize_address_record  # loads a trained parser: only for those who need it

    line = f"{value['house_number']} {value['street']}".strip()
    record = dict(
        normalize_address_record(
            {"address_line_1": line, "city": value["city"], "state": value["state"], "postal_code": value["postcode"]}
        )
    )
    house_number, street = record.get("address_line_1", "").strip().split(maxsplit=1)
    name = value.get("name")
    address: dict[str, str | None] = {
        "house_number": _folded(house_number),
        "street": _folded(street),
        "city": _folded(record.get("city", value["city"])),
        "state": _state(record.get("state", value["state"])),
        "postcode": _postcode(record.get("postal_code", value["postcode"])),
        "name": read_place(fold(name) if isinstance(name, str) else name) if name else None,
    }
    if not all(address[field] for field in ADDRESS_FIELDS):
        raise ValueError("an address with an empty field")
    return address


def same_address(expected: Sequence[Mapping[str, Any]], actual: Sequence[Mapping[str, Any]]) -> bool:
    """The name does not count, nor do alternatives beyond the first."""
    return all(expected[0][field] == actual[0][field] for field in ADDRESS_FIELDS)


def _folded(value: Any) -> str:
    return (fold(value) if isinstance(value, str) else str(value)).lower().strip() if value else ""


def _state(value: Any) -> str:
    import us

    found = us.states.lookup(str(value or "").strip())
    if found is None:
        raise ValueError("no US state")
    return str(found.abbr)


def _postcode(value: Any) -> str:
    digits = re.sub(r"\D", "", str(value or "").strip())
    if len(digits) not in (5, 9):
        raise ValueError("no ZIP code")
    return digits if len(digits) == 5 else f"{digits[:5]}-{digits[5:]}"


def _latitude_key(point: Mapping[Any, Any]) -> Any:
    return next((key for key in point if isinstance(key, str) and _begins("latitude", key)), None)


def _longitude_key(point: Mapping[Any, Any]) -> Any:
    keys = (key for key in point if isinstance(key, str) and (_begins("longitude", key) or key.lower() == "lng"))
    return next(keys, None)


def _begins(word: str, key: str) -> bool:
    return len(key) >= 2 and word.startswith(key.lower())
