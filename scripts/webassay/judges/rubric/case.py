"""What there is to judge: the task, what was done, what was answered, what was seen."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlsplit

from webassay.core.task import Task
from webassay.core.trajectory import Event, Trajectory
from webassay.judges.opinions import WITHHELD, arguments_shown
from webassay.judges.shown import Screenshots

LONGEST_URL = 150


@dataclass(frozen=True)
class Case:
    task: str
    """With the page that it started on, where there is one."""
    history: str
    answer: str
    shown: Screenshots
    steps: tuple[Event, ...]
    date: str
    """Of the run, not of the judging: what was impossible then stays so. Empty where nobody knows."""

    @property
    def told(self) -> dict[str, str]:
        """Without pictures; labels as in the prompts."""
        return {"task": self.task, "actions": self.history, "answer": self.answer}


def case_of(task: Task, trajectory: Trajectory, shown: Screenshots, *, agent_text: bool) -> Case:
    start = f"\nIt starts at {task.start_urls[0]}" if task.start_urls else ""
    times = trajectory.times
    date = datetime.fromtimestamp(times.start_time, UTC).date().isoformat() if times else ""
    history = _history(trajectory.steps, agent_text=agent_text)
    answer = trajectory.answer.final_answer if agent_text else WITHHELD
    return Case(task.intent + start, history, answer, shown, trajectory.steps, date)


def _history(steps: Sequence[Event], *, agent_text: bool) -> str:
    """webeval's form; without the agent's thoughts, which are claims and no evidence."""
    lines = []
    for number, step in enumerate(steps, 1):
        arguments = arguments_shown(step, agent_text=agent_text)
        arguments.pop("reasoning", None)
        state = str(arguments.pop("state_description", "") or "")
        lines.append(f"State {number}: {_plain_url(step.url)}" + (f", state_description: {state}" if state else ""))
        lines.append(f"Action {number}: {step.tool}({json.dumps(arguments, ensure_ascii=False)})")
    return "\n".join(lines)


def _plain_url(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return url[:LONGEST_URL]
    return parts._replace(query="", fragment="").geturl()[:LONGEST_URL]
