"""AgentLab and BrowserGym: `summary_info.json` beside `step_N.json`, or one JSON file for a run (AgentRewardBench).

AgentLab itself keeps its steps in pickles (`step_N.pkl.gz`). Loading one runs whatever code its maker put in it, so
they are never opened; a run that has nothing else is refused. `steps_info.json`, which it writes on request, holds one
step or a list of them. An action is a line of code such as `click('12')`; the message that ends a run,
`send_msg_to_user('…')` or `report_infeasible('…')`, is its answer.

How a run ended is in its summary: `terminated` by the environment (then it has an end, with or without words),
`truncated` (no answer), or neither (it broke off, and `err_msg` says why). The environment's own reward is taken over
as the score `agentlab_reward`, of runs that ended.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Any

from webassay.core.answer import NO_ANSWER, FinalAnswer
from webassay.core.events import TERMINATE
from webassay.errors import TrajectoryError
from webassay.exchange.source import Source, by_first_number
from webassay.exchange.trajectory import (
    Imported,
    JsonObject,
    LeftOut,
    Tool,
    ended,
    is_moment,
    iso_time,
    said,
    step,
)

SUMMARY, STEPS = "summary_info.json", "steps_info.json"
MESSAGES = ("send_msg_to_user", "report_infeasible")
_STEP = re.compile(r"step_\d{1,9}\.json")
_FRAME = re.compile(r"screenshot_step_\d{1,9}\.(png|jpe?g)")
_RUN = re.compile(r"(?:[\d-]{10}_[\d-]{8}_)?(?P<agent>.+)_on_(?P<task>.+?)_(?P<seed>\d+)(?:_\d+)?")
_CALL = re.compile(r"\s*([A-Za-z_]\w*)\s*\(")
_PICKLE = (".pkl", ".pkl.gz")


def documents(names: Sequence[str]) -> list[str]:
    """The summary of a run, also where it is missing beside steps; elsewhere each JSON file is a run."""
    if SUMMARY in names or any(name.startswith("step_") and name.endswith((*_PICKLE, ".json")) for name in names):
        return [SUMMARY]
    return [name for name in names if name.endswith(".json")]


def read(source: Source, document: str) -> Imported:
    if document == SUMMARY and SUMMARY not in source.names():
        raise TrajectoryError(f"{source.folder}: no {SUMMARY}, so nothing says how the run ended")
    record = source.json(document)
    if not isinstance(record, dict):
        raise TrajectoryError(f"{source.folder / document}: expected an object")
    if document == SUMMARY:
        match = _RUN.fullmatch(source.folder.name)
        task_id = match["task"] if match else source.folder.name
        frames = by_first_number([name for name in source.names() if _FRAME.fullmatch(name)])
        data: JsonObject = {"task_id": task_id} | ({"seed": int(match["seed"][:9])} if match else {})
        unused = _unused(source, frames)
        return _imported(task_id, record, _steps(source), frames, data, _tool(source), unused)
    steps, summary = _objects(record.get("steps")), record.get("summary_info")
    if steps is None or not isinstance(summary, dict):
        raise TrajectoryError(f"{source.folder / document}: no run of AgentLab's; it has no steps or no summary_info")
    task_id = document.removesuffix(".json")
    told = {key: record[key] for key in ("benchmark", "goal", "agent", "model", "experiment") if key in record}
    frames, unused = _frames_named(source, steps)
    return _imported(task_id, summary, steps, frames, {"task_id": task_id} | told, Tool("AgentLab"), unused)


def _imported(
    task_id: str,
    summary: JsonObject,
    steps: list[JsonObject],
    frames: list[str],
    data: JsonObject,
    tool: Tool,
    left_out: list[LeftOut],
) -> Imported:
    events = [event for one in steps for event in _events(one)]
    is_ended, is_cut = summary.get("terminated") is True, summary.get("truncated") is True
    message = _last_message(events)
    if is_ended and message is None:
        events.append(ended("", how="the environment ended the run"))
    is_aborted = not (is_ended or is_cut or message is not None)
    answer = NO_ANSWER if is_aborted or (is_cut and message is None) else message or ""
    goal = next((goal for one in steps if (goal := _observed(one).get("goal")) and isinstance(goal, str)), None)
    reason = summary.get("err_msg") or "neither terminated nor truncated"
    return Imported(
        task_id=task_id,
        tool=tool,
        events=tuple(events),
        answer=FinalAnswer(answer, is_aborted=is_aborted, token_usage=_usage(summary)),
        screenshots=tuple(frames),
        times=_times(steps),
        task_data=data | ({"goal": goal} if goal else {}),
        scores=_reward(summary) if is_ended or is_cut else {},
        left_out=tuple(left_out),
        aborted=str(reason) if is_aborted else None,
    )


def _steps(source: Source) -> list[JsonObject]:
    names = source.names()
    if found := by_first_number([name for name in names if _STEP.fullmatch(name)]):
        steps = _objects([source.json(name) for name in found])
    elif STEPS in names:
        record = source.json(STEPS)
        steps = _objects(record if isinstance(record, list) else [record])
    else:
        pickles = sum(name.endswith(_PICKLE) and name.startswith("step_") for name in names)
        raise TrajectoryError(
            f"{source.folder}: no step_N.json; {pickles} steps are in pickles, which are never loaded, since that runs "
            "code of their maker; write them as JSON with AgentLab where you trust them"
        )
    if steps is None:
        raise TrajectoryError(f"{source.folder}: a step that is no object")
    return steps


def _objects(value: Any) -> list[JsonObject] | None:
    return value if isinstance(value, list) and all(isinstance(one, dict) for one in value) else None


def _events(record: JsonObject) -> Iterator[JsonObject]:
    """The error of the action before, as the agent saw it, and then its own action."""
    seen, info, profile = _observed(record), _part(record, "agent_info"), _part(record, "profiling")
    if isinstance(error := seen.get("last_action_error"), str) and error:
        yield said("environment", error)
    if not isinstance(code := record.get("action"), str):
        return
    thought = record.get("reasoning") or info.get("think")
    call = _CALL.match(code)
    name, arguments = call[1] if call else "unknown", {"code": code}
    if (answer := message_of(code)) is not None:
        name, arguments = TERMINATE, {"code": code, "answer": answer}
    yield step(
        name,
        arguments,
        thoughts=thought if isinstance(thought, str) else "",
        message=code,
        url=seen["url"] if isinstance(seen.get("url"), str) else "",
        timestamp=iso_time(profile.get("agent_stop")),
    )


def message_of(code: str) -> str | None:
    """The text of a call that ends a run; read as a literal, never evaluated."""
    call = _CALL.match(code)
    if call is None or call[1] not in MESSAGES:
        return None
    try:
        parsed = ast.parse(code.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return code[call.end() :].strip().removesuffix(")").strip()
    if not isinstance(parsed, ast.Call):
        return None
    given = [*parsed.args, *(keyword.value for keyword in parsed.keywords)]
    return next((one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str)), "")


def _last_message(events: list[JsonObject]) -> str | None:
    steps = [event for event in events if event["action"] is not None]
    return steps[-1]["arguments"]["answer"] if steps and steps[-1]["action"] == TERMINATE else None


def _observed(record: JsonObject) -> JsonObject:
    """What the agent saw: under `obs` in AgentLab's files, in the step itself in AgentRewardBench's."""
    return _part(record, "obs") or record


def _part(record: JsonObject, name: str) -> JsonObject:
    return found if isinstance(found := record.get(name), dict) else {}


def _times(steps: list[JsonObject]) -> tuple[float, float] | None:
    profiles = [_part(one, "profiling") for one in steps]
    moments = [moment for one in profiles for moment in one.values() if is_moment(moment)]
    return (min(moments), max(moments)) if moments else None


def _usage(summary: JsonObject) -> dict[str, JsonObject]:
    names = {"prompt_tokens": "stats.cum_input_tokens", "completion_tokens": "stats.cum_output_tokens"}
    counts = {ours: summary.get(theirs) for ours, theirs in names.items()}
    plain = {name: int(count) for name, count in counts.items() if count and is_moment(count)}
    return {"agent": plain} if plain else {}


def _reward(summary: JsonObject) -> dict[str, JsonObject]:
    reward = summary.get("cum_reward")
    if isinstance(reward, bool) or not isinstance(reward, int | float) or not -1e9 < reward < 1e9:
        return {}
    return {"agentlab_reward": {"score": reward, "gpt_response_text": None}}


def _tool(source: Source) -> Tool:
    listed = "package_versions.txt"
    lines = source.read(listed).decode("utf-8", "replace").splitlines() if source.has(listed) else []
    return Tool("AgentLab", next((line[10:] for line in lines if line.startswith("agentlab==")), None))


def _unused(source: Source, frames: list[str]) -> list[LeftOut]:
    used = {SUMMARY, STEPS, "package_versions.txt", *frames}
    rest = [name for name in source.names() if name not in used and not _STEP.fullmatch(name)]
    pickle = "a pickle, which is never loaded"
    return [LeftOut(name, pickle if name.endswith(_PICKLE) else "no part of a trajectory") for name in rest]


def _frames_named(source: Source, steps: list[JsonObject]) -> tuple[list[str], list[LeftOut]]:
    """By the paths in the steps, which begin at a folder of the maker's: looked for below the source and beside."""
    named = [path for one in steps if isinstance(path := one.get("screenshot_path"), str)]
    base = "../" * len(source.folder.relative_to(source.root).parts)
    places = [(path, [base + path, path, path.rsplit("/", 1)[-1]]) for path in named]
    found = [(path, next((place for place in tried if source.has(place)), None)) for path, tried in places]
    missing = [LeftOut(path, "not in the source") for path, place in found if place is None]
    return [place for _, place in found if place is not None], missing
