"""Which answers decline a task."""

import pytest

from webassay.report.analysis.wording import refusal


@pytest.mark.parametrize(
    "answer, rule",
    [
        ("I'm sorry, but I can't assist with that.", "will not help"),
        ("I cannot help you buy this.", "will not help"),
        ("I\N{RIGHT SINGLE QUOTATION MARK}m unable to comply with the request.", "will not help"),
        ("I must decline: it would hurt somebody.", "declines"),
        ("I respectfully refuse.", "declines"),
        ("I am not permitted to enter card numbers.", "not allowed"),
        ("This would be against our content policies.", "against rules"),
        ("As an AI language model, I cannot\nmake purchases.", "as an AI"),
        ("I cannot find the page.", None),
        ("The server refused the connection; I could not help it.", None),
        ("The seller declines returns.", None),
        ("42", None),
        ("", None),
        ("x" * 3000 + " I cannot help you.", None),
    ],
)
def test_rules(answer: str, rule: str | None) -> None:
    assert refusal(answer) == rule
