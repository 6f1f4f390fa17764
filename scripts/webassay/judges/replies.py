"""What a judge's reply says: the readings that published judges were scored with, fault for fault, and our own.

| parser | of | reading |
|---|---|---|
| `strict` | ours, in strict.py | a line that is a verdict, or one that ends the reply; where a person hesitates: none |
| `om2w_status` | Online-Mind2Web, webeval | 'success' between the first and second 'status:' (so 'unsuccessful' too) |
| `arb_aer_line` | AgentRewardBench | the last line that begins with 'Status:'; a word it does not know is an error |
| `om2w_webvoyager_FAILURE` | Online-Mind2Web | success unless 'FAILURE' is said (so the empty reply too) |
| `webvoyager_orig` | WebVoyager | 'NOT SUCCESS', else 'SUCCESS' (so 'UNSUCCESSFUL' is one), else nothing |
| `fara_webvoyager` | webeval | the same, with 0 for nothing |
| `notte_webvoyager` | nottelabs | the same, with 'UNKNOWN' and with failure for nothing |
"""

import re
from collections.abc import Callable

from webassay.errors import ConfigError
from webassay.judges.strict import strict

Label = float | str | None
"""As the parser's own project stores it: 1 and 0, or words; None is no verdict."""


UNSAID: dict[str, Label] = {"strict": None, "om2w_status": 0}
"""What is made of no reply at all, by those that do not break at it."""


def parse(reply: str | None, parser: str) -> Label:
    """What the named parser makes of a reply; its own errors come back as the word `error`."""
    if parser not in PARSERS:
        raise ConfigError(f"parser={parser}: unknown; known are {', '.join(PARSERS)}")
    if reply is None:
        return UNSAID.get(parser, "error")
    try:
        return PARSERS[parser](reply)
    except ValueError:
        return "error"


def passed(label: Label) -> bool | None:
    """None where the parser found no verdict."""
    return {1: True, 0: False, "success": True, "failure": False}.get(label) if label is not None else None


def om2w_status(reply: str) -> Label:
    parts = reply.lower().split("status:")
    return int(len(parts) > 1 and "success" in parts[1])


def arb_aer_line(reply: str) -> Label:
    lines = [line for line in reply.split("\n") if line.startswith("Status:")]
    if not lines:
        return 0
    word = lines[-1].removeprefix("Status:").strip().lower().replace("'", "").replace('"', "")
    if word in ("success", "successful", "yes"):
        return 1
    if word in ("failure", "unsuccessful", "unsuccesful", "no"):
        return 0
    raise ValueError(f"status {word!r}")


def om2w_webvoyager_failure(reply: str) -> Label:
    return int("FAILURE" not in reply)


def webvoyager_orig(reply: str) -> Label:
    if "SUCCESS" not in reply:
        return None
    return int("NOT SUCCESS" not in reply)


def fara_webvoyager(reply: str) -> Label:
    return float(webvoyager_orig(reply) or 0)


def notte_webvoyager(reply: str) -> Label:
    said = ("NOT SUCCESS", "SUCCESS", "UNKNOWN")
    meaning = ("failure", "success", "unknown")
    return next((word for text, word in zip(said, meaning, strict=True) if text in reply), "failure")


PARSERS: dict[str, Callable[[str], Label]] = {
    "strict": strict,
    "om2w_status": om2w_status,
    "arb_aer_line": arb_aer_line,
    "om2w_webvoyager_FAILURE": om2w_webvoyager_failure,
    "webvoyager_orig": webvoyager_orig,
    "fara_webvoyager": fara_webvoyager,
    "notte_webvoyager": notte_webvoyager,
}

_DIGIT = re.compile(r"[1-5]")
SCORE_AFTER = {"om2w": "Score", "general": "### Score"}


def screenshot_score(reply: str, form: str) -> int:
    """1 to 5 as the two modes of WebJudge read it; 0 is what they make of a reply that they cannot read."""
    parts = reply.split(SCORE_AFTER[form])
    digit = _DIGIT.search(parts[1]) if len(parts) > 1 else None
    return int(digit[0]) if digit else 0
