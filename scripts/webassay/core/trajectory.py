"""The trajectory folder: webeval's files, and beside them what makes a run checkable.

`web_surfer.log` (JSON Lines, one object an event), `<task_id>_final_answer.json`, `screenshot_N.png`, `times.json`
(written last: without it the attempt was cut short), `core.log` and `scores/` are webeval's; `attempt.json`,
`network.har`, `state.json`, `agent_response.json`, `task_data.json` and `attempts/<n>/` are ours. Reading changes
nothing.

Where webeval's README and its code disagree, and where its files differ from one year to the next, this reader
decides as follows.

* A step is an event with an `action`, whatever its `type` (`WebSurferEvent` in the README, `OtherEvent` in runs of
  FaraAgent). The tool's name is `arguments.action` where there is one, else `action`.
* Where no event has an action, steps are recovered from the text (core/events.py), as webeval does.
* Missing and unknown keys are legal in events, answers and token counts; unknown ones are kept. `arguments` may be
  null. An empty log is legal.
* `is_aborted` is what the answer says; a run that crashed and left no answer is an error here, so it is judged by
  nobody, as in webeval.
* Answers: exactly one `*_final_answer.json` (README); where there is none, one `*_answer.json` (code).
* A final answer that is no text counts as its JSON, and flags may be 0 and 1: webeval's reader looks at no types.
* Screenshots: `screenshotN.png` from 0 (FaraAgent) or `screenshot_N.png` from 1 (README); those that the answer lists,
  in its order, else those in the folder by number. Evaluators of webeval link `screenshot_2.png` to `screenshot1.png`:
  neither such links nor the copies that archives make of them count. `latest_screenshot` is the last of them, since
  nobody ever wrote `screenshot_scaled.png`.
* Token counts may be empty, with two keys or with four, under any component's name; what is no count is none.
* `completed` is "an answer, and not aborted": the README's rule, which webeval's own averages do not follow.
* Scores are two keys in a file, of any judge; the file that a crash cut short is no score. Rules of zero points
  without a judge are judges/lifecycle.py's, the same for runs, imports and `verify`: no actions, over budget, a last
  action that is not "terminate" (README, and its words). The code's third rule, two screenshots more or fewer than
  actions, is not among them: its own writers differ by one, and a lost picture is no failure of the agent's.
* A judge that breaks gives no score (README); webeval's WebTailBench writes 0.
* What a rubric says of the first failure stands in the score's own payload (code of April), not beside it (of June).
* `task_data.json` may have any keys; it is only read.
* webeval empties the folder before it tries a task again; ours are kept in `attempts/<n>/`, which this reader leaves
  alone: the trajectory is the last attempt.
"""

import json
import math
import os
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from webassay.core.answer import NO_ANSWER, FinalAnswer, answer_files, read_answer
from webassay.core.digest import digest, file_digest
from webassay.core.events import INFERRED, Event, EventLog, read_events
from webassay.core.files import UNREADABLE, decode_lenient, write_json
from webassay.core.screenshots import screenshot_paths
from webassay.errors import TrajectoryError

__all__ = ["NO_ANSWER", "Attempt", "Event", "EventLog", "FinalAnswer", "Trajectory", "read_attempt", "write_end"]

LOG, ATTEMPT = "web_surfer.log", "attempt.json"
TRACES = ("network.har", "network.har.zip", "trace.zip")
"""A HAR, a zipped one, Playwright's trace; the first that is there is meant."""
RECORDED = (*TRACES, "state.json", "pages.json", "agent_response.json", "verifier.json", "initiators.json")
"""What judges look at besides log, answer and pictures."""
PICTURES = (".png", ".jpg", ".jpeg", ".webp")
Decoded = TypeVar("Decoded")
Outcome = Literal["answered", "over_budget", "aborted"]


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
    model: dict[str, str] = {}
    """The model that was asked, as its endpoint names it."""
    captchas: dict[str, int] = {}
    """Solved and unsolved ones, of a browser that solves them by itself."""


class Score(msgspec.Struct, frozen=True):
    """`scores/<eval_hash>.json`."""

    score: float
    gpt_response_text: Any = None
    """A text or null in webeval's own files; what others put there does not void the score."""


class Times(msgspec.Struct, frozen=True):
    """`times.json`, in seconds since 1970."""

    start_time: float
    end_time: float
    duration: float


class Trajectory(msgspec.Struct, frozen=True, dict=True):
    """What is on disk of one task, read once and never changed."""

    folder: Path
    events: tuple[Event, ...]
    answer: FinalAnswer
    attempt: Attempt | None
    screenshots: tuple[Path, ...] = ()
    problems: tuple[str, ...] = ()
    """What a tolerant reading had to leave out."""
    elsewhere: dict[str, dict[str, Any]] = {}
    """The sites of a trajectory that names none, as whoever judges it knows them."""

    @classmethod
    def from_folder(cls, folder: str | os.PathLike[str], *, strict: bool = True) -> "Trajectory":
        """All of it, or a TrajectoryError that names file and line; not `strict`: what is readable, and `problems`."""
        return _read(Path(folder), None if strict else [])

    @property
    def task_id(self) -> str:
        return self.attempt.task_id if self.attempt else self.folder.name

    @cached_property
    def steps(self) -> tuple[Event, ...]:
        return tuple(event for event in self.events if event.action is not None)

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The arguments of each step as JSON, without the thoughts; the bytes are webeval's."""
        return tuple(
            json.dumps({key: value for key, value in step.arguments.items() if key != "thoughts"})
            for step in self.steps
        )

    @cached_property
    def thoughts(self) -> tuple[str, ...]:
        return tuple(step.thoughts for step in self.steps)

    @property
    def last_action(self) -> str | None:
        return self.steps[-1].tool if self.steps else None

    @property
    def trace(self) -> Path:
        """The recording of the network; where there is none, where it should be."""
        found = (self.folder / name for name in TRACES)
        return next((path for path in found if path.is_file()), self.folder / TRACES[0])

    @property
    def actions_known(self) -> bool:
        """Not of a log that holds nothing but how the run ended."""
        return any(step.source != INFERRED for step in self.steps)

    @property
    def latest_screenshot(self) -> Path | None:
        return self.screenshots[-1] if self.screenshots else None

    @property
    def is_aborted(self) -> bool:
        return self.answer.is_aborted

    @property
    def completed(self) -> bool:
        return self.outcome == "answered"

    @property
    def outcome(self) -> Outcome:
        if self.is_aborted:
            return "aborted"
        return "over_budget" if self.answer.final_answer == NO_ANSWER else "answered"

    @property
    def environments(self) -> dict[str, dict[str, Any]]:
        return self.attempt.environments if self.attempt else self.elsewhere

    @cached_property
    def times(self) -> Times | None:
        """None where the attempt was cut short."""
        return _decoded(self.folder / "times.json", Times)

    @cached_property
    def scores(self) -> dict[str, Score]:
        """By eval_hash; a file that was cut short is no score."""
        paths = sorted((self.folder / "scores").glob("*.json"))
        found = ((path, _decoded(path, Score)) for path in paths if not path.name.endswith(".meta.json"))
        return {path.name.removesuffix(".json"): score for path, score in found if score is not None}

    @property
    def score(self) -> float | None:
        """The one that all judges gave; None where there is none, or where they differ."""
        given = {score.score for score in self.scores.values() if math.isfinite(score.score)}
        return given.pop() if len(given) == 1 else None


def evidence_digest(folder: Path) -> str:
    """Of what judges look at: by its content, and traces of the network and pictures, which are large, by size."""
    entries = _entries(folder)
    read = {LOG, ATTEMPT, *answer_files([entry.name for entry in entries]), *RECORDED} - {*TRACES}
    measured = (entry for entry in entries if entry.name in TRACES or entry.name.lower().endswith(PICTURES))
    try:
        stamps = [(entry.name, file_digest(Path(entry))) for entry in entries if entry.name in read]
        return digest([stamps, [(entry.name, entry.stat().st_size) for entry in measured]])
    except FileNotFoundError as error:
        raise TrajectoryError(f"{error.filename}: gone: it changes while it is read") from None
    except OSError as error:
        raise _unreadable(folder, error) from None


def write_end(folder: Path, answer: FinalAnswer, attempt: Attempt, started: float, ended: float) -> None:
    """The last three files of an attempt, in the order that makes `times.json` the mark of a whole one."""
    write_json(folder / ATTEMPT, attempt)
    write_json(folder / f"{attempt.task_id}_final_answer.json", answer.record())
    write_json(folder / "times.json", Times(started, ended, ended - started))


def read_attempt(folder: Path) -> Attempt | None:
    """None for trajectories that webassay did not make."""
    path = folder / ATTEMPT
    try:
        return msgspec.json.decode(path.read_bytes(), type=Attempt)
    except FileNotFoundError:
        return None
    except UNREADABLE as error:
        raise TrajectoryError(f"{path}: {error}") from None
    except OSError as error:
        raise _unreadable(path, error) from None


def _unreadable(path: Path, error: OSError) -> TrajectoryError:
    """Naming the file, and the way out where there is one."""
    wayout = "; give yourself the right to read it" if isinstance(error, PermissionError) else ""
    return TrajectoryError(f"{error.filename or path}: {error.strerror}{wayout}")


def _read(folder: Path, problems: list[str] | None) -> Trajectory:
    entries = _entries(folder)
    names = [entry.name for entry in entries]
    events: tuple[Event, ...] = ()
    screenshots: tuple[Path, ...] = ()
    answer, attempt = None, None
    with _Tolerance(problems):
        events = _events(folder / LOG, problems)
    with _Tolerance(problems):
        answer = read_answer(folder / _answer_file(folder, names), problems)
    with _Tolerance(problems):
        attempt = read_attempt(folder) if ATTEMPT in names else None
    with _Tolerance(problems):
        screenshots = _screenshots(folder, answer or FinalAnswer(), entries, problems)
    # without an answer the run crashed: nobody's zero, like any other abort
    answer = answer or FinalAnswer(is_aborted=True)
    return Trajectory(folder, events, answer, attempt, screenshots, tuple(problems or ()))


class _Tolerance:
    """Lets errors through, or puts them on a list and goes on."""

    def __init__(self, problems: list[str] | None) -> None:
        self._problems = problems

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: Any, error: BaseException | None, __: Any) -> bool:
        if self._problems is None or not isinstance(error, TrajectoryError):
            return False
        self._problems.append(str(error))
        return True


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted((entry for entry in entries if _is_file(entry)), key=lambda entry: entry.name)
    except OSError as error:
        raise _unreadable(folder, error) from None


def _is_file(entry: os.DirEntry[str]) -> bool:
    """A pipe or a device would never end."""
    try:
        return entry.is_file()
    except OSError:  # a link in a circle
        return False


def _events(path: Path, problems: list[str] | None) -> tuple[Event, ...]:
    try:
        if not path.is_file():
            raise TrajectoryError(f"{path}: no such file; a trajectory has one, if only an empty one")
        return read_events(path, problems)
    except OSError as error:
        raise _unreadable(path, error) from None


def _answer_file(folder: Path, names: list[str]) -> str:
    found = answer_files(names)
    if len(found) != 1:
        raise TrajectoryError(f"{len(found)} answer files in {folder}, expected 1")
    return found[0]


def _screenshots(
    folder: Path, answer: FinalAnswer, entries: list[os.DirEntry[str]], problems: list[str] | None
) -> tuple[Path, ...]:
    try:
        return screenshot_paths(folder, answer, entries, problems)
    except (ValueError, OSError) as error:
        raise TrajectoryError(f"{folder}: {error}") from None


def _decoded(path: Path, kind: type[Decoded]) -> Decoded | None:
    """None where there is no such file, or where it cannot be read as what it should be."""
    try:
        return msgspec.convert(decode_lenient(path.read_bytes()), kind) if path.is_file() else None
    except (OSError, ValueError):
        return None
