"""Codes of what goes wrong, in the Universal Verifier's numbering; and two of them that need no model."""

import re
from collections.abc import Sequence

from webassay.core.events import Event
from webassay.judges.rubric.answers import FailurePoint

CATEGORIES = {
    "1": "Selection",
    "2": "Hallucination",
    "3": "Execution & Strategy",
    "4": "Critical point",
    "5": "Side effect",
    "6": "Tool interaction",
}
FAILURES = {
    "1.1": "missing intent",
    "1.2": "unauthorised substitution",
    "1.3": "wrong type of action",
    "1.4": "wrong value or constraint",
    "1.5": "other selection error",
    "2.1": "answer contradicts what was seen",
    "2.2": "action contradicts what was seen",
    "2.3": "answer invented",
    "2.4": "action invented",
    "2.5": "other hallucination",
    "3.1": "computation",
    "3.2": "against the platform's rules",
    "3.2.1": "interfaces not meant for people",
    "3.3": "incomplete delivery",
    "3.4": "environment failure",
    "3.5": "incomplete execution",
    "3.6": "other execution error",
    "4.1": "stopped although permitted",
    "4.2": "critical point crossed",
    "4.3": "other critical point error",
    "5.1": "unwanted change",
    "5.2": "other side effect",
    "6.1": "invalid invocation",
    "6.2": "action that does not exist",
    "6.3": "action does not match its intent",
    "6.4": "wrong place within an element",
    "6.5": "element not there",
    "6.6": "other tool error",
}
AMBIGUITY = {"7.1": "underspecified", "7.2": "ambiguous", "7.3": "other ambiguity"}
INVALID = {
    "8.1": "impossible",
    "8.2": "illegal",
    "8.3": "not safe for work",
    "8.4": "against responsible use",
    "8.5": "unsafe",
    "8.6": "otherwise invalid",
}

TOOL = "computer_use"
"""webeval's agent; what others call their actions nobody can say."""
ARGUMENTS = {
    "key": {"keys"},
    "type": {"text", "coordinate", "press_enter", "delete_existing_text"},
    "mouse_move": {"coordinate"},
    "left_click": {"coordinate"},
    "scroll": {"pixels", "coordinate"},
    "visit_url": {"url"},
    "web_search": {"query"},
    "history_back": set[str](),
    "pause_and_memorize_fact": {"fact"},
    "wait": {"time", "duration"},
    "terminate": {"status"},
}
ALIASES = {
    "keypress": "key",
    "input_text": "type",
    "hover": "mouse_move",
    "click": "left_click",
    "sleep": "wait",
    "stop": "terminate",
}
IGNORED = {"_call_id", "thoughts", "action"}
_STEPS = re.compile(r"\s*\d+(?:\s*[-,–]\s*\d+)*\s*")


def coded(codes: dict[str, str]) -> str:
    """As models are shown them."""
    return "\n".join(f"{code} {meaning}" for code, meaning in codes.items())


def tool_errors(steps: Sequence[Event]) -> list[FailurePoint]:
    """Actions and arguments that webeval's agent does not have, by its own definitions."""
    found = []
    for number, step in enumerate(steps, 1):
        if step.action != TOOL:
            continue
        name = str(step.arguments.get("action") or "")
        known = ARGUMENTS.get(ALIASES.get(name, name))
        if known is None:
            found.append(FailurePoint(str(number), "6.2", f"there is no action {name!r}"))
        elif unknown := step.arguments.keys() - known - IGNORED:
            found.append(FailurePoint(str(number), "6.1", f"{name} has no argument {', '.join(sorted(unknown))}"))
    return found


def first_step(point: FailurePoint) -> int | None:
    """The earliest, in whatever order they are told; None where these are no numbers."""
    if not _STEPS.fullmatch(point.step_numbers):
        return None
    return min(map(int, re.findall(r"\d+", point.step_numbers)))


def described(point: FailurePoint) -> dict[str, str]:
    """With the names of its category and type, in the keys of webeval's payload."""
    return {
        "step_numbers": point.step_numbers,
        "error_code": point.error_code,
        "error_category": CATEGORIES[point.error_code.partition(".")[0]],
        "error_type": FAILURES[point.error_code],
        "what_happened": point.what_happened,
        "agent_reasoning": point.agent_reasoning,
        "evidence": point.evidence,
        "impact": point.impact,
    }
