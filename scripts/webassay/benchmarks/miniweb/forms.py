"""What the tasks of every site are made of: templates, questions to the seeded database, evaluators in both forms.

A task carries WebArena Verified's evaluators (response, requests, rows, side effects) and, for the original harness,
one evaluator as WebArena's authors would have written it: words in the answer, an address, words on a page.
"""

import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from webassay.core.task import PageRead, Probe, Task
from webassay.errors import TaskError

CUSTOMER = "emma.lopez@example.com"
"""Who is logged in as `customer`."""
STAFF = "admin@example.com"
PLACE = ZoneInfo("Europe/London")
"""Whose clock the pages show; the database keeps UTC."""

TEXT = {"type": "string"}
COUNT = {"type": "integer"}
AMOUNT = {"type": "number", "format": "currency"}
TRUTH = {"type": "boolean"}
DATE = {"type": "string", "format": "date"}
MONTH = {"type": "string", "format": "month"}
DURATION = {"type": "string", "format": "duration"}
URL = {"type": "string", "format": "url"}
ADDRESS = {"type": "string", "format": "full_address"}

MANY = 4
"""Tasks of a template that are quickly done; the others have two or three."""

Rows = list[list[Any]]
Evaluator = dict[str, Any]


@dataclass(frozen=True)
class Template:
    """What the tasks of one kind share."""

    id: str
    intent: str
    kind: str
    sites: tuple[str, ...]
    difficulty: str
    account: str = "customer"
    start: str = "/"


@dataclass(frozen=True)
class Watched:
    """A probe with the rows it gives before, and those it shall give after."""

    name: str
    probe: Probe
    before: Rows
    after: Rows

    def evaluator(self) -> Evaluator:
        return {"evaluator": "StateEvaluator", "probe": self.name, "before": self.before, "after": self.after}


def ask(database: sqlite3.Connection, sql: str, *params: Any) -> Rows:
    return [list(row) for row in database.execute(sql, params)]


def spread(rows: Rows, count: int) -> Sequence[list[Any]]:
    """So many rows, evenly from first to last."""
    if len(rows) < count:
        raise TaskError(f"the site has {len(rows)} rows to choose from, {count} are needed; build it again")
    return [rows[len(rows) * (2 * n + 1) // (2 * count)] for n in range(count)]


def distinct(rows: Rows, column: int) -> Rows:
    """Rows whose value in a column no other row has: where two share an answer, the wrong row gives the right one."""
    values = [row[column] for row in rows]
    return [row for row in rows if values.count(row[column]) == 1]


def only(rows: Rows, what: str) -> list[Any]:
    """The one row; a task about none or several would be ambiguous."""
    if len(rows) != 1:
        raise TaskError(f"{what}: the site has {len(rows)}, a task needs exactly 1; build it again or choose another")
    return rows[0]


def absent(rows: Rows, what: str) -> None:
    """A task that asks for what is not there must not find it."""
    if rows:
        raise TaskError(f"{what} is on the site; choose a name that is not")


def local(moment: str) -> datetime:
    """A time of the database as the pages show it."""
    return datetime.fromisoformat(moment).replace(tzinfo=UTC).astimezone(PLACE)


def utc(moment: str) -> str:
    """The other way: what the database keeps of a time that a person entered."""
    return f"{datetime.fromisoformat(moment).replace(tzinfo=PLACE).astimezone(UTC):%Y-%m-%d %H:%M:%S}"


def as_duration(span: timedelta) -> str:
    """`2 days 3 hours 5 minutes`: the forums show minutes, so seconds are not asked for."""
    minutes = round(span.total_seconds() / 60)
    parts = {"day": minutes // 1440, "hour": minutes // 60 % 24, "minute": minutes % 60}
    return " ".join(f"{number} {unit}{'' if number == 1 else 's'}" for unit, number in parts.items() if number)


def found(template: Template, results: list[Any], items: dict[str, Any], ordered: bool = False) -> Evaluator:
    """The answer of a retrieve that succeeds."""
    schema = {"type": "array", "items": items}
    return _answer(template, "SUCCESS", results, schema) | ({"ordered": True} if ordered else {})


def done(template: Template) -> Evaluator:
    return _answer(template, "SUCCESS", None, {"type": "null"})


def refused(template: Template, status: str) -> Evaluator:
    """The answer to what cannot be done."""
    return _answer(template, status, None, {"type": "null"})


def _answer(template: Template, status: str, results: list[Any] | None, schema: dict[str, Any]) -> Evaluator:
    return {
        "evaluator": "AgentResponseEvaluator",
        "results_schema": schema,
        "expected": {"task_type": template.kind, "status": status, "retrieved_data": results},
    }


def shape(**properties: dict[str, Any]) -> dict[str, Any]:
    """The schema of an object with these fields and no others."""
    return {"type": "object", "properties": properties}


def event(url: str | list[str], **details: Any) -> Evaluator:
    return {"evaluator": "NetworkEventEvaluator", "expected": {"url": url, **details}}


def seen(*urls: str) -> Evaluator:
    """One of these pages was opened, whatever its query: what anybody could guess must have been looked up."""
    evaluator = event(list(urls) if len(urls) > 1 else urls[0])
    return evaluator | {"ignored_query_params_patterns": [".*"]}


def searched(url: str, parameter: str, name: str, *instead: str) -> Evaluator:
    """A search for a word of the name, or one of the pages where it would stand."""
    query = urlencode({parameter: f"^.*({'|'.join(map(re.escape, name.split()))}).*$"})
    evaluator = event([f"{url}?{query}", *instead])
    return evaluator | {"ignored_query_params_patterns": [f"^(?!{parameter}$)"]}


def below(url: str) -> str:
    """A pattern for this address and all below it."""
    return f"^{re.escape(url.rstrip('/'))}(/.*)?$"


def posted(url: str, status: int = 302, **fields: Any) -> Evaluator:
    """A form sent to an address, whatever its query: dashboards keep the search they came from in it."""
    details = {"post_data": fields} if fields else {}
    evaluator = event(url, http_method="POST", response_status=status, **details)
    return evaluator | {"ignored_query_params_patterns": [".*"]}


def watched(
    database: sqlite3.Connection, name: str, probe: Probe, change: Callable[[Rows], Rows] | None = None
) -> Watched:
    before = ask(database, probe.sql or "", *probe.params)
    return Watched(name, probe, before, change([list(row) for row in before]) if change else before)


def appended(*row: Any) -> Callable[[Rows], Rows]:
    """One row more, after those there are."""
    return lambda rows: [*rows, list(row)]


def replaced(position: int, column: int, value: Any) -> Callable[[Rows], Rows]:
    """One cell of one row changed."""

    def change(rows: Rows) -> Rows:
        rows[position][column] = value
        return rows

    return change


def insert(table: str, rows: int = 1) -> dict[str, Any]:
    return {"table": table, "op": "insert", "rows": rows}


def update(table: str, *columns: str, rows: int = 1) -> dict[str, Any]:
    return {"table": table, "op": "update", "rows": rows, "columns": list(columns)}


def says(*words: Any) -> Evaluator:
    """Original form of a retrieve: these words in the answer, in whatever company."""
    return _original(["string_match"], reference_answers={"must_include": [as_text(word) for word in words]})


def says_exactly(word: Any) -> Evaluator:
    return _original(["string_match"], reference_answers={"exact_match": as_text(word)})


def says_not_applicable(reason: str) -> Evaluator:
    """Original form of what cannot be done: the two letters that agents learned to say."""
    return _original(["string_match"], reference_answers={"fuzzy_match": "N/A"}, string_note=reason)


def ends_at(url: str) -> Evaluator:
    return _original(["url_match"], reference_url=url, url_note="GOLD in PRED")


def shows(*pages: tuple[str, str, Sequence[str]]) -> Evaluator:
    """Original form of a mutate: words on pages afterwards, each given as address, CSS selector (or none), words."""
    checks = [
        {"url": url, "locator": _locator(selector), "required_contents": {"must_include": list(words)}}
        for url, selector, words in pages
    ]
    return _original(["program_html"], program_html=checks)


def as_text(value: Any) -> str:
    """How a value of a structured answer reads in plain text: the shortest spelling of a number."""
    if isinstance(value, bool):
        return "Yes" if value else "No"
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def _original(kinds: list[str], **fields: Any) -> Evaluator:
    return {"evaluator": "WebArenaEvaluator", "eval_types": kinds, **fields}


def _locator(selector: str) -> str:
    return f"document.querySelector({selector!r}).outerText" if selector else ""


def task(
    template: Template,
    number: int,
    values: dict[str, Any],
    *evaluators: Evaluator,
    states: Iterable[Watched] = (),
    allowed: Sequence[dict[str, Any]] = (),
    original: Evaluator,
) -> Task:
    """`evaluators` begin with the answer; `allowed` is what may be written besides nothing."""
    states = list(states)
    effects = {"evaluator": "ChangesEvaluator", "allowed": list(allowed)}
    first = template.sites[0]
    return Task(
        task_id=f"{template.id}-{number}",
        intent=template.intent.format(**values),
        sites=template.sites,
        intent_template_id=template.id,
        eval=(*evaluators, *(state.evaluator() for state in states), effects, original),
        start_urls=(f"__{first.upper()}__{template.start}",),
        intent_template=template.intent,
        instantiation_dict=values,
        account=template.account,
        probes={state.name: state.probe for state in states},
        difficulty=template.difficulty,
        pages=tuple(PageRead(check["url"], check["locator"]) for check in original.get("program_html", ())),
    )
