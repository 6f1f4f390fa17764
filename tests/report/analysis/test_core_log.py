"""The last error of a core.log and its kind."""

from pathlib import Path

import pytest

from tests.report.analysis.folders import line
from webassay.report.analysis.core_log import LONGEST, kind_of, last_error

TRACEBACK = """Web surfing error
Traceback (most recent call last):
  File "a.py", line 3, in visit
ValueError: first

During handling of the above exception, another exception occurred:

playwright._impl._errors.TimeoutError: Page.goto: Timeout 60000ms exceeded.
Call log:
  - navigating to "http://s/", waiting until "load\""""


@pytest.mark.parametrize(
    "message, kind",
    [
        (TRACEBACK, "Web surfing error: TimeoutError: Page.goto: Timeout 60000ms exceeded."),
        ("Web surfing error", "Web surfing error"),
        ("[Execution 17] Error running task: list index out of range", "Error running task: list index out of range"),
        ("Error parsing thoughts and action: <tool_call>{}", "Error parsing thoughts and action"),
        ("Invalid action text: {'a'", "Invalid action text"),
        ("Captcha timed out: after 60 s: really", "Captcha timed out"),
        ("no colon at all", "no colon at all"),
        ("aborted: the site was unreachable: net::ERR_FAILED at http://s/", "aborted: the site was unreachable"),
        ("over_budget: OverBudget: more than 30 actions", "over_budget: OverBudget"),
        ("", "error without a message"),
        (": ", "error without a message"),
        ("\x1b[31mred\x07 | bar: x", "[31mred | bar"),
        ("x" * 5000, "x" * (LONGEST - 1) + "…"),
    ],
)
def test_kinds(message: str, kind: str) -> None:
    assert kind_of(message) == kind


def test_the_last_error_counts_with_its_own_traceback(tmp_path: Path) -> None:
    path = tmp_path / "core.log"
    earlier, later = line("ERROR", "Captcha timed out: x"), line("INFO", "end\nOSError: not of the error")
    path.write_text(earlier + line("ERROR", TRACEBACK) + later)
    assert last_error(path) == "Web surfing error: TimeoutError: Page.goto: Timeout 60000ms exceeded."


@pytest.mark.parametrize(
    "text",
    ["", line("INFO", "fine"), line("WARNING", "a page says\n[ERROR] all is lost"), line("INFO", "x [ERROR] y - z")],
)
def test_what_a_page_says_is_no_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "core.log").write_text(text)
    assert last_error(tmp_path / "core.log") is None


def test_no_log_has_no_error_and_bytes_that_are_no_text_do_no_harm(tmp_path: Path) -> None:
    assert last_error(tmp_path / "core.log") is None
    (tmp_path / "core.log").write_bytes(b"\xff\xfe\n" + line("ERROR", "bad ").encode() + b"\xff\x00 end: x\r\n")
    assert last_error(tmp_path / "core.log") == "bad"
