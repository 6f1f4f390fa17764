"""One attempt in the real browser against the real shop: what is kept, what is confined, whose fault is whose."""

import json
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

from tests.built import miniweb
from webassay.benchmarks.selection import load_tasks
from webassay.config.experiment import plan_experiment
from webassay.core.task import Task
from webassay.core.trajectory import Trajectory
from webassay.errors import EnvironmentFault
from webassay.sites.site import Sites
from webassay.systems.browser import find_browser, launch
from webassay.systems.runner import Ending, Surroundings, run_attempt
from webassay.systems.session import Session

ANSWER = '{"action": "retrieve", "status": "SUCCESS", "results": ["x"]}'


class Scripted:
    """A system whose `solve` is the test's."""

    def __init__(self, solve: Callable[[Task, Session], str]) -> None:
        self.solve = solve


class Bench:
    """A browser and a shop; `run` makes one attempt and returns how it ended and its folder."""

    def __init__(self, config: dict[str, Any], tasks: list[Task], browser: Any, path: Path, sites: Sites) -> None:
        self.config, self.browser, self.path, self.sites = config, browser, path, sites
        self.tasks = {task.task_id: task for task in tasks}

    def run(self, solve: Callable[[Task, Session], str], folder: Path, **settings: Any) -> Ending:
        around = Surroundings(Scripted(solve), self.config["system"] | settings, self.browser, self.path, self.sites)
        return run_attempt(self.tasks["shop-price-1"], 0, folder / "attempt", around)


@pytest.fixture(scope="module")
def data() -> Path:
    return miniweb()


@pytest.fixture
def bench(data: Path, tmp_path: Path) -> Iterator[Bench]:
    """Each test may break its own."""
    config = plan_experiment("single", "system=oracle").runs[0].config
    path = find_browser()
    with sync_playwright() as playwright, Sites(config["environment"], data, tmp_path) as sites:
        with launch(playwright, path, sites.addresses) as browser:
            yield Bench(config, load_tasks(config, data), browser, path, sites)


@pytest.fixture(scope="module", autouse=True)
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Planning keeps a cache under results/ of the current folder."""
    before = Path.cwd()
    os.chdir(tmp_path_factory.mktemp("cwd"))
    yield
    os.chdir(before)


class Listener(BaseHTTPRequestHandler):
    """Counts whoever gets out."""

    hits: list[str] = []

    def do_GET(self) -> None:
        self.hits.append(self.path)
        self.send_response(200)
        self.end_headers()

    do_POST = do_GET

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


@pytest.fixture
def outside() -> Iterator[ThreadingHTTPServer]:
    Listener.hits.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Listener) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


WAYS_OUT = """async (port) => {
  const out = [`http://127.0.0.1:${port}/`, `http://localhost:${port}/`, `http://admin.localhost/dashboard/`];
  for (const url of out) {
    try { await fetch(url + 'fetch', {mode: 'no-cors'}) } catch {}
    navigator.sendBeacon(url + 'beacon', 'x');
    new Image().src = url + 'image';
    new WebSocket(url.replace('http', 'ws') + 'socket');
    document.body.append(Object.assign(document.createElement('iframe'), {src: url + 'frame'}));
    document.head.append(Object.assign(document.createElement('link'), {rel: 'prefetch', href: url + 'prefetch'}));
    window.open(url + 'popup');
    new Worker(URL.createObjectURL(new Blob([`fetch('${url}worker', {mode: 'no-cors'})`])));
    try { const peer = new RTCPeerConnection({iceServers: [{urls: `stun:127.0.0.1:${port}`}]});
          peer.createDataChannel('x'); await peer.setLocalDescription() } catch {}
  }
}"""


def test_a_page_reaches_only_the_sites_of_its_task(bench: Bench, outside: ThreadingHTTPServer, tmp_path: Path) -> None:
    def solve(task: Task, session: Session) -> str:
        session.start()
        page = session.page
        page.evaluate(WAYS_OUT, outside.server_address[1])
        page.wait_for_timeout(1500)
        session.page = page
        return ANSWER

    ending = bench.run(solve, tmp_path)
    assert ending.outcome == "answered", ending
    assert Listener.hits == []
    blocked = json.loads((tmp_path / "attempt" / "attempt.json").read_text())["blocked"]
    assert {"127.0.0.1", "localhost", "admin.localhost"} <= set(blocked)


def test_webrtc_sends_no_packet(bench: Bench, tmp_path: Path) -> None:
    def solve(task: Task, session: Session) -> str:
        session.start()
        session.page.evaluate(
            """async (port) => {
              const peer = new RTCPeerConnection({iceServers: [{urls: `stun:127.0.0.1:${port}`}]});
              peer.createDataChannel('x'); await peer.setLocalDescription();
            }""",
            listener.getsockname()[1],
        )
        session.page.wait_for_timeout(1500)
        return ANSWER

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.setblocking(False)
        assert bench.run(solve, tmp_path).outcome == "answered"
        with pytest.raises(BlockingIOError):
            listener.recv(2048)


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/hostname",
        "chrome://version",
        "view-source:http://shop.localhost/",
        "http://admin.localhost/",
        "javascript:alert(1)",
        "http://shop.localhost@127.0.0.1/",
    ],
)
def test_an_address_beyond_the_task_is_the_agents_failure(bench: Bench, tmp_path: Path, url: str) -> None:
    ending = bench.run(lambda task, session: session.visit(url) or ANSWER, tmp_path)  # type: ignore[func-returns-value]
    assert (ending.outcome, "not among the task's sites" in ending.reason) == ("over_budget", True)


def test_evidence_is_whole_and_holds_no_secret(bench: Bench, tmp_path: Path) -> None:
    def solve(task: Task, session: Session) -> str:
        session.visit(session.url("shop", "/accounts/logout/"), "Log out")
        session.visit(session.url("shop", "/accounts/login/"), "Log in again, by hand")
        session.type("#id_login-username", "emma.lopez@example.com")
        session.type("#id_login-password", "miniweb-customer", "The password is miniweb-customer")
        session.click("button[name=login_submit]")
        cookies.extend(cookie["value"] for cookie in session.context.cookies() if cookie["name"] == "sessionid")
        return json.dumps({"said": "miniweb-customer"})

    cookies: list[str] = []
    assert bench.run(solve, tmp_path).outcome == "answered"
    folder = tmp_path / "attempt"
    content = b"".join(path.read_bytes() for path in folder.iterdir())
    assert cookies and b"miniweb-customer" not in content and cookies[0].encode() not in content
    posts = [
        entry
        for entry in json.loads((folder / "network.har").read_text())["log"]["entries"]
        if entry["request"]["method"] == "POST"
    ]
    assert "login-username=emma.lopez%40example.com" in posts[0]["request"]["postData"]["text"]
    assert posts[0]["response"]["status"] == 302
    assert json.loads((folder / "state.json").read_text()).keys() == {"before", "after", "changes"}
    assert Trajectory.from_folder(folder).last_action == "terminate"


@pytest.mark.parametrize(
    "solve, reason",
    [
        (lambda task, session: 1 / 0, "ZeroDivisionError"),
        (lambda task, session: sys.exit(2), "SystemExit: 2"),
        (lambda task, session: session.click("text=ENOSPC no space left"), "TimeoutError"),
        (lambda task, session: None, "returned NoneType"),
        (lambda task, session: session.click("#no-such-thing"), "TimeoutError"),
        (lambda task, session: session.page.evaluate("throw new Error('mine')"), "mine"),
        (lambda task, session: session.context.close() or session.page.title(), "TargetClosedError"),
    ],
)
def test_an_error_of_the_agent_is_no_abort(
    bench: Bench, tmp_path: Path, solve: Callable[[Task, Session], str], reason: str
) -> None:
    ending = bench.run(solve, tmp_path, action_seconds=1.0)
    assert ending.outcome == "over_budget" and reason in ending.reason


def test_the_step_budget_ends_the_attempt(bench: Bench, tmp_path: Path) -> None:
    def solve(task: Task, session: Session) -> str:
        while True:
            session.start()

    ending = bench.run(solve, tmp_path, max_rounds=3)
    assert (ending.outcome, ending.reason) == ("over_budget", "OverBudget: more than 3 actions")
    assert len(Trajectory.from_folder(tmp_path / "attempt").steps) == 3


def test_the_wall_clock_ends_the_attempt(bench: Bench, tmp_path: Path) -> None:
    def solve(task: Task, session: Session) -> str:
        session.start()
        time.sleep(0.3)
        session.start()
        return ANSWER

    assert bench.run(solve, tmp_path, max_seconds=0.2).reason == "OverBudget: more than 0.2 s"


def test_the_wall_clock_ends_a_system_that_never_acts(bench: Bench, tmp_path: Path) -> None:
    def solve(task: Task, session: Session) -> str:
        session.start()
        while True:
            time.sleep(60)

    began = time.monotonic()
    assert bench.run(solve, tmp_path, max_seconds=3.0).reason == "OverBudget: more than 3 s"
    assert time.monotonic() - began < 30
    assert bench.run(lambda task, session: ANSWER, tmp_path).outcome == "answered", "the browser goes on working"


def test_an_answer_after_the_end_of_the_time_does_not_count(bench: Bench, tmp_path: Path) -> None:
    def solve(task: Task, session: Session) -> str:
        with suppress(Exception):
            time.sleep(1)
        return ANSWER

    assert bench.run(solve, tmp_path, max_seconds=0.5).outcome == "over_budget"


def test_the_system_is_not_shown_the_expected_answer(bench: Bench, tmp_path: Path) -> None:
    def solve(task: Task, session: Session) -> str:
        assert task.eval == session.task.eval == ()
        assert not [path for path in session.folder.rglob("*") if b"AgentResponseEvaluator" in path.read_bytes()]
        return ANSWER

    assert bench.run(solve, tmp_path).outcome == "answered"
    assert "AgentResponseEvaluator" in (tmp_path / "attempt" / "task_data.json").read_text()


def test_a_failed_request_of_a_page_to_its_own_site_is_no_abort(bench: Bench, tmp_path: Path) -> None:
    def solve(task: Task, session: Session) -> str:
        session.start()
        session.page.evaluate("fetch('https://shop.localhost/x').catch(() => 0)")
        return ANSWER

    assert bench.run(solve, tmp_path).outcome == "answered"


def test_a_dead_browser_is_an_abort_without_network_evidence(bench: Bench, tmp_path: Path) -> None:
    def solve(task: Task, session: Session) -> str:
        session.start()
        processes = bench.browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
        os.kill(next(each["id"] for each in processes if each["type"] == "browser"), signal.SIGKILL)
        time.sleep(0.5)
        return ANSWER

    assert bench.run(solve, tmp_path).outcome == "aborted"
    assert not (tmp_path / "attempt" / "network.har").exists()


def test_a_crashed_renderer_is_an_abort(bench: Bench, tmp_path: Path) -> None:
    def solve(task: Task, session: Session) -> str:
        session.start()
        processes = bench.browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
        for each in processes:
            if each["type"] == "renderer":
                os.kill(each["id"], signal.SIGKILL)
        session.page.wait_for_timeout(500)
        return ANSWER

    ending = bench.run(solve, tmp_path)
    assert ending.outcome == "aborted" and "crash" in ending.reason.lower()


def test_a_site_that_goes_away_is_an_abort_even_if_the_agent_answers(bench: Bench, tmp_path: Path) -> None:
    def solve(task: Task, session: Session) -> str:
        session.start()
        session.sites.kill()
        return ANSWER

    assert bench.run(solve, tmp_path).reason == "the site's process ended"


def test_each_attempt_begins_with_the_seeded_site(bench: Bench, tmp_path: Path) -> None:
    def fill_basket(task: Task, session: Session) -> str:
        session.visit(session.url("shop", "/catalogue/"))
        session.click("article.product_pod button >> nth=0", "Put something into the basket")
        return ANSWER

    for _ in range(2):
        assert bench.run(fill_basket, tmp_path).outcome == "answered"
        state = json.loads((tmp_path / "attempt" / "state.json").read_text())
        assert [(change["table"], change["op"]) for change in state["changes"]] == [("basket_line", "insert")]


def test_looking_changes_nothing_and_a_lost_database_is_an_abort(bench: Bench, tmp_path: Path) -> None:
    def look(task: Task, session: Session) -> str:
        session.start()
        return ANSWER

    def lose(task: Task, session: Session) -> str:
        session.start()
        session.sites.database.write_bytes(b"")
        return ANSWER

    assert bench.run(look, tmp_path).outcome == "answered"
    assert json.loads((tmp_path / "attempt" / "state.json").read_text())["changes"] == []
    assert bench.run(lose, tmp_path).outcome == "aborted"


def test_a_missing_browser_is_named_with_both_ways_to_get_one() -> None:
    with pytest.raises(EnvironmentFault, match=r"/nowhere.*playwright install.*apt-get install"):
        find_browser("/nowhere/chromium")
