"""Small trajectories made by hand, in each of the shapes that an analysis meets."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Step = dict[str, Any]


def step(second: int, tool: str, **more: Any) -> Step:
    """As webassay writes it."""
    stamp = f"2026-03-01T10:00:{second:02d}.000000"
    arguments = {"action": tool, "thoughts": "so"} | more
    return {"timestamp": stamp, "type": "WebSurferEvent", "source": "WebSurfer", "message": "m", "url": "http://s/",
            "action": tool, "arguments": arguments}  # fmt: skip


def fara(number: int, tool: str) -> list[Step]:
    """One step of FaraAgent: text, the event under the name of its only function, text again."""
    stamp = f"2026-03-01T10:00:{10 * number:02d}.500000"
    said = f"\nThought #{number}: so\nAction #{number}: executing tool '{tool}'"
    text = f'{said} with arguments {{"action": "{tool}"}}'
    arguments = {"action": tool, "coordinate": [1, 2], "thoughts": "so"}
    common = {"timestamp": stamp, "type": "OtherEvent"}
    return [
        common | {"message": text},
        common | {"source": "FaraAgent", "message": "computer_use( {} )", "url": "http://s/", "action": "computer_use",
                  "arguments": arguments},
        common | {"message": f"Observation#{number}: done"},
    ]  # fmt: skip


def gpt_solver(names: Sequence[str]) -> list[Step]:
    """Each action told twice, first in summary, and a last line that is no action."""
    lines: list[Step] = []
    for second, name in enumerate(names):
        common = {"timestamp": f"2026-03-01T10:00:{second:02d}.000000", "type": "WebSurferEvent", "message": name}
        lines.append(common | {"source": "WebSurfer-SummarizedAction", "url": "", "action": None, "arguments": None})
        lines.append(common | {"source": "WebSurfer", "url": "", "action": name, "arguments": {"reasoning": "so"}})
    return [*lines, {"type": "WebSurferEvent", "source": "WebSurfer", "message": "Web surfing done.", "action": None}]


def make(
    folder: Path,
    events: Sequence[Step] = (),
    answer: str | None = "42",
    *,
    aborted: bool = False,
    usage: dict[str, dict[str, int]] | None = None,
    seconds: float | None = None,
    scores: dict[str, Any] | None = None,
    core: str = "",
    attempt: int | None = None,
    reason: str = "",
) -> Path:
    """A trajectory folder; without `answer` it has no answer file, with `attempt` it is webassay's own."""
    folder.mkdir(parents=True)
    (folder / "web_surfer.log").write_text("".join(json.dumps(event) + "\n" for event in events))
    if answer is not None:
        record = {"final_answer": answer, "is_aborted": aborted, "token_usage": usage or {}}
        _write(folder / f"{folder.name}_final_answer.json", record)
    if seconds is not None:
        _write(folder / "times.json", {"start_time": 1.0, "end_time": 1.0 + seconds, "duration": seconds})
    for judge, score in (scores or {}).items():
        _write(folder / "scores" / f"{judge}.json", {"score": score, "gpt_response_text": "why"})
    if core:
        (folder / "core.log").write_text(core)
    if attempt is not None:
        outcome = "aborted" if aborted else "answered" if answer != "<no_answer>" else "over_budget"
        known = {"task_id": folder.name, "task_digest": "d", "attempt": attempt, "outcome": outcome, "reason": reason}
        _write(folder / "attempt.json", known)
    return folder


def line(level: str, message: str) -> str:
    return f"2026-03-01 10:00:00,123 [{level}] webeval.core.Google Map--3 - {message}\n"


def _write(path: Path, value: Any) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(value))
