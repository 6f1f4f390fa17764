"""One worker process: a browser and a copy of the sites, doing attempts until its input ends.

Speaks JSON Lines: the first line in says what to work with, each further one is an order for an attempt; each line
out says how it ended, or why the whole run must stop.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import msgspec
from playwright.sync_api import sync_playwright

from webassay.config.kinds import build_system
from webassay.core.processes import follow, private_pipes, scratch_folder
from webassay.core.task import Task
from webassay.errors import WebassayError
from webassay.llm.client import client_for
from webassay.sites.site import Sites
from webassay.systems.browser import find_browser, launch
from webassay.systems.ledger import Ledger
from webassay.systems.runner import Surroundings, run_attempt


class Brief(msgspec.Struct, frozen=True):
    """What a worker works with."""

    run: str
    data: str
    config: dict[str, Any]


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
    try:
        with surroundings(brief) as around:
            _send(reports, Report(None))
            for line in orders:
                _send(reports, _carry_out(msgspec.json.decode(line, type=Order), brief, around))
    except WebassayError as error:
        _send(reports, Report(None, fatal=str(error)))


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
    wanted = config["execution"]["browser"]
    path = find_browser(wanted["executable"], wanted["headless"])
    system = build_system(config)
    with scratch_folder() as scratch, sync_playwright() as playwright:
        with Sites(config["environment"], Path(brief.data), scratch) as sites:
            with launch(playwright, path, sites.addresses, wanted["headless"]) as browser:
                key = os.environ.get(config["model"]["api_key_env"] or "", "")
                yield Surroundings(system, config["system"], browser, path, sites, (key,), client_for(config["model"]))


def _send(reports: IO[bytes], report: Report) -> None:
    reports.write(msgspec.json.encode(report) + b"\n")


if __name__ == "__main__":
    main()
