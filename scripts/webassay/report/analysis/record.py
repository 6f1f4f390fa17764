"""What an analysis keeps of a trajectory: some hundred bytes, however long its log is."""

import math
from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Literal

import msgspec

from webassay.core.answer import Usage
from webassay.core.events import TERMINATE, Event
from webassay.core.trajectory import LOG, NO_ANSWER, Trajectory
from webassay.errors import TrajectoryError
from webassay.report.analysis.core_log import last_error, one_line
from webassay.report.analysis.places import Place
from webassay.report.analysis.wording import refusal

MOST_TOKENS = 2**53
Ending = Literal["answered", "over_budget", "aborted", "unreadable"]


class Clock(msgspec.Struct, frozen=True):
    """What the timestamps of the events say."""

    started: str = ""
    ended: str = ""
    seconds: float | None = None
    """From the first to the last event."""
    gaps: int = 0
    gap_seconds: float = 0.0
    """Between steps that follow each other, all together."""

    @property
    def between(self) -> float | None:
        return self.gap_seconds / self.gaps if self.gaps else None


class Record(msgspec.Struct, frozen=True):
    """One trajectory; None is unknown, never 0."""

    run: str
    task_id: str
    folder: str
    max_rounds: int
    """What its system was allowed."""
    outcome: Ending
    reason: str = ""
    """Why it was aborted, gave no answer or cannot be read."""
    attempts: int = 1
    """Also those that were set aside."""
    steps: int | None = None
    """None where a line of the log cannot be read: a count of the others would be a guess."""
    rounds: int | None = None
    """Steps that count against `max_rounds`."""
    clock: Clock = Clock()
    seconds: float | None = None
    """The session: `duration` of times.json."""
    usage: dict[str, Usage] = {}
    """Tokens by component; empty where nobody counted."""
    scores: dict[str, float] = {}
    """By eval_hash; who is not in it did not judge."""
    error: str | None = None
    """Kind of the last error in core.log."""
    earlier_errors: tuple[str, ...] = ()
    """The same of attempts that were set aside."""
    no_answer: bool = False
    refusal: str | None = None
    """Name of the rule by which the answer declines the task."""

    @property
    def completed(self) -> bool:
        return self.outcome == "answered"

    @property
    def broken_off(self) -> bool:
        """As in webeval: of a trajectory that cannot be read nobody knows that it was not aborted."""
        return self.outcome in ("aborted", "unreadable")


def read_record(place: Place) -> Record:
    """Never an error: what cannot be read is a record that says so."""
    try:
        trajectory = Trajectory.from_folder(place.folder, strict=False)
        return _record(place, trajectory)
    except (TrajectoryError, OSError) as error:
        return Record(
            place.run, place.folder.name, str(place.folder), place.max_rounds, "unreadable", one_reason([str(error)])
        )


def one_reason(problems: Iterable[str]) -> str:
    return " ".join("; ".join(problems).split())[:500]


def _record(place: Place, trajectory: Trajectory) -> Record:
    attempt, earlier = trajectory.attempt, _earlier(place.folder)
    said = attempt.reason if attempt else ""
    known = not any(problem.startswith(str(place.folder / LOG)) for problem in trajectory.problems)
    given = trajectory.answer.final_answer
    answered = not trajectory.problems and trajectory.completed
    return Record(
        place.run,
        trajectory.task_id,
        str(place.folder),
        place.max_rounds,
        "unreadable" if trajectory.problems else trajectory.outcome,
        one_reason(trajectory.problems or [said]),
        attempts=1 + max(attempt.attempt if attempt else 0, len(earlier)),
        steps=len(trajectory.steps) if known else None,
        rounds=_rounds(trajectory) if known else None,
        clock=_clock(trajectory),
        seconds=_session(trajectory),
        usage=_usage(trajectory),
        scores=_scores(trajectory, place.judges),
        error=last_error(place.folder / "core.log"),
        earlier_errors=tuple(kind for folder in earlier if (kind := last_error(folder / "core.log"))),
        no_answer=not trajectory.problems and given.strip() in ("", NO_ANSWER),
        refusal=refusal(given) if answered else None,
    )


def _earlier(folder: Path) -> list[Path]:
    kept = folder / "attempts"
    return sorted(path for path in kept.iterdir() if path.is_dir()) if kept.is_dir() else []


def _rounds(trajectory: Trajectory) -> int:
    """In our own runs the runner writes the last step, after the system has returned: it uses no round."""
    steps = trajectory.steps
    ours = trajectory.attempt is not None and bool(steps) and _by_runner(steps[-1])
    return len(steps) - ours


def _by_runner(step: Event) -> bool:
    return step.action == TERMINATE and "answer" in step.arguments


def _clock(trajectory: Trajectory) -> Clock:
    timed = [(event, moment) for event in trajectory.events if (moment := _moment(event.timestamp)) is not None]
    steps = [moment for event, moment in timed if event.action is not None]
    forward = [
        later - sooner for sooner, later in pairwise(steps) if later >= sooner
    ]  # local time goes back once a year
    if not timed:
        return Clock()
    first, last = (one_line(event.timestamp) for event, _ in (timed[0], timed[-1]))
    moments = [moment for _, moment in timed]
    return Clock(first, last, max(moments) - min(moments), len(forward), sum(forward))


def _moment(stamp: str) -> float | None:
    try:
        moment = datetime.fromisoformat(stamp)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def _session(trajectory: Trajectory) -> float | None:
    duration = trajectory.times.duration if trajectory.times else None
    return duration if duration is not None and math.isfinite(duration) and duration >= 0 else None


def _usage(trajectory: Trajectory) -> dict[str, Usage]:
    given, found = trajectory.answer.token_usage, trajectory.answer.usage
    return {one_line(name): used for name, used in found.items() if _counted(given[name], used)}


def _counted(given: dict[str, object], used: Usage) -> bool:
    """A component without counts counted nothing, which is not 0."""
    counts = msgspec.to_builtins(used).values()
    named = any(isinstance(given.get(name), int) for name in ("prompt_tokens", "completion_tokens"))
    return named and all(0 <= count <= MOST_TOKENS for count in counts)


def _scores(trajectory: Trajectory, judges: frozenset[str] | None) -> dict[str, float]:
    return {
        name: score.score
        for name, score in trajectory.scores.items()
        if math.isfinite(score.score) and (judges is None or name in judges)
    }
