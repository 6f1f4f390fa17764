"""Applications whose state is made by their page: opened once for the seed, looked at and verified at the end."""

import time
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Error, Request

from webassay.core.files import write_json
from webassay.core.task import Task
from webassay.errors import EnvironmentFault
from webassay.evidence.writes import account_for, state_digest
from webassay.sites.site import Sites
from webassay.systems.browser import confined
from webassay.systems.session import Session
from webassay.systems.verifier import verify

PATIENCE = 15.0
SETTLE = 500.0
"""Milliseconds in which a page may send what its last change was, before it is closed."""


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
        page.goto(site["url"] + "/", wait_until="load", timeout=PATIENCE * 1000)
        deadline = time.monotonic() + PATIENCE
        while not _has_state(name, sites):
            if time.monotonic() > deadline:
                raise EnvironmentFault(f"{name} has no {site['state_path']} although its start page was opened")
            page.wait_for_timeout(50)
    except Error as error:
        raise EnvironmentFault(f"{name}: its start page does not open: {str(error).splitlines()[0]}") from None
    finally:
        context.close()
    state = sites.get(name, site["state_path"])
    return Seed(state, bool(sent) and state_digest(sent[-1]) == state_digest(state))


def _has_state(name: str, sites: Sites) -> bool:
    with sites.client(name) as client:
        return client.get(sites.environment["sites"][name]["state_path"]).status_code == 200


def settle(session: Session, seeds: dict[str, Seed]) -> None:
    if seeds and not session.page.is_closed():
        session.page.wait_for_timeout(SETTLE)


def keep_application_evidence(folder: Path, har: Path, session: Session, task: Task, seeds: dict[str, Seed]) -> None:
    """`initiators.json` from the recording before anything in it is redacted, `verifier.json` from the live site."""
    sites = session.sites
    if seeds:
        found = {}
        for name, before in seeds.items():
            site = sites.environment["sites"][name]
            final = sites.get(name, site["state_path"])
            senders = session.initiators.senders if session.initiators else []
            found[name] = account_for(har.read_bytes(), senders, site, before.state, final, before.verbatim)
        write_json(folder / "initiators.json", found)
    for entry in task.eval:
        if entry.get("evaluator") == "InfinityEvaluator":
            result = verify(task.sites[0], str(entry["verify"]), sites)
            write_json(folder / "verifier.json", session.redactor.value(result))
