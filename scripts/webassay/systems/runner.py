"""One attempt at one task, from a fresh site to a whole trajectory folder."""

import json
import logging
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from playwright.sync_api import Browser

from webassay.core.files import require_space, write_bytes, write_json, write_text
from webassay.core.processes import scratch_folder
from webassay.core.task import Task
from webassay.core.trajectory import NO_ANSWER, Attempt, FinalAnswer, Outcome, write_end
from webassay.errors import AgentFault, ConfigError, EnvironmentFault, WebassayError
from webassay.evidence.changes import changes_between, snapshot
from webassay.evidence.probe import Answers
from webassay.evidence.redact import Redactor
from webassay.llm.client import Client
from webassay.sites.site import Sites
from webassay.systems.application import keep_application_evidence, seed, settle
from webassay.systems.browser import HERE, Traits
from webassay.systems.failures import broken_surroundings, environment_reason
from webassay.systems.pages import Pages
from webassay.systems.session import Session, System
from webassay.systems.time_limit import time_limit

VERSION = 4
"""Raise it when agents see, do or leave behind something else: it is part of every run's path."""


@dataclass(frozen=True)
class Surroundings:
    """What a worker has at hand for each attempt."""

    system: System
    settings: dict[str, Any]
    """The system's node of the configuration: budgets, viewport, timeouts."""
    browser: Browser
    browser_path: Path | str
    """Where it lies, or what it is called where that is elsewhere."""
    sites: Sites
    keys: tuple[str, ...] = ()
    """Secrets of the model's endpoint, which no evidence may hold."""
    model: Client | None = None
    traits: Traits = HERE


@dataclass(frozen=True)
class Ending:
    outcome: Outcome
    answer: str = NO_ANSWER
    reason: str = ""


@dataclass(frozen=True)
class Before:
    """How the sites stood when the agent came."""

    probes: Answers
    database: Path | None
    """A copy of all of it; None where the environment has none."""


def run_attempt(task: Task, number: int, folder: Path, around: Surroundings) -> Ending:
    """Fill `folder` with the evidence of one attempt; `times.json` is the last file written."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "web_surfer.log").touch()  # an attempt that could not begin has a log too, an empty one
    redactor = Redactor([*around.sites.secrets, *around.keys], salt=secrets.token_bytes(16))
    started = time.time()
    with _core_log(folder, task.task_id, redactor) as log, scratch_folder() as scratch:
        log.info("attempt %d of task %s", number, task.task_id)
        if around.traits.sandbox:
            log.info("the browser's sandbox is %s", around.traits.sandbox)
        ending, session = _attempt(task, number, folder, around, redactor, scratch, log)
        level = logging.ERROR if ending.reason else logging.INFO
        log.log(level, "%s%s", ending.outcome, f": {ending.reason}" if ending.reason else "")
    write_json(folder / "task_data.json", task)  # only now: it has the expected answer, and the agent the folder
    _write_response(folder, ending.answer)
    answer = FinalAnswer(
        ending.answer,
        screenshots=tuple(session.screenshots if session else ()),
        is_aborted=ending.outcome == "aborted",
        token_usage={name: msgspec.to_builtins(counts) for name, counts in session.usage.items()} if session else {},
    )
    write_end(folder, answer, _attempt_record(task, number, ending, session, around, redactor), started, time.time())
    return ending


def _attempt(
    task: Task, number: int, folder: Path, around: Surroundings, redactor: Redactor, scratch: Path, log: logging.Logger
) -> tuple[Ending, Session | None]:
    session: Session | None = None
    har = scratch / "network.har"
    try:
        around.sites.prepare(task)
        cookies: Any = around.sites.login(task)
        redactor.add(cookie["value"] for cookie in cookies)
        seeds = seed(task, around.browser, around.sites)
        before = Before(around.sites.probe(task), _database_copy(around.sites, scratch))
        seen = msgspec.structs.replace(task, eval=(), pages=())
        session = Session(
            seen, number, folder, around.browser, around.sites, around.settings, redactor, har, log,
            around.model, around.traits,
        )  # fmt: skip
        session.context.add_cookies(cookies)
        ending = _solve(session, around)
        settle(session, seeds)
        session.downloads.keep(session.page)
        pages = Pages(task.pages, session)
        session.close()
        _keep_evidence(folder, har, session, before)
        keep_application_evidence(folder, har, session, task, seeds)
        write_json(folder / "pages.json", pages.read_rest(around.browser))
        return ending, session
    except Exception as error:
        if isinstance(error, WebassayError) and not isinstance(error, EnvironmentFault):
            raise  # of the configuration or the task: no retry can mend it
        log.exception("the attempt broke off")
        reason = environment_reason(error, session, around.browser) or f"webassay failed: {error!r}"
        require_space(folder)
        return Ending("aborted", reason=redactor.logged(reason)), session


def _solve(session: Session, around: Surroundings) -> Ending:
    """Run the system; what it raises is its own failure unless the surroundings broke."""
    try:
        with time_limit(session):
            answer = around.system.solve(session.task, session)
        session.check_clock()
        if not isinstance(answer, str):
            raise AgentFault(f"the system returned {type(answer).__name__}, not the text of an answer")
    except ConfigError:
        raise  # a model that is not configured: no retry can mend it, and no other task would fare better
    except (Exception, SystemExit) as error:
        if isinstance(error, Exception) and environment_reason(error, session, around.browser) is not None:
            raise
        session.log.warning("the system failed", exc_info=error)
        first_line = str(error).strip().split("\n")[0]
        return Ending("over_budget", reason=session.redactor.logged(f"{type(error).__name__}: {first_line}"))
    if broken := broken_surroundings(session, around.browser):
        raise EnvironmentFault(broken)
    answer = session.redactor.text(answer.encode("utf-8", "replace").decode())  # lone surrogates fit in no file
    session.terminate(answer)
    return Ending("answered", answer)


def _database_copy(sites: Sites, scratch: Path) -> Path | None:
    if not sites.environment["database"] or not sites.environment["command"]:  # none, or out of reach
        return None
    copy = scratch / "before.sqlite3"
    snapshot(sites.database, copy)
    return copy


def _keep_evidence(folder: Path, har: Path, session: Session, before: Before) -> None:
    if not har.is_file() or not har.stat().st_size:
        raise EnvironmentFault("no network.har: the browser died before it could be written")
    sites = session.sites.environment["sites"].values()
    sessions = [site["session_cookie"] for site in sites]
    public = {name for site in sites for name in site["public_cookies"]} - set(sessions)
    write_bytes(folder / "network.har", session.redactor.har(har.read_bytes(), sessions, public))
    after = session.sites.probe(session.task)
    changes = session.redactor.record(_changes(session.sites, before.database))
    state = session.redactor.value({"before": before.probes, "after": after})
    write_json(folder / "state.json", state | {"changes": changes})


def _changes(sites: Sites, before: Path | None) -> list[dict[str, Any]] | None:
    if before is None:
        return None
    found = changes_between(before, sites.database, sites.environment["volatile"])
    return [msgspec.to_builtins(change) for change in found]


def _write_response(folder: Path, answer: str) -> None:
    """The answer as a JSON file where it is JSON, which is the form other scorers read."""
    with suppress(ValueError, RecursionError):
        json.loads(answer)
        write_text(
            folder / "agent_response.json", answer
        )  # as given: read and written again, a key given twice is lost


def _attempt_record(
    task: Task, number: int, ending: Ending, session: Session | None, around: Surroundings, redactor: Redactor
) -> Attempt:
    return Attempt(
        task.task_id,
        task.execution_digest,
        number,
        ending.outcome,
        ending.reason,
        _environments(task, around.sites),
        _browser(around),
        session.site_errors if session else 0,
        tuple(sorted({redactor.text(host) for host in session.blocked})) if session else (),
        session.answered_by if session else {},
        session.captchas.counts if session else {},
    )


def _browser(around: Surroundings) -> dict[str, str]:
    told = {"path": str(around.browser_path), "version": around.browser.version}
    return told | ({"sandbox": around.traits.sandbox} if around.traits.sandbox else {})


def _environments(task: Task, sites: Sites) -> dict[str, dict[str, Any]]:
    """The task's sites in webarena-verified's shape, and who was logged in on each."""
    kept = ("login_path", "session_cookie", "login_required", "user_header")
    accounts = sites.environment["accounts"]
    return {
        name: {"urls": [sites.environment["sites"][name]["url"]], "active_url_idx": 0}
        | {key: sites.environment["sites"][name][key] for key in kept}
        | {"user": accounts[account]["user"] if account else None}
        for name, account in sites.users(task).items()
    }


class _RedactedLines(logging.Formatter):
    """Tracebacks and messages of the browser repeat what was typed."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__("%(asctime)s [%(levelname)s] %(name)s - %(message)s")
        self._redactor = redactor

    def format(self, record: logging.LogRecord) -> str:
        return str(self._redactor.logged(super().format(record)))


@contextmanager
def _core_log(folder: Path, task_id: str, redactor: Redactor) -> Iterator[logging.Logger]:
    """webeval's core.log; the handler is closed with the attempt."""
    handler = logging.FileHandler(folder / "core.log", encoding="utf-8", errors="replace")
    handler.setFormatter(_RedactedLines(redactor))
    log = logging.getLogger(f"webassay.core.{task_id}")
    log.setLevel(logging.INFO)
    log.propagate = False
    log.addHandler(handler)
    try:
        yield log
    finally:
        log.removeHandler(handler)
        handler.close()
