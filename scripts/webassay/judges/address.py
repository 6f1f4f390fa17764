"""Addresses in a task and in a trace: placeholders filled in, compared by their parts and never by substring."""

import base64
import binascii
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Any
from urllib.parse import parse_qs, unquote, urldefrag, urlsplit

import msgspec

from webassay.errors import ConfigError, JudgeError
from webassay.evidence.site import Site
from webassay.matching.compare import compare
from webassay.matching.pattern import check_pattern, is_pattern, literal, matches_pattern
from webassay.matching.url import read_url
from webassay.matching.value import NotOfType

Query = Mapping[str, Sequence[Any]]

SSH_HOST = "__SSH_HOST__"
"""No site's address: the type `url` takes it for any host."""
_PLACEHOLDER = re.compile(r"__([A-Z0-9]+(?:_[A-Z0-9]+)*)__")
_SLASHES = re.compile("//+")
_ENCODED = re.compile(r"[A-Za-z0-9_-]{4,}={0,2}")
TEXTS = {"type": "array", "items": {"type": "text"}}
MAX_ADDRESS = 8192
"""No server takes a longer one, and patterns would take long."""


class Address(msgspec.Struct, frozen=True):
    place: str
    """Scheme, host and path, escaped in one way, without a slash at the end."""
    plain: str
    """The same as people write it, for patterns."""
    query: dict[str, tuple[str, ...]]


class Wanted(msgspec.Struct, frozen=True):
    """One alternative of an expected address."""

    place: str
    """A pattern, or as in Address."""
    query: Query
    part: str = ""
    """A piece of the path that every spelling of the place has, unless it is escaped."""

    def may_be_at(self, url: str) -> bool:
        """Without parsing the URL, which is slow: False only when it cannot be."""
        return self.part in url or "%" in url

    def is_at(self, address: Address) -> bool:
        if is_pattern(self.place):
            return any(matches_pattern(self.place, text, re.NOFLAG) for text in (address.plain, f"{address.plain}/"))
        return self.place == address.place


class QueryRule(msgspec.Struct, frozen=True):
    """What of a query counts, and as what."""

    ignored: tuple[str, ...] = ()
    ignored_patterns: tuple[str, ...] = ()
    in_path: bool = False
    schema: Mapping[str, Any] = {}

    def differs(self, expected: Query, actual: Query) -> str:
        """The first parameter that differs, in words; an absent one and an empty one are the same."""
        for key in dict.fromkeys([*expected, *actual]):
            if self._is_ignored(key):
                continue
            want, have = list(expected.get(key) or [""]), list(actual.get(key) or [""])
            found = compare(self.schema.get(key, TEXTS), want, have)
            if not found.equal:
                return f"query parameter {key}: {found.reason}"
        return ""

    def _is_ignored(self, key: str) -> bool:
        return key in self.ignored or any(re.search(one, key, re.IGNORECASE) for one in self.ignored_patterns)


@lru_cache(maxsize=16384)
def read_address(url: str, in_path: bool = False) -> Address | None:
    """None for what is no http address, or too long for any server.

    With `in_path`, segments of the path that hold an encoded query join the query.
    """
    if len(url) > MAX_ADDRESS:
        return None
    try:
        canonical = urlsplit(read_url(urldefrag(url).url))
    except (NotOfType, ValueError):
        return None
    path, query = _SLASHES.sub("/", canonical.path), canonical.query
    if in_path:
        path, encoded = _queries_in(path)
        query = "&".join([*encoded, query])
    place = f"{canonical.scheme}://{canonical.netloc}{path.rstrip('/')}"
    pairs = parse_qs(query, keep_blank_values=True)
    return Address(place, unquote(place), {key: tuple(values) for key, values in pairs.items()})


def wanted_addresses(
    urls: str | Sequence[str], query: Query | None, sites: Mapping[str, Site], rule: QueryRule
) -> list[Wanted]:
    """Every alternative, at every address that its sites have; `query` stands in for that of the URL."""
    given = [urls] if isinstance(urls, str) else urls
    return [_wanted(rendered, query, rule) for url in given for rendered in render(url, sites)]


def _wanted(url: str, query: Query | None, rule: QueryRule) -> Wanted:
    if is_pattern(url):
        _check_pattern(url)
        return Wanted(url, query or {}, literal(url))
    address = read_address(url, rule.in_path)
    if address is None:
        raise JudgeError(f"expected.url {url!r} is not a URL")
    last = address.place.rpartition("/")[2]
    part = "" if "%" in last or rule.in_path else last
    return Wanted(address.place, address.query if query is None else query, part)


def _check_pattern(pattern: str) -> None:
    try:
        check_pattern(pattern, re.NOFLAG)
    except re.error as problem:
        raise JudgeError(f"expected.url {pattern!r}: {problem}") from None


def render(text: str, sites: Mapping[str, Site]) -> Iterator[str]:
    """The text with each `__SITE__` replaced, once for every address that the site has, the active one first."""
    names = list(dict.fromkeys(_PLACEHOLDER.findall(text)))
    for bases in product(*(_bases(name, sites) for name in names)):
        base_of = dict(zip(names, bases, strict=True))
        escape = re.escape if is_pattern(text) else str
        yield _PLACEHOLDER.sub(lambda found: escape(base_of[found.group(1)]), text)  # noqa: B023


def rendered(expected: Any, sites: Mapping[str, Site]) -> Any:
    """The same inside an expected value; where a site has several addresses, each is an alternative."""
    if isinstance(expected, dict):
        return {key: rendered(value, sites) for key, value in expected.items()}
    if isinstance(expected, list | tuple):
        return [rendered(value, sites) for value in expected]
    if not isinstance(expected, str) or "__" not in expected or SSH_HOST in expected:
        return expected
    spellings = list(render(expected, sites))
    return spellings[0] if len(spellings) == 1 else spellings


def _bases(name: str, sites: Mapping[str, Site]) -> list[str]:
    site = sites.get(name.lower())
    if site is None:
        raise ConfigError(f"the task names __{name}__, but environments have no {name.lower()!r}")
    return list(dict.fromkeys([site.base, *(url.rstrip("/") for url in site.urls)]))


def _queries_in(path: str) -> tuple[str, list[str]]:
    """Magento writes a filter as a segment of base64: `…/filter/ZnJvbT0…/`."""
    segments, queries = [], []
    for segment in path.split("/"):
        query = _decoded(segment)
        if query is None:
            segments.append(segment)
        else:
            queries.append(query)
    return "/".join(segments), queries


def _decoded(segment: str) -> str | None:
    plain = unquote(segment)
    if not _ENCODED.fullmatch(plain):
        return None
    try:
        text = base64.urlsafe_b64decode(plain + "=" * (-len(plain) % 4)).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None
    return unquote(text).strip().lstrip("?&") if "=" in text else None
