"""One trajectory as its page shows it: steps with their screenshots, requests, the database, verdicts, attempts."""

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from webassay.core.screenshots import PNG, is_picture
from webassay.core.task import Task
from webassay.core.trajectory import PICTURES, Event, Trajectory, read_attempt
from webassay.errors import TrajectoryError
from webassay.evidence.changes import Change
from webassay.evidence.state import Rows, read_state
from webassay.judges.lifecycle import Sidecar
from webassay.report.site.files import link, shown, shown_value
from webassay.report.site.network import network_of
from webassay.report.site.verdicts import cited_requests, verdict_shown
from webassay.systems.websurfer.pictures import smart_size

MOST_CHANGES, MOST_ROWS, MOST_STEPS = 500, 200, 5000
LONGEST_CELL = 500
MODEL_SPACE = "computer_use"
"""webeval's own agent logs coordinates of the picture that its model saw, which is smaller than the screenshot."""
PIXELS = (3136, 12_845_056)
HIDDEN = (".", "screenshot")
INERT = {".json", ".jsonl", ".log", ".txt", ".csv", ".har", ".zip", *PICTURES}
"""What a browser shows or saves; anything else it might run as a page of ours."""


def page_of(
    task: Task, trajectory: Trajectory, verdicts: Mapping[str, Sidecar | None], names: Mapping[str, str], page: Path
) -> dict[str, Any]:
    """`verdicts` and `names` by eval_hash; links are relative to `page`."""
    attempt = trajectory.attempt
    told = [verdict_shown(names[key], key, verdict, trajectory.folder) for key, verdict in verdicts.items()]
    return {
        "task": task_shown(task),
        "outcome": trajectory.outcome,
        "reason": shown(attempt.reason, 1000) if attempt else "",
        "answer": shown(trajectory.answer.final_answer),
        "times": msgspec.to_builtins(trajectory.times),
        "steps": _steps(trajectory),
        "frames": [_frame(path, page) for path in trajectory.screenshots],
        "network": network_of(trajectory, cited_requests(verdicts.values())),
        "state": _state(trajectory.folder / "state.json"),
        "verdicts": told,
        "attempts": [_attempt(path, page) for path in _attempts(trajectory.folder)],
        "surroundings": _surroundings(trajectory),
        "usage": msgspec.to_builtins(trajectory.answer.usage),
        "files": _files(trajectory.folder, page),
        "problems": [shown(problem, 500) for problem in [*trajectory.problems[:50], *_left_out(trajectory)]],
    }


def _left_out(trajectory: Trajectory) -> Iterator[str]:
    if (more := len(trajectory.steps) - MOST_STEPS) > 0:
        yield f"{more} more steps are in web_surfer.log; this page has the first {MOST_STEPS}."


def missing_page(task: Task, problem: str) -> dict[str, Any]:
    """Of a task that has no trajectory, or none that can be read."""
    return {"task": task_shown(task), "outcome": "", "problems": [shown(problem, 500)]}


def task_shown(task: Task) -> dict[str, Any]:
    return {
        "id": task.task_id,
        "intent": shown(task.intent, 4000),
        "template": task.template,
        "sites": list(task.sites),
        "difficulty": task.difficulty,
        "account": task.account,
        "start_urls": list(task.start_urls),
    }


def _steps(trajectory: Trajectory) -> list[dict[str, Any]]:
    shift = _first_is_before(trajectory)
    return [
        _step(number, step, shift, trajectory.screenshots) for number, step in enumerate(trajectory.steps[:MOST_STEPS])
    ]


def _first_is_before(trajectory: Trajectory) -> int:
    """1 where the first screenshot was taken before the first action: `screenshot0.png`, or one more than actions."""
    frames = trajectory.screenshots
    zero = bool(frames) and frames[0].stem in ("screenshot0", "screenshot_0")
    return int(zero or len(frames) > len(trajectory.steps))


def _step(number: int, step: Event, shift: int, frames: Sequence[Path]) -> dict[str, Any]:
    before, after = number - 1 + shift, number + shift
    arguments = {key: value for key, value in step.arguments.items() if key not in ("action", "thoughts")}
    return {
        "action": shown(step.tool or "", 100),
        "arguments": {shown(str(key), 100): shown_value(value) for key, value in arguments.items()},
        "thoughts": shown(step.thoughts),
        "url": shown(step.url, 1000),
        "time": shown(step.timestamp, 40),
        "before": before if 0 <= before < len(frames) else None,
        "after": after if 0 <= after < len(frames) else None,
        "marks": marks(arguments),
        "space": _model_space(step, frames[before]) if 0 <= before < len(frames) else None,
    }


def marks(arguments: Mapping[str, Any]) -> list[list[float]]:
    """Points that an action names, in the order of where it begins and ends."""
    given = [arguments.get(name) for name in ("start_coordinate", "coordinate", "end_coordinate")]
    given.append([arguments.get("x"), arguments.get("y")])
    path = arguments.get("path")
    if isinstance(path, list):
        given += [[point.get("x"), point.get("y")] if isinstance(point, dict) else point for point in path[:100]]
    return [[float(side) for side in point] for point in given if isinstance(point, list | tuple) and _is_point(point)]


def _is_point(given: Any) -> bool:
    if not isinstance(given, list | tuple) or len(given) != 2:
        return False
    return all(isinstance(side, int | float) and not isinstance(side, bool) and abs(side) < 1e6 for side in given)


def _model_space(step: Event, frame: Path) -> list[int] | None:
    """Width and height that the coordinates are of, where these are not the screenshot's."""
    size = png_size(frame) if step.action == MODEL_SPACE else None
    return list(smart_size(*size, *PIXELS)) if size else None


def png_size(path: Path) -> tuple[int, int] | None:
    try:
        with path.open("rb") as stream:
            head = stream.read(24)
    except OSError:
        return None
    if len(head) < 24 or not head.startswith(PNG):
        return None
    width, height = struct.unpack(">II", head[16:24])
    return (width, height) if 0 < width < 100_000 and 0 < height < 100_000 else None


def _frame(path: Path, page: Path) -> dict[str, Any]:
    try:
        readable = is_picture(path)
    except OSError:
        readable = False
    return {"src": link(path, page), "name": path.name, "ok": readable}


def _state(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {"problem": "No state of the sites was recorded."}
    try:
        state = read_state(path)
    except TrajectoryError as error:
        return {"problem": shown(str(error), 500)}
    probes = (state.before, state.after)
    return {
        "before": _rows(state.before),
        "after": _rows(state.after),
        "more": sum(max(0, len(rows) - MOST_ROWS) for probe in probes for rows in probe.values()),
        "changes": None if state.changes is None else [_change(each) for each in state.changes[:MOST_CHANGES]],
        "left_out": max(0, len(state.changes or ()) - MOST_CHANGES),
        "problem": "",
    }


def _rows(probes: Mapping[str, Rows]) -> dict[str, list[list[Any]]]:
    return {name: [[_cell(cell) for cell in row] for row in rows[:MOST_ROWS]] for name, rows in probes.items()}


def _change(change: Change) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(change)
    for side in ("before", "after"):
        told[side] = told[side] and {name: _cell(cell) for name, cell in told[side].items()}
    return told


def _cell(value: Any) -> Any:
    return shown(value, LONGEST_CELL) if isinstance(value, str) else value


def _attempts(folder: Path) -> list[Path]:
    """Earlier attempts, which broke off, by their number."""
    found = [path for path in (folder / "attempts").glob("*") if path.is_dir() and path.name.isdecimal()]
    return sorted(found, key=lambda path: int(path.name))


def _attempt(folder: Path, page: Path) -> dict[str, Any]:
    try:
        attempt = read_attempt(folder)
        outcome, reason = (attempt.outcome, attempt.reason) if attempt else ("", "no attempt.json")
    except TrajectoryError as error:
        outcome, reason = "", str(error)
    return {
        "number": int(folder.name),
        "outcome": outcome,
        "reason": shown(reason, 1000),
        "files": _files(folder, page),
    }


def _surroundings(trajectory: Trajectory) -> dict[str, Any]:
    attempt = trajectory.attempt
    if attempt is None:
        return {}
    told: dict[str, Any] = {"attempt": attempt.attempt, "browser": attempt.browser.get("version", "")}
    told |= {f"model {key}": value for key, value in attempt.model.items() if value}
    told |= {"answers 5xx of its sites": attempt.site_errors, "blocked hosts": ", ".join(attempt.blocked)}
    told |= {
        f"site {name}": f"{', '.join(map(str, site.get('urls', [])))}"
        + (f" as {site['user']}" if site.get("user") else "")
        for name, site in attempt.environments.items()
    }
    return {key: shown(str(value), 300) for key, value in told.items() if value not in ("", 0)}


def _files(folder: Path, page: Path) -> list[dict[str, Any]]:
    """Raw evidence and scores; screenshots have their place already."""
    return [
        {"name": str(path.relative_to(folder)), "href": _href(path, page), "size": path.stat().st_size}
        for path in sorted([*_plain(folder), *_plain(folder / "scores")])
    ]


def _href(path: Path, page: Path) -> str | None:
    return link(path, page) if path.suffix.lower() in INERT else None


def _plain(folder: Path) -> Iterable[Path]:
    try:
        return [path for path in folder.iterdir() if path.is_file() and not path.name.startswith(HIDDEN)]
    except OSError:
        return []
