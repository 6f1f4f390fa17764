"""Which events of a trace an evaluator looks at: those of its method and path, or the last navigation."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlparse

from webassay.judges.evaluators import NetworkEventEvaluator
from webassay.judges.release.addresses import Addresses
from webassay.judges.release.schema import Reader
from webassay.judges.release.trace import Event
from webassay.judges.release.urls import Url, UrlRules, read_base, same_base
from webassay.judges.release.values import URL, Value, read_value

STATIC = (".css", ".js", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".woff", ".woff2", ".ttf", ".ico", ".webp")
_PLAIN_URL = re.compile(r"https?://[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*(?::\d+)?(?:[/?#][!-~]*)?", re.IGNORECASE)
_PLAIN_SEGMENT = re.compile(r"[a-z0-9_-][a-z0-9._-]*")


def url_rules(evaluator: NetworkEventEvaluator, addresses: Addresses, *, strict: bool) -> UrlRules:
    schema = evaluator.query_params_schema
    return UrlRules(
        addresses,
        strict,
        renders=True,
        decode_base64=evaluator.decode_base64_query,
        ignored=frozenset(evaluator.ignored_query_params),
        ignored_patterns=evaluator.ignored_query_params_patterns,
        typed=(lambda query: Reader(strict).fields(query, schema)) if schema else None,
    )


def read_expected_url(urls: Any, rules: UrlRules) -> Value:
    return read_value(URL, list(urls) if isinstance(urls, tuple) else urls, rules=rules)


def candidates(
    events: Sequence[Event], evaluator: NetworkEventEvaluator, addresses: Addresses, navigates: bool
) -> list[int]:
    """The numbers of all of them; the evaluator then compares the last or any."""
    method = evaluator.expected.http_method
    if navigates and method == "GET":
        return _last_navigation(events, dynamic(events, lambda event: event.method == "GET"))
    rules = url_rules(evaluator, addresses, strict=True)
    url = read_expected_url(evaluator.expected.url, rules)
    headers = evaluator.expected.headers or {}
    referer = read_expected_url(headers["referer"], rules) if "referer" in headers else None
    may_fit, lenient = _prefilter(url), replace(rules, strict=False)
    return [
        number
        for number in dynamic(events, lambda event: not method or event.method.lower() == method.lower())
        if may_fit(events[number].url)
        and _has_path(url, read_base(events[number].url.strip(), lenient)[0])
        and _comes_from(referer, events[number], lenient)
    ]


def dynamic(events: Sequence[Event], asked: Callable[[Event], bool] = lambda event: True) -> list[int]:
    """Events that are asked for and no static files.

    A URL that cannot be parsed, anywhere in the trace, is an error; what else is broken in a static one is no matter.
    So the fast way may fail where the release's own order would not.
    """
    try:
        urls = [event.url for event in events]
        _refuse_unparsable(urls)
        return [number for number, event in enumerate(events) if asked(event) and not is_static(urls[number])]
    except Exception:
        found = [number for number, event in enumerate(events) if not urlparse(event.url).path.endswith(STATIC)]
        return [number for number in found if asked(events[number])]


def is_static(url: str) -> bool:
    """By the end of the path; most URLs need not be parsed for that."""
    head = url.partition("#")[0].partition("?")[0]
    if ";" not in head and head.isprintable():
        if not head.endswith(STATIC):
            return False
        if head.startswith(("http://", "https://")) and "/" in head[8:]:
            return True
    return urlparse(url).path.endswith(STATIC)


def _refuse_unparsable(urls: Sequence[str]) -> None:
    """Only brackets and odd letters can make a URL unparsable."""
    text = "\n".join(urls)
    if "[" not in text and "]" not in text and text.isascii():
        return
    for url in urls:
        if "[" in url or "]" in url or not url.isascii():
            urlparse(url)


def _last_navigation(events: Sequence[Event], pages: Sequence[int]) -> list[int]:
    """All are looked at, since a broken one anywhere is an error."""
    return [number for number in pages if _is_navigation(events[number].lower_headers())][-1:]


def _is_navigation(headers: Mapping[str, str]) -> bool:
    """By the headers of the request alone: neither the answer nor the frame counts."""
    accept = headers.get("accept", "")
    if "sec-fetch-user" not in headers:
        return accept.startswith("text/html")
    asked = (headers.get("sec-fetch-dest"), headers.get("sec-fetch-mode"), headers["sec-fetch-user"])
    return asked == ("document", "navigate", "?1") and "text/html" in accept


def _has_path(expected: Value, url: Url) -> bool:
    render = expected.rules.render if expected.rules else str
    return any(same_base(one, url, render) for one in expected.alternatives)


def _comes_from(expected: Value | None, event: Event, rules: UrlRules) -> bool:
    """An event that names no referer passes."""
    referer = event.lower_headers().get("referer")
    if expected is None or not referer:
        return True
    try:
        url, _ = read_base(referer.strip(), rules)
    except Exception:
        url = Url(referer.rstrip("/"), {})
    return _has_path(expected, url)


def _prefilter(expected: Value) -> Callable[[str], bool]:
    """A cheap test that refuses only what the full reading would refuse too.

    The last plain segment of an expected path must stand in a URL as it is, unless the URL has escapes or is no plain
    http address; reading a plain address never fails.
    """
    segments = [_last_segment(url) for url in expected.alternatives]
    if not all(segments):
        return lambda url: True

    def may_fit(url: str) -> bool:
        head = url if "#" in url else url.partition("?")[0]
        if "%" in head or not _PLAIN_URL.fullmatch(url):
            return True
        head = head.lower()
        return any(segment in head for segment in segments)

    return may_fit


def _last_segment(url: Url) -> str:
    _, *segments = url.base.lower().rstrip("/").split("/")
    plain = bool(segments) and not url.is_pattern and "#" not in url.base and _PLAIN_SEGMENT.fullmatch(segments[-1])
    return f"/{segments[-1]}" if plain else ""
