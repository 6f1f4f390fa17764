"""Text, compared without regard to case, spacing, typography, the quotes round it and the full stop after it."""

import re
import unicodedata
from typing import Any

import regex

from webassay.matching.number import exact
from webassay.matching.value import ValueType, bounded_text

# ², ⑤ and ½, and with ㎡ all other signs that are written with one of them: NFKC would make 52 of 5².
_NUMERALS = regex.compile(r"([\p{No}㍸㍹㎟-㎦㎨㎯]+)")
_INVISIBLE = regex.compile(r"[\p{Cf}™®℠©]+")
_TYPOGRAPHY = str.maketrans(
    dict.fromkeys("‘’‚′", "'") | dict.fromkeys("“”„″«»", '"') | dict.fromkeys("‐‑‒–—―−", "-"),
)
_SPACE = re.compile(r"\s+")
_DASH = re.compile(r" ?- ?")
_QUOTES = ("'", '"', "`")
_STOPS = ".,;:!? "


def read_string(raw: Any) -> str:
    """Accents count, and so does a dash where there could be a space: `León`, `v-neck`. A number is its own spelling:
    no task tells the agent whether an identifier is wanted as a text."""
    text = plain(written(raw, "a string"))
    if not text.isascii():
        parts = _NUMERALS.split(text)  # every second one is numerals
        text = plain("".join(part if at % 2 else _caseless(part) for at, part in enumerate(parts)))
    return _bare(_DASH.sub("-", _SPACE.sub(" ", text.casefold()).strip()))


def plain(text: str) -> str:
    """Trade marks and invisible characters dropped, quotes and dashes in their ASCII form; case and spaces kept."""
    text = text.translate(_TYPOGRAPHY)
    if text.isascii():
        return text
    return _INVISIBLE.sub("", text)


def one_spaced(text: str) -> str:
    return _SPACE.sub(" ", text).strip()


def written(raw: Any, kind: str) -> str:
    """A text as it is, or a number in its digits."""
    if isinstance(raw, int | float) and not isinstance(raw, bool):
        number = exact(raw)
        return f"{number.to_integral_value():f}" if number == number.to_integral_value() else f"{number:f}"
    return bounded_text(raw, kind)


def _caseless(text: str) -> str:
    """Unicode's caseless match (D146) folds between two normalisations: either alone can undo the other."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKD", text).casefold())


def _bare(text: str) -> str:
    """Without the quotes round all of it and the stops at its end, unless it is nothing else."""
    start, end = 0, len(text)
    while True:
        first, last = start, end
        while last > first and text[last - 1] in _STOPS:
            last -= 1
        if last - first > 1 and text[first] == text[last - 1] in _QUOTES:
            first, last = first + 1, last - 1
        while last > first and text[first] == " ":
            first += 1
        if first == last or (first, last) == (start, end):
            return text[start:end]
        start, end = first, last


def _pattern_texts(raw: Any) -> tuple[str, ...]:
    """As it was written, on one line, and as it is compared."""
    return one_spaced(written(raw, "a string")), read_string(raw)


STRING = ValueType("string", read_string, pattern_texts=_pattern_texts)
