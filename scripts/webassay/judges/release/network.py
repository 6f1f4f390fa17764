"""NetworkEventEvaluator: what was asked and answered, compared in full."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from webassay.core.verdict import Attribution
from webassay.evidence.fields import is_path
from webassay.judges.evaluators import NetworkEventEvaluator
from webassay.judges.release.addresses import Addresses
from webassay.judges.release.bodies import pick, settled
from webassay.judges.release.candidates import candidates, read_expected_url, url_rules
from webassay.judges.release.compare import Comparison, Mismatch
from webassay.judges.release.patterns import TooCostly, found
from webassay.judges.release.result import EvaluatorResult
from webassay.judges.release.schema import Reader, plain
from webassay.judges.release.trace import Event
from webassay.judges.release.urls import UrlRules
from webassay.judges.release.values import STRING, URL, read_value

URL_HEADERS = ("redirect_url", "referer")
MISSING, UNWANTED = "missing_navigation_event", "unexpected_navigation_event"
_INTEGER = re.compile(r"[+-]?\d+(?:_\d+)*(?:\.0+)?", re.ASCII)

Facts = Mapping[str, Any]
"""Of one event, by the names that an expected event has."""


def judge_event(
    evaluator: NetworkEventEvaluator, events: Sequence[Event], addresses: Addresses, *, navigates: bool
) -> EvaluatorResult:
    name, absent = "NetworkEventEvaluator", evaluator.should_not_exist
    normal, chosen, raw = _Normal(evaluator, addresses), [], []
    want: Facts | None = None
    try:
        want = normal.expected()
        matching = candidates(events, evaluator, addresses, navigates)
        chosen = matching[-1:] if evaluator.last_event_only else matching
        raw = [_extracted(events[number], evaluator) for number in chosen]
        have = [normal.actual(one, want) for one in raw]
        mismatches, decided = _compared(want, have, absent)
    except Exception as error:
        problem = f"the event cannot be evaluated: {type(error).__name__}: {error}"
        fault: Attribution = "task" if want is None else "agent"
        return EvaluatorResult(name, raw, None, plain(want), error=problem, fault=fault, should_not_exist=absent)
    evidence = f"network.har#{chosen[decided]}" if chosen else ""
    return EvaluatorResult(name, raw, plain(have), plain(want), mismatches, should_not_exist=absent, evidence=evidence)


def _compared(want: Facts, have: Sequence[Facts], absent: bool) -> tuple[tuple[Mismatch, ...], int]:
    """What is wrong, and the event that decided it: the first that fits, else the last."""
    if absent:
        return ((Mismatch(UNWANTED, f"{len(have)} requests that must not be made"),) if have else ()), -1
    differences: list[Mismatch] = []
    for number, one in enumerate(have):
        differences = Comparison(extra_keys=True).mismatches(want, one, "network_event")
        if not differences:
            return (), number
    why = "; ".join(f"{one.name}: {one.message}" for one in differences)
    return (
        Mismatch(MISSING, f"none of {len(have)} requests fits; the last: {why}" if have else "no such request"),
    ), -1


def _extracted(event: Event, evaluator: NetworkEventEvaluator) -> dict[str, Any]:
    """The parts that the task asks for; what no model of an event can hold is an error."""
    expected = evaluator.expected
    if not event.url:
        raise ValueError("an event without URL")
    event.url.encode()  # raises for lone surrogates
    facts: dict[str, Any] = {
        "url": event.url,
        "http_method": event.method,
        "response_status": _status(event.status),
        "headers": _chosen_headers(event, expected.headers) if expected.headers else None,
        "post_data": event.post_data() if expected.post_data else None,
        "response_content": event.response_content() if expected.response_content else None,
        "response_cookies": _chosen(event.cookies(), expected.response_cookies) if expected.response_cookies else None,
    }
    return {name: settled(value) for name, value in facts.items() if value is not None}


def _chosen_headers(event: Event, wanted: Mapping[str, Any]) -> dict[str, Any] | None:
    sent = {header["name"].lower(): header["value"] for header in event.headers()}
    return {name: sent[name.lower()] for name in wanted if name.lower() in sent} or None


def _chosen(given: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any] | None:
    return {name: given[name] for name in wanted if name in given} or None


def _status(status: Any) -> int:
    """Whole numbers, however they are written."""
    if (isinstance(status, float) and status.is_integer()) or isinstance(status, int):
        return int(status)
    if isinstance(status, str) and _INTEGER.fullmatch(status.strip()):
        return int(status.strip().partition(".")[0])
    raise ValueError(f"the status {status!r} is no whole number")


@dataclass(frozen=True)
class _Normal:
    """Both sides of one evaluator, read for comparison."""

    evaluator: NetworkEventEvaluator
    addresses: Addresses

    def expected(self) -> Facts:
        wanted = self.evaluator.expected
        rules, reader = url_rules(self.evaluator, self.addresses, strict=True), Reader(True, self.addresses)
        facts: dict[str, Any] = {
            "url": read_expected_url(wanted.url, replace(rules, given=wanted.query_params)),
            "http_method": wanted.http_method,
            "response_status": wanted.response_status,
            "post_data": self._posted(settled(wanted.post_data), reader),
            "response_content": settled(wanted.response_content) or None,
            "response_cookies": _cookies(settled(wanted.response_cookies), reader),
        }
        return facts if wanted.headers is None else facts | {"headers": self._headers(settled(wanted.headers), rules)}

    def actual(self, given: Facts, want: Facts) -> Facts:
        rules, reader = url_rules(self.evaluator, self.addresses, strict=False), Reader(False, self.addresses)
        content, wanted_content = given.get("response_content"), want["response_content"]
        if content and wanted_content:
            keys = [key.strip() for key in wanted_content]
            content = {key: pick(content, key) for key in keys if is_path(key) or key in content}
        facts = {
            "url": _read_url(given["url"], rules),
            "http_method": given["http_method"],
            "response_status": given["response_status"],
            "post_data": self._posted(given.get("post_data"), reader, want["post_data"]),
            "response_content": content or None if not given.get("response_content") else content,
            "response_cookies": _cookies(given.get("response_cookies"), reader),
        }
        headers = given.get("headers")
        return facts if headers is None else facts | {"headers": self._headers(headers, rules)}

    def _posted(self, fields: Any, reader: Reader, want: Facts | None = None) -> Any:
        """Without the ignored fields; of the actual ones only those that are expected, null where they are missing."""
        if not fields:
            return None
        fields = {name: value for name, value in fields.items() if not self._is_ignored(name)}
        if want:
            fields = {key: pick(fields, key) for key in map(str.strip, want)}
        return reader.fields(fields, self.evaluator.post_data_schema) if fields else fields

    def _is_ignored(self, name: str) -> bool:
        return any(_finds(pattern, name) for pattern in self.evaluator.ignored_post_data_params_patterns)

    def _headers(self, headers: Facts, rules: UrlRules) -> Facts:
        return {
            name: _read_url(value, rules) if name in URL_HEADERS and value else self._header(value)
            for name, value in headers.items()
        }

    def _header(self, value: Any) -> Any:
        """As a string, an address in it replaced by its placeholder; as it is, if that fails."""
        try:
            derender = self.addresses.derender
            return read_value(STRING, list(map(derender, value)) if isinstance(value, list) else derender(value))
        except TooCostly:
            raise
        except Exception:
            return value


def _read_url(value: Any, rules: UrlRules) -> Any:
    try:
        return read_value(URL, value, rules=rules)
    except Exception:
        if rules.strict:
            raise
        return value


def _cookies(cookies: Facts | None, reader: Reader) -> Facts | None:
    plain_reader = Reader(reader.strict)
    return {name: plain_reader.value_or_raw(STRING, value) for name, value in cookies.items()} if cookies else None


def _finds(pattern: str, name: str) -> bool:
    try:
        return found("search", pattern, name, of_task=True)
    except re.error:
        return False
