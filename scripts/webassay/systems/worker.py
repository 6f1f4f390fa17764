"""One worker process: a browser and a copy of the sites, doing attempts until its input ends.

Speaks JSON Lines: the first line in says what to work with, each further one is an order for an attempt; each line
out says how it ended, or why the whole run must stop.
"""

import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import msgspec
from playwright.sync_api import sync_playwright

from webassay.config.kinds import build_system
from webassay.core.processes import follow, private_pipes, scratch_folder
from webassay.core.secret_names import credentials_within, secrets_in
from webassay.core.task import Task
from webassay.errors import WebassayError
from webassay.evidence.redact import RedactedStream, Redactor
from webassay.llm.client import Client, client_for
from webassay.llm.endpoint import known_keys
from webassay.sites.process import free_port
from webassay.sites.site import Sites, passwords
from webassay.systems import browserbase
from webassay.systems.external import External
from webassay.systems.ledger import Ledger
from webassay.systems.opening import open_browser
from webassay.systems.runner import Surroundings, run_attempt


class Brief(msgspec.Struct, frozen=True):
    """What a worker works with."""

    run: str
    data: str
    config: dict[str, Any]
    weights: str | None = None
    """Of a model in the box: the folder they are in."""


class Order(msgspec.Struct, frozen=True):
    task: Task
    attempt: int


class Report(msgspec.Struct, frozen=True):
    task_id: str | None
    outcome: str = ""
    reason: str = ""
    fatal: str = ""
    """Something no retry can mend: the run stops and says this."""


def main() -> None:
    follow(os.getppid())
    orders, reports = private_pipes()
    brief = msgspec.json.decode(orders.readline(), type=Brief)
    redactor = Redactor([*passwords(brief.config["environment"]), *keys_of(brief.config)], secrets.token_bytes(16))
    sys.stdout = sys.stderr = RedactedStream(redactor, sys.stderr)  # systems print, and libraries
    try:
        with surroundings(brief) as around:
            _send(reports, Report(None))
            for line in orders:
                _send(reports, _carry_out(msgspec.json.decode(line, type=Order), brief, around))
    except WebassayError as error:
        _send(reports, Report(None, fatal=redactor.logged(str(error))))


def _carry_out(order: Order, brief: Brief, around: Surroundings) -> Report:
    ledger = Ledger(Path(brief.run))
    with ledger.lock(order.task.task_id):
        ending = run_attempt(order.task, order.attempt, ledger.workplace(order.task), around)
        ledger.place(order.task)
    return Report(order.task.task_id, ending.outcome, ending.reason)


@contextmanager
def surroundings(brief: Brief) -> Iterator[Surroundings]:
    """A browser and running sites, with which attempts can be made."""
    config = brief.config
    system, port = build_system(config), None
    if isinstance(system, External):
        port = free_port()
        system = replace(system, address=f"http://127.0.0.1:{port}")
    with scratch_folder() as scratch, sync_playwright() as playwright:
        keys = keys_of(config)
        with Sites(config["environment"], Path(brief.data), scratch, keys) as sites:
            with open_browser(playwright, config["browser"], sites.addresses, scratch, port) as (browser, path, traits):
                with model_of(brief) as model:
                    yield Surroundings(system, config["system"], browser, path, sites, keys, model, traits)


def keys_of(config: dict[str, Any]) -> tuple[str, ...]:
    """What no file may hold, besides the sites' own secrets."""
    addresses = credentials_within([config["environment"], config["browser"], config["model"]])
    return (*known_keys(config["model"]), *browserbase.secrets(config["browser"]), *secrets_in(os.environ), *addresses)


@contextmanager
def model_of(brief: Brief) -> Iterator[Client | None]:
    client = client_for(brief.config["model"], Path(brief.weights) if brief.weights else None)
    try:
        yield client
    finally:
        if client is not None:
            client.close()


def _send(reports: IO[bytes], report: Report) -> None:
    reports.write(msgspec.json.encode(report) + b"\n")


if __name__ == "__main__":
    main()
