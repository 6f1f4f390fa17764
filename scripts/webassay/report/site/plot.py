"""Means with their intervals as a drawing in the page itself, which is light or dark as the page is."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

WIDTH, LEFT, RIGHT, ROW, TOP, BOTTOM = 860, 250, 150, 26, 8, 34


@dataclass(frozen=True)
class Point:
    """A line of the plot; in percent."""

    label: str
    mean: float | None
    half_width: float | None
    text: str
    """The same in words."""
    series: int = 0
    """Of its colour and shape."""
    hollow: bool = False


@dataclass(frozen=True)
class Plot:
    title: str
    axis: str
    points: tuple[Point, ...]
    low: float
    high: float
    zero: bool = False
    """A line at 0, which intervals cross or do not."""
    series: tuple[str, ...] = ()

    @property
    def height(self) -> int:
        return TOP + ROW * len(self.points) + BOTTOM

    @property
    def ticks(self) -> list[float]:
        step = next(step for step in (1, 2, 5, 10, 20, 25, 50, 100) if (self.high - self.low) / step <= 10)
        return [step * number for number in range(ceil(self.low / step), floor(self.high / step) + 1)]

    def x(self, value: float) -> float:
        inside = min(max(value, self.low), self.high)
        return round(LEFT + (inside - self.low) / (self.high - self.low) * (WIDTH - LEFT - RIGHT), 1)

    def y(self, place: int) -> float:
        return TOP + ROW * place + ROW / 2


def rates(title: str, points: Sequence[Point], series: Sequence[str]) -> Plot:
    return Plot(title, "template-macro success, percent", tuple(points), 0, 100, series=tuple(series))


def differences(title: str, points: Sequence[Point]) -> Plot:
    """As wide as the intervals ask for, zero always inside; no difference is beyond 100 points."""
    ends = [-5.0, 5.0, *(end for point in points if point.mean is not None for end in _ends(point))]
    low, high = max(-100, 10 * floor(min(ends) / 10)), min(100, 10 * ceil(max(ends) / 10))
    return Plot(title, "difference to the anchor, percentage points", tuple(points), low, high, zero=True)


def _ends(point: Point) -> tuple[float, float]:
    mean, half = point.mean or 0, point.half_width or 0
    return mean - half, mean + half
