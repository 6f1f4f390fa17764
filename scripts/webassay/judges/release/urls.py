"""URLs as the release compares them: a base that holds all but the query, and the query by name."""

import base64
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qs, unquote, urlparse, urlunparse

from webassay.judges.release.addresses import Addresses
from webassay.judges.release.normal_url import normal_url
from webassay.judges.release.patterns import found, is_pattern

_BASE64_SEGMENT = re.compile(r"[A-Za-z0-9_-]{4,}={0,2}")
_DEFAULT_PORTS = {"http": 80, "https": 443}

Query = Mapping[str, Any]
"""Values by name: tuples of text, or what a schema made of them."""


@dataclass(frozen=True)
class Url:
    base: str
    query: Query
    is_pattern: bool = False

    def __str__(self) -> str:
        pairs = [f"{name}={value}" for name, values in sorted(self.query.items()) for value in values]
        scheme, netloc, path, _, _, fragment = urlparse(self.base)
        return urlunparse((scheme, netloc, path, "", "&".join(pairs), fragment))


@dataclass(frozen=True, eq=False)
class UrlRules:
    """How the URLs of one evaluator are read, and on which side of the comparison."""

    addresses: Addresses | None = None
    strict: bool = False
    renders: bool = False
    decode_base64: bool = False
    ignored: frozenset[str] = frozenset()
    ignored_patterns: tuple[str, ...] = ()
    typed: Callable[[Query], Any] | None = None
    """Reads the values under the task's schema for them."""
    given: Query | None = None
    """In place of the query of the URL."""

    def render(self, text: str) -> str:
        if not self.renders or self.addresses is None:
            return text
        return self.addresses.render(text, strict=self.strict)


def read_url(value: Any, rules: UrlRules) -> Url:
    url, query = read_base(value, rules)
    if query is None and not (url.is_pattern and rules.given):
        return url
    return replace(url, query=_query(_parsed(query or "") if rules.given is None else rules.given, rules))


def read_base(value: Any, rules: UrlRules) -> tuple[Url, str | None]:
    """The URL without its query, and that as text; patterns and ssh addresses have none."""
    if not value:
        raise ValueError("an empty URL")
    if is_pattern(value):
        return Url(value.rstrip("/"), {}, is_pattern=True), None
    text = value.rstrip("/")
    if text.startswith("__"):
        text = rules.render(text)
    if _is_ssh(text):
        return Url(_ssh_base(text), {}), None
    base, query = split_url(text, rules.addresses, rules.strict, rules.decode_base64 and rules.given is None)
    return Url(base, {}), query


@lru_cache(maxsize=4096)
def split_url(text: str, addresses: Addresses | None, strict: bool, decode_base64: bool) -> tuple[str, str]:
    """Base and query, both with placeholders; with `decode_base64`, encoded segments of the path join the query."""
    normal = normal_url(text)
    if addresses is not None:
        normal = addresses.derender(normal, strict=strict)
    parts = urlparse(normal)
    scheme, netloc = parts.scheme.lower(), parts.netloc.lower()
    path = f"{parts.path};{parts.params}" if parts.params else parts.path
    if netloc and _has_default_port(scheme, parts):
        netloc = parts.hostname or netloc
    path, hidden = _without_base64(path) if decode_base64 else (path, [])
    base = urlunparse((scheme, netloc, path, "", "", parts.fragment))
    return base, "&".join([*hidden, parts.query.strip()] if parts.query else hidden)


def same_base(expected: Url, actual: Url, render: Callable[[str], str]) -> bool:
    """A pattern of either side is tried on the other's base, with its address rendered; else letters' case is free."""
    if expected.is_pattern and _matches_base(expected.base, actual.base, render, of_task=True):
        return True
    if actual.is_pattern and _matches_base(actual.base, expected.base, render, of_task=False):
        return True
    if expected.is_pattern or actual.is_pattern:
        return False
    return expected.base.lower().rstrip("/") == actual.base.lower().rstrip("/")


def same_query(expected: Url, actual: Url, equal: Callable[[Any, Any], bool]) -> bool:
    """By the first value of each name; a name that is missing has the value ''."""
    for name in {*expected.query, *actual.query}:
        want, have = (_first(url.query.get(name, ())) for url in (expected, actual))
        if _holds_pattern(want):
            if not _matches(str(want), str(have), f"query parameter {name!r}", of_task=True):
                return False
        elif not equal(_blank_as_empty(want, equal), _blank_as_empty(have, equal)):
            return False
    return True


def _matches_base(pattern: str, base: str, render: Callable[[str], str], *, of_task: bool) -> bool:
    if is_pattern(pattern):
        inner = pattern[1:-1]
        pattern = f"^{render(inner) if inner.startswith('__') else inner}$"
    return _matches(pattern, render(base) if base.startswith("__") else base, "URL", of_task=of_task)


def _matches(pattern: str, text: str, where: str, *, of_task: bool) -> bool:
    try:
        return found("match", pattern, text, of_task=of_task)
    except re.error as error:
        raise ValueError(f"the pattern {pattern!r} of a {where} does not compile: {error}") from None


def _first(values: Any) -> Any:
    first = values[0] if values else ""
    return "" if first is None else first


def _blank_as_empty(value: Any, equal: Callable[[Any, Any], bool]) -> Any:
    return "" if equal(value, "") else value


def _holds_pattern(value: Any) -> bool:
    if isinstance(value, str):
        return is_pattern(value)
    return any(is_pattern(str(one)) for one in getattr(value, "alternatives", ()))


def _has_default_port(scheme: str, parts: Any) -> bool:
    try:
        return parts.port is not None and parts.port == _DEFAULT_PORTS.get(scheme)
    except ValueError:
        return False


def _is_ssh(url: str) -> bool:
    lower = url.lower()
    return lower.startswith("ssh://") or (lower.startswith("git@") and ":" in url and "://" not in url)


def _ssh_base(url: str) -> str:
    """Host and port do not count: `git@__SSH_HOST__:group/project.git`."""
    if url.lower().startswith("ssh://"):
        parts = urlparse(url)
        user, path = parts.netloc.split("@")[0] if "@" in parts.netloc else "git", parts.path
    else:
        user, _, place = url.partition("@")
        path = place.partition(":")[2]
    return f"{user.lower()}@__SSH_HOST__:{path.lstrip('/').lower()}"


def _without_base64(path: str) -> tuple[str, list[str]]:
    """The path without the segments that hold a query in URL-safe base64, and those queries."""
    kept, queries = [], []
    for segment in path.split("/"):
        query = _hidden_query(segment)
        if query:
            queries.append(query.lstrip("?&"))
        elif segment:
            kept.append(segment)
    if not kept:
        return ("/" if path.startswith("/") else ""), queries
    cleaned = ("/" if path.startswith("/") else "") + "/".join(kept)
    return cleaned + ("/" if path.endswith("/") else ""), queries


def _hidden_query(segment: str) -> str:
    if not _BASE64_SEGMENT.fullmatch(segment):
        return ""
    try:
        decoded = base64.urlsafe_b64decode(segment + "=" * (-len(segment) % 4)).decode()
    except ValueError:
        return ""
    return unquote(decoded).strip() if "=" in decoded else ""


def _parsed(query: str) -> dict[str, tuple[str, ...]]:
    """Names and values are unquoted twice, as the release does."""
    values = parse_qs(query, keep_blank_values=True)
    return {unquote(name): tuple(sorted(map(unquote, given))) for name, given in values.items()}


def _query(values: Query, rules: UrlRules) -> Query:
    kept = {name: _lowered(given) for name, given in values.items() if not _is_ignored(name, rules)}
    typed = kept if rules.typed is None else rules.typed(kept)
    return typed or {}


def _lowered(values: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(sorted(value.lower().strip() if isinstance(value, str) else value for value in values))


def _is_ignored(name: str, rules: UrlRules) -> bool:
    if name in rules.ignored:
        return True
    return any(_finds(pattern, name) for pattern in rules.ignored_patterns)


def _finds(pattern: str, name: str) -> bool:
    try:
        return found("search", pattern, name, re.IGNORECASE, of_task=True)
    except re.error:
        return False
