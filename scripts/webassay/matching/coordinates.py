"""Places on the globe, latitude before longitude: an object, a pair, or a text, decimal or in degrees and minutes.

Read here and not by geopy, which finds angles anywhere in a text: `40.4, -79.9, 100` is latitude -79.9 to it, and
`200W` is 160.
"""

import re
from typing import Any

import msgspec

from webassay.matching.number import read_number
from webassay.matching.tolerance import Tolerances
from webassay.matching.value import NotOfType, ValueType, short_text, shown

_NAMES = {"latitude": 0, "lat": 0, "longitude": 1, "lon": 1, "lng": 1, "long": 1}
_LIMITS = (90, 180)
_LETTERS = ("NS", "EW")
_NUMBER = r"[0-9]{1,3}(?:\.[0-9]{1,20})?"
_SIXTIETHS = r"[0-5]?[0-9](?:\.[0-9]{1,20})?"
_MARKS = str.maketrans("′’″”º", "''\"\"°")


def _angle_pattern(letters: str) -> str:
    """A signed number, or an unsigned angle with the letter of its hemisphere before or after it."""
    parts = rf"({_NUMBER}) ?°?(?: ?({_SIXTIETHS}) ?'(?: ?({_SIXTIETHS}) ?\")?)?"
    return rf"(?:([+-]?{_NUMBER}) ?°?|([{letters}])? ?{parts} ?([{letters}])?)"


_ANGLES = tuple(re.compile(_angle_pattern(letters), re.IGNORECASE) for letters in _LETTERS)
_PAIR = re.compile(rf"({_angle_pattern('NS')})(?: ?[,;] ?| )({_angle_pattern('EW')})", re.IGNORECASE)


class Coordinates(msgspec.Struct, frozen=True):
    latitude: float
    longitude: float


def read_coordinates(raw: Any) -> Coordinates:
    return Coordinates(*(_degrees(part, axis) for axis, part in enumerate(_pair(raw))))


def same_coordinates(expected: Coordinates, actual: Coordinates, tolerances: Tolerances) -> bool:
    north, east = abs(expected.latitude - actual.latitude), abs(expected.longitude - actual.longitude)
    # Two doubles such as 40.0001 and 40 lie a little more than 1e-4 apart.
    return max(north, min(east, 360 - east)) <= tolerances.coordinates_degrees + 1e-9


def _pair(raw: Any) -> list[Any]:
    if isinstance(raw, dict):
        axes = [_NAMES.get(str(key).lower()) for key in raw] if len(raw) == 2 else []
        if set(axes) != {0, 1}:
            raise NotOfType(f"keys {shown([*raw][:6])} given; coordinates have latitude and longitude")
        return [value for _, value in sorted(zip(axes, raw.values(), strict=True), key=lambda pair: pair[0] or 0)]
    if isinstance(raw, list):
        if len(raw) != 2:
            raise NotOfType(f"{len(raw)} items given; coordinates are two")
        return raw
    text = _plain(raw)
    found = _PAIR.fullmatch(text[1:-1].strip() if (text[:1], text[-1:]) in (("(", ")"), ("[", "]")) else text)
    if not found:
        raise NotOfType(f"{text!r} is not a pair of coordinates")
    return [found.group(1), found.group(8)]


def _plain(raw: Any) -> str:
    return short_text(raw, "a pair of coordinates").translate(_MARKS).replace("''", '"')


def _degrees(part: Any, axis: int) -> float:
    number = isinstance(part, int | float)
    degrees = float(read_number(part)) if number else _written_degrees(_plain(part), axis)
    if abs(degrees) > _LIMITS[axis]:
        raise NotOfType(f"{degrees} does not lie between {-_LIMITS[axis]} and {_LIMITS[axis]}")
    return degrees


def _written_degrees(text: str, axis: int) -> float:
    found = _ANGLES[axis].fullmatch(text)
    signed, before, whole, minutes, seconds, after = found.groups() if found else (None,) * 6
    if signed:
        return float(signed)
    letters = [letter.upper() for letter in (before, after) if letter]
    if not whole or len(letters) != 1:
        raise NotOfType(f"{text!r} is not an angle with its hemisphere")
    degrees = float(whole) + float(minutes or 0) / 60 + float(seconds or 0) / 3600
    return -degrees if letters[0] in "SW" else degrees


COORDINATES = ValueType("coordinates", read_coordinates, same_coordinates)
