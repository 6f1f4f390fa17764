"""Firefox: found, started with what keeps it in, or told how to get it; driven for real where Playwright's is here."""

from pathlib import Path

import pytest
from playwright.sync_api import Error, sync_playwright

from tests.systems.hostile_site import hostile_site
from webassay.errors import EnvironmentFault
from webassay.systems.firefox import confine_requests, find_firefox, launch_firefox, proxy_for

STUB = """#!/bin/sh
echo "$@" > {folder}/words
exit 3
"""
"""A Firefox that notes how it was started, and ends."""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Playwright's folder, with two of them."""
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    for version in ("1400", "1511"):
        made = tmp_path / f"firefox-{version}" / "firefox" / "firefox"
        made.parent.mkdir(parents=True)
        made.write_text(STUB.format(folder=tmp_path))
        made.chmod(0o755)
    return tmp_path


def test_the_newest_that_playwright_installed_is_taken_unless_one_is_named(own: Path) -> None:
    assert "firefox-1511" in str(find_firefox())
    named = own / "firefox-1400" / "firefox" / "firefox"
    assert find_firefox(str(named)) == named


def test_where_there_is_none_it_is_told_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    for configured in (None, "/usr/bin/no-firefox-esr"):
        with pytest.raises(EnvironmentFault, match=r"no Firefox \(looked at .*firefox.*playwright install firefox"):
            find_firefox(configured)


def test_one_that_cannot_be_driven_is_told_and_was_started_with_its_limits(own: Path) -> None:
    with sync_playwright() as playwright, pytest.raises(EnvironmentFault, match=r"does not start.*firefox-esr cannot"):
        with launch_firefox(playwright, find_firefox(), True, None):
            pass
    assert "-headless" in (own / "words").read_text()


def test_a_context_reaches_the_tasks_ports_alone(tmp_path: Path) -> None:
    """With the real one, where it is installed."""
    try:
        path = find_firefox()
    except EnvironmentFault as error:
        pytest.skip(str(error))
    blocked: list[str] = []
    with hostile_site() as near, hostile_site() as far, sync_playwright() as playwright:
        with launch_firefox(playwright, path, True, None) as browser:
            context = browser.new_context(proxy=proxy_for(browser, [near]))
            confine_requests(context, [near], blocked)
            page = context.new_page()
            page.goto(f"{near}/calm")
            assert page.inner_text("h1") == "Calm"
            assert page.evaluate("typeof RTCPeerConnection") == "undefined"
            for url in (f"{far}/calm", far.replace("127.0.0.1", "localhost")):
                with pytest.raises(Error):
                    page.goto(url)
    assert blocked == ["127.0.0.1", "localhost"]
