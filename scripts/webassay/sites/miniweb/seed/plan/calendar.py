"""The seed of every choice, and the days between which everything happens."""

import random
from datetime import UTC, datetime, timedelta

SEED = 20250616
OPENING = datetime(2024, 4, 2, 8, 0, tzinfo=UTC)
TODAY = datetime(2025, 6, 16, 9, 30, tzinfo=UTC)
"""The site's clock when a visitor first comes."""


def dice(part: str) -> random.Random:
    """Randomness of its own for each part, so that one more ticket does not reshuffle the orders."""
    return random.Random(f"{SEED}/{part}")


def spread(count: int, first: datetime, last: datetime, rng: random.Random) -> list[datetime]:
    """So many moments between two, in order, each in a slot of its own: no two are the same."""
    slot = int((last - first).total_seconds()) // count
    return [first + timedelta(seconds=number * slot + rng.randint(0, slot - 1)) for number in range(count)]


def by_day(moment: datetime, rng: random.Random) -> datetime:
    """The same day at an hour at which people write."""
    return moment.replace(hour=rng.randint(8, 20), minute=rng.randint(0, 59), second=rng.randint(0, 59))
