"""The text that the release compares: ASCII, one case, single spaces, addresses replaced by their placeholders."""

import re
import unicodedata
from collections.abc import Callable

from unidecode import unidecode

from webassay.judges.release.patterns import is_pattern

Derender = Callable[[str], str]
"""Puts `__SITE__` in place of a site's address; what has none stays."""

_MARKS = {ord(mark): None for mark in "™®℠©"}  # before NFKC, which would spell them out
_HYPHENS = "[-\u2010-\u2015\u2212\u00ad]"
_HYPHEN_AT_LETTER = re.compile(f"(?<=[a-zA-Z]){_HYPHENS}|{_HYPHENS}(?=[a-zA-Z])")
_KEPT_AS_SPACE = dict.fromkeys(map(ord, "\t\n\r"), " ")
_ASCII_CONTROLS = dict.fromkeys([*range(32), 127]) | _KEPT_AS_SPACE
_SPACES = re.compile(r"\s+")


def fold(text: str, derender: Derender | None = None) -> str:
    """A pattern stays as it is; a hyphen next to a letter is a space, one between digits is kept."""
    if not text or is_pattern(text):
        return text
    if derender is not None and "http" in text:
        text = derender(text)
    text = _HYPHEN_AT_LETTER.sub(" ", text).translate(_ASCII_CONTROLS) if text.isascii() else _to_ascii(text)
    return _SPACES.sub(" ", text.strip()).casefold()


def _to_ascii(text: str) -> str:
    text = unicodedata.normalize("NFKC", text.translate(_MARKS))
    text = _HYPHEN_AT_LETTER.sub(" ", text).translate(_KEPT_AS_SPACE)
    text = "".join(char for char in text if not unicodedata.category(char).startswith("C"))
    return unidecode(text).encode("ascii", "ignore").decode("ascii")
