"""Steps 9 and 10: where a run first went wrong, and whether the task is clear and possible; no part of the score."""

from dataclasses import dataclass
from typing import Any

import msgspec

from webassay.judges.rubric.answers import Failures, TaskCheck
from webassay.judges.rubric.case import Case
from webassay.judges.rubric.questions import Clerk
from webassay.judges.rubric.taxonomy import (
    AMBIGUITY,
    FAILURES,
    INVALID,
    coded,
    described,
    first_step,
    tool_errors,
)

FAILURE_CODES = coded(FAILURES)
TASK_CODES = coded(AMBIGUITY | INVALID)


@dataclass(frozen=True)
class Diagnosis:
    """Each in webeval's keys; None where there was no answer."""

    first_point_of_failure: dict[str, Any] | None
    with_trajectory: dict[str, Any] | None
    task_alone: dict[str, Any] | None


def diagnose(clerk: Clerk, case: Case, scores: str, outcome: str) -> Diagnosis:
    date = {"date of the run": case.date}
    return Diagnosis(
        _failures(clerk, case, scores, outcome),
        _task_check(clerk, "task_with_run", case.told | date),
        _task_check(clerk, "task_alone", {"task": case.task} | date),
    )


def _failures(clerk: Clerk, case: Case, scores: str, outcome: str) -> dict[str, Any] | None:
    """What the model finds and what the agent's own definitions show, by the first step."""

    def check(answer: Failures) -> None:
        for point in answer.failure_points:
            step = first_step(point)
            if point.error_code not in FAILURES or step is None or not 1 <= step <= len(case.steps):
                raise ValueError(f"no failure {point.error_code!r} at step {point.step_numbers!r} can be")

    material = case.told | {"scores": scores, "outcome": outcome, "codes": FAILURE_CODES}
    answer = clerk.optional(clerk.question("failures", material), Failures, check)
    if answer is None:
        return None
    points = sorted((*answer.failure_points, *tool_errors(case.steps)), key=lambda point: first_step(point) or 0)
    return {
        "reasoning": answer.reasoning,
        "has_failure": bool(points) or answer.has_failure,
        "failure_points": [described(point) for point in points],
        "first_failure_step": first_step(points[0]) if points else None,
        "first_failure_summary": points[0].what_happened if points else "",
    }


def _task_check(clerk: Clerk, step: str, material: dict[str, str]) -> dict[str, Any] | None:
    def check(answer: TaskCheck) -> None:
        if unknown := (set(answer.ambiguity_codes) - set(AMBIGUITY)) | (set(answer.invalid_task_codes) - set(INVALID)):
            raise ValueError(f"no code {min(unknown)!r}")

    answer = clerk.optional(clerk.question(step, material | {"codes": TASK_CODES}), TaskCheck, check)
    return msgspec.to_builtins(answer) if answer else None
