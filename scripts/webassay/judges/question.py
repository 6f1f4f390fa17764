"""What an evaluator of requests asks of a trace, made ready once: addresses rendered, types known, mistakes told."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from webassay.errors import JudgeError
from webassay.evidence.fields import is_path, name_pattern, parsed_path
from webassay.evidence.site import Site
from webassay.judges.address import TEXTS, QueryRule, Wanted, rendered, wanted_addresses
from webassay.judges.evaluators import NetworkEventEvaluator
from webassay.matching.compare import check_expectation
from webassay.matching.pattern import check_pattern
from webassay.matching.tolerance import Tolerances

_SERVICE = re.compile(r"/(?:route|mui/index/render|api|graphql)(?![\w.-])")
"""In an expected address."""


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
    of_service: bool
    """No browser shows what is at this address: a route, the rows of a table."""


def ask(evaluator: NetworkEventEvaluator, sites: Mapping[str, Site], tolerances: Tolerances) -> Question:
    expected, method = evaluator.expected, evaluator.expected.http_method.upper()
    rule = QueryRule(
        evaluator.ignored_query_params,
        evaluator.ignored_query_params_patterns,
        evaluator.decode_base64_query,
        properties_of(evaluator.query_params_schema),
    )
    wanted = wanted_addresses(expected.url, expected.query_params, sites, rule)
    named = [value for key, value in (expected.headers or {}).items() if key.lower() == "referer"]
    referers = [one for referer in named for one in wanted_addresses(referer, None, sites, rule)]
    _check_expectations(evaluator, sites)
    of_service = any(_SERVICE.search(one.place) for one in wanted)
    return Question(evaluator, wanted, referers, rule, sites, tolerances, (method, method.lower()), of_service)


def _check_expectations(evaluator: NetworkEventEvaluator, sites: Mapping[str, Site]) -> None:
    """What is wrong with the task is found whatever the agent did."""
    expected, schemas = evaluator.expected, properties_of(evaluator.post_data_schema)
    groups = (expected.post_data, expected.response_content, expected.headers, expected.response_cookies)
    try:
        for one in (*evaluator.ignored_query_params_patterns, *evaluator.ignored_post_data_params_patterns):
            re.compile(one)
        for group in groups:
            for key, want in (group or {}).items():
                _check_key(key)
                if want is not None:
                    check_expectation(schema_of(want, schemas.get(key)), rendered(want, sites))
        for key, values in (expected.query_params or {}).items():
            check_expectation(properties_of(evaluator.query_params_schema).get(key, TEXTS), list(values))
    except (JudgeError, re.error, RecursionError) as error:
        raise JudgeError(f"{named(evaluator)}: {error}") from None


def _check_key(key: str) -> None:
    pattern = name_pattern(key)
    if pattern is not None:
        check_pattern(pattern)
    elif is_path(key):
        parsed_path(key)


def properties_of(schema: Mapping[str, Any] | None) -> Mapping[str, Any]:
    properties = (schema or {}).get("properties", {})
    if not isinstance(properties, dict) or not all(isinstance(one, dict) for one in properties.values()):
        raise JudgeError("properties of a schema must be schemas by name")
    return properties


def schema_of(want: Any, schema: Mapping[str, Any] | None) -> dict[str, Any]:
    """Without a schema the expected value tells its type."""
    if schema:
        return dict(schema)
    sample = want[0] if isinstance(want, list | tuple) and want else want
    if isinstance(sample, bool):
        return {"type": "boolean"}
    return {"type": "number" if isinstance(sample, int | float) else "text"}


def named(evaluator: NetworkEventEvaluator) -> str:
    return f"{evaluator.expected.http_method} {evaluator.expected.url}"
