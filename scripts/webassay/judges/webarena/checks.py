"""What a task of the original harness asks for, in the words of its records."""

from typing import Any, Literal

import msgspec

from webassay.core.last_post import is_unknown
from webassay.core.task import Task
from webassay.errors import JudgeError

NAME = "WebArenaEvaluator"
NOT_ACHIEVABLE = "N/A"


class References(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    exact_match: str | None = None
    must_include: tuple[str, ...] | None = None
    fuzzy_match: tuple[str, ...] | Literal["N/A"] | None = None
    """Texts that a model finds again in the answer; `N/A` for a task that cannot be done."""


class Required(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    exact_match: str | None = None
    must_include: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if (self.exact_match is None) == (self.must_include is None):
            raise ValueError("a page is asked for exact_match or must_include")


class PageCheck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    url: str
    locator: str
    required_contents: Required
    prep_actions: tuple[str, ...] = ()

    @property
    def needs_function(self) -> bool:
        return is_unknown(self.url, self.locator)


class Checks(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="evaluator", tag=NAME):
    eval_types: tuple[Literal["string_match", "url_match", "program_html"], ...]
    reference_answers: References | None = None
    reference_url: str | None = ""
    program_html: tuple[PageCheck, ...] | None = ()
    url_note: Literal["GOLD in PRED", "EXACT"] = "GOLD in PRED"
    string_note: str | None = ""
    """Why the task cannot be done."""
    reference_answer_raw_annotation: Any = None
    annotation_note: Any = None
    record: dict[str, Any] = {}
    """The rest of the original's record."""


def checks_of(task: Task) -> Checks:
    entries = [entry for entry in task.eval if entry.get("evaluator") == NAME]
    if len(entries) != 1:
        raise JudgeError(
            f"task {task.task_id}: {len(entries)} {NAME}s, expected 1; the judge webarena knows the original form alone"
        )
    try:
        checks = msgspec.convert(entries[0], Checks)
    except msgspec.ValidationError as error:
        raise JudgeError(f"task {task.task_id}: eval cannot be judged: {error}") from None
    for kind, there in (
        ("string_match", checks.reference_answers),
        ("url_match", checks.reference_url),
        ("program_html", checks.program_html),
    ):
        if kind in checks.eval_types and not there:
            raise JudgeError(f"task {task.task_id}: {kind} has nothing to compare with")
    if not checks.eval_types:
        raise JudgeError(f"task {task.task_id}: eval_types is empty")
    return checks
