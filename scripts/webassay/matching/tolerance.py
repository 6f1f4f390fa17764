"""How far two readings may lie apart and still be the same; part of a judge's identity, since it changes verdicts."""

import math
from decimal import Decimal

import msgspec

from webassay.errors import ConfigError


class Tolerances(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a type has an absolute and a relative one, the larger counts. A share is of the smaller of the two values,
    so that sameness is symmetric and no answer widens its own margin."""

    number: Decimal = Decimal(0)
    """Exact: pages show counts and identifiers, and both are right or wrong."""
    currency: Decimal = Decimal(0)
    """Exact to the last digit: a cent is a difference."""
    duration_seconds: float = 60
    """Sites show routes in whole minutes, and routing engines differ by one when they round."""
    duration_relative: float = 0.02
    """Speeds along a road change a little from one version of a routing engine to the next: 7 minutes in 6 hours."""
    distance_metres: float = 10
    """Sites show ten or a hundred metres as the last digit of a short way."""
    distance_relative: float = 0.01
    """Road data move a little; 914 km may be 905 km, and 1.7 km is not 1.8 km."""
    coordinates_degrees: float = 1e-4
    """About 11 m: four decimals, cut or rounded, still name the same house."""
    location_name_suffix: bool = True
    """`Harvard University, Cambridge, MA` names Harvard University; the name itself must be exact."""
    location_name_similarity: float = 1
    """1: all words, in any order. Lower: a token sort ratio; at webarena-verified's 0.8, Howard University is Harvard
    University (0.86), and Hyatt Place at an airport Hyatt Regency there (0.89)."""

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if not math.isfinite(value) or value < 0:
                raise ConfigError(f"tolerances.{name}={value} must be a number from 0 on")
        if not 0 < self.location_name_similarity <= 1:
            raise ConfigError("tolerances.location_name_similarity must lie above 0 and at most at 1")


def within(one: float, other: float, absolute: float, relative: float) -> bool:
    return abs(one - other) <= max(absolute, relative * min(abs(one), abs(other)))
