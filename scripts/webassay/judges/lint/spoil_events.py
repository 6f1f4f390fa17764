"""Every way to spoil one request of a trace."""

import json
import re
from collections.abc import Iterator
from copy import deepcopy

from webassay.judges.lint.ideal import LAST_SESSION, OPEN_HOST, PAGES, Json
from webassay.judges.lint.places import leaves, put

FORBIDDEN = {
    "_method": "delete",
    "branch_name": "main",
    "Cookie": "_osm_directions_engine=fossgis_osrm_bicycle",
}
"""What a pattern of the form "anything but" is about, in WebArena's tasks."""


def spoiled_event(event: Json) -> Iterator[tuple[str, list[Json]]]:
    """What stands in its place; visits are not what an evaluator asks for, and are spoiled as a whole elsewhere."""
    if event["request"]["url"].endswith(PAGES):
        return
    yield "absent", []
    for name, spoil in _SPOILS.items():
        for what, changed in spoil(deepcopy(event)):
            yield f"{name} {what}", [changed]


def _methods(event: Json) -> Iterator[tuple[str, Json]]:
    event["request"]["method"] = "DELETE"
    yield "DELETE", event


def _statuses(event: Json) -> Iterator[tuple[str, Json]]:
    expected = event["response"]["status"]
    for status in (500, 403, 200 if 300 <= expected < 400 else 404):
        if status != expected:
            yield str(status), event | {"response": event["response"] | {"status": status}}


def _by_script(event: Json) -> Iterator[tuple[str, Json]]:
    """Fetched by a script that shows nothing of it, where the browser was to go."""
    if event["_resourceType"] == "document":
        headers = [one | {"value": "*/*"} if one["name"] == "Accept" else one for one in event["request"]["headers"]]
        content = event["response"]["content"] | {"mimeType": "text/html"}
        response = event["response"] | {"content": content}
        request = event["request"] | {"headers": headers}
        yield "fetch", event | {"request": request, "response": response, "_resourceType": "fetch"}


def _hosts(event: Json) -> Iterator[tuple[str, Json]]:
    if OPEN_HOST not in event["request"]["url"]:
        event["request"]["url"] = re.sub(r"//[^/:?#]+", r"\g<0>.evil.test", event["request"]["url"], count=1)
        yield "host", event


def _paths(event: Json) -> Iterator[tuple[str, Json]]:
    if OPEN_HOST not in event["request"]["url"]:
        event["request"]["url"] = re.sub(r"//[^/?#]+", r"\g<0>/zz", event["request"]["url"], count=1)
        yield "path", event


def _posted(event: Json) -> Iterator[tuple[str, Json]]:
    body = event["request"].get("postData")
    if body is None:
        return
    yield "absent", event | {"request": {k: v for k, v in event["request"].items() if k != "postData"}}
    if "json" in body["mimeType"]:
        data = json.loads(body["text"])
        for at, leaf in leaves(data):
            if leaf is not None:
                wrong = json.dumps(put(data, at, "zz"))
                yield f"{at}", event | {"request": event["request"] | {"postData": body | {"text": wrong}}}
        return
    pairs = [pair.split("=", 1) for pair in body["text"].split("&")]
    for position, (key, value) in enumerate(pairs):
        forbidden = FORBIDDEN.get(key, value)
        other = "zz" if value == forbidden else forbidden
        wrong = "&".join(f"{k}={other if n == position else v}" for n, (k, v) in enumerate(pairs))
        yield f"{key}", event | {"request": event["request"] | {"postData": body | {"text": wrong}}}


def _queries(event: Json) -> Iterator[tuple[str, Json]]:
    url, mark, query = event["request"]["url"].partition("?")
    pairs = query.split("&") if mark else []
    for position, pair in enumerate(pairs):
        name, equals, _ = pair.partition("=")
        others = [*pairs[:position], f"{name}{equals}zz", *pairs[position + 1 :]]
        yield pair, event | {"request": event["request"] | {"url": f"{url}?{'&'.join(others)}"}}


def _headers(event: Json) -> Iterator[tuple[str, Json]]:
    """The page it came from, and cookies beyond those of sessions."""
    for position, header in enumerate(event["request"]["headers"]):
        sessions, mark, more = header["value"].partition(LAST_SESSION)
        if header["name"].lower() == "referer" or more:
            cookie = "zz" if FORBIDDEN["Cookie"] in more else FORBIDDEN["Cookie"]
            headers = deepcopy(event["request"]["headers"])
            headers[position]["value"] = f"{sessions}{mark}; {cookie}" if more else "http://localhost:1/zz"
            yield header["name"], event | {"request": event["request"] | {"headers": headers}}


def _answered(event: Json) -> Iterator[tuple[str, Json]]:
    if event["response"]["content"].get("text"):
        yield (
            "content",
            event | {"response": event["response"] | {"content": {"mimeType": "application/json", "text": "{}"}}},
        )
    if event["response"]["cookies"]:
        yield "cookies", event | {"response": event["response"] | {"cookies": []}}


_SPOILS = {
    "method": _methods,
    "status": _statuses,
    "by script": _by_script,
    "host": _hosts,
    "path": _paths,
    "posted": _posted,
    "query": _queries,
    "headers": _headers,
    "answered": _answered,
}
