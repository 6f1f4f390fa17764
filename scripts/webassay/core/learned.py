"""Types that threads may decode at once.

msgspec reads a type's fields when it first decodes one. Where two threads do that at the same moment, it can crash the
process, so whatever judges decode is read when its module is imported.
"""

from typing import TypeVar

import msgspec

Kind = TypeVar("Kind")


def learned(kind: type[Kind]) -> type[Kind]:
    msgspec.json.Decoder(kind)
    return kind
