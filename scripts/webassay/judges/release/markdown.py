"""Markdown as the release compares it: letters' case and characters count, spacing and list markers do not.

The release does this with regular expressions, some of which take cubic time on hostile text; these are the same
rewritings in one pass each.
"""

import re
from collections.abc import Callable
from typing import Any

_BLANK_LINES = re.compile(r"\n{3,}")
_HEADING = re.compile(r"([^\S\n]*)(#{1,6})[ \t]+")
_BULLET = re.compile(r"([^\S\n]*)[*+][ \t]+")


def read_markdown(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError("no Markdown")
    text = value.replace("\r\n", "\n").replace("\r", "\n")
    text = "\n".join(line.rstrip(" \t") for line in text.split("\n"))
    text = _BLANK_LINES.sub("\n\n", text)
    text = "\n".join(map(_line, text.split("\n")))
    text = _rewrite(text, "[]", _link_on_one_line(text))
    text = _rewrite(text, "[]", lambda inner, end: (f"[{' '.join(inner.split())}]", end) if inner else None)
    text = _rewrite(text, "()", lambda inner, end: (f"({inner.strip() or inner[-1]})", end) if inner else None)
    return text.strip()


def _line(line: str) -> str:
    if heading := _HEADING.match(line):
        line = f"{heading.group(1)}{heading.group(2)} {line[heading.end() :]}"
    if bullet := _BULLET.match(line):
        line = f"{bullet.group(1)}- {line[bullet.end() :]}"
    bare = line.lstrip(" \t")
    return f"  {bare}" if bare != line and bare.startswith("-") else line


Rewriting = Callable[[str, int], tuple[str, int] | None]
"""From what a pair of brackets holds and where it ends to what replaces it and where that ends; None: it stays."""


def _link_on_one_line(text: str) -> Rewriting:
    """A link whose text runs over lines is joined at the first break, its address included."""
    last = text.rfind(")")

    def join(inner: str, end: int) -> tuple[str, int] | None:
        before, newline, after = inner.partition("\n")
        address_end = text.find(")", end + 1) if newline and end < last and text.startswith("(", end) else -1
        if address_end <= end + 1:
            return None
        return f"[{before} {after.lstrip()}]{text[end : address_end + 1]}", address_end + 1

    return join


def _rewrite(text: str, brackets: str, rewriting: Rewriting) -> str:
    """Each opening bracket with the first closing one after it, from left to right."""
    opening, closing = brackets[0], brackets[1]
    parts, done, start = [], 0, text.find(opening)
    while start >= 0 and (end := text.find(closing, start + 1) + 1):
        rewritten = rewriting(text[start + 1 : end - 1], end)
        if rewritten is not None:
            new, end = rewritten
            parts += [text[done:start], new]
            done = end
        start = text.find(opening, end)
    return "".join([*parts, text[done:]])
