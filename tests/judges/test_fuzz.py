"""Hostile answers, recordings and tasks, seeded: a verdict with a reason every time, soon, and never a pass.

A thousand of them in `make test`, a hundred thousand in `make test-all`.
"""

import json
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from tests.judges.test_wav_tasks import ENVIRONMENTS
from webassay.core.task import task_from_record
from webassay.core.verdict import Verdict
from webassay.judges.lint.ideal import Case, ideal
from webassay.judges.verified import PROFILES, evaluate, evaluate_file

HANG = 20
"""Seconds after which a case hangs; the slowest legal one takes about one."""
FEW, MANY = 250, 25_000
SIZES = [pytest.param(FEW, id="few"), pytest.param(MANY, id="many", marks=pytest.mark.slow)]

ODD_TEXTS = st.sampled_from(
    ["^.*$", "^(a|aa)+$", "(?i).*", "\ud800", "\u202e", "\x00", "N/A", "1e999", "-0", "NaN", "[" * 5000, "a" * 100_000,
     "```json\n{}\n```", "{{", "__GITLAB__", "http://[", "data:,x", "99:99", "10**9**9 m", "PT9" * 99, "P1Y" * 999]
)  # fmt: skip
NUMBERS = st.sampled_from([10**400, -(10**400), 1e308, float("nan"), float("inf"), 2**53, -0.0, 0.1])
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | ODD_TEXTS | NUMBERS
JSONS = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
FIELDS = ["action", "task_type", "performed_operation", "status", "results", "retrieved_data", "error_details"]
WORDS = st.sampled_from(["retrieve", "RETRIEVE", "mutate", "navigate", "SUCCESS", "NOT_FOUND_ERROR", "UNKNOWN", "^.*$"])
RESPONSES = JSONS | st.dictionaries(st.sampled_from(FIELDS), WORDS | JSONS, max_size=7)
TEXTS = st.text() | RESPONSES.map(lambda value: json.dumps(value)) | RESPONSES.map(lambda value: json.dumps(value)[:-2])


@contextmanager
def bounded() -> Iterator[None]:
    """A hang becomes an error of the case that caused it."""

    def stop(*_: Any) -> None:
        raise TimeoutError(f"no verdict after {HANG} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(HANG)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def fuzzed(examples: int, strategy: st.SearchStrategy[Any], check: Callable[[Any], None]) -> None:
    quiet = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]

    @seed(20261118)
    @settings(max_examples=examples, deadline=None, database=None, suppress_health_check=quiet)
    @given(strategy)
    def run(example: Any) -> None:
        check(example)

    run()


def must_explain(verdict: Verdict, passes: bool = False) -> None:
    assert passes or verdict.score in (0.0, None)
    assert verdict.reason or verdict.score == 1.0
    assert (verdict.status == "error") == (verdict.score is None)
    assert len(msgspec.json.encode(verdict)) < 200_000_000


@pytest.fixture(scope="module")
def cases(wav_records: list[dict[str, Any]]) -> list[Case]:
    """One task of each template."""
    first = {record["intent_template_id"]: record for record in wav_records}
    return [ideal(task_from_record(record, "task"), ENVIRONMENTS) for record in first.values()]


@pytest.mark.parametrize("examples", SIZES)
def test_any_answer_to_any_task(cases: list[Case], examples: int) -> None:
    """Nothing that comes out of a generator answers a question; in profile release a pattern may."""

    def check(drawn: tuple[Case, Any]) -> None:
        case, answer = drawn
        for profile in PROFILES:
            with bounded():
                verdict = evaluate(case.task, answer, case.har, environments=ENVIRONMENTS, profile=profile)
            must_explain(verdict, passes=profile == "release" or _is_right(case, answer))

    fuzzed(examples, st.tuples(st.sampled_from(cases), RESPONSES | TEXTS), check)


def _is_right(case: Case, answer: Any) -> bool:
    """Of mutations, navigations and what cannot be done, a status is all of the answer; and yes or no is a guess."""
    expected = case.task.eval[0]["expected"]
    data = expected.get("retrieved_data")
    return not data or all(isinstance(one, bool | int | float) for one in data)


@pytest.mark.parametrize("examples", SIZES)
def test_any_recording_of_any_task(cases: list[Case], examples: int, tmp_path: Path) -> None:
    """The right answer, and a file that is no evidence of it."""
    path = tmp_path / "network.har"

    def check(drawn: tuple[Case, bytes]) -> None:
        case, content = drawn
        path.write_bytes(content)
        for profile in PROFILES:
            with bounded():
                verdict = evaluate_file(case.task, case.response, path, environments=ENVIRONMENTS, profile=profile)
            must_explain(verdict, passes=profile == "release")

    fuzzed(examples, st.tuples(st.sampled_from(cases), _recordings()), check)


def _recordings() -> st.SearchStrategy[bytes]:
    parts = {
        "request": st.fixed_dictionaries(
            {"method": WORDS | st.just("GET") | JSONS, "url": ODD_TEXTS | JSONS, "headers": JSONS}
        ),
        "response": st.fixed_dictionaries({"status": st.integers() | JSONS, "content": JSONS}) | JSONS,
        "_resourceType": st.sampled_from(["document", "xhr", None, 5]),
    }
    entries = st.lists(st.fixed_dictionaries({}, optional=parts) | JSONS, max_size=5)
    hars = (entries | JSONS).map(lambda found: json.dumps({"log": {"entries": found}}).encode())
    cut = st.tuples(hars, st.integers(0, 400)).map(lambda pair: pair[0][: pair[1]])
    return hars | cut | st.binary(max_size=300) | st.just(b"[" * 200_000) | st.just(b'{"log":{"entries":' * 50_000)


@pytest.mark.parametrize("examples", SIZES)
def test_any_change_of_one_value_in_the_evidence(cases: list[Case], examples: int) -> None:
    """Somewhere in a good trace stands something else; what passes then must not depend on what was replaced."""

    def check(drawn: tuple[Case, float, Any, str]) -> None:
        case, where, value, profile = drawn
        har = deepcopy(case.har)
        _replace(har, where, value)
        for event in har:  # and what was posted
            if isinstance(event, dict) and isinstance(event.get("request"), dict) and "postData" in event["request"]:
                event["request"]["postData"] = _other_body(event["request"]["postData"], where, value)
        with bounded():
            must_explain(
                evaluate(case.task, case.response, har, environments=ENVIRONMENTS, profile=profile), passes=True
            )

    fuzzed(examples, st.tuples(st.sampled_from(cases), st.floats(0, 0.999), JSONS, st.sampled_from(PROFILES)), check)


def _other_body(body: Any, where: float, value: Any) -> Any:
    """The same fields with one more, or in another shape."""
    if not isinstance(body, dict) or not isinstance(body.get("text"), str):
        return body
    hostile = value if isinstance(value, str) else json.dumps(value)
    kinds = ["application/JSON", "multipart/form-data; boundary=json", "application/json", body.get("mimeType")]
    kind = kinds[int(where * 4)]
    text = json.dumps({"x": hostile}) if where < 0.5 else f"{body['text']}&x={hostile}"
    return {"mimeType": kind, "text": text}


def _replace(har: list[Any], where: float, value: Any) -> None:
    places: list[tuple[Any, Any]] = []
    pending: list[Any] = [har]
    while pending:
        inside = pending.pop()
        for key, part in list(inside.items() if isinstance(inside, dict) else enumerate(inside)):
            places.append((inside, key))
            if isinstance(part, dict | list):
                pending.append(part)
    inside, key = places[int(where * len(places))]
    inside[key] = value


@pytest.mark.parametrize("examples", SIZES)
def test_any_task(cases: list[Case], examples: int) -> None:
    """A broken task is named as such; what still makes sense may pass, since the evidence was made for it."""

    def check(drawn: tuple[Case, float, Any, str]) -> None:
        case, where, value, profile = drawn
        task = msgspec.json.decode(msgspec.json.encode(case.task))
        _replace(task["eval"], where, value)
        with bounded():
            must_explain(
                evaluate(task, case.response, case.har, environments=ENVIRONMENTS, profile=profile), passes=True
            )

    fuzzed(examples, st.tuples(st.sampled_from(cases), st.floats(0, 0.999), JSONS, st.sampled_from(PROFILES)), check)
