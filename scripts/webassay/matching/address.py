"""Postal addresses: an object of fields, or one text, in the abbreviations of the US postal service.

`123 Main St., Apt. 4B, Springfield, IL 62701` is `123 Main Street Apt 4B, Springfield, Illinois 62701`. The tables are
usaddress-scourgify's and us's; their parser is not used, because it drops words that it has no place for. A text in
which no state of the US is found is compared word by word. A postcode without its last four digits agrees with one
that has them, since both are that address; two such endings must be the same.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

import msgspec

from webassay.matching.location_name import state_code, words_of
from webassay.matching.string import read_string
from webassay.matching.tolerance import Tolerances
from webassay.matching.value import NotOfType, ValueType, bounded_text, shown

FIELDS = ("name", "house_number", "street", "unit", "city", "state", "postcode", "country")
MAX_ADDRESS = 400
MAX_EXTRA_WORDS = 6
"""A quarter and a county, as maps write them between street and state."""
_WORD = re.compile(r"#|[^\W_]+(?:['/-][^\W_]+)*")
_POSTCODE = re.compile(r"([0-9]{5})(?:-([0-9]{4}))?")
_COUNTRIES = (
    ("united", "states", "of", "america"),
    ("united", "states"),
    ("usa",),
    ("us",),
    ("u", "s", "a"),
    ("u", "s"),
)
_CHOICE = {"or", "either"}

Words = tuple[str, ...]


class Address(msgspec.Struct, frozen=True):
    street: Words
    """With the name of the place before it and the unit after it; of a text, all up to the state."""
    city: Words
    """With all that follows, outside the US."""
    state: str
    """Two letters, or empty where no state of the US was found."""
    postcode: str
    fields: tuple[tuple[str, Any], ...] | None = None
    """Field by field, where an object was given."""


def read_address(raw: Any) -> Address:
    return _from_object(raw) if isinstance(raw, dict) else _from_text(bounded_text(raw, "an address", MAX_ADDRESS))


def same_address(expected: Address, actual: Address, tolerances: Tolerances) -> bool:
    if expected.fields is not None and actual.fields is not None:
        return _same_fields(dict(expected.fields), dict(actual.fields))
    if expected.state != actual.state or not _same_postcode(expected.postcode, actual.postcode):
        return False
    if expected.street + expected.city == actual.street + actual.city:
        return True
    return expected.fields is not None and _only_adds_places(expected, actual.street)


def remark(expected: Address, actual: Address) -> str:
    return "" if expected.state and actual.state else "compared word by word, as no address in the US was recognised"


def _from_object(raw: dict[Any, Any]) -> Address:
    if not raw or not raw.keys() <= {*FIELDS}:
        raise NotOfType(f"keys {shown([*raw][:10])} given; an address has {', '.join(FIELDS)}")
    texts = {key: "" if raw[key] is None else _text(raw[key]) for key in FIELDS if key in raw}
    fields = {key: _field(key, text) for key, text in texts.items()}
    street, city, rest = (_line(texts, keys) for keys in (FIELDS[:4], FIELDS[4:5], FIELDS[5:]))
    state = state_code(texts.get("state", "")) if fields.get("country", "us") in ("us", "") else None
    if state is None:
        return Address(street, city + rest, "", "", tuple(fields.items()))
    return Address(street, city, state, texts.get("postcode", ""), tuple(fields.items()))


def _from_text(raw: str) -> Address:
    words = _WORD.findall(read_string(raw))
    if not words:
        raise NotOfType("a text without words is not an address")
    country = next((name for name in _COUNTRIES if tuple(words[-len(name) :]) == name), ())
    words = words[: len(words) - len(country)]
    postcode = words.pop() if words and _POSTCODE.fullmatch(words[-1]) else ""
    for size in (4, 3, 2, 1):  # `district of columbia`
        if len(words) > size and (state := state_code(" ".join(words[-size:]))):
            return Address(_abbreviated(words[:-size]), (), state, postcode)
    rest = (postcode,) if postcode else ()
    return Address(_abbreviated(words) + rest + country, (), "", "")


def _line(texts: dict[str, str], keys: Iterable[str]) -> Words:
    return tuple(word for key in keys for word in _words(texts.get(key, "")))


def _text(raw: Any) -> str:
    return read_string(raw) if not isinstance(raw, str) else read_string(bounded_text(raw, "an address", MAX_ADDRESS))


def _field(key: str, text: str) -> Any:
    if key == "name":
        return words_of(text)
    if key == "state":
        return state_code(text) or text
    if key == "country":
        return "us" if tuple(_WORD.findall(text)) in _COUNTRIES else text
    return text if key == "postcode" else _words(text)


def _words(text: str) -> Words:
    """Marks alone are a word too: an expected empty field must not be met by `^.*$`."""
    return _abbreviated(_WORD.findall(text) or [text]) if text else ()


def _abbreviated(words: list[str]) -> Words:
    table = _abbreviations()
    return tuple(table.get(word, word) for word in words)


@cache
def _abbreviations() -> dict[str, str]:
    """`street` and `str` are `st`, `north` is `n`, `apartment` is `apt`."""
    from scourgify import address_constants as usps

    tables = (usps.STREET_TYPE_ABBREVIATIONS, usps.OCCUPANCY_TYPE_ABBREVIATIONS, usps.DIRECTIONAL_REPLACEMENTS)
    return {long.casefold(): short.casefold() for table in tables for long, short in table.items()}


def _same_fields(expected: dict[str, Any], actual: dict[str, Any]) -> bool:
    """As in any object, no field more and none less."""
    if expected.keys() != actual.keys() or not _same_postcode(*(one.get("postcode", "") for one in (expected, actual))):
        return False
    return all(expected[key] == actual[key] for key in expected if key != "postcode")


def _same_postcode(one: str, other: str) -> bool:
    found = _POSTCODE.fullmatch(one), _POSTCODE.fullmatch(other)
    if one == other or not all(found):
        return one == other
    (first, first_end), (second, second_end) = (match.groups() for match in found if match)
    return first == second and not (first_end and second_end)


def _only_adds_places(expected: Address, words: Words) -> bool:
    start = len(expected.street)
    rest = words[start:]
    if words[:start] != expected.street or len(rest) > len(expected.city) + MAX_EXTRA_WORDS:
        return False
    if _CHOICE & {*rest} or any(char.isdigit() for word in rest for char in word):
        return False
    size = len(expected.city)
    return any(rest[at : at + size] == expected.city for at in range(len(rest) - size + 1))


ADDRESS = ValueType("address", read_address, same_address, remark=remark)
FULL_ADDRESS = ValueType("full_address", read_address, same_address, remark=remark)
