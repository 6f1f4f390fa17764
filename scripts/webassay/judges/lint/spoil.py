"""Every way to spoil one thing of a case; a judge that lets one of them pass does not look at that thing."""

import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from typing import Any

from webassay.core.response import STATUSES
from webassay.evidence.activity import session_sites
from webassay.evidence.site import Site, sites_of
from webassay.judges.errata import mended
from webassay.judges.lint.ideal import Case, Json, change
from webassay.judges.lint.places import leaves, put
from webassay.judges.lint.spoil_events import spoiled_event

CELLS = 60
"""Of a probe's rows: those that differ from the seeded ones first."""
SOMEBODY = "somebody.else@example.com"
FOREIGN = {"table": "somebody_elses_table", "op": "insert", "key": 1, "before": None, "after": {"id": 1}}
APPROXIMATE = ("duration", "distance", "coordinates")
"""Compared with a tolerance, so that a little more is no mistake."""

Spoiled = Iterator[tuple[str, Case]]


def spoiled(case: Case, with_state: bool = False) -> Spoiled:
    """The case with one thing wrong, each with its name; `with_state` where the site's database is evidence."""
    yield from _responses(case)
    for number, event in enumerate(case.har):
        for name, instead in spoiled_event(event):
            yield f"event {number} {name}", replace(case, har=[*case.har[:number], *instead, *case.har[number + 1 :]])
    yield from _visits(case)
    yield from _sessions(case)
    if with_state:
        yield from _rows(case)
        yield from _changes(case)


def _responses(case: Case) -> Spoiled:
    given = case.response
    for action in sorted({"retrieve", "mutate", "navigate"} - {given["task_type"]}):
        yield f"action {action}", replace(case, response=given | {"task_type": action})
    for status, codes in STATUSES.items():
        if not codes & STATUSES[given["status"]]:
            yield f"status {status}", replace(case, response=given | {"status": status})
    for name, data in _other_data(case, given["retrieved_data"]):
        yield f"results {name}", replace(case, response=given | {"retrieved_data": data})


def _other_data(case: Case, data: list[Any] | None) -> Iterator[tuple[str, Any]]:
    if data is None:
        yield "unexpected", ["x"]
        return
    yield "absent", None
    yield "one more", [*data, data[0]]
    yield "one less", data[:-1]
    for at, leaf in leaves(data):
        for wrong in (*_wrong(leaf), *_near(leaf, _format(case, at))):
            yield f"{at} {wrong!r}", put(data, at, wrong)
    for number, item in enumerate(data):
        if isinstance(item, dict):
            yield f"{number} a key more", _with(data, number, item | {"zz": 1})
            for key in item:
                yield f"{number} without {key}", _with(data, number, {k: v for k, v in item.items() if k != key})


def _format(case: Case, at: tuple[Any, ...]) -> str:
    """What the schema calls the value at this place, or what it is a part of."""
    schema = next(one for one in mended(case.task).eval if one["evaluator"] == "AgentResponseEvaluator")[
        "results_schema"
    ]
    found = ""
    for key in at:
        schema = schema.get("items", {}) if isinstance(key, int) else schema.get("properties", {}).get(key, {})
        found = schema.get("format", found)
    return found


def _wrong(leaf: Any) -> list[Any]:
    """Other values, a pattern, guesses, nothing."""
    if leaf is None:
        return ["nonsense", 5]
    if isinstance(leaf, bool):
        return [not leaf, [leaf, not leaf], None]
    if isinstance(leaf, int | float):
        return [leaf + 1, -leaf if leaf else 5, [leaf, leaf + 1], True, None]
    return [f"{leaf} nonsense", "^.*$", [leaf, "nonsense"], *(["", None] if leaf else [])]


def _near(leaf: Any, form: str) -> list[str]:
    """A text like the right one, with its last number one higher; twice as much where a little more is right too."""
    if not isinstance(leaf, str) or not (found := list(re.finditer(r"\d+", leaf))):
        return []
    if form in APPROXIMATE:
        return [re.sub(r"\d+", lambda number: str(2 * int(number[0]) + 1), leaf)]
    last = found[-1]
    return [leaf[: last.start()] + str(int(last[0]) + 1).zfill(len(last[0])) + leaf[last.end() :]]


def _visits(case: Case) -> Spoiled:
    yield "no activity", replace(case, har=[])
    own = _sites(case)
    for site in own:
        name = "another site" if len(own) == 1 else f"{site.name} not visited"
        yield (
            name,
            replace(case, har=[_elsewhere(one) if site.owns(one["request"]["url"]) else one for one in case.har]),
        )
    if case.response["task_type"] == "navigate" and _ends_somewhere(case):
        further = deepcopy(case.har[0])
        further["request"]["url"] += "/further"
        yield "went on to another page", replace(case, har=[*case.har, further])


def _ends_somewhere(case: Case) -> bool:
    """Whether some page is to be the last one, not any."""
    return any(
        one["evaluator"] == "NetworkEventEvaluator" and one.get("last_event_only", True)
        for one in mended(case.task).eval
    )


def _elsewhere(entry: Json) -> Json:
    url = re.sub(r"//[^/:]+", r"//elsewhere.test", entry["request"]["url"], count=1)
    return entry | {"request": entry["request"] | {"url": url}}


def _sessions(case: Case) -> Spoiled:
    for site in session_sites(case.task.account, _sites(case)):
        stripped = [_anonymous(one, site) if site.owns(one["request"]["url"]) else one for one in case.har]
        yield f"no session on {site.name}", replace(case, har=[_without_cookies(one) for one in stripped])
        if site.tells_user:
            yield f"session on {site.name} unknown or expired", replace(case, har=stripped)
            others = [_as(one, site, SOMEBODY) if site.owns(one["request"]["url"]) else one for one in case.har]
            yield f"session on {site.name} of another user", replace(case, har=others)
            last = max(number for number, one in enumerate(others) if site.owns(one["request"]["url"]))
            yield f"another user on {site.name} at the end", replace(case, har=_with(case.har, last, others[last]))


def _without_cookies(entry: Json) -> Json:
    headers = [one for one in entry["request"]["headers"] if one["name"] != "Cookie"]
    return entry | {"request": entry["request"] | {"headers": headers}}


def _anonymous(entry: Json, site: Site) -> Json:
    headers = [one for one in entry["response"]["headers"] if one["name"] != site.user_header]
    return entry | {"response": entry["response"] | {"headers": headers}}


def _as(entry: Json, site: Site, user: str) -> Json:
    bare = _anonymous(entry, site)
    headers = [*bare["response"]["headers"], {"name": site.user_header, "value": user}]
    return bare | {"response": bare["response"] | {"headers": headers}}


def _rows(case: Case) -> Spoiled:
    state = case.state or {"before": {}, "after": {}, "changes": []}
    if case.response["task_type"] == "mutate" and case.response["status"] == "SUCCESS":
        yield "nothing changed", replace(case, state=state | {"after": state["before"], "changes": []})
    for probe, rows in state["after"].items():
        for name, other in _other_rows(rows, state["before"][probe]):
            yield f"probe {probe} {name}", replace(case, state=state | {"after": state["after"] | {probe: other}})


def _other_rows(rows: list[Any], before: list[Any]) -> Iterator[tuple[str, list[Any]]]:
    yield "row extra", [*rows, rows[-1] if rows else ["zz"]]
    seeded = [list(row) for row in before]
    numbers = sorted(range(len(rows)), key=lambda number: (list(rows[number]) in seeded, number))
    left = CELLS
    for number in numbers:
        if left <= 0:
            return
        yield f"row {number} missing", [*rows[:number], *rows[number + 1 :]]
        for column in range(len(rows[number])):
            left -= 1
            yield f"cell {number}.{column}", _with(rows, number, _with(list(rows[number]), column, "zz"))


def _changes(case: Case) -> Spoiled:
    state = case.state or {"before": {}, "after": {}, "changes": []}
    made = state["changes"]
    yield "side effect in another table", replace(case, state=state | {"changes": [*made, FOREIGN]})
    for number, one in enumerate(made):
        others = {"one row more": [*made, one | {"key": len(made) + 1}]}
        if one["op"] == "update":
            wider = change(one | {"columns": list(one["after"])}, one["key"], "zz")
            others["one column more"] = _with(made, number, wider)
        others["another operation"] = _with(made, number, one | {"op": "insert" if one["op"] == "delete" else "delete"})
        for name, changes in others.items():
            yield f"side effect {one['table']} {number} {name}", replace(case, state=state | {"changes": changes})


def _sites(case: Case) -> list[Site]:
    sites = sites_of(case.environments)
    return [sites[name] for name in case.task.sites]


def _with(items: list[Any], number: int, item: Any) -> list[Any]:
    return [*items[:number], item, *items[number + 1 :]]
