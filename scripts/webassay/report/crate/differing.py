"""In what two files, or two verdicts, differ: told so that a reader can look it up."""

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from webassay.judges.lifecycle import Sidecar

SHOWN = 60


def between(bundled: Path, made: Path) -> str:
    """The first byte that differs, with its line; empty where all are equal."""
    if not bundled.is_file() or not made.is_file():
        return f"{made}: {'not in the bundle' if made.is_file() else 'not made here'}"
    one, other = bundled.read_bytes(), made.read_bytes()
    if one == other:
        return ""
    at = next(number for number, (a, b) in enumerate(zip_longest(one, other)) if a != b)
    line = one.count(b"\n", 0, at) + 1
    return f"{made}: byte {at + 1}, in line {line}: {_line(one, at)} in the bundle, {_line(other, at)} made again"


def _line(content: bytes, at: int) -> str:
    """What stands around the byte, on its line."""
    start = max(content.rfind(b"\n", 0, at) + 1, at - SHOWN // 2)
    end = content.find(b"\n", at)
    shown = content[start : min(end if end >= 0 else len(content), start + SHOWN)]
    return repr(shown.decode("utf-8", "replace")) if shown else "nothing"


def of_scores(before: Sidecar, after: Sidecar) -> Iterator[str]:
    """The score or else its reason, the first check that came out otherwise, and the replies that it went by."""
    old, new = before.judgement, after.judgement
    if old.score != new.score:
        yield f"score {_score(old.score)} in the bundle, {_score(new.score)} judged again: {new.reason or 'all holds'}"
    elif old != new:
        fields = [name for name in old.__struct_fields__ if getattr(old, name) != getattr(new, name)]
        told = (f"{name} {getattr(old, name)!r} in the bundle, {getattr(new, name)!r} judged again" for name in fields)
        yield "; ".join(told)
    if before.assertions != after.assertions:
        pairs = zip_longest(before.assertions, after.assertions)
        one, other = next((a, b) for a, b in pairs if a != b)
        yield f"check {(other or one).name} came out otherwise: {one and one.actual!r}, now {other and other.actual!r}"
    if before.replies != after.replies:
        yield f"went by other replies: {', '.join(sorted(set(before.replies) ^ set(after.replies)))[:200]}"


def _score(score: float | None) -> str:
    return "none" if score is None else f"{score:g}"
