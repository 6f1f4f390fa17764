"""NetworkEventEvaluator: requests that the trace must hold, or must not."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Literal
from urllib.parse import urldefrag

import msgspec

from webassay.core.verdict import Assertion
from webassay.errors import ConfigError, JudgeError
from webassay.evidence.activity import Site
from webassay.evidence.har import NetworkEvent, last_document
from webassay.matching.compare import is_pattern, matches_pattern
from webassay.matching.url import read_url
from webassay.matching.value import NotOfType

_PLACEHOLDER = re.compile(r"__([A-Z0-9]+(?:_[A-Z0-9]+)*)__")


class ExpectedEvent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An option that stands in a task and not here is refused, never passed over."""

    url: str | tuple[str, ...]
    """A list holds alternatives; `^…$` is a pattern for the whole address."""
    http_method: Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] = "GET"
    response_status: int = 200


class NetworkEventEvaluator(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="evaluator", tag="NetworkEventEvaluator"
):
    expected: ExpectedEvent
    should_not_exist: bool = False
    """Then method and address alone decide, whatever the answer was."""


def check_event(
    name: str, evaluator: NetworkEventEvaluator, events: Sequence[NetworkEvent], sites: Mapping[str, Site], action: str
) -> Assertion:
    """A page to navigate to must be where the browser ended; any other request may be anywhere in the trace."""
    expected = evaluator.expected
    addresses = list(_addresses(expected.url, sites))
    candidates, missing = range(len(events)), f"no request {expected.http_method} {expected.url}"
    if action == "navigate" and expected.http_method == "GET" and not evaluator.should_not_exist:
        end = last_document(events)
        candidates = range(0) if end is None else range(end, end + 1)
        missing = f"the browser did not end at {expected.url}: {_page(end, events)}"
    asked = [number for number in candidates if _is_asked(expected, addresses, events[number])]
    if evaluator.should_not_exist:
        reason = f"{expected.http_method} {expected.url} must not be requested, and was" if asked else ""
        return _assertion(name, not asked, asked, evaluator, reason)
    answered = [number for number in asked if events[number].status == expected.response_status]
    if answered:
        return _assertion(name, True, answered, evaluator, "")
    statuses = sorted({events[number].status for number in asked})
    wrong = f"{expected.http_method} {expected.url} was answered {statuses}, expected {expected.response_status}"
    return _assertion(name, False, asked, evaluator, wrong if asked else missing)


def render(text: str, sites: Mapping[str, Site]) -> Iterator[str]:
    """The text with each `__SITE__` replaced, once for every address that the site has, the active one first."""
    names = list(dict.fromkeys(_PLACEHOLDER.findall(text)))
    choices = [_bases(name, sites) for name in names]
    for bases in product(*choices):
        base_of = dict(zip(names, bases, strict=True))
        escape = re.escape if is_pattern(text) else str
        yield _PLACEHOLDER.sub(lambda found: escape(base_of[found.group(1)]), text)  # noqa: B023


def _bases(name: str, sites: Mapping[str, Site]) -> list[str]:
    site = sites.get(name.lower())
    if site is None:
        raise ConfigError(f"the task names __{name}__, but environments have no {name.lower()!r}")
    return list(dict.fromkeys([site.base, *(url.rstrip("/") for url in site.urls)]))


def _addresses(urls: str | tuple[str, ...], sites: Mapping[str, Site]) -> Iterator[str]:
    for url in (urls,) if isinstance(urls, str) else urls:
        for rendered in render(url, sites):
            try:
                if is_pattern(rendered):
                    re.compile(rendered)
                yield rendered if is_pattern(rendered) else _canonical(rendered)
            except (NotOfType, re.error) as problem:
                raise JudgeError(f"expected.url {url!r}: {problem}") from None


def _is_asked(expected: ExpectedEvent, addresses: Sequence[str], event: NetworkEvent) -> bool:
    if event.method != expected.http_method:
        return False
    try:
        address = _canonical(event.url)
    except NotOfType:
        return False
    sent = urldefrag(event.url).url
    return any(matches_pattern(one, sent, re.NOFLAG) if is_pattern(one) else one == address for one in addresses)


def _canonical(url: str) -> str:
    """Without the fragment, which never goes over the wire."""
    return read_url(urldefrag(url).url)


def _page(number: int | None, events: Sequence[NetworkEvent]) -> str:
    return "no page was loaded" if number is None else f"its last page is {events[number].url[:200]!r}"


def _assertion(
    name: str, passed: bool, found: Sequence[int], evaluator: NetworkEventEvaluator, reason: str
) -> Assertion:
    evidence = f"network.har#{found[-1]}" if found else ""
    return Assertion(name, passed, expected=msgspec.to_builtins(evaluator), evidence=evidence, reason=reason)
