"""What the release says of one evaluator and of one task, from which a verdict and its `eval_result.json` follow."""

from typing import Any, Literal

import msgspec

from webassay.core.verdict import Assertion, Attribution, Verdict
from webassay.judges.release.compare import Mismatch
from webassay.judges.release.shown import shown

Status = Literal["success", "failure", "error"]


class EvaluatorResult(msgspec.Struct, frozen=True):
    evaluator: str
    actual: Any = None
    normalized: Any = None
    expected: Any = None
    mismatches: tuple[Mismatch, ...] = ()
    error: str = ""
    """Why the release raised an exception here; its status is then `error`."""
    fault: Attribution = "agent"
    """Whose value could not be dealt with."""
    should_not_exist: bool | None = None
    evidence: str = ""

    @property
    def status(self) -> Status:
        if self.error:
            return "error"
        return "failure" if self.mismatches else "success"


class TaskResult(msgspec.Struct, frozen=True):
    results: tuple[EvaluatorResult, ...] = ()
    error: str = ""
    """Why no evaluator was run."""

    @property
    def status(self) -> Status:
        if self.error or any(one.status == "error" for one in self.results):
            return "error"
        return "success" if all(one.status == "success" for one in self.results) else "failure"

    def verdict(self) -> Verdict:
        """No partial credit; an error of any evaluator leaves the task without a score."""
        assertions = tuple(check for number, one in enumerate(self.results) for check in _assertions(one, number))
        if self.status == "error":
            broken = next((one for one in self.results if one.error), None)
            reason, fault = (broken.error, broken.fault) if broken else (self.error, "harness")
            reason = shown(reason)
            return Verdict(None, "error", reason, assertions, fault)
        if self.status == "success":
            return Verdict(1.0, "success", assertions=assertions)
        failed = next(check for check in assertions if not check.passed)
        unread = any(one.name.startswith("agent_response_invalid") for part in self.results for one in part.mismatches)
        return Verdict(0.0, "failure", failed.reason, assertions, "agent", parse_failure=unread)


def _assertions(result: EvaluatorResult, number: int) -> list[Assertion]:
    name = f"network.{number}" if number else "response"
    facts = (shown(result.expected), shown(result.actual), shown(result.normalized), result.evidence)
    if result.error:
        return [Assertion(name, False, *facts, shown(result.error))]
    if not result.mismatches:
        return [Assertion(name, True, *facts)]
    return [
        Assertion(f"{name}.{one.name}", False, *facts, shown(f"{one.name}: {one.message}")) for one in result.mismatches
    ]
