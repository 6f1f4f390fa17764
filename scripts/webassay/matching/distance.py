"""Lengths, in metres: `<number> <unit>`, or a sum of such terms from the larger unit to the smaller.

Only the name of a unit reaches pint, which would compute any expression that it is given.
"""

import re
from decimal import Decimal
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

from webassay.matching.tolerance import Tolerances, within
from webassay.matching.value import NotOfType, ValueType, short_text

_TERM = re.compile(
    r"((?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?|\.[0-9]+) ?([A-Za-z]{1,16})\.?(?:,? and |, ?| |$)"
)
MAX_TERMS = 3


def read_distance(raw: Any) -> float:
    text = short_text(raw, "a distance")
    terms = _TERM.findall(text)
    if not 1 <= len(terms) <= MAX_TERMS or _TERM.sub("", text):
        raise NotOfType(f"{text!r} is not a distance with its unit")
    metres = [_metres(unit) for _, unit in terms]
    if any(larger <= smaller for larger, smaller in pairwise(metres)):
        raise NotOfType(f"{text!r} is more than one distance")
    numbers = [float(Decimal(number.replace(",", ""))) for number, _ in terms]
    # 3 ft and 1 yd differ in the last bit of a double.
    return round(sum(number * unit for number, unit in zip(numbers, metres, strict=True)), 9)


def same_distance(expected: float, actual: float, tolerances: Tolerances) -> bool:
    return within(expected, actual, tolerances.distance_metres, tolerances.distance_relative)


def _metres(unit: str) -> float:
    """As written first: `Mm` is not `mm`. Then `KM`, `Miles` and `kms`."""
    spellings = (unit, unit.lower(), unit.lower().removesuffix("s"))
    for metres in map(_length_unit, spellings):
        if metres is not None:
            return metres
    raise NotOfType(f"{unit!r} is not a unit of length")


@lru_cache(maxsize=512)
def _length_unit(unit: str) -> float | None:
    import pint

    try:
        found = _registry().Quantity(1, _registry().parse_units(unit))
        return float(found.to("metre").magnitude)
    except (pint.PintError, AttributeError, ValueError):  # unknown, of another dimension, or a name pint keeps
        return None


@cache
def _registry() -> Any:
    import pint

    return pint.UnitRegistry()


DISTANCE = ValueType("distance", read_distance, same_distance)
