"""Every expectation of WebArena Verified is sound, meets itself, and meets nothing that differs in one place."""

from collections.abc import Iterator
from copy import deepcopy
from datetime import timedelta
from typing import Any

from webassay.matching.compare import check_expectation, compare
from webassay.matching.date import read_date
from webassay.matching.pattern import is_pattern

INSTANCES = {
    r"^#?\s*0*170$": "000000170",
    r"^#?\s*0*189$": "#189",
    r"^#?\s*0*180$": "# 180",
    r"^@?yjlou$": "@yjlou",
    r"^@?abisubramanya27$": "abisubramanya27",
    r"^@?amwhalen$": "@amwhalen",
    r"^flat rate[^a-z0-9]*(?:fixed)$": "Flat Rate - Fixed",
    r"""^16(?:\.0+)?\s*[-]?\s*(?:inch(?:es)?|in\.?|″|"|'|')$""": "16 inches",
    r"""^24(?:\.0+)?\s*[-]?\s*(?:inch(?:es)?|in\.?|″|"|'|')$""": '24"',
}
"""A text for each pattern that stands in an expected result."""
Schema = dict[str, Any]
Case = tuple[int, Schema, Any, bool]


def retrievals(tasks: list[dict[str, Any]]) -> list[Case]:
    cases = []
    for task in tasks:
        check = task["eval"][0]
        expected = check["expected"]
        if (expected["task_type"], expected["status"]) == ("retrieve", "SUCCESS"):
            ordered = check.get("ordered", False)
            cases.append((task["task_id"], check["results_schema"], expected["retrieved_data"], ordered))
    return cases


def requests(tasks: list[dict[str, Any]]) -> Iterator[Case]:
    """What request bodies and queries are expected to hold, where a schema says of which type."""
    for task in tasks:
        for check in task["eval"][1:]:
            for part in ("post_data", "query_params"):
                declared = check.get(f"{part}_schema", {}).get("properties", {})
                values = check["expected"].get(part, {})
                yield from ((task["task_id"], schema, values.get(key), False) for key, schema in declared.items())


def ideal(schema: Schema, expected: Any) -> Any:
    """An answer that meets the expectation: the first alternative, a text for each pattern."""
    if isinstance(expected, list) and schema.get("type") != "array":
        return ideal(schema, expected[0])
    if isinstance(expected, list):
        return [ideal(schema["items"], item) for item in expected]
    if isinstance(expected, dict):
        known = schema.get("properties", {})
        return {key: ideal(known.get(key, {}), value) for key, value in expected.items()}
    return INSTANCES[expected] if is_pattern(expected) else expected


def corruptions(schema: Schema, answer: Any) -> Iterator[Any]:
    """The answer, each time with one thing wrong in it."""
    if isinstance(answer, list):
        yield answer[1:]
        yield [*answer, deepcopy(answer[0])]
        for at, item in enumerate(answer):
            yield from ([*answer[:at], wrong, *answer[at + 1 :]] for wrong in corruptions(schema["items"], item))
    elif isinstance(answer, dict):
        for key, value in answer.items():
            yield {other: answer[other] for other in answer if other != key}
            part = schema.get("properties", {}).get(key, {})
            yield from (answer | {key: wrong} for wrong in corruptions(part, value))
        yield answer | {"more": 1}
    else:
        yield from wrong_leaves(schema, answer)


def wrong_leaves(schema: Schema, leaf: Any) -> Iterator[Any]:
    yield from ("^.*$", [leaf, "a guess"], {"value": leaf})
    if isinstance(leaf, bool):
        yield not leaf
    elif isinstance(leaf, int | float):
        yield from (leaf + 1, -leaf - 1, f"{leaf} or {leaf + 1}")
    elif isinstance(leaf, str):
        yield from (f"{leaf} x", f"x {leaf}", f"{leaf}|x", f"{leaf} or {leaf}")
        yield from (None, 99) if leaf else ()
        if schema.get("format") == "date":
            yield str(read_date(leaf) + timedelta(days=1))
    else:
        yield from ("x", 0, False)


def test_there_are_as_many_tasks_as_the_release_has(wav_records: list[dict[str, Any]]) -> None:
    assert (len(wav_records), len(retrievals(wav_records)), len([*requests(wav_records)])) == (812, 297, 112)


def test_every_expectation_is_sound(wav_records: list[dict[str, Any]]) -> None:
    for task in wav_records:
        check = task["eval"][0]
        check_expectation(check["results_schema"], check["expected"].get("retrieved_data"))
    for _, schema, expected, _ in requests(wav_records):
        check_expectation(schema, expected)


def test_every_expected_result_meets_itself(wav_records: list[dict[str, Any]]) -> None:
    for task_id, schema, expected, ordered in retrievals(wav_records):
        found = compare(schema, expected, ideal(schema, expected), ordered=ordered)
        assert found.equal, f"{task_id}: {found.reason}"


def test_every_expected_part_of_a_request_meets_itself(wav_records: list[dict[str, Any]]) -> None:
    for task_id, schema, expected, _ in requests(wav_records):
        if not is_pattern(expected):
            assert compare(schema, expected, ideal(schema, expected)).equal, task_id


def test_no_corrupted_result_passes(wav_records: list[dict[str, Any]]) -> None:
    tried = 0
    for task_id, schema, expected, ordered in retrievals(wav_records):
        for wrong in corruptions(schema, ideal(schema, expected)):
            found = compare(schema, expected, wrong, ordered=ordered)
            assert not found.equal and found.reason, f"{task_id}: {wrong}"
            tried += 1
    assert tried > 5_000


def test_a_licence_is_recognised_and_its_absence_too(wav_records: list[dict[str, Any]]) -> None:
    """These are the longest texts that patterns meet: over many lines, and up to 35 kB."""
    patterns = {
        str(one) for task_id, _, one, _ in requests(wav_records) if task_id in range(411, 415) and is_pattern(one)
    }
    (gnu,) = (one for one in patterns if "GNU" in one)
    text = "\n".join(["GNU GENERAL PUBLIC LICENSE", *["Everyone is permitted to copy and distribute"] * 700])
    assert compare({"type": "string"}, gnu, text).equal
    assert not compare({"type": "string"}, gnu, text.replace("PUBLIC", "PRIVATE")).equal
