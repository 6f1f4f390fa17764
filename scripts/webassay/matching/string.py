"""Text, compared without regard to case, spacing and typography."""

import re
import unicodedata
from typing import Any

from webassay.matching.value import ValueType, wrong_type

_MARKS = dict.fromkeys(map(ord, "™®℠©"))
_TYPOGRAPHY = str.maketrans(
    dict.fromkeys("‘’‚′", "'") | dict.fromkeys("“”„″", '"') | dict.fromkeys("‐‑‒–—―−", "-"),
)
_SPACE = re.compile(r"\s+")


def read_string(raw: Any) -> str:
    if not isinstance(raw, str):
        raise wrong_type(raw, "a string")
    # Unicode's caseless match (D146) folds between two normalisations: either alone can undo the other.
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKD", _plain(raw)).casefold())
    return _SPACE.sub(" ", _plain(folded)).strip()


def _plain(text: str) -> str:
    """Trade marks and invisible characters dropped, quotes and dashes in their ASCII form."""
    text = text.translate(_MARKS).translate(_TYPOGRAPHY)
    return text if text.isascii() else "".join(c for c in text if unicodedata.category(c) != "Cf")


STRING = ValueType("string", read_string, patterns=True)
