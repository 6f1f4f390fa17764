"""WebArena Verified's logs: `<task_id>/agent_response.json` and a recording of the network.

The layout holds a response and requests, and no actions: which clicks caused a request cannot be known, and is not made
up. What is known is that the agent handed in this response, so the trajectory has one step, `terminate` with that
response (`source: webassay.import`), and no screenshots. Without a response nothing says how the run ended; such a
folder is skipped, as `webassay score` counts it as missing and not as 0. The recording keeps its name and its bytes.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from webassay.core.answer import NO_ANSWER, FinalAnswer
from webassay.core.trajectory import TRACES, Trajectory
from webassay.errors import TrajectoryError
from webassay.exchange.source import Source
from webassay.exchange.trajectory import Imported, LeftOut, Tool, ended

RESPONSE = "agent_response.json"
ATTACHED = re.compile(r"[0-9a-f]{40}(\.[A-Za-z0-9]+)?")
"""Bodies that a recorder put beside a HAR, or into `resources/`, are named by their digest."""
RESULT = "eval_result.json"
_REBUILT = {"import.json", "export.json"}


def documents(names: Sequence[str]) -> list[str]:
    """A folder without a response is one too, to be told of."""
    return [RESPONSE] if RESPONSE in names or any(name in names for name in TRACES) else []


def read(source: Source, document: str) -> Imported:
    if RESPONSE not in source.names():
        raise TrajectoryError(f"{source.folder}: no {RESPONSE}, so nothing says how the run ended")
    response = source.read(RESPONSE).decode("utf-8", "replace")
    recording = _recording(source)
    left_out = [LeftOut(name, "no part of a trajectory") for name in _others(source, {RESPONSE, *recording})]
    if not recording:
        left_out.append(LeftOut("network.har", "not in the source; no judge of requests can judge this run"))
    return Imported(
        task_id=source.folder.name,
        tool=Tool("webarena-verified", _version(source)),
        events=(ended(response, how="the source has the response and no actions"),),
        answer=FinalAnswer(response),
        copied={name: name for name in (RESPONSE, *recording)},
        left_out=tuple(left_out),
    )


def _version(source: Source) -> str | None:
    """Of the evaluator, where it was run on this log."""
    if RESULT not in source.names():
        return None
    try:
        result: Any = source.json(RESULT)
    except TrajectoryError:
        return None
    version = result.get("webarena_verified_version") if isinstance(result, dict) else None
    return version if isinstance(version, str) else None


def write(source: Source, trajectory: Trajectory, folder: Path) -> list[LeftOut]:
    """An aborted run is refused, and one without an answer has no response to give."""
    answer = trajectory.answer.final_answer
    if trajectory.is_aborted or answer == NO_ANSWER:
        how = "aborted" if trajectory.is_aborted else "no answer"
        raise TrajectoryError(f"{trajectory.folder}: {how}, and a log of this form cannot say so")
    if RESPONSE in source.names():
        source.copy(RESPONSE, folder / RESPONSE)
    else:
        (folder / RESPONSE).write_bytes(answer.encode("utf-8", "replace"))
    recording = _recording(source)
    for name in recording:
        (folder / name).parent.mkdir(exist_ok=True)
        source.copy(name, folder / name)
    left_out = [LeftOut("network.har", "not in the trajectory; the release evaluates nothing without it")]
    left_out = [] if recording else left_out
    rest = _others(source, {RESPONSE, *recording, *_REBUILT})
    return left_out + [LeftOut(name, "a log of this form has no place for it") for name in rest]


def _recording(source: Source) -> list[str]:
    """The trace and the bodies that belong to it; nothing where there is no trace."""
    traces = [name for name in TRACES if name in source.names()]
    bodies = [name for name in source.names() if ATTACHED.fullmatch(name)]
    bodies += [f"resources/{name}" for name in source.names("resources") if ATTACHED.fullmatch(name)]
    return [*traces, *bodies] if traces else []


def _others(source: Source, used: set[str]) -> list[str]:
    folders = {name.partition("/")[0] for name in used}
    return [name for name in source.names() if name not in used | folders]
