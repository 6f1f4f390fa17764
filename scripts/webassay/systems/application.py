"""Applications whose state is made by their page: opened once for the seed, looked at and verified at the end."""

import time
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser, Error, Request

from webassay.core.files import write_json
from webassay.core.task import Task
from webassay.errors import EnvironmentFault
from webassay.evidence.writes import Heard, account_for, state_digest
from webassay.sites.site import Sites
from webassay.systems.browser import confined
from webassay.systems.session import Session
from webassay.systems.verifier import verify

SETTLE, QUIET = 10.0, 1.0
"""Seconds that a page is given at most to send what its last change was, and without a write that end the wait."""
STEP = 50.0


@dataclass(frozen=True)
class Seed:
    state: bytes
    verbatim: bool
    """What the server has is what the page sent."""


def seed(task: Task, browser: Browser, sites: Sites) -> dict[str, Seed]:
    """Open the start page of each site whose state is there only then, and read it."""
    wanted = [name for name in task.sites if sites.environment["sites"][name]["state_path"]]
    return {name: _open_once(name, browser, sites) for name in wanted}


def _open_once(name: str, browser: Browser, sites: Sites) -> Seed:
    site, sent = sites.environment["sites"][name], []

    def note(request: Request) -> None:
        if request.method in ("PUT", "POST") and request.url == site["url"] + site["state_path"]:
            sent.append(request.post_data_buffer or b"")

    context = browser.new_context(service_workers="block", proxy=confined([site["url"]]))
    try:
        context.on("request", note)
        page = context.new_page()
        patience = float(sites.environment["start_timeout"])
        page.goto(site["url"] + "/", wait_until="load", timeout=patience * 1000)
        deadline = time.monotonic() + patience
        while not _has_state(name, sites):
            if time.monotonic() > deadline:
                raise EnvironmentFault(f"{name} has no {site['state_path']} although its start page was opened")
            page.wait_for_timeout(STEP)
    except Error as error:
        raise EnvironmentFault(f"{name}: its start page does not open: {str(error).splitlines()[0]}") from None
    finally:
        context.close()
    state = sites.get(name, site["state_path"])
    return Seed(state, state_digest(state) in map(state_digest, sent))


def _has_state(name: str, sites: Sites) -> bool:
    with sites.client(name) as client:
        return client.get(sites.environment["sites"][name]["state_path"]).status_code == 200


def _served(sites: Sites, name: str, path: str) -> str | None:
    with suppress(EnvironmentFault):  # it is there no more
        return sites.get(name, path).decode("utf-8", "replace")
    return None


def settle(session: Session, seeds: dict[str, Seed]) -> None:
    """Until nothing has been written for a while: what is still to be written would be taken for a forgery."""
    if not seeds or session.initiators is None:
        return
    started = time.monotonic()
    while (waited := time.monotonic() - started) < SETTLE and not session.page.is_closed():
        if min(waited, session.initiators.quiet_seconds) >= QUIET:
            return
        session.page.wait_for_timeout(STEP)


def keep_application_evidence(folder: Path, har: Path, session: Session, task: Task, seeds: dict[str, Seed]) -> None:
    """`initiators.json` from the recording before anything in it is redacted, `verifier.json` from the live site."""
    sites = session.sites
    if seeds:
        found = {}
        for name, before in seeds.items():
            site = sites.environment["sites"][name]
            final = sites.get(name, site["state_path"])
            heard = session.initiators.heard if session.initiators else Heard()
            found[name] = account_for(
                har.read_bytes(), heard, site, before.state, final, before.verbatim, partial(_served, sites, name)
            )
        write_json(folder / "initiators.json", found)
    for entry in task.eval:
        if entry.get("evaluator") == "InfinityEvaluator":
            result = verify(task.sites[0], str(entry["verify"]), sites)
            write_json(folder / "verifier.json", session.redactor.value(result))
