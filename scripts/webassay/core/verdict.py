"""What a judge says of one trajectory, and why."""

from typing import Any, Literal

import msgspec

from webassay.core.answer import Usage

Status = Literal["success", "failure", "error"]
Attribution = Literal["agent", "site", "task", "harness"]


class Assertion(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that was checked."""

    name: str
    """Dotted, from the evaluator inwards: `response.status`, `activity.shop`, `state.reviews`."""
    passed: bool
    expected: Any = None
    actual: Any = None
    normalized: Any = None
    """The actual value as it was compared, where that differs from how it was given."""
    evidence: str = ""
    """The event or row that decided: `network.har#12`, `state.json#after.reviews[0]`."""
    reason: str = ""
    fault: Attribution | None = None
    """Whose, where a failure is not the agent's."""


class Verdict(msgspec.Struct, frozen=True):
    """The outcome of judging; `score` is None when no verdict could be reached, which is never 0."""

    score: float | None
    status: Status
    reason: str = ""
    """Empty for a success; else the first failed assertion, in words."""
    assertions: tuple[Assertion, ...] = ()
    attribution: Attribution | None = None
    """Whose fault a failure is; None for a success."""
    parse_failure: bool = False
    """The answer could not be read as a structured response; reported as a rate of its own."""
    payload: str | None = None
    """What webeval's readers find in `gpt_response_text`; None: the reason."""
    replies: tuple[str, ...] = ()
    """Keys of the stored model replies that the verdict rests on."""
    usage: dict[str, Usage] = {}
    """Tokens that the judge used, by its steps; replies taken from the store count as when they were made."""


def verdict_of(assertions: tuple[Assertion, ...], *, parse_failure: bool = False) -> Verdict:
    """All assertions must hold: there is no partial credit."""
    failed = next((check for check in assertions if not check.passed), None)
    if failed is None:
        return Verdict(1.0, "success", assertions=assertions)
    return Verdict(0.0, "failure", failed.reason or failed.name, assertions, failed.fault or "agent", parse_failure)
