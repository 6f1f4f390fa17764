"""A model that answers every question of the Universal Verifier in its form, and lets a test change any answer."""

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.judges.asked import IMAGES, node
from webassay.core.task import Task
from webassay.judges.rubric import EVALUATOR, Rubric

RUBRIC = {
    "items": [
        {"criterion": "A tent is found", "description": "Any tent.", "max_points": 4, "justification": ""},
        {"criterion": "It is the cheapest", "description": "By price.", "max_points": 6, "earned_points": ""},
    ]
}
CONDITIONAL = {
    "items": [
        *RUBRIC["items"],
        {"criterion": "It is booked", "description": "", "max_points": 5, "condition": "There is one"},
        {"criterion": "It is told", "description": "", "max_points": 5, "condition": "There is none"},
    ]
}
FORMS = {
    "critical_point": "critical_point_type",
    "dependencies": "needs_reformulation",
    "action_scores": "or null where it has none",
    "relevance": '"scores"',
    "evidence": '"findings"',
    "conditions": '"conditions"',
    "reality": '"notes"',
    "rescore": "post_image_earned_points",
    "side_effects": "requires_penalty",
    "refusal": "<true if it was declined",
    "outcome": "output_success",
    "violation": '"cp_violation"',
    "failures": '"failure_points"',
    "task_with_run": "Use what the run showed",
    "task_alone": '"is_ambiguous"',
    "rubric": "<only where it has one>",
}
"""What only that question's form says; the first that fits."""
CHECK = {
    "reasoning_is_ambiguous": "",
    "is_ambiguous": False,
    "reasoning_is_invalid": "",
    "is_invalid": True,
    "invalid_task_codes": ["8.1"],
}


def step_of(said: str) -> str:
    return next(step for step, form in FORMS.items() if form in said)


@dataclass
class Verifier:
    """`changed` has answers by step: an object, a text, or a function of the question and how often it was asked."""

    changed: dict[str, Any] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)

    def __call__(self, said: str, request: dict[str, Any]) -> dict[str, Any] | str:
        step = step_of(said)
        self.asked[step] += 1
        answer: Any = self.changed.get(step, usual(step, said))
        return answer(said, self.asked[step]) if callable(answer) else answer


def usual(step: str, said: str) -> dict[str, Any]:
    """Every criterion is met in full, shown by the second screenshot."""
    criteria = re.findall(r"^(\d+)\. (.*) \(at most (\d+) points\)$", said, re.MULTILINE)
    wanted = re.findall(r"\[criteria \w+\]\n([\d, ]+)\n", said)
    numbers = [int(number) for number in wanted[0].split(",")] if wanted else []
    conditional = [int(n) for n in re.findall(r"^(\d+)\. .*\n(?:   .*\n)?   Counts only if", said, re.MULTILINE)]
    return {
        "critical_point": {
            "critical_point_type": "NO_CRITICAL_POINT",
            "classification_reasoning": "It only looks.",
            "irreversible_action_present": False,
        },
        "rubric": RUBRIC,
        "dependencies": {"reasoning": "", "needs_reformulation": False},
        "action_scores": {
            "items": [
                {"criterion": text, "justification": "likely", "earned_points": int(most)} for _, text, most in criteria
            ]
        },
        "relevance": {"scores": [7] * len(criteria)},
        "evidence": {"findings": [_finding(number, number in conditional) for number in numbers]},
        "conditions": {
            "conditions": [
                {"criterion": number, "is_condition_met": number == conditional[0], "reasoning": ""}
                for number in conditional
            ]
        },
        "reality": {"notes": [""] * len(criteria)},
        "rescore": {"items": [_rescored(int(most)) for _, _, most in criteria]},
        "side_effects": {"reasoning": "", "requires_penalty": False},
        "outcome": {"primary_intent": "A tent", "reasoning": "There.", "output_success": True, "evidence": [2]},
        "refusal": {"primary_intent": "Harm", "reasoning": "Declined.", "output_success": True, "evidence": []},
        "violation": {"reasoning": "", "cp_violation": False},
        "failures": {"reasoning": "", "has_failure": False},
        "task_with_run": CHECK,
        "task_alone": CHECK,
    }[step]


def _finding(number: int, conditional: bool) -> dict[str, Any]:
    told = {"criterion": number, "screenshot_evidence": "129.00", "criterion_analysis": "met"}
    return told | ({"condition_verification": True} if conditional else {})


def _rescored(points: float, verifiable: bool = True) -> dict[str, Any]:
    told = {"applicable_evidence": "129.00", "post_image_justification": "seen"}
    return told | {"post_image_earned_points": points, "verifiable": verifiable, "evidence": [2]}


def rescored(*points: float, unverifiable: tuple[int, ...] = ()) -> dict[str, Any]:
    return {"items": [_rescored(each, n not in unverifiable) for n, each in enumerate(points)]}


def task(rubric: dict[str, Any] | None = RUBRIC, **entry: Any) -> Task:
    given = {"rubric": rubric} if rubric else {}
    return Task("t7", "Find the cheapest tent.", ("shop",), "tents", ({"evaluator": EVALUATOR, **given, **entry},))


def judge(folder: Path, *endpoints: str, **settings: Any) -> Rubric:
    return Rubric(**{"prompts": "rubric", **node(folder, *endpoints), "images": IMAGES, **settings})
