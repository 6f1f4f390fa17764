"""Text in base64, compared decoded and exactly but for line ends; an expected pattern is one for the decoded text."""

import base64
import re
from typing import Any

from webassay.matching.value import MAX_TEXT, NotOfType, ValueType, bounded_text


def read_base64(raw: Any) -> str:
    text = bounded_text(raw, "base64", 2 * MAX_TEXT).strip()
    try:
        decoded = base64.b64decode(text, validate=True).decode()
    except ValueError:  # not base64, or not UTF-8
        raise NotOfType(f"{text[:100]!r} is not a text in base64") from None
    if not decoded:
        raise NotOfType("an empty text is not base64")
    return decoded.replace("\r\n", "\n").replace("\r", "\n").strip()


def _pattern_texts(raw: Any) -> tuple[str]:
    return (read_base64(raw),)


BASE64 = ValueType("base64", read_base64, pattern_texts=_pattern_texts, pattern_flags=re.DOTALL)
