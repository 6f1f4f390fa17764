"""Names of places: all words and no others, in any order; where the place lies may follow after a comma.

Only what comes first is compared, so a second name in the text wins nothing; and what follows must look like where,
not like another name: parts that end in a state, a postcode or a country, or, besides a street with its number, one
short part in words of its own (`Pittsburgh`).
"""

import re
from functools import cache
from typing import Any

import msgspec

from webassay.matching.string import read_string
from webassay.matching.tolerance import Tolerances
from webassay.matching.value import NotOfType, ValueType, bounded_text

MAX_NAME = 300
MAX_CITY = 3
"""Words: Salt Lake City."""
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_POSTCODE = re.compile(r"[0-9]{5}(?:-[0-9]{4})?")
_COUNTRIES = {"us", "usa", "united states", "united states of america"}
_CHOICE = {"or", "and", "either"}


class LocationName(msgspec.Struct, frozen=True):
    words: tuple[str, ...]
    """Sorted, of the whole text."""
    parts: tuple[str, ...]
    """Between commas."""

    def leading(self, count: int) -> tuple[str, ...]:
        return words_of(" ".join(self.parts[:count]))


def read_location_name(raw: Any) -> LocationName:
    text = read_string(bounded_text(raw, "the name of a place", MAX_NAME)).replace("&", " and ")
    words = words_of(text)
    if not words:
        raise NotOfType(f"{raw!r} is not the name of a place")
    return LocationName(words, tuple(part.strip() for part in text.split(",")))


def same_location_name(expected: LocationName, actual: LocationName, tolerances: Tolerances) -> bool:
    if expected.words == actual.words:
        return True
    size = len(expected.parts)
    if tolerances.location_name_suffix and size < len(actual.parts) and expected.words == actual.leading(size):
        return _tells_where(actual.parts[size:], {*expected.words})
    return tolerances.location_name_similarity < 1 and _similar(expected, actual, tolerances.location_name_similarity)


def words_of(text: str) -> tuple[str, ...]:
    return tuple(sorted(_WORD.findall(text)))


def is_state(text: str) -> bool:
    return text in _states()


@cache
def _states() -> dict[str, str]:
    import us

    states = us.states.STATES_AND_TERRITORIES
    return {spelling.casefold(): state.abbr.casefold() for state in states for spelling in (state.name, state.abbr)}


def state_code(text: str) -> str | None:
    """`pennsylvania` and `pa` are `pa`; None for what is no state of the US."""
    return _states().get(text)


def _tells_where(parts: tuple[str, ...], name: set[str]) -> bool:
    words = [word for part in parts for word in _WORD.findall(part)]
    if _CHOICE & {*words[:-1]} or len(parts) > 10:
        return False
    free = [part for part in parts if not any(char.isdigit() for char in part)]
    if _ends_an_address(parts[-1]):
        return True
    return len(free) <= 1 and all(len(words_of(part)) <= MAX_CITY and not name & {*words_of(part)} for part in free)


def _ends_an_address(part: str) -> bool:
    place = _POSTCODE.sub("", part).strip()
    return not place or place in _COUNTRIES or is_state(place)


def _similar(expected: LocationName, actual: LocationName, ratio: float) -> bool:
    from rapidfuzz.fuzz import ratio as similarity

    return similarity(" ".join(expected.words), " ".join(actual.words)) >= 100 * ratio


LOCATION_NAME = ValueType("location-name", read_location_name, same_location_name)
