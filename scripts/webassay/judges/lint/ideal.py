"""Ideal evidence of a task, made from what the task expects: what a perfect agent would leave behind."""

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from re import _parser as sre  # type: ignore[attr-defined]  # the only way to walk a pattern
from typing import Any
from urllib.parse import quote, unquote, urlencode

from webassay.core.task import Task
from webassay.errors import JudgeError
from webassay.evidence.site import Site, sites_of
from webassay.judges.errata import mended

Json = dict[str, Any]
PAGES = ("/a/page", "/another/page")
OPEN_HOST = "http://localhost:5000"
"""Where a pattern leaves the host open, and with it the beginning of the path."""
LAST_SESSION = "last=1"
"""Cookies that come after it are what a task asks for."""
PATTERN_IN_QUERY = re.compile(r"(?<==)%5E[^&#]*%24(?=[&#]|$)", re.IGNORECASE)
OTHER_END = r"(?!\1$)"
"""In a route, whose second end must not be the first."""


@dataclass(frozen=True)
class Case:
    """A task with evidence of one attempt at it."""

    task: Task
    """As its data set has it, before any mend."""
    environments: Json
    response: Json
    har: list[Json]
    state: Json | None = None


def ideal(task: Task, environments: Json, errata: bool = True) -> Case:
    """Two pages of each site, the requests that are expected, the rows that are, and every change that may be made."""
    evaluators = _by_name((mended(task) if errata else task).eval)
    (answer,) = evaluators["AgentResponseEvaluator"]
    maker = _Maker(sites_of(environments))
    visits = [maker.page(maker.sites[site].base + path) for site in task.sites for path in PAGES]
    action = _action(answer["expected"])
    wanted = [one for one in evaluators.get("NetworkEventEvaluator", []) if not one.get("should_not_exist")]
    asked = [maker.event(one, action) for one in wanted]
    return Case(task, environments, maker.response(answer), [*visits, *asked], ideal_state(evaluators))


def ideal_state(evaluators: dict[str, list[Json]]) -> Json | None:
    probes = evaluators.get("StateEvaluator", [])
    limits = evaluators.get("ChangesEvaluator", [])
    if not probes and not limits:
        return None
    allowed = [entry for one in limits for entry in one["allowed"]]
    return {
        "before": {one["probe"]: one["before"] for one in probes},
        "after": {one["probe"]: one["after"] for one in probes},
        "changes": [change(entry, key) for entry in allowed for key in range(1, entry.get("rows", 1) + 1)],
    }


def change(allowed: Json, key: int, *more: str) -> Json:
    """One that the entry allows, but for columns given besides."""
    columns = [*allowed.get("columns", ()), *more]
    before = dict.fromkeys(columns, "old") if allowed["op"] != "insert" else None
    after = dict.fromkeys(columns, "new") if allowed["op"] != "delete" else None
    return {"table": allowed["table"], "op": allowed["op"], "key": key, "before": before, "after": after}


def _by_name(evaluators: Any) -> dict[str, list[Json]]:
    named: dict[str, list[Json]] = {}
    for one in evaluators:
        named.setdefault(one["evaluator"], []).append(deepcopy(one))
    return named


def _action(expected: Json) -> str:
    return str(expected["task_type"] if "task_type" in expected else expected["action"])


def sample(pattern: str) -> str:
    """A text that the pattern matches: the least of every repetition (one of `.*`), the first of every choice."""
    text = "".join(_sampled(sre.parse(pattern)))
    if not re.fullmatch(pattern, text, re.IGNORECASE):
        raise JudgeError(f"no text was found that the pattern {pattern!r} matches; {text!r} does not")
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
                raise JudgeError(f"no text can be made for a pattern with {other}")


def _one_of(choices: Any) -> Iterator[str]:
    kind, value = choices[0]
    if str(kind) == "CATEGORY":
        yield {"CATEGORY_DIGIT": "1", "CATEGORY_SPACE": " ", "CATEGORY_WORD": "w"}[str(value)]
    elif str(kind) == "NEGATE":
        yield "z"
    else:
        yield chr(value if str(kind) == "LITERAL" else value[0])


class _Maker:
    """Writes evidence as our recorder does, with a session of whoever the environments name."""

    def __init__(self, sites: dict[str, Site]) -> None:
        self.sites = sites
        sessions = sorted({f"{site.session_cookie}=1" for site in sites.values() if site.session_cookie})
        self.cookies = "; ".join([*sessions, LAST_SESSION])

    def page(self, url: str) -> Json:
        return self.entry(url, kind="document")

    def entry(self, url: str, method: str = "GET", status: int = 200, kind: str = "xhr") -> Json:
        accept = "text/html,application/xhtml+xml" if kind == "document" else "*/*"
        headers = [{"name": "Accept", "value": accept}, {"name": "Cookie", "value": self.cookies}]
        users = [
            {"name": site.user_header, "value": site.user}
            for site in self.sites.values()
            if site.tells_user and site.owns(url)
        ]
        return {
            "startedDateTime": "2026-11-18T09:28:21.353Z",
            "request": {"method": method, "url": url, "headers": headers, "cookies": []},
            "response": {
                "status": status,
                "headers": users,
                "cookies": [],
                "content": {"mimeType": ""},
                "redirectURL": "",
            },
            "_resourceType": kind,
        }

    def text(self, value: str) -> str:
        if ssh := re.fullmatch(r"git@__SSH_HOST__:(.*)", value):
            return f"git@localhost:{ssh[1]}"
        if value.startswith("^") and value.endswith("$") and len(value) > 1:
            return self.text(sample(value))
        return re.sub(r"__([A-Z_]+?)__", lambda found: self.sites[found[1].lower()].base, value)

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
        data = expected.get("retrieved_data", expected.get("results"))
        if data is not None:
            data = self.value(data, evaluator["results_schema"])
        return {"task_type": _action(expected), "status": expected["status"], "retrieved_data": data}

    def event(self, evaluator: Json, action: str) -> Json:
        expected = evaluator["expected"]
        url = expected["url"][0] if isinstance(expected["url"], list) else expected["url"]
        method = expected.get("http_method", "GET")
        by_script = method != "GET" or "mui/index" in url or "/route/" in url
        kind = "document" if action == "navigate" and not by_script else "xhr"
        made = self.entry(self._address(url), method, expected.get("response_status", 200), kind)
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
        text = PATTERN_IN_QUERY.sub(lambda found: quote(sample(unquote(found[0]))), self.text(url))
        text = text.removeprefix("http://x/")
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
