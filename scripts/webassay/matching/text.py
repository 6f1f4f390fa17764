"""What was written into a site: case and spacing are free, and every other character counts.

A site keeps what it is sent, so `"x".` is not `x` here, as it is in an answer (`string.py`).
"""

import unicodedata
from typing import Any

from webassay.matching.string import one_spaced, written
from webassay.matching.value import ValueType


def read_text(raw: Any) -> str:
    """Spellings of one letter are one (NFC); compatibility forms are not: `5²` is not `52`."""
    # Unicode's canonical caseless match (D145): folded between two normalisations.
    folded = unicodedata.normalize("NFD", _one_line(raw)).casefold()
    return unicodedata.normalize("NFC", folded)


def _one_line(raw: Any) -> str:
    if isinstance(raw, bool):
        return "true" if raw else "false"
    return one_spaced(written(raw, "a text"))


def _pattern_texts(raw: Any) -> tuple[str, ...]:
    """As it was written, on one line, and as it is compared."""
    return _one_line(raw), read_text(raw)


TEXT = ValueType("text", read_text, pattern_texts=_pattern_texts)
