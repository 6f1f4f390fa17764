"""The judge `infinity`: what a WebArena-Infinity verifier said of the live application, unless its state was forged."""

import re
from pathlib import Path
from posixpath import normpath
from urllib.parse import unquote, urlsplit

import msgspec

from webassay.core.task import Task
from webassay.core.trajectory import Trajectory
from webassay.core.verdict import Assertion, Verdict, verdict_of
from webassay.errors import JudgeError, TrajectoryError
from webassay.evidence.trace import read_trace
from webassay.evidence.writes import doubtful, forged, read_writes

VERSION = 2
ANSWERS = re.compile(r"/((real|function)-tasks(\.json|/|$)|sanity_check_\w+\.py|server\.py)", re.IGNORECASE)
"""Files that the applications' servers hand out like any other, with the tasks' solutions in them."""


class Said(msgspec.Struct, frozen=True):
    """`verifier.json`."""

    passed: bool | None
    message: str
    error: str


class Infinity:
    """A verifier that hung, broke or returned something else leaves the task ungraded: that is never the agent's."""

    def judge(self, task: Task, trajectory: Trajectory) -> Verdict:
        if not any(entry.get("evaluator") == "InfinityEvaluator" for entry in task.eval):
            raise JudgeError(
                f"task {task.task_id} has no verifier of WebArena-Infinity; judge=verified reads its evaluators"
            )
        states = read_writes(trajectory.folder / "initiators.json")
        verifiers = [str(entry["verify"]) for entry in task.eval if "verify" in entry]
        checks = (
            *(
                Assertion(f"state.{site}.own", not reason, evidence="initiators.json", reason=f"forged state: {reason}")
                for site, writes in states.items()
                for reason in (forged(writes),)
            ),
            _unread_answers(trajectory.folder / "network.har", verifiers),
        )
        said = _read(trajectory.folder / "verifier.json")
        if all(check.passed for check in checks) and said.passed is None:
            return Verdict(None, "error", said.error, checks, "task")
        verified = Assertion("verifier", bool(said.passed), evidence="verifier.json", reason=said.message or said.error)
        verdict = verdict_of((*checks, verified))
        doubt = next(filter(None, map(doubtful, states.values())), "")
        if verdict.score and doubt:
            return Verdict(None, "error", f"whose state it is cannot be told: {doubt}", (*checks, verified), "harness")
        return verdict


def _unread_answers(trace: Path, verifiers: list[str]) -> Assertion:
    """By the file that a path leads to, as servers read it: `/js/..%2freal-tasks.json` is `/real-tasks.json`."""
    folders = tuple(normpath(f"/{file}").rpartition("/")[0] + "/" for file in verifiers if "/" in normpath(file))
    own = {normpath(f"/{file}") for file in verifiers}
    for number, event in enumerate(read_trace(trace)):
        path = "/" + normpath("/" + unquote(urlsplit(event.url).path)).lstrip("/")
        if 200 <= event.status < 300 and (ANSWERS.match(path) or path in own or path.startswith(folders)):
            reason = f"read the answers: {event.method} {path[:100]}"
            return Assertion("answers.unread", False, evidence=f"network.har#{number}", reason=reason)
    return Assertion("answers.unread", True)


def _read(path: Path) -> Said:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Said)
    except OSError as error:
        raise TrajectoryError(f"{path}: cannot be read ({error.strerror})") from None
    except ValueError as error:
        raise TrajectoryError(f"{path}: not a verifier's result ({error})") from None
