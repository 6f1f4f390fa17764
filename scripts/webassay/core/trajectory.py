"""The trajectory folder: webeval's files, and beside them what makes a run checkable.

`web_surfer.log` (JSON Lines, one object an event), `<task_id>_final_answer.json`, `screenshot_N.png`, `times.json`
(written last: without it the attempt was cut short), `core.log` and `scores/` are webeval's; `attempt.json`,
`network.har`, `state.json`, `agent_response.json`, `task_data.json` and `attempts/<n>/` are ours.
"""

import time
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import msgspec

from webassay.core.digest import canonical_json
from webassay.core.files import UNREADABLE, write_json
from webassay.errors import TrajectoryError

NO_ANSWER = "<no_answer>"
Outcome = Literal["answered", "over_budget", "aborted"]


class FinalAnswer(msgspec.Struct, frozen=True):
    """`<task_id>_final_answer.json`, key for key what webeval's own reader accepts."""

    final_answer: str = NO_ANSWER
    env_state_json: str = NO_ANSWER
    env_state_raw: str = NO_ANSWER
    screenshots: tuple[str, ...] = ()
    is_aborted: bool = False
    is_rel_paths: bool = True
    token_usage: dict[str, dict[str, int]] = {}


class Attempt(msgspec.Struct, frozen=True):
    """`attempt.json`: which task this is evidence of, how it ended, and in what surroundings."""

    task_id: str
    task_digest: str
    """Task.execution_digest; a trajectory of an older wording is set aside, never mistaken for this one."""
    attempt: int
    outcome: Outcome
    reason: str = ""
    """Why it was aborted or gave no answer."""
    environments: dict[str, dict[str, Any]] = {}
    """The sites as the agent saw them, in webarena-verified's shape."""
    browser: dict[str, str] = {}
    site_errors: int = 0
    """Answers 5xx of the task's own sites."""
    blocked: tuple[str, ...] = ()
    """Hosts the page or the agent tried to reach beyond the task's sites."""


class Event(msgspec.Struct, frozen=True):
    """A line of web_surfer.log; a step is a line whose `action` is not null, whatever its `type`."""

    timestamp: str = ""
    type: str = "WebSurferEvent"
    source: str = "WebSurfer"
    message: str = ""
    url: str | None = ""
    action: str | None = None
    arguments: dict[str, Any] | None = None


class EventLog:
    """Appends events as they happen, so that a crash leaves all that came before it."""

    def __init__(self, folder: Path) -> None:
        self._stream = (folder / "web_surfer.log").open("ab", buffering=0)

    def write(self, *, message: str, url: str, action: str, arguments: dict[str, Any]) -> None:
        now = datetime.fromtimestamp(time.time(), UTC).replace(tzinfo=None).isoformat(timespec="microseconds")
        event = Event(now, message=message, url=url, action=action, arguments=arguments)
        self._stream.write(msgspec.json.encode(event) + b"\n")

    def close(self) -> None:
        self._stream.close()


class Trajectory(msgspec.Struct, frozen=True, dict=True):
    """What is on disk of one task, read once and never changed."""

    folder: Path
    events: tuple[Event, ...]
    answer: FinalAnswer
    attempt: Attempt | None

    @classmethod
    def from_folder(cls, folder: Path) -> "Trajectory":
        return cls(folder, _read_events(folder / "web_surfer.log"), _read_answer(folder), read_attempt(folder))

    @cached_property
    def steps(self) -> tuple[Event, ...]:
        return tuple(event for event in self.events if event.action is not None)

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The arguments of each step as JSON, without the thoughts."""
        return tuple(_without_thoughts(event.arguments or {}) for event in self.steps)

    @cached_property
    def thoughts(self) -> tuple[str, ...]:
        return tuple(str((event.arguments or {}).get("thoughts", "")) for event in self.steps)

    @property
    def last_action(self) -> str | None:
        """The tool's name, which webeval's own agent hides in the arguments."""
        if not self.steps:
            return None
        step = self.steps[-1]
        return str((step.arguments or {}).get("action", step.action))

    @property
    def is_aborted(self) -> bool:
        return self.answer.is_aborted

    @property
    def outcome(self) -> Outcome:
        if self.is_aborted:
            return "aborted"
        return "over_budget" if self.answer.final_answer == NO_ANSWER else "answered"

    @property
    def environments(self) -> dict[str, dict[str, Any]]:
        return self.attempt.environments if self.attempt else {}


def write_end(folder: Path, answer: FinalAnswer, attempt: Attempt, started: float, ended: float) -> None:
    """The last three files of an attempt, in the order that makes `times.json` the mark of a whole one."""
    write_json(folder / "attempt.json", attempt)
    write_json(folder / f"{attempt.task_id}_final_answer.json", answer)
    write_json(folder / "times.json", {"start_time": started, "end_time": ended, "duration": ended - started})


def read_attempt(folder: Path) -> Attempt | None:
    """None for trajectories that webassay did not make."""
    path = folder / "attempt.json"
    try:
        return msgspec.json.decode(path.read_bytes(), type=Attempt)
    except FileNotFoundError:
        return None
    except UNREADABLE as error:
        raise TrajectoryError(f"{path}: {error}") from None


def _read_events(path: Path) -> tuple[Event, ...]:
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        raise TrajectoryError(f"{path}: no such file; a trajectory has one, if only an empty one") from None
    decoder = msgspec.json.Decoder(Event)
    events = []
    for number, line in enumerate(lines, 1):
        try:
            events.append(decoder.decode(line))
        except UNREADABLE as error:
            raise TrajectoryError(f"{path}, line {number}: {error}") from None
    if events and all(event.action is None for event in events):
        raise TrajectoryError(f"{path}: {len(events)} events but no action; logs of text only are not read yet")
    return tuple(events)


def _read_answer(folder: Path) -> FinalAnswer:
    found = sorted(folder.glob("*_answer.json"))
    if len(found) != 1:
        raise TrajectoryError(f"{len(found)} answer files in {folder}, expected 1")
    try:
        return msgspec.json.decode(found[0].read_bytes(), type=FinalAnswer)
    except UNREADABLE as error:
        raise TrajectoryError(f"{found[0]}: {error}") from None


def _without_thoughts(arguments: dict[str, Any]) -> str:
    return canonical_json({key: value for key, value in arguments.items() if key != "thoughts"}).decode(
        "utf-8", "replace"
    )
