"""Folders of logs as an agent of one's own leaves them, made for a few tasks of the released benchmark."""

import json
from pathlib import Path
from typing import Any

from tests.evidence.recording import entry
from tests.released import released

PAGES = {
    "shopping_admin": "http://localhost:7780/admin/admin/dashboard/",
    "gitlab": "http://localhost:8023/byteblaze/a11y-syntax-highlighting",
}
RIGHT, WRONG = ("0", "132", "133"), ("1",)
"""Retrievals whose whole evidence is a page of their site."""


def right_answer(task_id: str) -> dict[str, Any]:
    records = json.loads((released() / "webarena-verified.json").read_text())
    (expected,) = [record["eval"][0]["expected"] for record in records if str(record["task_id"]) == task_id]
    return {"task_type": "RETRIEVE", "status": "SUCCESS", "retrieved_data": expected["retrieved_data"]}


def har(url: str) -> dict[str, Any]:
    """Some looking round, which an answer of one digit needs, by somebody logged in."""
    cookie = "admin=a; PHPSESSID=b; _gitlab_session=c"
    entries = [entry(page, cookie=cookie) for page in (*(f"{url}?page={n}" for n in range(4)), f"{url}/more", url)]
    return {"log": {"version": "1.2", "creator": {"name": "test", "version": "1"}, "entries": entries}}


def put(logs: Path, task_id: str, response: Any, trace: Any) -> Path:
    """Bytes are written as they are, anything else as JSON; None is not written."""
    folder = logs / task_id
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in (("agent_response.json", response), ("network.har", trace)):
        if content is not None:
            (folder / name).write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return folder


def make_logs(logs: Path) -> Path:
    for task_id in (*RIGHT, *WRONG):
        site = "shopping_admin" if task_id in ("0", "1") else "gitlab"
        answer = right_answer(task_id) if task_id in RIGHT else right_answer(task_id) | {"retrieved_data": ["no"]}
        put(logs, task_id, answer, har(PAGES[site]))
    return logs
