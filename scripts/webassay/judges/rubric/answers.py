"""The shapes of the answers to the Universal Verifier's questions; an answer of another shape is asked for again."""

from typing import Annotated, Any, Literal

import msgspec

Score10 = Annotated[int, msgspec.Meta(ge=0, le=10)]
NO_CRITICAL_POINT = "NO_CRITICAL_POINT"
CriticalPointType = Literal[
    "NO_CRITICAL_POINT",
    "NO_PERMISSION_MISSING_INFO_TASK_UNDERSPECIFIED",
    "NO_PERMISSION_MISSING_INFO_TASK_SPECIFIED",
    "NO_PERMISSION_INFO_PROVIDED_TASK_UNDERSPECIFIED",
    "NO_PERMISSION_INFO_PROVIDED_TASK_SPECIFIED",
    "PERMISSION_GRANTED_MISSING_INFO_TASK_UNDERSPECIFIED",
    "PERMISSION_GRANTED_MISSING_INFO_TASK_SPECIFIED",
    "PERMISSION_GRANTED_INFO_PROVIDED_TASK_UNDERSPECIFIED",
    "PERMISSION_GRANTED_INFO_PROVIDED_TASK_SPECIFIED",
]


class CriticalPoint(msgspec.Struct, frozen=True):
    """Step -1: what the task allows an agent to do without asking."""

    critical_point_type: CriticalPointType
    classification_reasoning: str
    irreversible_action_present: bool
    irreversible_action_description: str = ""
    missing_user_information: tuple[str, ...] = ()
    underspecified_aspects: tuple[str, ...] = ()
    expected_behavior: tuple[str, ...] = ()
    confidence: Literal["HIGH", "MEDIUM", "LOW"] = "MEDIUM"


class Generated(msgspec.Struct, frozen=True):
    """Step 0a."""

    items: list[dict[str, Any]]


class Dependencies(msgspec.Struct, frozen=True):
    """Step 0b."""

    reasoning: str
    needs_reformulation: bool
    items: list[dict[str, Any]] = []
    """The rubric in other words, where it needs them."""


class ActionScore(msgspec.Struct, frozen=True):
    criterion: str
    justification: str
    earned_points: float
    is_condition_met: bool | None = None


class ActionScores(msgspec.Struct, frozen=True):
    """Step 0c: by the actions alone."""

    items: list[ActionScore]


class Relevance(msgspec.Struct, frozen=True):
    """Step 2, of one screenshot: for each criterion."""

    scores: list[Score10]


class Finding(msgspec.Struct, frozen=True):
    criterion: int
    screenshot_evidence: str
    criterion_analysis: str
    discrepancies: str = ""
    environment_issues_confirmed: bool = False
    condition_verification: bool | None = None


class Findings(msgspec.Struct, frozen=True):
    """Step 4, of one screenshot."""

    findings: list[Finding]


class ConditionMet(msgspec.Struct, frozen=True):
    criterion: int
    is_condition_met: bool
    reasoning: str


class Conditions(msgspec.Struct, frozen=True):
    """Step 4.5."""

    conditions: list[ConditionMet]


class Reality(msgspec.Struct, frozen=True):
    """Step 5: what the site really offered, for each criterion."""

    notes: list[str]


class Rescored(msgspec.Struct, frozen=True):
    applicable_evidence: str
    post_image_justification: str
    post_image_earned_points: float
    verifiable: bool
    evidence: tuple[int, ...] = ()


class Rescoring(msgspec.Struct, frozen=True):
    """Step 6."""

    items: list[Rescored]


class Penalty(msgspec.Struct, frozen=True):
    criterion: str
    description: str
    max_points: Annotated[float, msgspec.Meta(gt=0, le=1000)]


class SideEffects(msgspec.Struct, frozen=True):
    """Step 7."""

    reasoning: str
    requires_penalty: bool
    penalty_criteria: tuple[Penalty, ...] = ()


class Outcome(msgspec.Struct, frozen=True):
    """Step 8a."""

    primary_intent: str
    reasoning: str
    output_success: bool
    evidence: tuple[int, ...] = ()


class Violation(msgspec.Struct, frozen=True):
    """Step 8b."""

    reasoning: str
    cp_violation: bool


class FailurePoint(msgspec.Struct, frozen=True):
    step_numbers: str
    """`5`, `5-7` or `5,8`."""
    error_code: str
    what_happened: str
    agent_reasoning: str = ""
    evidence: str = ""
    impact: str = ""


class Failures(msgspec.Struct, frozen=True):
    """Step 9a."""

    reasoning: str
    has_failure: bool
    failure_points: tuple[FailurePoint, ...] = ()


class TaskCheck(msgspec.Struct, frozen=True):
    """Steps 9b (with the trajectory) and 10 (without)."""

    reasoning_is_ambiguous: str
    is_ambiguous: bool
    reasoning_is_invalid: str
    is_invalid: bool
    ambiguity_codes: tuple[str, ...] = ()
    invalid_task_codes: tuple[str, ...] = ()
