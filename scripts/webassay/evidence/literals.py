"""A secret in all the ways in which pages, forms, addresses and JSON write it, also one inside the other.

Letters and digits stay as they are in all of them but base64: a text without the longest run of these holds no spelling
of it, which is seen at once; only where that run stands is the whole looked for.
"""

import json
import re
from base64 import b64encode
from collections.abc import Iterator
from functools import cached_property, lru_cache
from html.entities import html5

RUN = re.compile(r"[A-Za-z0-9]+")
PERCENT = "%(?:25){0,3}"
"""Encoded up to four times; every repetition here is bounded, since pages choose what is looked through."""
SLASH = rf"(?:\\|{PERCENT}5C)"
SLASHES = rf"(?:(?<!\\)(?<!5C){SLASH}{{1,15}}|{SLASH})"
"""Before a quotation mark of JSON in JSON in JSON in JSON; in a longer row each is looked at once."""
AMPERSAND = rf"(?:&|{SLASHES}u0026|{PERCENT}26)(?:amp(?:;|{PERCENT}3B)){{0,3}}"
URL_SAFE = {"+": "-", "/": "_"}
SHORTEST_PACKED = 7
"""Characters of base64: fewer stand in any picture."""


class Literal:
    """What no file may hold, in any of its spellings."""

    def __init__(self, secret: str) -> None:
        written = {_plain(secret): _run(secret)} | {_packed(core): _run(core) for core in _cores(secret)}
        self._spellings = [_Spelling(pattern, run) for pattern, run in written.items()]

    def occurs(self, content: bytes) -> bool:
        """In JSON too, whose strings have it in one of its spellings."""
        return any(each.octets in content and each.in_bytes.search(content) for each in self._spellings)

    def replace(self, text: str, token: str) -> str:
        for each in self._spellings:
            if each.run in text:
                text = each.in_text.sub(token, text)
        return text

    def replace_bytes(self, content: bytes, token: bytes) -> bytes:
        for each in self._spellings:
            if each.octets in content:
                content = each.in_bytes.sub(token, content)
        return content


class _Spelling:
    def __init__(self, pattern: str, run: str) -> None:
        self._pattern, self.run, self.octets = pattern, run, run.encode()

    @cached_property
    def in_text(self) -> re.Pattern[str]:
        return re.compile(self._pattern)

    @cached_property
    def in_bytes(self) -> re.Pattern[bytes]:
        return re.compile(self._pattern.encode("utf-8", "replace"))


literal = lru_cache(1024)(Literal)


def _run(text: str) -> str:
    return max(RUN.findall(text), key=len, default="")


def _plain(secret: str) -> str:
    return "".join(map(_character, secret))


def _character(char: str) -> str:
    """As HTML's entities, percent-encoded or as itself, perhaps after backslashes; or by its number in JSON."""
    if char.isascii() and char.isalnum():
        return char
    names = "".join(f"{re.escape(name)}|" for name in _entities().get(char, ()))
    number = rf"(?i:(?:#|{PERCENT}23)(?:0{{0,5}}{ord(char)}|x0{{0,5}}{ord(char):x}))"
    entity = rf"(?i:{AMPERSAND})(?:{names}{number})(?i:;|{PERCENT}3B)"
    octets = "".join(f"{PERCENT}{octet:02x}" for octet in char.encode("utf-8", "replace"))
    space = r"\+|" if char == " " else ""
    escaped = "|".join([f"(?i:{_units(char)})", *re.findall("^[a-z]$", json.dumps(char)[2:-1])])  # the n of \n
    seen = f"{entity}|(?i:{octets})|{space}{re.escape(char)}"
    return f"(?:(?i:{SLASHES})?(?:{seen})|(?:(?i:{SLASHES})|%)(?:{escaped}))"


def _units(char: str) -> str:
    octets = char.encode("utf-16-be", "surrogatepass")
    units = [octets[place : place + 2].hex() for place in range(0, len(octets), 2)]
    return SLASHES.join(f"u{unit}" for unit in units)


@lru_cache(1)
def _entities() -> dict[str, list[str]]:
    named: dict[str, list[str]] = {}
    for name, char in html5.items():
        if name.endswith(";"):
            named.setdefault(char, []).append(name[:-1])
    return named


def _cores(secret: str) -> Iterator[str]:
    """What base64 makes of it wherever it begins: those characters that no neighbour decides."""
    for text in {secret, json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]}:
        octets = text.encode("utf-8", "replace")
        for before in range(3):
            packed = b64encode(b"\0" * before + octets + b"\0\0").decode()
            core = packed[-(-before * 8 // 6) : (before + len(octets)) * 8 // 6]
            if len(core) >= SHORTEST_PACKED:
                yield core


def _packed(core: str) -> str:
    """With the two signs of its alphabet, and as addresses and JSON write these."""
    return "".join(f"(?:{_character(char)}|{URL_SAFE[char]})" if char in URL_SAFE else char for char in core)
