"""Pairing the items of two lists one to one, where each may fit several of the other."""

from collections.abc import Sequence

Fits = Sequence[Sequence[bool]]
"""`fits[row][column]`."""


def unpaired(fits: Fits) -> list[int]:
    """Rows that a largest matching leaves over; taking the first fit would leave rows that can be paired."""
    column_of: dict[int, int] = {}
    row_of: dict[int, int] = {}
    for row in range(len(fits)):
        reached_from, column = _path_to_free_column(row, fits, row_of)
        while column is not None:  # turn the path round: each row on it takes the column it was reached by
            taker = reached_from[column]
            left, column_of[taker], row_of[column] = column_of.get(taker), column, taker
            column = left
    return [row for row in range(len(fits)) if row not in column_of]


def _path_to_free_column(row: int, fits: Fits, row_of: dict[int, int]) -> tuple[dict[int, int], int | None]:
    """An augmenting path: a free column, or one whose owner can be moved to another."""
    reached_from: dict[int, int] = {}
    pending = [row]
    while pending:
        current = pending.pop()
        for column, fit in enumerate(fits[current]):
            if fit and column not in reached_from:
                reached_from[column] = current
                if column not in row_of:
                    return reached_from, column
                pending.append(row_of[column])
    return reached_from, None
