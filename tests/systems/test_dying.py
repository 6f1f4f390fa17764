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
from webassay.systems.browser import launch
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
