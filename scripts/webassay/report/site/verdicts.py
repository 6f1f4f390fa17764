"""A verdict as a page shows it: each assertion with the place that decided it, a rubric's items, the model's words."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from webassay.core.files import decode_lenient
from webassay.core.verdict import Assertion
from webassay.judges.lifecycle import Sidecar
from webassay.report.site.files import shown, shown_value

_REQUEST = re.compile(r"^[^#]*(?:network|trace)[^#]*#(\d+)")
_SHOT = re.compile(r"screenshot (\d{1,9})")
ITEM = {
    "criterion": ("criterion",),
    "description": ("description",),
    "condition": ("condition",),
    "met": ("is_condition_met",),
    "most": ("max_points",),
    "earned": ("post_image_earned_points", "earned_points"),
    "why": ("post_image_justification", "justification"),
    "verifiable": ("verifiable",),
    "evidence": ("evidence",),
}
"""What is shown of a criterion, and the keys that webeval's payloads have it under."""


def verdict_shown(name: str, eval_hash: str, sidecar: Sidecar | None, folder: Path) -> dict[str, Any]:
    told: dict[str, Any] = {"judge": name, "eval_hash": eval_hash}
    if sidecar is None:
        return told | {"state": "waiting", "assertions": []}
    row, text = sidecar.judgement, _words(folder / "scores" / f"{eval_hash}.json")
    return told | {
        "state": state_of(row.execution, row.verification, row.score),
        "score": row.score,
        "reason": row.reason,
        "attribution": sidecar.attribution,
        "assertions": [_assertion(one) for one in sidecar.assertions],
        "rubric": _rubric(text),
        "words": shown(text) if text and text != row.reason else "",
        "settings": sidecar.judge,
        "usage": msgspec.to_builtins(sidecar.usage),
        "replies": list(sidecar.replies),
        "version": sidecar.version,
    }


def state_of(execution: str, verification: str, score: float | None) -> str:
    """One word for how it ended; the same in every filter, table and colour."""
    if verification == "ungraded":
        return "aborted" if execution == "aborted" else "ungraded"
    if verification == "auto_zero":
        return "auto_zero"
    return "passed" if score is not None and score >= 1 else "failed"


def cited_requests(verdicts: Iterable[Sidecar | None]) -> set[int]:
    found = (_REQUEST.match(one.evidence) for each in verdicts if each for one in each.assertions)
    return {int(match[1]) for match in found if match}


def _assertion(one: Assertion) -> dict[str, Any]:
    request = _REQUEST.match(one.evidence)
    return {
        "name": one.name,
        "passed": one.passed,
        "expected": shown_value(one.expected),
        "actual": shown_value(one.actual),
        "normalized": shown_value(one.normalized),
        "reason": shown(one.reason, 2000),
        "fault": one.fault,
        "evidence": shown(one.evidence, 300),
        "request": int(request[1]) if request else None,
        "state": one.evidence.partition("#")[2] if one.evidence.startswith("state.json#") else None,
        "screenshots": _shots(one.evidence),
    }


def _words(path: Path) -> str:
    """What the judge said, as webeval's readers find it."""
    try:
        record = decode_lenient(path.read_bytes())
    except (OSError, ValueError):
        return ""
    text = record.get("gpt_response_text") if isinstance(record, dict) else None
    return text if isinstance(text, str) else ""


def _rubric(text: str) -> list[dict[str, Any]]:
    if not text.startswith("{"):
        return []
    try:
        items = decode_lenient(text.encode("utf-8", "replace")).get("rubric_items")
    except ValueError:
        return []
    found = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    return [_item(item) for item in found]


def _item(item: dict[str, Any]) -> dict[str, Any]:
    told = {name: shown_value(_first(item, keys)) for name, keys in ITEM.items()}
    return told | {"shots": _shots(item.get("evidence"))}


def _shots(evidence: Any) -> list[int]:
    """Screenshots that are cited, by their numbers or in words."""
    if isinstance(evidence, list):
        return [number for number in evidence if isinstance(number, int) and not isinstance(number, bool)]
    return [int(number) for number in _SHOT.findall(evidence)] if isinstance(evidence, str) else []


def _first(item: dict[str, Any], keys: Iterable[str]) -> Any:
    return next((item[key] for key in keys if item.get(key) is not None), None)
