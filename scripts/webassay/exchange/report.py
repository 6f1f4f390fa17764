"""What became of each trajectory of an import or an export."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from webassay.exchange.trajectory import LeftOut

Fate = Literal["written", "standing", "skipped"]


@dataclass(frozen=True)
class Moved:
    name: str
    """Where it lay in the source."""
    fate: Fate
    folder: Path | None = None
    """Where it lies now; None for a skipped one."""
    reason: str = ""
    """Why it was skipped."""
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True)
class Report:
    format: str
    moved: tuple[Moved, ...]

    def of(self, fate: Fate) -> list[Moved]:
        return [one for one in self.moved if one.fate == fate]


Watch = Callable[[Moved, int, int], None]
"""Told of each trajectory as it is done: its fate, how many are done, of how many."""


def unwatched(moved: Moved, done: int, total: int) -> None:
    """For callers who only want the report."""
