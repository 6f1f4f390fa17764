"""Out and in again: nothing is lost that the format can hold, and what it cannot is told."""

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from tests.exchange import made
from tests.exchange.conftest import Exchange, tree
from webassay.core.trajectory import NO_ANSWER, Trajectory
from webassay.exchange.exporting import export_trajectories
from webassay.exchange.importing import import_trajectories
from webassay.exchange.registry import EXPORTS

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from(["left_click", "type", "terminate", "computer_use", "stop"]) | TEXTS.filter(bool)
ARGUMENTS = st.dictionaries(TEXTS.filter(lambda key: key not in ("action", "thoughts")), VALUES, max_size=3)
STEPS = st.fixed_dictionaries(
    {"action": NAMES, "arguments": ARGUMENTS, "type": st.just("WebSurferEvent"), "source": TEXTS, "message": TEXTS},
    optional={"url": TEXTS, "timestamp": TEXTS | st.just("2026-01-01T00:00:00.000001"), "extra": VALUES},
)
SAID = st.fixed_dictionaries({"type": st.just("OtherEvent")}, optional={"message": TEXTS, "source": TEXTS})
THOUGHTS = st.none() | TEXTS
TRAJECTORIES = st.fixed_dictionaries(
    {
        "events": st.lists(st.tuples(STEPS, THOUGHTS) | st.tuples(SAID, st.none()), max_size=5),
        "answer": st.just(NO_ANSWER) | TEXTS,
        "aborted": st.sampled_from([False, False, False, True]),
        "frames": st.integers(0, 6),
        "task": TEXTS,
        "times": st.booleans(),
        "usage": st.dictionaries(TEXTS, st.just({"prompt_tokens": 3, "completion_tokens": 1}), max_size=2),
    }
)


def make(folder: Path, drawn: dict[str, Any]) -> Trajectory:
    events = [
        event | ({"arguments": event["arguments"] | {"thoughts": thought}} if thought is not None else {})
        for event, thought in drawn["events"]
    ]
    made.put(folder / "web_surfer.log", made.lines(*events))
    frames = [f"screenshot_{number + 1}.png" for number in range(drawn["frames"])]
    for number, frame in enumerate(frames):
        made.put(folder / frame, made.PNG + bytes([number]))
    answer = {
        "final_answer": drawn["answer"], "is_aborted": drawn["aborted"], "screenshots": frames,
        "token_usage": drawn["usage"],
    }  # fmt: skip
    made.put(folder / "t_final_answer.json", answer)
    made.put(folder / "task_data.json", {"task_id": "t", "intent": drawn["task"], "more": [1]})
    if drawn["times"]:
        made.put(folder / "times.json", {"start_time": 5.0, "end_time": 7.5, "duration": 2.5})
    return Trajectory.from_folder(folder, strict=True)


@contextmanager
def again(drawn: dict[str, Any], name: str) -> Iterator[tuple[Trajectory, Trajectory | None, str]]:
    """The trajectory, what it is after going out and in, and why it could not go."""
    root = Path(tempfile.mkdtemp(prefix="webassay-round-"))
    try:
        first = make(root / "first" / "t", drawn)
        before = tree(root, root / "x")
        (moved,) = export_trajectories(root / "first", root / "out", name).moved
        if moved.folder is None:
            yield first, None, moved.reason
            return
        (moved,) = import_trajectories(root / "out", root / "back", name).moved
        assert moved.folder is not None, moved.reason
        now = tree(root, root / "x")
        assert {path: now[path] for path in before} == before
        yield first, Trajectory.from_folder(moved.folder, strict=True), ""
    finally:
        shutil.rmtree(root)


def frames(trajectory: Trajectory) -> list[bytes]:
    return [path.read_bytes() for path in trajectory.screenshots]


def told(trajectory: Trajectory, *keys: str) -> list[dict[str, Any]]:
    return [{key: event.get(key) for key in keys} for event in trajectory.events]


def check(name: str, drawn: dict[str, Any]) -> None:
    with again(drawn, name) as (first, second, why):
        if second is None:
            assert first.is_aborted or (name == "webarena_verified" and first.outcome == "over_budget"), why
            assert name in ("om2w", "webarena_verified")
            return
        assert second.answer.final_answer == first.answer.final_answer and second.outcome == first.outcome
        if name == "webarena_verified":
            return
        assert frames(second) == frames(first)
        if name == "om2w":
            check_om2w(first, second)
            return
        known = ("action", "arguments", "type", "source", "url", "timestamp", "extra")
        assert told(second, *known) == told(first, *known)
        assert [event.message for event in second.events] == [event.message for event in first.events]
        assert second.actions == first.actions and second.thoughts == first.thoughts
        assert second.times == first.times and second.answer.token_usage == first.answer.token_usage
        data = [json.loads((one.folder / "task_data.json").read_text()) for one in (first, second)]
        assert data[0] == data[1]


def check_om2w(first: Trajectory, second: Trajectory) -> None:
    """Actions with their arguments, and thoughts; the end may be added where an answer shows it."""
    count = len(first.steps)
    assert [json.loads(one) for one in second.actions[:count]] == [
        {"action": step.action} | {key: value for key, value in step.arguments.items() if key != "thoughts"}
        for step in first.steps
    ]
    assert second.thoughts[:count] == first.thoughts
    is_open = first.last_action != "terminate" and first.answer.final_answer not in ("", NO_ANSWER)
    assert len(second.steps) - count == is_open


@pytest.mark.parametrize("name", EXPORTS)
@pytest.mark.parametrize(
    "examples", [pytest.param(40, id="few"), pytest.param(3000, id="many", marks=pytest.mark.slow)]
)
def test_any_trajectory(name: str, examples: int) -> None:
    quiet = [HealthCheck.too_slow, HealthCheck.data_too_large]

    @seed(20261118)
    @settings(max_examples=examples, deadline=None, database=None, suppress_health_check=quiet)
    @given(TRAJECTORIES)
    def run(drawn: dict[str, Any]) -> None:
        check(name, drawn)

    run()


@pytest.mark.parametrize("via", EXPORTS)
@pytest.mark.parametrize("name", ["webeval", "webassay", "om2w", "webvoyager", "agentlab", "webarena_verified", "atif"])
def test_what_came_in_goes_out_and_comes_in_the_same(
    name: str, via: str, source: Path, dest: Path, bring: Exchange, send: Exchange
) -> None:
    made.MAKERS[name](source)
    (one,) = bring(source, dest / "a").moved
    (sent,) = send(dest / "a", dest / "out", via).moved
    (two,) = bring(dest / "out", dest / "b", via).moved
    assert one.folder and sent.folder and two.folder
    first, second = (Trajectory.from_folder(moved.folder, strict=True) for moved in (one, two))
    response = first.folder / "agent_response.json"
    is_response = via == "webarena_verified" and response.exists()
    assert second.answer.final_answer == (response.read_text() if is_response else first.answer.final_answer)
    assert second.folder.name == first.folder.name
    assert json.loads((sent.folder / "export.json").read_text())["format"] == via
    if via != "webarena_verified":
        assert [step.tool for step in second.steps] == [step.tool for step in first.steps]
        assert second.thoughts == first.thoughts and frames(second) == frames(first)
    if via in ("webeval", "atif"):
        assert [dict(event) for event in second.events] == [dict(event) for event in first.events]


def test_an_atif_document_that_came_in_goes_out_with_every_field(
    source: Path, dest: Path, bring: Exchange, send: Exchange
) -> None:
    """And again: what came in twice is the same trajectory."""
    path = made.atif(source) / "trajectory.json"
    given = json.loads(path.read_text())
    given["agent"] |= {"model_name": "m-1", "tool_definitions": [{"name": "wait"}], "extra": {"seed": 1}}
    given |= {"notes": "n", "extra": {"run": 7}, "unknown": [1]}
    given["final_metrics"] |= {"total_cached_tokens": 2, "total_cost_usd": 0.25, "extra": {}}
    given["steps"][2] |= {"metrics": {"prompt_tokens": 5, "cost_usd": 0.25}, "extra": {"a": 1}}
    made.put(path, given)
    (one,) = bring(source, dest / "in").moved
    (sent,) = send(dest / "in", dest / "out", "atif").moved
    (two,) = bring(dest / "out", dest / "back", "atif").moved
    assert one.folder and sent.folder and two.folder and not sent.left_out
    written = json.loads((sent.folder / "trajectory.json").read_text())
    image = written["steps"][2]["observation"]["results"][0]["content"][1]["source"]
    assert (sent.folder / image["path"]).read_bytes() == made.PNG + b"1"
    image["path"] = "images/1.png"
    assert written["extra"].pop("webassay")["task_id"] == "t1" and written == given
    usage = Trajectory.from_folder(one.folder).answer.usage["terminus"]
    assert (usage.prompt_tokens, usage.cost) == (7, 0.25)
    first, second = (Trajectory.from_folder(moved.folder) for moved in (one, two) if moved.folder)
    assert first.events == second.events and first.answer == second.answer and first.times == second.times


@pytest.mark.parametrize(
    "name, lost",
    [
        ("webeval", "network.har"),
        ("om2w", "times.json"),
        ("webarena_verified", "web_surfer.log"),
        ("atif", "scores"),
    ],
)
def test_what_a_format_cannot_hold_is_told(name: str, lost: str, source: Path, dest: Path, send: Exchange) -> None:
    made.webassay(source)
    (moved,) = send(source, dest, name).moved
    assert moved.folder and lost in {one.what for one in moved.left_out}
    record = json.loads((moved.folder / "export.json").read_text())
    assert [one["what"] for one in record["left_out"]] == [one.what for one in moved.left_out]
    assert send(source, dest, name).moved[0].fate == "standing"


def test_an_import_tells_where_it_comes_from(source: Path, dest: Path, bring: Exchange) -> None:
    records = []
    for root in (source / "a" / "runs", source / "b" / "runs"):
        made.webeval(root)
        (one,) = bring(root, dest / root.parent.name).moved
        assert one.folder
        records.append(json.loads((one.folder / "import.json").read_text()))
    assert {record["source"] for record in records} == {"runs/t1/web_surfer.log"}
    assert len({record["path_digest"] for record in records}) == 2 and str(source) not in json.dumps(records)


def test_webevals_reader_can_read_what_went_out(source: Path, dest: Path, send: Exchange) -> None:
    """It wants a line of JSON for each event, and no key in an answer that it does not know."""
    folder = made.webassay(source)
    answer = json.loads((folder / "t1_final_answer.json").read_text())
    made.put(folder / "t1_final_answer.json", answer | {"ours": 1})
    (moved,) = send(source, dest, "webeval").moved
    written = json.loads((dest / "t1" / "t1_final_answer.json").read_text())
    assert "ours" not in written and "ours of the answer" in {one.what for one in moved.left_out}
    for line in (dest / "t1" / "web_surfer.log").read_text().splitlines():
        json.loads(line)
    names = {path.name for path in (dest / "t1").iterdir()}
    assert names == {
        "web_surfer.log", "t1_final_answer.json", "screenshot0.png", "screenshot1.png", "screenshot2.png", "times.json",
        "core.log", "task_data.json", "scores", "export.json",
    }  # fmt: skip


def test_an_atif_document_keeps_the_rules_of_its_validator(source: Path, dest: Path, send: Exchange) -> None:
    made.webassay(source)
    send(source, dest, "atif")
    document = json.loads((dest / "t1" / "trajectory.json").read_text())
    assert document["schema_version"] == "ATIF-v1.7" and {"name", "version"} <= set(document["agent"])
    assert [step["step_id"] for step in document["steps"]] == list(range(1, len(document["steps"]) + 1))
    for step in document["steps"]:
        calls = {call["tool_call_id"] for call in step.get("tool_calls", [])}
        results = step.get("observation", {}).get("results", [])
        assert {result["source_call_id"] for result in results} <= calls
        assert step["source"] == "agent" or not {"tool_calls", "reasoning_content", "metrics"} & set(step)
        for result in results:
            assert all((dest / "t1" / part["source"]["path"]).is_file() for part in result["content"])
    assert document["final_metrics"]["total_prompt_tokens"] == 5
