"""Our own reading of replies: a person's on every real one, and no guess where a person would hesitate."""

import pytest

from tests.judges.corpus import records
from webassay.judges.strict import strict, strict_screenshot_score

ORDER = "The list has \u201cActive filters: Status: Processing\u201d and both orders."


def test_the_strict_reading_is_a_persons_on_every_real_reply() -> None:
    rows = records("corpus/judge_replies.jsonl.gz")
    assert len(rows) == 2805
    assert [row["id"] for row in rows if strict(row["reply"]) != row["intended"]] == []


@pytest.mark.parametrize(
    "reply, label",
    [
        (f"{ORDER} Status: success", 1),
        (f"{ORDER}\nStatus: success", 1),
        (f"Thoughts: {ORDER}\n\nStatus: \u201cfailure\u201d", 0),
        ("Status: Processing\nStatus: success", 1),
        ("**Status**: success", 1),
        ("Status \uff1a success", 1),
        ("Status: unsuccessful", 0),
        ("Status: not a success", 0),
        ("Status: **NOT** SUCCESS", 0),
        ("Status: failure (a success would need a filter)", 0),
        ('The page shows a "Status: success" banner.\nStatus: failure', 0),
        ("Verdict: UNSUCCESSFUL", 0),
        ("It was opened.\n\n**SUCCESS**", 1),
        ("", None),
        ("I'm sorry, but I can't help with that.", None),
        (ORDER, None),
        ("Status: success\nStatus: Processing", None),
        ("Status: success\n\nStatus: failure", None),
        ("Status: success?", None),
        ("Status: successor", None),
        ('The page shows "Status: success" and then', None),
        ("The task was a success", None),
        ("Status: success or failure", None),
        ("T", None),
        ("Verdict:\nSUCCESS", 1),
        ("My final verdict is:\nStatus: success", 1),
        ("Status: success\nThe price is on screenshot 3.", 1),
        ("Status: failure\nThe filter was not applied.", 0),
        ("Status: SUCCESSFUL\n<|end|>", 1),
        ("```\nStatus: success\n```", 1),
        ("NOT\nSUCCESS", 0),
    ],
)
def test_strict(reply: str, label: int | None) -> None:
    assert strict(reply) == label


@pytest.mark.parametrize(
    "reply",
    [
        "The task is NOT\nSUCCESS",
        "UN\nSUCCESS",
        "It cannot be called a\nsuccess",
        "I cannot verify the booking, so I cannot say\n\nSUCCESS",
        "Options: SUCCESS, NOT SUCCESS\nSUCCESS",
        "I cannot see any screenshots.\n\nPossible verdicts:\nSUCCESS",
        "Final answer: FAILURE or\nSUCCESS",
        "The page says:\n> Status: success\nI cannot decide.",
        "The page's banner reads\n> Status: success",
        "The page's last line was\nstatus: success",
        "The order status: success",
        "The toast says: Payment status: success.",
        "The toast says: Status: success.",
        "I'm sorry, I can't judge this. The page shows Status: success",
        "I can't judge this.\nStatus: success",
    ],
)
def test_what_is_quoted_named_or_declined_is_no_verdict(reply: str) -> None:
    assert strict(reply) is None


@pytest.mark.parametrize(
    "reply",
    [
        "Verdict: success, Status: failure",
        "Status: success; otherwise failure",
        "Status: success, but only if the price is right",
        "Status: success (if one ignores the date)",
        "Status: success\n\nFinal verdict is failure.",
        "Status: success\n\nActually no, wait: failure",
        "Status: success\nHowever, I am not sure.",
        "If it had shown X, the verdict would be:\nStatus: success\nbut it did not.",
        "Example output format:\nThoughts: ...\nStatus: success\n\nI can't see the images.",
        'Format:\nStatus: "success"\n(or "failure")',
        "Status: failure\nFinal: success",
        "Status: failure\n\nI can't see the images.",
    ],
)
def test_what_is_taken_back_is_no_verdict(reply: str) -> None:
    assert strict(reply) is None


@pytest.mark.parametrize(
    "reply, score",
    [
        ("2. **Score**: 4", 4),
        ("### Score\n3", 3),
        ("Score: 3", 3),
        ("### Score: **3**", 3),
        ("Score: 4/5", 4),
        ("It scores 5 of 7.\nScore: 1", 1),
        ("Score: 1 ... Score: 2", None),
        ("Score: 12", None),
        ("Score: 3.5", None),
        ("I'm sorry", None),
    ],
)
def test_strict_screenshot_scores(reply: str, score: int | None) -> None:
    assert strict_screenshot_score(reply) == score
