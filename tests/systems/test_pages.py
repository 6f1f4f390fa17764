"""What is read off the sites when the agent has finished, in the real browser on the real shop."""

import html
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.systems.test_runner import ANSWER, Bench, bench, data, elsewhere  # noqa: F401
from webassay.core.last_post import LAST_POST
from webassay.core.task import PageRead, Task
from webassay.systems.runner import Ending
from webassay.systems.session import Session

CATALOGUE = "__SHOP__/catalogue/"
TITLE = "document.title"


def attempt(
    bench: Bench,  # noqa: F811
    folder: Path,
    *pages: PageRead,
    solve: Callable[[Task, Session], str] | None = None,
) -> tuple[Ending, dict[str, Any]]:
    def look(task: Task, session: Session) -> str:
        session.visit(session.url("shop", "/catalogue/"))
        return ANSWER

    task = bench.tasks["shop-price-1"]
    bench.tasks = bench.tasks | {"shop-price-1": msgspec.structs.replace(task, pages=pages)}
    ending = bench.run(solve or look, folder)
    kept = folder / "attempt" / "pages.json"
    return ending, json.loads(kept.read_text()) if kept.exists() else {}


def requests(folder: Path) -> list[str]:
    entries = json.loads((folder / "attempt" / "network.har").read_text())["log"]["entries"]
    return [f"{entry['request']['method']} {entry['request']['url']}" for entry in entries]


def test_the_last_page_and_others_are_kept(bench: Bench, tmp_path: Path) -> None:  # noqa: F811
    wanted = (
        PageRead("last", TITLE),
        PageRead("last"),
        PageRead("__SHOP__/accounts/profile/"),
        PageRead(CATALOGUE, "document.querySelectorAll('article.product_pod').length"),
        PageRead(CATALOGUE, "document.querySelector('h1').outerText"),
        PageRead(CATALOGUE, TITLE, ("document.querySelector('nothing').click()", "document.title = 'prepared'")),
    )
    ending, kept = attempt(bench, tmp_path / "with", *wanted)
    assert ending.outcome == "answered", ending
    assert kept["final_url"] == "http://shop.localhost/catalogue/"
    title, page, profile, count, heading, prepared = [entry["content"] for entry in kept["pages"]]
    assert page.startswith("<!DOCTYPE html><html") and title.strip() in html.unescape(page)
    assert "emma.lopez@example.com" in profile, "read with the agent's session"
    assert int(count) > 0 and heading and prepared == "prepared"
    assert [entry["error"] for entry in kept["pages"]] == [""] * 6
    without = attempt(bench, tmp_path / "without")
    assert without[1] == {"final_url": "http://shop.localhost/catalogue/", "pages": []}
    assert requests(tmp_path / "with") == requests(tmp_path / "without")


HOSTILE: list[tuple[str, str | None, str]] = [
    ("document.querySelector('#nothing').outerText", "", "TypeError"),
    ("document.(", "", "SyntaxError"),
    ("document.title && null", "None", ""),
    ("document.title && undefined", "None", ""),
    ("document.title && [1, 'a', true]", "[1, 'a', True]", ""),
    ("document.title && 2.5", "2.5", ""),
    ("document.body", "ref: <Node>", ""),
    ("document.title && Promise.resolve('later')", "later", ""),
    ("document.title && Promise.reject('never')", "", "never"),
    ("document.title && 'x'.repeat(100e6)", None, "100000000 characters"),
    ("document.title && Array(5e6).fill('x')", None, "characters"),
    ("fetch('/')", None, "begins with document."),
    ("func:role(__page__, 'x')", None, "needs a function of the original harness"),
]


def test_hostile_locators_are_entries(bench: Bench, tmp_path: Path) -> None:  # noqa: F811
    wanted = [PageRead(url, locator) for url in ("last", CATALOGUE) for locator, _, _ in HOSTILE]
    ending, kept = attempt(bench, tmp_path, *wanted)
    assert ending.outcome == "answered", ending
    for (locator, content, error), found in zip(HOSTILE * 2, kept["pages"], strict=True):
        assert found["locator"] == locator
        assert found["content"] == content and error in found["error"], found


@pytest.mark.parametrize("never", ["(() => { while (true) {} })()", "new Promise(() => 0)"])
def test_a_page_that_hangs_costs_seconds_and_no_other_page(bench: Bench, tmp_path: Path, never: str) -> None:  # noqa: F811
    locator, path = f"document.title && {never}", PageRead(CATALOGUE, "document.location.pathname")
    wanted = (PageRead("last", locator), PageRead("last", TITLE), PageRead("__SHOP__/", locator), path)
    began = time.monotonic()
    ending, kept = attempt(bench, tmp_path, *wanted)
    assert ending.outcome == "answered" and time.monotonic() - began < 60
    assert [entry["content"] for entry in kept["pages"]] == [None, None, None, "/catalogue/"]
    assert "did not answer within" in kept["pages"][2]["error"]


@pytest.mark.parametrize(
    "url, error",
    [
        ("func:shopping_get_latest_order_url()", "needs a function"),
        ("func:reddit_get_post_url('__other__')", "needs a function"),
        ("http://admin.localhost/dashboard/", "not among the task's sites"),
        ("file:///etc/hostname", "not among the task's sites"),
    ],
)
def test_addresses_that_are_not_opened(bench: Bench, tmp_path: Path, url: str, error: str) -> None:  # noqa: F811
    ending, kept = attempt(bench, tmp_path, PageRead(url))
    assert ending.outcome == "answered" and kept["pages"][0]["content"] is None and error in kept["pages"][0]["error"]


def test_the_post_that_the_agent_stopped_at_is_opened_by_its_own_address(bench: Bench, tmp_path: Path) -> None:  # noqa: F811
    def comment(task: Task, session: Session) -> str:
        session.visit(session.url("shop", "/f/books/12/a-title/-/comment/7#edit"))
        return ANSWER

    ending, kept = attempt(bench, tmp_path, PageRead(LAST_POST, "document.location.pathname"), solve=comment)
    assert ending.outcome == "answered"
    assert [(page["url"], page["content"]) for page in kept["pages"]] == [(LAST_POST, "/f/books/12/")]


def test_a_locator_sends_nothing_and_changes_nothing(bench: Bench, tmp_path: Path) -> None:  # noqa: F811
    buy = "document.querySelector('article.product_pod form').submit()"
    ending, kept = attempt(bench, tmp_path, PageRead("last", buy), PageRead("__SHOP__/basket/"))
    assert ending.outcome == "answered" and "Your basket is empty" in kept["pages"][1]["content"]
    state = json.loads((tmp_path / "attempt" / "state.json").read_text())
    assert state["before"] == state["after"]


def test_pages_hold_no_secret_and_the_agent_does_not_see_what_is_read(bench: Bench, tmp_path: Path) -> None:  # noqa: F811
    def solve(task: Task, session: Session) -> str:
        assert task.pages == session.task.pages == ()
        session.visit(session.url("shop", "/catalogue/?token=abcdefgh"))
        session.page.evaluate("document.title = 'miniweb-customer'")
        return ANSWER

    _, kept = attempt(bench, tmp_path, PageRead("last", TITLE), solve=solve)
    assert "miniweb-customer" not in json.dumps(kept) and "abcdefgh" not in kept["final_url"]
    assert kept["pages"][0]["content"].startswith("redacted:")


def test_a_site_that_is_gone_is_an_abort(bench: Bench, tmp_path: Path) -> None:  # noqa: F811
    def solve(task: Task, session: Session) -> str:
        session.start()
        session.sites.kill()
        raise ValueError("too late")

    ending, kept = attempt(bench, tmp_path, PageRead(CATALOGUE), solve=solve)
    assert ending.outcome == "aborted" and kept == {}


def test_an_agent_that_closed_its_browser_left_no_page(bench: Bench, tmp_path: Path) -> None:  # noqa: F811
    def solve(task: Task, session: Session) -> str:
        session.start()
        session.context.close()
        return ANSWER

    _, kept = attempt(bench, tmp_path, PageRead("last", TITLE), PageRead(CATALOGUE), solve=solve)
    assert [entry["content"] for entry in kept["pages"]] == [None, None]
    assert "closed its browser" in kept["pages"][0]["error"]
