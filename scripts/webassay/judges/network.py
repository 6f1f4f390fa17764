"""NetworkEventEvaluator as the paper means it: requests that the trace must hold, or must not."""

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

import msgspec

from webassay.core.verdict import Assertion
from webassay.evidence.activity import Site, leads_to_login
from webassay.evidence.body import decode_body
from webassay.evidence.fields import by_path, by_pattern, is_path, name_pattern
from webassay.evidence.har import Body, Events, NetworkEvent, find, last_document
from webassay.judges.address import QueryRule, Wanted, read_address, rendered, wanted_addresses
from webassay.judges.evaluators import NetworkEventEvaluator
from webassay.matching.compare import compare
from webassay.matching.tolerance import Tolerances

READS = ("GET", "HEAD")


class Question(msgspec.Struct, frozen=True):
    """An evaluator made ready for one trace: addresses rendered once, not for every event."""

    evaluator: NetworkEventEvaluator
    wanted: list[Wanted]
    referers: list[Wanted]
    rule: QueryRule
    sites: Mapping[str, Site]
    tolerances: Tolerances
    methods: tuple[str, str]
    """In both spellings that recorders use."""


def check_event(
    name: str,
    evaluator: NetworkEventEvaluator,
    events: Events,
    sites: Mapping[str, Site],
    action: str,
    tolerances: Tolerances,
) -> Assertion:
    """The last request to the address decides, or any of them where the task says so (`last_event_only: false`).

    Requests that were refused changed nothing and do not count. A page to navigate to is where the browser ended, or
    what that page asked for since.
    """
    question = _question(evaluator, sites, tolerances)
    sent = [number for number in _scope(question, events, action) if events[number].request.method in question.methods]
    asked = [number for number in sent if _is_asked(question, events[number])]
    if evaluator.should_not_exist:
        reason = f"{_named(evaluator)} must not be requested, and was" if asked else ""
        return _assertion(name, not asked, evaluator, events, asked[-1:], reason)
    tried = [number for number in asked if _took_effect(evaluator, events[number], sites)] or asked
    tried = tried[-1:] if evaluator.last_event_only else tried
    problems = [_difference(question, events[number]) for number in tried]
    if "" in problems:
        return _assertion(name, True, evaluator, events, [tried[problems.index("")]], "")
    reason = f"{_named(evaluator)}: {problems[-1]}" if problems else _missing(evaluator, events, action)
    return _assertion(name, False, evaluator, events, tried[-1:], reason)


def _question(evaluator: NetworkEventEvaluator, sites: Mapping[str, Site], tolerances: Tolerances) -> Question:
    expected, method = evaluator.expected, evaluator.expected.http_method.upper()
    rule = QueryRule(
        evaluator.ignored_query_params,
        evaluator.ignored_query_params_patterns,
        evaluator.decode_base64_query,
        (evaluator.query_params_schema or {}).get("properties", {}),
    )
    wanted = wanted_addresses(expected.url, expected.query_params, sites, rule)
    named = [value for key, value in (expected.headers or {}).items() if key.lower() == "referer"]
    referers = [one for referer in named for one in wanted_addresses(referer, None, sites, rule)]
    return Question(evaluator, wanted, referers, rule, sites, tolerances, (method, method.lower()))


def _scope(question: Question, events: Events, action: str) -> range:
    evaluator = question.evaluator
    anywhere = evaluator.should_not_exist or not evaluator.last_event_only
    if anywhere or action != "navigate" or "GET" not in question.methods:
        return range(len(events))
    end = last_document(events)
    return range(0) if end is None else range(end, len(events))


def _is_asked(question: Question, event: NetworkEvent) -> bool:
    """The place; of a write the query too, since it names what is written to; and the page it came from."""
    if not any(one.may_be_at(event.url) for one in question.wanted) or not _is_own_doing(event):
        return False
    address = read_address(event.url, question.rule.in_path)
    if address is None:
        return False
    at = [one for one in question.wanted if one.is_at(address)]
    if event.method not in READS:
        at = [one for one in at if not question.rule.differs(one.query, address.query)]
    return bool(at) and _comes_from(question, event)


def _is_own_doing(event: NetworkEvent) -> bool:
    """A picture or a style sheet is no act of the agent's, whatever its address."""
    return event.method not in READS or event.is_document or event.is_script_call


def _comes_from(question: Question, event: NetworkEvent) -> bool:
    if not question.referers:
        return True
    referer = read_address(find(event.request.headers, "referer") or "")
    return referer is not None and any(one.is_at(referer) for one in question.referers)


def _took_effect(evaluator: NetworkEventEvaluator, event: NetworkEvent, sites: Mapping[str, Site]) -> bool:
    refused = not 0 < event.status < 400 or leads_to_login(event, sites.values())
    return event.status == evaluator.expected.response_status if refused else True


def _difference(question: Question, event: NetworkEvent) -> str:
    """Why this request is not the expected one; empty when it is."""
    return next(_differences(question, event), "")


def _differences(question: Question, event: NetworkEvent) -> Iterator[str]:
    expected = question.evaluator.expected
    if event.status != expected.response_status:
        yield f"it was answered {event.status}, expected {expected.response_status}"
    if leads_to_login(event, question.sites.values()):
        yield "it was answered with a redirect to the login page"
    address = read_address(event.url, question.rule.in_path)
    queries = [question.rule.differs(one.query, address.query) for one in question.wanted if address]
    if "" not in queries:
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
    schemas = (evaluator.post_data_schema or {}).get("properties", {})
    if expected.post_data:
        fields = _fields(event.request.body)
        for key, want in expected.post_data.items():
            ignored = any(re.search(one, key) for one in evaluator.ignored_post_data_params_patterns)
            if not ignored and (reason := _unequal(question, want, _picked(fields, key), schemas.get(key))):
                yield f"posted {key}: {reason}"
    if expected.response_content:
        fields = _fields(event.response.body)
        for key, want in expected.response_content.items():
            if reason := _unequal(question, want, _picked(fields, key)):
                yield f"answered {key}: {reason}"


def _fields(body: Body | None) -> Any:
    """Of a form one value for each field, unless several were sent: those are not one of them."""
    if body is None:
        return None
    decoded = decode_body(body.mime_type, body.text or "", body.params)
    if "json" in body.mime_type or decoded is None:
        return decoded
    return {name: values[0] if len(values) == 1 else values for name, values in decoded.items()}


def _picked(fields: Any, key: str) -> Any:
    """The one value that a key of the expected body finds, or all where it finds several."""
    if not is_path(key):
        return fields.get(key) if isinstance(fields, dict) else None
    pattern = name_pattern(key)
    found = by_path(fields, key) if pattern is None else by_pattern(fields, pattern)
    return found[0] if len(found) == 1 else found or None


def _cookie_differences(question: Question, event: NetworkEvent) -> Iterator[str]:
    given = {cookie.name: unquote(cookie.value) for cookie in event.response.cookies}
    for name, want in (question.evaluator.expected.response_cookies or {}).items():
        if reason := _unequal(question, want, given.get(name)):
            yield f"cookie {name}: {reason}"


def _unequal(question: Question, want: Any, have: Any, schema: Mapping[str, Any] | None = None) -> str:
    """Without a schema the expected value tells its type; forms know only text, so a number may come as one."""
    if want is None:
        return "" if have in (None, "") else f"{have!r:.100} given, expected nothing"
    if have is None:
        return "it is absent"
    schema = schema or {"type": _type_of(want)}
    if schema.get("type") == "array":
        have = list(have) if isinstance(have, list | tuple) else [have]
    elif schema.get("type") == "string" and isinstance(have, int | float):
        have = str(have).lower() if isinstance(have, bool) else str(have)
    found = compare(dict(schema), rendered(want, question.sites), have, tolerances=question.tolerances)
    return found.reason


def _type_of(want: Any) -> str:
    sample = want[0] if isinstance(want, list) and want else want
    if isinstance(sample, bool):
        return "boolean"
    return "number" if isinstance(sample, int | float) else "string"


def _missing(evaluator: NetworkEventEvaluator, events: Events, action: str) -> str:
    if action != "navigate" or not evaluator.last_event_only:
        return f"no request {_named(evaluator)}"
    end = last_document(events)
    page = "no page was loaded" if end is None else f"its last page is {events[end].url[:200]!r}"
    return f"the browser did not end at {_named(evaluator)}: {page}"


def _named(evaluator: NetworkEventEvaluator) -> str:
    return f"{evaluator.expected.http_method} {evaluator.expected.url}"


def _assertion(
    name: str, passed: bool, evaluator: NetworkEventEvaluator, events: Events, found: list[int], reason: str
) -> Assertion:
    seen = [events[number] for number in found]
    return Assertion(
        name,
        passed,
        expected=msgspec.to_builtins(evaluator),
        actual=[{"method": one.method, "url": one.url[:500], "status": one.status} for one in seen] or None,
        evidence=f"network.har#{found[-1]}" if found else "",
        reason=reason,
        fault="site" if not passed and any(one.status >= 500 for one in seen) else None,
    )
