"""A task in WebArena-Verified form, with the probes that show what the agent did to the site."""

import hashlib
import re
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from webassay.core.digest import digest
from webassay.core.files import read_jsonl
from webassay.errors import TaskError, WebassayError

SAFE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


class Probe(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A read-only question to a site, asked before and after the agent acts: SQL to its database, or a GET of JSON."""

    sql: str | None = None
    params: tuple[str | int | float | None, ...] = ()
    site: str | None = None
    path: str | None = None
    """`/api/orders/?user=7`; asked without a login, apart from the agent's browser."""
    rows: str = "$[*]"
    """JSONPath from the answer to its rows."""
    columns: tuple[str, ...] = ("$",)
    """JSONPaths from a row to its cells."""

    def __post_init__(self) -> None:
        if (self.sql is None) == (self.path is None) or (self.path is None) != (self.site is None):
            raise ValueError("a probe has either sql, or site and path")


class PageRead(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the runner reads off a page when the agent has finished, for judges that look at pages."""

    url: str
    """`last`: the agent's own page, as it left it; else an address such as `__SHOP__/accounts/orders/`."""
    locator: str = ""
    """JavaScript whose value is kept; empty: the whole page."""
    prep_actions: tuple[str, ...] = ()
    """JavaScript run before, whatever becomes of it."""


class Task(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """One task; the names are those of webarena-verified's records, so its files load as they are."""

    task_id: str
    intent: str
    sites: tuple[str, ...]
    intent_template_id: str
    eval: tuple[dict[str, Any], ...]
    """Evaluators and what they expect; read by judges only, so a mended answer re-runs no agent."""
    start_urls: tuple[str, ...] = ()
    """With a placeholder for the site's address: `__SHOP__/catalogue/`."""
    intent_template: str = ""
    instantiation_dict: dict[str, Any] = {}
    revision: int = 1
    account: str | None = None
    """Who is logged in when the agent starts; a name in the environment's `accounts`."""
    probes: dict[str, Probe] = {}
    pages: tuple[PageRead, ...] = ()
    """Kept in `pages.json`; what is expected of them is in `eval`."""
    difficulty: str | None = None

    @cached_property
    def digest(self) -> str:
        """All of the task: a score belongs to this."""
        return digest(msgspec.to_builtins(self))

    @cached_property
    def execution_digest(self) -> str:
        """What the agent sees and what evidence is taken: a trajectory belongs to this."""
        record = msgspec.to_builtins(self)
        seen = (
            "task_id",
            "intent",
            "sites",
            "start_urls",
            "account",
            "probes",
            "pages",
            "intent_template_id",
            "instantiation_dict",
        )
        return digest({key: record[key] for key in seen})

    @property
    def template(self) -> str:
        return self.intent_template_id


def task_from_record(record: Any, where: str) -> Task:
    """Integer ids, as webarena-verified has them, become strings; an id that is no plain file name is refused."""
    if isinstance(record, dict):
        for key in ("task_id", "intent_template_id"):
            if isinstance(record.get(key), int) and not isinstance(record[key], bool):
                record = record | {key: str(record[key])}
    try:
        task = msgspec.convert(record, Task)
        msgspec.json.encode(task)
    except (ValueError, OverflowError, RecursionError) as error:  # half a surrogate pair, numbers of any length
        raise TaskError(f"{where}: {error}") from None
    if not task.sites:
        raise TaskError(f"{where}: task {task.task_id!r} has no site")
    if not SAFE_ID.fullmatch(task.task_id):
        raise TaskError(
            f"{where}: task_id {task.task_id!r} cannot name a folder; use letters, digits, '.', '_' and '-'"
        )
    return task


def safe_id(name: str) -> str:
    """Another's id where it can name a folder, else what is left of it and eight digits that tell it apart."""
    if SAFE_ID.fullmatch(name):
        return name
    mark = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    plain = re.sub(r"[^A-Za-z0-9._-]+", "_", name[:80]).lstrip("._-")
    return f"{plain or 'task'}-{mark}"


def read_tasks(path: Path) -> list[Task]:
    """A JSON Lines file of tasks; ids must be unique."""
    try:
        records = list(read_jsonl(path))
    except FileNotFoundError:
        raise TaskError(f"{path}: no such task file") from None
    except WebassayError as error:
        raise TaskError(str(error)) from None
    return unique(task_from_record(record, f"{path}, record {n}") for n, record in enumerate(records, 1))


def unique(tasks: Iterable[Task]) -> list[Task]:
    seen: dict[str, Task] = {}
    for task in tasks:
        if seen.setdefault(task.task_id.casefold(), task) is not task:  # some disks know no case
            raise TaskError(f"task_id {task.task_id!r} is used twice; ids must be unique within a benchmark")
    return list(seen.values())
