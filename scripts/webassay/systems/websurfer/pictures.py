"""Screenshots as the model wants them, and its coordinates back on the page."""

import base64
import io
import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from PIL import Image

FACTOR = 28
"""The model sees patches of 14 pixels, joined by two: a picture's sides are multiples of this."""


@dataclass(frozen=True)
class Scale:
    """From the page's pixels to the model's, and back."""

    page: tuple[int, int]
    model: tuple[int, int]

    @classmethod
    def of(cls, width: int, height: int, least: int, most: int) -> "Scale":
        return cls((width, height), smart_size(width, height, least, most))

    def to_page(self, x: float, y: float) -> tuple[float, float]:
        return x * self.page[0] / self.model[0], y * self.page[1] / self.model[1]

    def holds(self, x: float, y: float) -> bool:
        return 0 <= x <= self.model[0] and 0 <= y <= self.model[1]


def smart_size(width: int, height: int, least: int, most: int) -> tuple[int, int]:
    """The nearest multiples of FACTOR, with about the same shape, between `least` and `most` pixels in all."""
    sides = [max(FACTOR, round(side / FACTOR) * FACTOR) for side in (width, height)]
    if math.prod(sides) > most:
        shrink = math.sqrt(width * height / most)
        sides = [max(FACTOR, math.floor(side / shrink / FACTOR) * FACTOR) for side in (width, height)]
    elif math.prod(sides) < least:
        grow = math.sqrt(least / (width * height))
        sides = [math.ceil(side * grow / FACTOR) * FACTOR for side in (width, height)]
    return sides[0], sides[1]


@lru_cache(maxsize=8)
def data_url(path: Path, size: tuple[int, int]) -> str:
    """A PNG of that size; each is sent several times."""
    packed = io.BytesIO()
    with Image.open(path) as picture:
        picture.convert("RGB").resize(size, Image.Resampling.BICUBIC).save(packed, "PNG")
    return f"data:image/png;base64,{base64.b64encode(packed.getvalue()).decode()}"
