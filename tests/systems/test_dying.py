"""Browsers that do not start, and a driver that dies: each in a Playwright of its own."""

import os
import signal
from pathlib import Path
from typing import Any

import psutil
import pytest
from playwright.sync_api import sync_playwright

from tests.systems.test_faults import attempt, config, elsewhere  # noqa: F401  (fixtures)
from webassay.errors import EnvironmentFault
from webassay.systems.acting import Acting
from webassay.systems.browser import find_browser, launch, launched
from webassay.systems.worker import Brief, surroundings


def test_a_dead_driver_is_an_abort(config: dict[str, Any], elsewhere: Path, tmp_path: Path) -> None:  # noqa: F811
    def solve(acting: Acting, url: str) -> None:
        drivers = [child for child in psutil.Process().children() if "node" in child.name()]
        before = {one.pid for one in drivers} - known
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        acting.session.page.click("h1")

    known = {child.pid for child in psutil.Process().children()}
    try:
        with surroundings(Brief(str(elsewhere), str(elsewhere), config)) as around:
            ending = attempt(around, tmp_path, solve)
    except Exception as error:  # what is left of Playwright cannot be closed
        assert "closed" in str(error), error
    assert ending.outcome == "aborted", ending


@pytest.mark.parametrize("script", ["exit 1", "sleep 60"])
def test_a_browser_that_does_not_start_is_named(tmp_path: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webassay.systems.browser.START_SECONDS", 3.0)
    path = tmp_path / "browser"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    with sync_playwright() as playwright, pytest.raises(EnvironmentFault, match=f"{path} does not start"):
        with launch(playwright, path, {}):
            pass


def test_a_browser_has_a_sandbox_wherever_it_starts_with_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said, path = tmp_path / "said", tmp_path / "browser"
    path.write_text(f'#!/bin/sh\necho "$@" >> {said}\nexit 1\n')
    path.chmod(0o755)
    for user, sandboxes in ((1000, [True, False]), (0, [False])):
        monkeypatch.setattr("os.geteuid", lambda user=user: user)
        said.unlink(missing_ok=True)
        with sync_playwright() as playwright, pytest.raises(EnvironmentFault, match="does not start"):
            with launch(playwright, path, {}):
                pass
        assert ["--no-sandbox" not in line for line in said.read_text().splitlines()] == sandboxes


def test_a_browser_that_starts_without_a_sandbox_alone_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "browser"
    path.write_text(f'#!/bin/sh\ncase "$*" in *--no-sandbox*) exec {find_browser()} "$@";; esac\nexit 1\n')
    path.chmod(0o755)
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    with sync_playwright() as playwright, launched(playwright, path, {}) as (browser, sandbox):
        assert browser.is_connected() and sandbox.startswith("off: the browser does not start with one")
