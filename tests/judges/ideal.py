"""Ideal evidence for any WebArena Verified task, made from what the task expects; and every way to spoil one field."""

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from re import _parser as sre  # the only way to walk a pattern; standard library
from typing import Any
from urllib.parse import urlencode

from webassay.core.task import task_from_record
from webassay.judges.errata import mended

Json = dict[str, Any]
PAGES = ("/a/page", "/another/page")
COOKIES = "PHPSESSID=1; _gitlab_session=2; admin=3"
OPEN_HOST = "http://localhost:5000"
"""Where a pattern leaves the host open, and with it the beginning of the path."""
OTHER_END = r"(?!\1$)"
"""In a route, whose second end must not be the first."""
FORBIDDEN = {"_method": "delete", "branch_name": "main"}
"""What a pattern of the form "anything but" is about."""


@dataclass(frozen=True)
class Case:
    task: Json
    """As the data set has it, before any mend."""
    response: Json
    har: list[Json]


def ideal(record: Json, environments: Json, errata: bool = True) -> Case:
    """A response and a trace that a perfect agent would leave."""
    task = task_from_record(record, "task")
    evaluators = deepcopy((mended(task) if errata else task).eval)
    bases = {name: facts["urls"][facts.get("active_url_idx", 0)].rstrip("/") for name, facts in environments.items()}
    maker = _Maker(bases)
    answer, network = evaluators[0], evaluators[1:]
    visits = [page(bases[site] + path) for site in record["sites"] for path in PAGES]
    asked = [maker.event(one, answer["expected"]["task_type"]) for one in network if not one.get("should_not_exist")]
    return Case(record, maker.response(answer), [*visits, *asked])


def page(url: str, **more: Any) -> Json:
    return entry(url, kind="document") | more


def entry(url: str, method: str = "GET", status: int = 200, kind: str = "xhr") -> Json:
    accept = "text/html,application/xhtml+xml" if kind == "document" else "*/*"
    headers = [{"name": "Accept", "value": accept}, {"name": "Cookie", "value": COOKIES}]
    return {
        "startedDateTime": "2026-11-18T09:28:21.353Z",
        "request": {"method": method, "url": url, "headers": headers, "cookies": []},
        "response": {"status": status, "headers": [], "cookies": [], "content": {"mimeType": ""}, "redirectURL": ""},
        "_resourceType": kind,
    }


def sample(pattern: str) -> str:
    """A text that the pattern matches: the least of every repetition (one of `.*`), the first of every choice."""
    text = "".join(_sampled(sre.parse(pattern)))
    assert re.fullmatch(pattern, text, re.IGNORECASE), (pattern, text)
    return text


def _sampled(parsed: Any) -> Iterator[str]:
    for kind, value in parsed:
        match str(kind):
            case "LITERAL":
                yield chr(value)
            case "ANY" | "NOT_LITERAL":
                yield "x"
            case "IN":
                yield from _one_of(value)
            case "MAX_REPEAT" | "MIN_REPEAT":
                least, _, part = value
                yield from list(_sampled(part)) * max(least, int(str(part[0][0]) == "ANY"))
            case "SUBPATTERN":
                yield from _sampled(value[-1])
            case "BRANCH":
                yield from _sampled(value[1][0])
            case "ASSERT":
                yield from _sampled(value[1])
            case "AT" | "ASSERT_NOT":
                pass
            case other:
                raise NotImplementedError(other)


def _one_of(choices: Any) -> Iterator[str]:
    kind, value = choices[0]
    if str(kind) == "CATEGORY":
        yield {"CATEGORY_DIGIT": "1", "CATEGORY_SPACE": " ", "CATEGORY_WORD": "w"}[str(value)]
    elif str(kind) == "NEGATE":
        yield "z"
    else:
        yield chr(value if str(kind) == "LITERAL" else value[0])


class _Maker:
    def __init__(self, bases: dict[str, str]) -> None:
        self.bases = bases

    def text(self, value: str) -> str:
        if ssh := re.fullmatch(r"git@__SSH_HOST__:(.*)", value):
            return f"git@localhost:{ssh[1]}"
        if value.startswith("^") and value.endswith("$") and len(value) > 1:
            return self.text(sample(value))
        return re.sub(r"__([A-Z_]+?)__", lambda found: self.bases[found[1].lower()], value)

    def value(self, expected: Any, schema: Json | None = None) -> Any:
        """Of alternatives the first; a list that the schema calls an array is one value."""
        kind = (schema or {}).get("type")
        if isinstance(expected, list) and kind == "array":
            return [self.value(one, schema["items"]) for one in expected]  # type: ignore[index]
        if isinstance(expected, list):
            return self.value(expected[0], schema)
        if isinstance(expected, dict):
            parts = (schema or {}).get("properties", {})
            return {key: self.value(one, parts.get(key)) for key, one in expected.items()}
        return self.text(expected) if isinstance(expected, str) else expected

    def response(self, evaluator: Json) -> Json:
        expected = evaluator["expected"]
        data = expected.get("retrieved_data")
        if data is not None:
            data = self.value(data, evaluator["results_schema"])
        return {"task_type": expected["task_type"], "status": expected["status"], "retrieved_data": data}

    def event(self, evaluator: Json, action: str) -> Json:
        expected = evaluator["expected"]
        url = expected["url"][0] if isinstance(expected["url"], list) else expected["url"]
        method = expected.get("http_method", "GET")
        by_script = method != "GET" or "mui/index" in url or "/route/" in url
        kind = "document" if action == "navigate" and not by_script else "xhr"
        made = entry(self._address(url), method, expected.get("response_status", 200), kind)
        if query := expected.get("query_params"):
            pairs = [(key, self.value(one)) for key, values in query.items() for one in values]
            made["request"]["url"] += "?" + urlencode(pairs)
        for name, value in (expected.get("headers") or {}).items():
            if name == "Cookie":
                made["request"]["headers"][1]["value"] += f"; {self.value(value)}"
            else:
                made["request"]["headers"].append({"name": name, "value": self.value(value)})
        self._body(made, expected.get("post_data"), (evaluator.get("post_data_schema") or {}).get("properties", {}))
        if content := expected.get("response_content"):
            made["response"]["content"] = {
                "mimeType": "application/json",
                "text": json.dumps(self._nested(content, {})),
            }
        for name, value in (expected.get("response_cookies") or {}).items():
            made["response"]["cookies"].append({"name": name, "value": self.value(value)})
        return made

    def _address(self, url: str) -> str:
        """Some patterns leave the host open."""
        if OTHER_END in url:
            return f"{OPEN_HOST}/{sample(url.replace(OTHER_END, '')).lstrip('/')}5"
        text = self.text(url).removeprefix("http://x/")
        return text if "://" in text else f"{OPEN_HOST}/{text.lstrip('/')}"

    def _body(self, made: Json, expected: Json | None, schemas: Json) -> None:
        if not expected:
            return
        data = self._nested(expected, schemas)
        if not data:
            return
        if any(isinstance(value, dict | list) for value in data.values()):
            made["request"]["postData"] = {"mimeType": "application/json", "text": json.dumps(data)}
        else:
            made["request"]["postData"] = {"mimeType": "application/x-www-form-urlencoded", "text": urlencode(data)}

    def _nested(self, expected: Json, schemas: Json) -> Json:
        data: Json = {}
        for key, value in expected.items():
            if value is not None:
                _put(data, key, self.value(value, schemas.get(key)))
        return data


def _put(data: Json, key: str, value: Any) -> None:
    """Where a field name, a JSONPath or a pattern of names points to."""
    if found := re.fullmatch(r"\$\['([^']+)'\]\[\?\(@\.(\w+) == (\d+)\)\]\.(\w+)", key):
        name, flag, number, part = found.groups()
        data[name] = json.dumps([{flag: int(number), part: one} for one in value])
    elif key.startswith("$.^"):
        data[sample(key[2:])] = value
    elif key.startswith("$."):
        *above, last = re.findall(r"\w+|\[\d+\]", key[2:])
        target: Any = data
        for number, step in enumerate(above):
            following = [*above, last][number + 1]
            target = _step(target, step, [] if following.startswith("[") else {})
        target[last] = value
    else:
        data[key] = value


def _step(target: Any, step: str, fresh: Any) -> Any:
    if step.startswith("["):
        target.append(fresh) if not target else None
        return target[int(step[1:-1])]
    return target.setdefault(step, fresh)


def spoiled(case: Case) -> Iterator[tuple[str, Case]]:
    """The case with one thing wrong, each with its name."""
    yield from _spoiled_responses(case)
    for number in range(len(case.har)):
        yield from _spoiled_events(case, number)
    stripped = deepcopy(case.har)
    for event in stripped:
        event["request"]["headers"] = [one for one in event["request"]["headers"] if one["name"] != "Cookie"]
    if not {*case.task["sites"]} & {"map", "wikipedia"}:
        yield "no session", replace(case, har=stripped)
    elsewhere = json.loads(json.dumps(case.har).replace("http://localhost:", "http://elsewhere.test:"))
    yield "another site", replace(case, har=elsewhere)
    yield "empty trace", replace(case, har=[])


def _spoiled_responses(case: Case) -> Iterator[tuple[str, Case]]:
    given = case.response
    for action in {"retrieve", "mutate", "navigate"} - {given["task_type"]}:
        yield f"action {action}", replace(case, response=given | {"task_type": action})
    for status in {"SUCCESS", "NOT_FOUND_ERROR", "PERMISSION_DENIED_ERROR", "UNKNOWN_ERROR"} - {given["status"]}:
        yield f"status {status}", replace(case, response=given | {"status": status})
    data = given["retrieved_data"]
    if data is None:
        yield "unexpected data", replace(case, response=given | {"retrieved_data": ["x"]})
        return
    yield "no data", replace(case, response=given | {"retrieved_data": None})
    yield "one item more", replace(case, response=given | {"retrieved_data": [*data, data[0]]})
    yield "one item less", replace(case, response=given | {"retrieved_data": data[:-1]})
    for where, leaf in _leaves(data):
        for wrong in _wrong(leaf):
            yield f"{where} {wrong!r}", replace(case, response=given | {"retrieved_data": _set(data, where, wrong)})


def _leaves(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _leaves(part, (*at, key))
    else:
        yield at, value


def _set(value: Any, at: tuple[Any, ...], leaf: Any) -> Any:
    copied = deepcopy(value)
    target = copied
    for key in at[:-1]:
        target = target[key]
    target[at[-1]] = leaf
    return copied


def _wrong(leaf: Any) -> list[Any]:
    """Other values, a pattern, guesses, nothing."""
    if leaf is None:
        return ["nonsense", 5]
    if isinstance(leaf, bool):
        return [not leaf, [leaf, not leaf], None]
    if isinstance(leaf, int | float):
        return [leaf + 1, -leaf if leaf else 5, [leaf, leaf + 1], True, None]
    return [f"{leaf} nonsense", "^.*$", [leaf, "nonsense"], *(["", None] if leaf else [])]


def _spoiled_events(case: Case, number: int) -> Iterator[tuple[str, Case]]:
    """Of requests that an evaluator asks for; the visits before them are spoiled as a whole."""
    event = case.har[number]
    if event["request"]["url"].endswith(PAGES):
        return
    yield f"event {number} absent", replace(case, har=case.har[:number] + case.har[number + 1 :])
    for name, spoil in _SPOILS.items():
        for what, changed in spoil(deepcopy(event)):
            yield (
                f"event {number} {name} {what}",
                replace(case, har=[*case.har[:number], changed, *case.har[number + 1 :]]),
            )


def _methods(event: Json) -> Iterator[tuple[str, Json]]:
    event["request"]["method"] = "DELETE"
    yield "DELETE", event


def _statuses(event: Json) -> Iterator[tuple[str, Json]]:
    event["response"]["status"] = 500
    yield "500", event


def _hosts(event: Json) -> Iterator[tuple[str, Json]]:
    if OPEN_HOST in event["request"]["url"]:
        return
    event["request"]["url"] = event["request"]["url"].replace("localhost:", "localhost.evil.test:", 1)
    yield "host", event


def _paths(event: Json) -> Iterator[tuple[str, Json]]:
    if OPEN_HOST in event["request"]["url"]:
        return
    scheme, _, rest = event["request"]["url"].partition("//")
    host, _, path = rest.partition("/")
    event["request"]["url"] = f"{scheme}//{host}/zz/{path}"
    yield "path", event


def _posted(event: Json) -> Iterator[tuple[str, Json]]:
    body = event["request"].get("postData")
    if body is None:
        return
    yield "absent", event | {"request": {k: v for k, v in event["request"].items() if k != "postData"}}
    if "json" in body["mimeType"]:
        data = json.loads(body["text"])
        for at, leaf in _leaves(data):
            if leaf is not None:
                wrong = json.dumps(_set(data, at, "zz"))
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
    for position, pair in enumerate(query.split("&") if mark else []):
        pairs = [one + ("zz" if n == position else "") for n, one in enumerate(query.split("&"))]
        yield pair, event | {"request": event["request"] | {"url": f"{url}?{'&'.join(pairs)}"}}


def _headers(event: Json) -> Iterator[tuple[str, Json]]:
    for position, header in enumerate(event["request"]["headers"]):
        if header["name"].lower() == "referer" or (header["name"] == "Cookie" and "_foot" in header["value"]):
            headers = deepcopy(event["request"]["headers"])
            headers[position]["value"] = f"{COOKIES}; zz" if header["name"] == "Cookie" else "http://localhost:1/zz"
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
    "host": _hosts,
    "path": _paths,
    "posted": _posted,
    "query": _queries,
    "headers": _headers,
    "answered": _answered,
}
