"""Our own reading of replies in words: as a person reads them, and no verdict where a person would hesitate.

A verdict is labelled (`Status: success`) and begins a line or ends the reply, or stands alone as its last words. What
leads up to it must be over, else it is somebody else's (`The page says:`); what follows must not take it back.
"""

import re

from webassay.judges.marked import declines

Verdict = int | None
"""1, 0, or none."""

_MARKUP = r"\s*_`\"'“”‘’"
_DECORATION = rf"[{_MARKUP}]*"
_END = rf"[{_MARKUP}.!]*\Z"
_WORDS = r"(?P<word>success(?:ful)?|unsuccess?ful|failure|failed|not[\s*_]+(?:a\s+)?success(?:ful)?)"
_LABEL = rf"(?:status|verdict){_DECORATION}[:\uff1a]"
_CLOSED = r"(?![\w?]|\s*\?)"
_START = r"^(?:[^\S\n]|[#*_`\-])*"
_LINE = re.compile(
    rf"{_START}{_LABEL}{_DECORATION}{_WORDS}{_CLOSED}(?={_DECORATION}(?:[.,;!(\n]|\Z))", re.IGNORECASE | re.MULTILINE
)
_LABELLED_LINE = re.compile(rf"{_START}{_LABEL}", re.IGNORECASE | re.MULTILINE)
_LAST_WORDS = re.compile(rf"(?:(?:^|[\s*_`]){_LABEL}{_DECORATION}|(?:^|\n){_DECORATION}){_WORDS}{_END}", re.IGNORECASE)
TAIL = 200
"""Longer than any verdict with its label and decoration."""

_OVER = re.compile(r"[.!?;)\]*_`\"'“”‘’]\Z")
_TITLE = re.compile(
    r"[\s#*_]*(?:(?:so|therefore|my|the|final|overall),?\s+)*"
    r"(?:verdict|conclusion|answer|evaluation|assessment|judge?ment|decision)(?:\s+is)?[\s*_]*:[\s*_]*",
    re.IGNORECASE,
)
_LEADS_ON = re.compile(
    r"(?:[:,\-–]|\b(?:was|were|is|be|reads?|says?|said|shows?|showed|with|or|nor|and|not|like|as|an?|the|called|if))\Z",
    re.IGNORECASE,
)
_PARENTHESIS = re.compile(r"^[^\S\n]*\([^()]*\)")
_REGRETS = {
    1: re.compile(
        r"\b(?:but|however|although|not|no|never|cannot|unless|if|only|except|otherwise|wait|actually|correction|or"
        r"|would|partial(?:ly)?|sorry|unable|unsure|fail\w*|unsuccess\w*)\b|n['’]t\b",
        re.IGNORECASE,
    ),
    0: re.compile(
        r"(?<!not )(?<!not a )(?<!no )\bsuccess(?:ful)?\b|\b(?:otherwise|wait|actually|correction)\b"
        r"|\bI(?: am|['’]m)? (?:sorry|can(?:no|['’])t|unable|unsure|not (?:able|sure))\b",
        re.IGNORECASE,
    ),
}
"""Words after a verdict that can take it back; of a failure fewer do, since it is explained by what is missing."""


def strict(reply: str) -> Verdict:
    if declines(reply):
        return None
    lines = list(_LINE.finditer(reply))
    if not lines:
        return _last_words(reply)
    values = {_value(match["word"]) for match in lines}
    last = lines[-1]
    before, after = reply[: last.start()], reply[last.end() :]
    if len(values) > 1 or not _decided_last(reply) or _leads_on(before):
        return None
    (value,) = values
    return None if _takes_back(value, after) else value


def _last_words(reply: str) -> Verdict:
    tail = reply[-TAIL:]
    match = _LAST_WORDS.search(tail)
    return _value(match["word"]) if match and _is_over(tail[: match.start()]) else None


def _decided_last(reply: str) -> bool:
    """No labelled line that says something else comes after the verdict."""
    last = [match.start() for match in _LABELLED_LINE.finditer(reply)][-1]
    return _LINE.match(reply, last) is not None


def _is_over(before: str) -> bool:
    line = _line_before(before)
    return not line or _OVER.search(line) is not None or _TITLE.fullmatch(line) is not None


def _leads_on(before: str) -> bool:
    line = _line_before(before)
    return _LEADS_ON.search(line) is not None and _TITLE.fullmatch(line) is None


def _line_before(before: str) -> str:
    return before.rstrip().rpartition("\n")[2].rstrip()


def _takes_back(value: int, after: str) -> bool:
    """A failure may say in parentheses what a success would need."""
    return _REGRETS[value].search(after if value else _PARENTHESIS.sub("", after)) is not None


def _value(word: str) -> int:
    return int(word.lower() in ("success", "successful"))


_SCORE_LINE = re.compile(
    rf"(?:^(?:[^\S\n]|[#*_\d.])*score{_DECORATION}[:\uff1a]?|score{_DECORATION}[:\uff1a]){_DECORATION}"
    r"([1-5])(?:\s*/\s*5)?(?![\w.])",
    re.IGNORECASE | re.MULTILINE,
)


def strict_screenshot_score(reply: str) -> int | None:
    """None where no score is given, or two that differ."""
    found = {int(digit) for digit in _SCORE_LINE.findall(reply)}
    return found.pop() if len(found) == 1 else None
