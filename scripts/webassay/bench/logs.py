"""Logs of an agent that did every task, in webarena-verified's folder layout; written without an agent.

Each task has the expected answer in the release's spelling and a recording of its sites into which the requests fall
that its evaluators look for, so that judging goes its whole way. Where an expectation cannot be met by simple means
(odd patterns, fields deep in a body), the request comes close, and judging finds the difference.
"""

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from webassay.bench.recording import Recording, Request, record
from webassay.core.files import write_json, write_jsonl
from webassay.core.task import Task

RESPONSE, TRACE = "agent_response.json", "network.har"
SIMPLE_PATH = re.compile(r"\$(\.\w+)+")
PATTERNS = {
    r"\((?:\?:)?[^()]*\)[?*]": "",
    r"\((?:\?:)?([^()|]*)[^()]*\)": r"\1",
    r"\\s\+|\[\.\\s\]\+": " ",
    r"\\d\+|\[0-9\]\+": "1",
    r"\.[*+]\??": "x",
    r"(?:\\.|\[[^]]*\]|.)[?*]": "",
    r"\\(.)": r"\1",
}
"""What the usual parts of a pattern become in a text that it matches, in this order."""


@dataclass(frozen=True)
class Logs:
    folder: Path
    """`<task_id>/agent_response.json` and `network.har`."""
    tasks: tuple[Task, ...]
    dataset: Path
    """A file with these tasks and no others, alone in its folder."""
    environments: dict[str, dict[str, Any]]
    """As the judge takes them: addresses, login paths, session cookies."""
    config: Path
    """The addresses again, in a file of webarena-verified's form."""

    @property
    def ids(self) -> list[str]:
        return [task.task_id for task in self.tasks]


def write_logs(folder: Path, tasks: Sequence[Task], environments: Mapping[str, dict[str, Any]]) -> Logs:
    bases = {name: str(site["urls"][0]).rstrip("/") for name, site in environments.items()}
    recordings: dict[tuple[str, ...], Recording] = {}
    for number, task in enumerate(tasks):
        if task.sites not in recordings:
            cookies = [environments[name].get("session_cookie") for name in task.sites]
            own = [bases[name] for name in task.sites]
            recordings[task.sites] = record(own, [name for name in cookies if name], seed=len(recordings))
        _write_task(folder / "logs" / task.task_id, task, recordings[task.sites], number, bases)
    dataset, config = folder / "dataset" / "tasks.jsonl", folder / "config.json"
    write_jsonl(dataset, tasks)
    write_json(config, {"environments": {f"__{name.upper()}__": {"urls": [url]} for name, url in bases.items()}})
    os.sync()  # else the disk would be busy with them while the first judge is measured
    return Logs(folder / "logs", tuple(tasks), dataset, dict(environments), config)


def _write_task(folder: Path, task: Task, recording: Recording, number: int, bases: Mapping[str, str]) -> None:
    answer, *network = task.eval
    wanted = [one for one in network if not one.get("should_not_exist")]
    asked = [_asked(one["expected"], answer["expected"]["task_type"], bases) for one in wanted]
    folder.mkdir(parents=True)
    (folder / RESPONSE).write_text(json.dumps(_response(answer, bases)))
    (folder / TRACE).write_bytes(recording.of_task(number, asked))


def _response(answer: Mapping[str, Any], bases: Mapping[str, str]) -> dict[str, Any]:
    expected = answer["expected"]
    return {
        "task_type": expected["task_type"],
        "status": expected["status"],
        "retrieved_data": _one(expected.get("retrieved_data"), answer["results_schema"], bases),
        "error_details": None,
    }


def _one(expected: Any, schema: Mapping[str, Any], bases: Mapping[str, str]) -> Any:
    """A value that is expected; of alternatives, which are lists where the schema has no array, the first."""
    if isinstance(expected, dict):
        properties = schema.get("properties", {})
        return {key: _one(value, properties.get(key, {}), bases) for key, value in expected.items()}
    if isinstance(expected, list) and schema.get("type") == "array":
        return [_one(value, schema["items"], bases) for value in expected]
    if isinstance(expected, list):
        return _one(expected[0], schema, bases)
    return _text(expected, bases) if isinstance(expected, str) else expected


def _asked(expected: Mapping[str, Any], action: str, bases: Mapping[str, str]) -> Request:
    """The request that an evaluator looks for."""
    method, status = expected.get("http_method", "GET"), expected.get("response_status", 200)
    url = str(_one(expected["url"], {}, bases))
    if query := expected.get("query_params"):
        url += "?" + urlencode({key: _one(value, {}, bases) for key, value in query.items()})
    is_page = status == 302 or (action == "navigate" and method == "GET")
    headers = {name: str(_one(value, {}, bases)) for name, value in (expected.get("headers") or {}).items()}
    body = _body(expected.get("post_data") or {}, bases) if method != "GET" else None
    return Request(url, method, status, "document" if is_page else "xhr", headers, body)


def _body(expected: Mapping[str, Any], bases: Mapping[str, str]) -> dict[str, str]:
    """A form, or an object where fields are named by simple JSONPaths."""
    fields = {key: _one(value, {}, bases) for key, value in expected.items() if value is not None}
    if not any(key.startswith("$") for key in fields):
        return {"mimeType": "application/x-www-form-urlencoded", "text": urlencode(fields)}
    data: dict[str, Any] = {}
    for path, value in fields.items():
        if SIMPLE_PATH.fullmatch(path):
            *above, last = path.split(".")[1:]
            place = data
            for name in above:
                place = place.setdefault(name, {})
            place[last] = value
    return {"mimeType": "application/json", "text": json.dumps(data)}


def _text(expected: str, bases: Mapping[str, str]) -> str:
    """As an agent or a browser would write it: addresses for placeholders, a plain text where a pattern is expected."""
    text = expected
    if expected.startswith("^") and expected.endswith("$"):
        text = text[1:-1]
        for part, plain in PATTERNS.items():
            text = re.sub(part, plain, text)
    for name, base in bases.items():
        text = text.replace(f"__{name.upper()}__", base)
    return text
