"""NetworkEventEvaluator as the paper means it: requests that the trace must hold, or must not."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import unquote

import msgspec

from webassay.core.verdict import Assertion
from webassay.errors import TrajectoryError
from webassay.evidence.activity import leads_to_login
from webassay.evidence.body import decode_body
from webassay.evidence.fields import by_path, by_pattern, is_path, name_pattern
from webassay.evidence.har import Events, NetworkEvent, find, is_page, last_document
from webassay.evidence.site import Site
from webassay.judges.address import Query, read_address, rendered
from webassay.judges.evaluators import NetworkEventEvaluator
from webassay.judges.question import Question, ask, named, properties_of, schema_of
from webassay.matching.compare import compare, normalized
from webassay.matching.tolerance import Tolerances
from webassay.matching.value import shown

READS = ("GET", "HEAD")
MAX_TOLD = 500
MAX_LISTED = 20
"""Of what was sent, in an explanation."""


def check_events(
    evaluators: Sequence[NetworkEventEvaluator],
    events: Events,
    sites: Mapping[str, Site],
    action: str,
    tolerances: Tolerances,
) -> list[Assertion]:
    questions = [ask(one, sites, tolerances) for one in evaluators]
    return [_check(f"network.{number}", one, questions, events, action) for number, one in enumerate(questions, 1)]


def _check(name: str, question: Question, questions: Sequence[Question], events: Events, action: str) -> Assertion:
    """The last request to the address decides, or any of them where the task says so (`last_event_only: false`).

    Requests that were refused changed nothing and do not count. A page to navigate to is where the browser ended, or
    what that page asked for since. Where several requests to one address are expected, there may be no others to it.
    """
    evaluator, sites = question.evaluator, question.sites
    sent = [number for number in _scope(question, events, action) if events[number].request.method in question.methods]
    asked = [number for number in sent if _is_asked(question, events[number])]
    if _is_to_navigate(question, action):
        asked = [number for number in asked if _moves_on(question, events, events[number])]
    if evaluator.should_not_exist:
        reason = f"{named(evaluator)} must not be requested, and was" if asked else ""
        return _assertion(name, not asked, question, events, asked[-1:], reason)
    tried = [number for number in asked if _took_effect(evaluator, events[number], sites)] or asked
    tried = tried[-1:] if evaluator.last_event_only else tried
    problems = [_difference(question, events[number]) for number in tried]
    siblings = [one for one in questions if one.evaluator.expected.url == evaluator.expected.url]
    if len(siblings) > 1 and (stray := _stray(siblings, events, tried)) is not None:
        return _assertion(
            name, False, question, events, [stray], f"{named(evaluator)}: a request that nobody asked for"
        )
    if "" in problems:
        return _assertion(name, True, question, events, [tried[problems.index("")]], "")
    reason = f"{named(evaluator)}: {problems[-1]}" if problems else _missing(evaluator, events, action)
    return _assertion(name, False, question, events, tried[-1:], reason)


def _stray(siblings: Sequence[Question], events: Events, tried: Sequence[int]) -> int | None:
    """A write that none of the evaluators of this address expects."""
    writes = (number for number in tried if events[number].method not in READS)
    return next((number for number in writes if all(_difference(one, events[number]) for one in siblings)), None)


def _is_to_navigate(question: Question, action: str) -> bool:
    return action == "navigate" and "GET" in question.methods and not question.evaluator.should_not_exist


def _scope(question: Question, events: Events, action: str) -> range:
    if not (_is_to_navigate(question, action) and question.evaluator.last_event_only):
        return range(len(events))
    end = last_document(events)
    return range(0) if end is None else range(end, len(events))


def _is_asked(question: Question, event: NetworkEvent) -> bool:
    """The place, and the page it came from; of a write also the parameters that name what is written to."""
    if not any(one.may_be_at(event.url) for one in question.wanted) or not _is_own_doing(event):
        return False
    address = read_address(event.url, question.rule.in_path)
    if address is None:
        return False
    at = [one for one in question.wanted if one.is_at(address)]
    if event.method not in READS and not question.evaluator.should_not_exist:
        at = [one for one in at if not question.rule.differs(one.query, _only(address.query, one.query))]
    return bool(at) and _comes_from(question, event)


def _only(query: Query, names: Query) -> Query:
    return {name: query[name] for name in names if name in query}


def _is_own_doing(event: NetworkEvent) -> bool:
    """A picture or a style sheet is no act of the agent's, whatever its address."""
    return event.method not in READS or event.is_document or event.is_script_call


def _moves_on(question: Question, events: Events, event: NetworkEvent) -> bool:
    """A script can ask for any page and show nothing of it; where a service is expected, nobody else would."""
    return is_page(events, event) or event.replaces_page or (question.of_service and event.is_script_call)


def _comes_from(question: Question, event: NetworkEvent) -> bool:
    if not question.referers:
        return True
    referer = read_address(find(event.request.headers, "referer") or "")
    return referer is not None and any(one.is_at(referer) for one in question.referers)


def _took_effect(evaluator: NetworkEventEvaluator, event: NetworkEvent, sites: Mapping[str, Site]) -> bool:
    """A form that is shown again where a redirect was expected was not taken either."""
    expected = evaluator.expected.response_status
    shown_again = 300 <= expected < 400 and 200 <= event.status < 300
    refused = not 0 < event.status < 400 or shown_again or leads_to_login(event, sites.values())
    return _is_status(expected, event) if refused else True


def _is_status(expected: int, event: NetworkEvent) -> bool:
    """A page out of the cache is that page, both redirects after a form are one, and no answer is 0 or -1."""
    if event.status == expected:
        return True
    same = {200: 304 if event.method in READS else None, 302: 303, 303: 302, -1: 0, 0: -1}
    return same.get(expected) == event.status


def _difference(question: Question, event: NetworkEvent) -> str:
    """Why this request is not the expected one; empty when it is."""
    return next(_differences(question, event), "")


def _differences(question: Question, event: NetworkEvent) -> Iterator[str]:
    expected = question.evaluator.expected
    if not _is_status(expected.response_status, event):
        yield f"it was answered {event.status}, expected {expected.response_status}"
    if leads_to_login(event, question.sites.values()):
        yield "it was answered with a redirect to the login page"
    if any(site.owns(event.url) and site.shows_login(event) for site in question.sites.values()):
        yield "it was answered with the login form"
    address = read_address(event.url, question.rule.in_path)
    at = [one for one in question.wanted if address and one.is_at(address)]
    queries = [question.rule.differs(one.query, address.query) for one in at if address]
    if queries and "" not in queries:
        yield queries[0]
    yield from _header_differences(question, event)
    yield from _body_differences(question, event)
    yield from _cookie_differences(question, event)


def _header_differences(question: Question, event: NetworkEvent) -> Iterator[str]:
    for name, want in (question.evaluator.expected.headers or {}).items():
        have = find(event.request.headers, name.lower())
        if name.lower() == "referer":
            address = read_address(have or "")
            query = address.query if address else {}
            if all(question.rule.differs(one.query, query) for one in question.referers):
                yield f"header {name} is {have!r}"
        elif reason := _unequal(question, want, have or ""):
            yield f"header {name}: {reason}"


def _body_differences(question: Question, event: NetworkEvent) -> Iterator[str]:
    evaluator, expected = question.evaluator, question.evaluator.expected
    schemas = properties_of(evaluator.post_data_schema)
    if expected.post_data:
        fields = _posted(event)
        for key, want in expected.post_data.items():
            ignored = any(re.search(one, key) for one in evaluator.ignored_post_data_params_patterns)
            if not ignored and (reason := _unequal(question, want, _picked(fields, key), schemas.get(key))):
                yield f"posted {key}: {reason}"
    if expected.response_content:
        fields = decode_body(event.response.body) if event.response.body else None
        for key, want in expected.response_content.items():
            if reason := _unequal(question, want, _picked(fields, key)):
                yield f"answered {key}: {reason}"


def _posted(event: NetworkEvent) -> Any:
    """What the recorder left out is not the agent's omission."""
    body = event.request.body
    if body is None:
        return None
    if not body.text and not body.params and (event.request.body_size > 0 or body.file or body.sha1):
        raise TrajectoryError(f"the recording has not what was posted to {event.url[:200]}; record it with bodies")
    return decode_body(body)


def _picked(fields: Any, key: str) -> Any:
    """The one value that a key of the expected body finds, or all where it finds several."""
    if not is_path(key):
        return fields.get(key) if isinstance(fields, dict) else None
    pattern = name_pattern(key)
    try:
        found = by_path(fields, key) if pattern is None else by_pattern(fields, pattern)
    except (ValueError, TypeError, RecursionError):  # JSON within JSON that is none: numbers without end, depths
        return None
    return found[0] if len(found) == 1 else found or None


def _cookie_differences(question: Question, event: NetworkEvent) -> Iterator[str]:
    if not question.evaluator.expected.response_cookies:
        return
    given = {cookie.name: unquote(cookie.value) for cookie in event.response.set_cookies}
    for name, want in (question.evaluator.expected.response_cookies or {}).items():
        if reason := _unequal(question, want, given.get(name)):
            yield f"cookie {name}: {reason}"


def _unequal(question: Question, want: Any, have: Any, given: Mapping[str, Any] | None = None) -> str:
    """Why not, in words. Forms know only text, so a number may come as one, and a list as its only item."""
    if want is None:
        return "" if have in (None, "") else f"{shown(have)} given, expected nothing"
    if have is None:
        return "it is absent"
    schema = schema_of(want, given)
    if schema.get("type") == "array":
        have = list(have) if isinstance(have, list | tuple) else [have]
    elif schema.get("type") == "string" and isinstance(have, int | float):
        have = str(have).lower() if isinstance(have, bool) else str(have)
    return compare(schema, rendered(want, question.sites), have, tolerances=question.tolerances).reason


def _missing(evaluator: NetworkEventEvaluator, events: Events, action: str) -> str:
    if action != "navigate" or not evaluator.last_event_only:
        return f"no request {named(evaluator)}"
    end = last_document(events)
    page = "no page was loaded" if end is None else f"its last page is {events[end].url[:200]!r}"
    return f"the browser did not end at {named(evaluator)}: {page}"


def _assertion(name: str, passed: bool, question: Question, events: Events, found: list[int], reason: str) -> Assertion:
    seen = [events[number] for number in found]
    actual = [_compared(question, event) for event in seen]
    schemas = properties_of(question.evaluator.post_data_schema)
    typed = [
        {key: normalized(schemas[key], value) for key, value in one["post_data"].items() if schemas.get(key)}
        for one in actual
        if "post_data" in one
    ]
    return Assertion(
        name,
        passed,
        expected=msgspec.to_builtins(question.evaluator),
        actual=actual or None,
        normalized=typed if any(typed) else None,
        evidence=f"network.har#{found[-1]}" if found else "",
        reason=reason,
        fault="site" if not passed and any(one.status >= 500 for one in seen) else None,
    )


def _compared(question: Question, event: NetworkEvent) -> dict[str, Any]:
    """What of the request was held against the task; cookies are nobody's business."""
    expected = question.evaluator.expected
    told: dict[str, Any] = {"method": event.method, "url": event.url[:500], "status": event.status}
    if expected.query_params and (address := read_address(event.url, question.rule.in_path)):
        told["query"] = {key: _brief(list(address.query.get(key, ()))) for key in expected.query_params}
    if expected.post_data and event.request.body is not None:
        fields = decode_body(event.request.body)
        told["post_data"] = {key: _brief(_picked(fields, key)) for key in expected.post_data}
    if expected.response_content and event.response.body is not None:
        fields = decode_body(event.response.body)
        told["response_content"] = {key: _brief(_picked(fields, key)) for key in expected.response_content}
    return told


def _brief(value: Any) -> Any:
    """As it was sent, where that is short and can be written down."""
    if isinstance(value, list | tuple) and len(value) <= MAX_LISTED:
        return [_brief(one) for one in value]
    if value is None or isinstance(value, bool | float):
        return value
    if isinstance(value, int) and value.bit_length() < 64:
        return value
    if isinstance(value, str) and len(value) <= MAX_TOLD:
        return value.encode("utf-8", "replace").decode()
    return shown(value)
