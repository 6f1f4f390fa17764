"""A trajectory that ended with an answer, written by hand."""

import json
from pathlib import Path
from typing import Any

from webassay.core.task import Task, task_from_record
from webassay.core.trajectory import Attempt, Event, FinalAnswer, Trajectory
from webassay.core.verdict import Verdict
from webassay.judges.webarena import WebArena

SHOP = "http://shop.localhost"
NOWHERE = "about:blank"


def task(**checks: Any) -> Task:
    kinds = [
        kind
        for kind, key in (
            ("string_match", "reference_answers"),
            ("url_match", "reference_url"),
            ("program_html", "program_html"),
        )
        if key in checks
    ]
    entry = {"evaluator": "WebArenaEvaluator", "eval_types": kinds} | checks
    record = {"task_id": "t", "intent": "How many?", "sites": ["shop"], "intent_template_id": "t", "eval": [entry]}
    return task_from_record(record, "test")


def trajectory(folder: Path, task: Task, answer: str, pages: dict[str, Any] | None = None) -> Trajectory:
    environments = {name: {"urls": [SHOP if name == "shop" else f"http://{name}.example"]} for name in task.sites}
    attempt = Attempt(task.task_id, task.execution_digest, 0, "answered", environments=environments)
    if pages is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "pages.json").write_text(json.dumps(pages))
    return Trajectory(folder, (Event(action="terminate"),), FinalAnswer(answer), attempt)


def unread(task: Task) -> dict[str, Any]:
    """What an agent leaves that opened no page, on sites that show nothing."""
    entries = [
        {"url": page.url, "locator": page.locator, "prep_actions": page.prep_actions, "content": None, "error": "none"}
        for page in task.pages
    ]
    return {"final_url": NOWHERE, "pages": entries}


def judged(
    folder: Path, task: Task, answer: str, pages: dict[str, Any] | None = None, judge: WebArena | None = None
) -> Verdict:
    return (judge or WebArena()).judge(task, trajectory(folder, task, answer, pages))
