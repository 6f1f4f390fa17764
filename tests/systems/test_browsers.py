"""Browsers that run elsewhere: by an address, and rented; in place of the far one stands a Chromium of the test's."""

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.built import miniweb
from tests.systems.browserbase_server import KEY, PROJECT, Rental, rental
from tests.systems.test_runner import Scripted
from webassay.benchmarks.selection import load_tasks
from webassay.config.experiment import plan_experiment
from webassay.core.task import Task
from webassay.core.trajectory import Trajectory
from webassay.errors import ConfigError, EnvironmentFault
from webassay.sites.process import free_port
from webassay.systems.acting import Acting
from webassay.systems.browser import find_browser
from webassay.systems.opening import check
from webassay.systems.oracle import Oracle
from webassay.systems.runner import Ending, run_attempt
from webassay.systems.session import Session
from webassay.systems.supervisor import Crew
from webassay.systems.worker import Brief, surroundings

ANSWER = '{"action": "retrieve", "status": "SUCCESS", "results": ["x"]}'


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@contextmanager
def chromium(folder: Path, *arguments: str) -> Iterator[str]:
    """A browser that somebody else started."""
    port = free_port()
    words = [str(find_browser()), f"--remote-debugging-port={port}", f"--user-data-dir={folder / 'profile'}"]
    words += ["--headless", "--no-sandbox", "--disable-gpu", *arguments, "about:blank"]
    process = subprocess.Popen(words, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        deadline = time.monotonic() + 20
        while not listens(port):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def listens(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/json/version", trust_env=False).is_success
    except httpx.HTTPError:
        return False


def websocket(address: str) -> str:
    url: str = httpx.get(f"{address}/json/version", trust_env=False).json()["webSocketDebuggerUrl"]
    return url


def attempt(folder: Path, overrides: str, task: Task | None = None, solve: Any = None) -> Ending:
    config = plan_experiment("single", f"system=oracle {overrides}").runs[0].config
    with surroundings(Brief(str(folder), str(miniweb()), config)) as around:
        found = task or next(one for one in load_tasks(config, miniweb()) if one.template == "shop-price")
        system = Scripted(solve) if solve else Oracle()
        return run_attempt(found, 0, folder / "attempt", replace(around, system=system))


def test_a_browser_by_its_address_does_a_task_and_reaches_its_sites_alone(tmp_path: Path, outside: str) -> None:
    def solve(task: Task, session: Session) -> str:
        said = Oracle().solve(task, session)
        session.page.evaluate("url => fetch(url, {mode: 'no-cors'}).catch(() => 0)", outside)
        assert session.page.evaluate("typeof RTCPeerConnection") == "undefined"
        return said

    site = free_port()
    with chromium(tmp_path, f"--host-resolver-rules=MAP *.localhost 127.0.0.1:{site}") as address:
        chosen = f"browser=cdp browser.endpoint={address} environment.port={site}"
        ending = attempt(tmp_path, chosen, solve=solve)
        assert listens(int(address.rpartition(":")[2])), "it is somebody else's, and goes on"
    assert ending.outcome == "answered", ending
    assert Listener.hits == []
    kept = Trajectory.from_folder(tmp_path / "attempt")
    assert kept.attempt is not None and kept.attempt.browser["path"] == address
    assert json.loads((tmp_path / "attempt" / "network.har").read_text())["log"]["entries"]


def test_an_address_where_no_browser_is_is_told_without_its_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAR_BROWSER", f"http://127.0.0.1:{free_port()}/?token=canary-token-1")
    chosen = "browser=cdp 'browser.endpoint=${oc.env:FAR_BROWSER}' environment.port=1"
    with pytest.raises(EnvironmentFault, match=r"no browser answers at http://127\.0\.0\.1:") as raised:
        attempt(tmp_path, chosen)
    assert "canary-token-1" not in str(raised.value)


@pytest.mark.parametrize(
    "overrides, message",
    [
        ("system=oracle browser=cdp browser.endpoint=http://x", "give them a port"),
        ("system=external system.command=[a] browser=cdp browser.endpoint=http://x", "system=external is given"),
        ("system=oracle browser.kind=opera", "browser.kind=opera: unknown; known are chromium, firefox, cdp"),
        ("system=oracle browser=firefox", "use browser=chromium, or sites that run elsewhere"),
        ("system=external system.command=[a] browser=firefox", "an address for CDP, which Firefox has not"),
    ],
)
def test_what_cannot_work_is_told_before_anything_starts(tmp_path: Path, overrides: str, message: str) -> None:
    plan = plan_experiment("single", overrides).runs[0]
    with pytest.raises(ConfigError, match=message), Crew.of(plan, "execute", "0-of-1", tmp_path / "log"):
        pass


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST.", "[::1]", "0.0.0.0", "127.1.2.3"])
def test_no_browser_of_this_machine_is_sent_to_the_open_web_by_its_address(host: str) -> None:
    def ask(*more: str) -> None:
        overrides = ["environment=live", "browser=cdp", f'browser.endpoint="http://{host}:9222"', *more]
        (tmp := Path("tasks.jsonl")).write_text("{}")
        given = ["system=oracle", "benchmark=file", f"benchmark.path={tmp}", *overrides]
        config = plan_experiment("single", given).runs[0].config
        check(config["browser"], config["environment"], needs_own=False)

    with pytest.raises(ConfigError, match=r"browser\.endpoint is an address of this machine.*browser\.elsewhere=true"):
        ask()
    ask("browser.elsewhere=true")


def test_another_kind_of_browser_is_another_run_and_another_address_is_not() -> None:
    def part(overrides: str) -> str:
        return plan_experiment("single", f"system=oracle {overrides}").runs[0].parts[0]

    usual, here = part(""), part("browser=cdp browser.endpoint=http://a")
    assert part("browser.executable=/opt/chrome") == usual != here == part("browser=cdp browser.endpoint=http://b")
    rented = part("browser=browserbase")
    assert len({usual, here, rented, part("browser=browserbase browser.proxies=false")}) == 4
    assert part("browser=browserbase browser.captcha_seconds=5 browser.endpoint=http://x") == rented


class Listener(BaseHTTPRequestHandler):
    """A site of the open web; it counts who comes."""

    hits: list[str] = []
    page = "<h1>Far away</h1>"

    def do_GET(self) -> None:
        self.hits.append(self.path)
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(self.page.encode())

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


@pytest.fixture
def outside() -> Iterator[str]:
    Listener.hits.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Listener) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


@pytest.fixture
def rented(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rental]:
    monkeypatch.setenv("BROWSERBASE_API_KEY", KEY)
    monkeypatch.setenv("BROWSERBASE_PROJECT_ID", PROJECT)
    (tmp_path / "tasks.jsonl").write_text("{}")
    with chromium(tmp_path) as address, rental(websocket(address)) as offered:
        yield offered


def live(offered: Rental, *more: str) -> str:
    chosen = "benchmark=file benchmark.path=tasks.jsonl environment=live"
    return f"{chosen} browser=browserbase browser.endpoint={offered.url} {' '.join(more)}"


STARTS = "console.log('browserbase-solving-started')"
SOLVES = """() => {
  console.log('browserbase-solving-started')
  setTimeout(() => console.log('browserbase-solving-finished'), 700)
}"""


def test_a_rented_browser_visits_the_open_web_and_is_given_back(tmp_path: Path, rented: Rental, outside: str) -> None:
    def solve(task: Task, session: Session) -> str:
        session.start()
        began = time.monotonic()
        session.act("wait", {}, "A captcha", lambda: session.page.evaluate(SOLVES))
        assert time.monotonic() - began > 0.6
        session.act("wait", {}, "One that stays", lambda: session.page.evaluate(STARTS))
        return session.text("h1")

    task = Task("far", "Where are you?", ("far",), "far", (), start_urls=(outside,))
    rented.busy, rented.stubborn = 2, 1
    ending = attempt(tmp_path, live(rented, "browser.captcha_seconds=1.5"), task, solve)
    assert (ending.outcome, ending.answer) == ("answered", "Far away"), ending
    assert rented.refused == 2 and rented.open == set() and "/" in Listener.hits
    (order,) = rented.orders
    assert order["keepAlive"] is False and order["timeout"] == 7200 and order["proxies"] is True
    assert order["browserSettings"] == {"advancedStealth": True, "solveCaptchas": True}
    kept = Trajectory.from_folder(tmp_path / "attempt").attempt
    assert kept is not None and kept.captchas == {"solved": 1, "unsolved": 1}
    assert kept.browser["path"] == "browserbase session-1"
    log = (tmp_path / "attempt" / "core.log").read_text()
    assert "a captcha was not solved within 1.5 s" in log
    stored = b"".join(path.read_bytes() for path in (tmp_path / "attempt").rglob("*") if path.is_file())
    assert KEY.encode() not in stored and PROJECT.encode() not in stored


def test_on_the_open_web_only_where_the_task_starts_can_fail_it(tmp_path: Path, rented: Rental, outside: str) -> None:
    """A frame, or a host that a model has made up, are nobody's fault but its own."""
    gone = f"http://127.0.0.1:{free_port()}/"

    def solve(task: Task, session: Session) -> str:
        acting = Acting(session, 0.5)
        acting.start()
        session.page.set_content(f"<iframe src={gone}></iframe>")
        assert "ERR_" in acting.visit("http://no-such-host.invalid/", "") and "ERR_" in acting.visit(gone, "")
        for bad in ("http://127.0.0.1:99999/", "http://[bad", "http://a℀b.com/"):
            assert "not among the sites" in acting.visit(bad, ""), bad
        return ANSWER

    far = Task("far", "Where are you?", ("far",), "far", (), start_urls=(outside,))
    ending = attempt(tmp_path / "far", live(rented), far, solve)
    assert ending.outcome == "answered", ending
    near = Task("near", "Where are you?", ("near",), "near", (), start_urls=(gone,))
    ending = attempt(tmp_path / "near", live(rented), near, solve)
    assert ending.outcome == "aborted" and "ERR_CONNECTION_REFUSED" in ending.reason, ending


def test_it_is_given_back_also_after_a_failure_of_ours(tmp_path: Path, rented: Rental) -> None:
    config = plan_experiment("single", f"system=oracle {live(rented)}").runs[0].config
    with pytest.raises(ZeroDivisionError), surroundings(Brief(str(tmp_path), str(tmp_path), config)):
        assert rented.open == {"session-1"}
        1 / 0  # noqa: B018
    assert rented.open == set()


def test_waiting_for_a_free_session_has_an_end(tmp_path: Path, rented: Rental) -> None:
    rented.busy = 1000
    began = time.monotonic()
    with pytest.raises(EnvironmentFault, match=r"no session was free within browser\.wait_seconds"):
        attempt(tmp_path, live(rented, "browser.wait_seconds=1"))
    assert time.monotonic() - began < 20 and rented.open == set()


@pytest.mark.parametrize("variable", ["BROWSERBASE_API_KEY", "BROWSERBASE_PROJECT_ID"])
def test_a_missing_key_is_named(tmp_path: Path, rented: Rental, monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    monkeypatch.delenv(variable)
    with pytest.raises(ConfigError, match=f"{variable} is not set"):
        attempt(tmp_path, live(rented))


def test_a_refused_key_is_told_and_not_repeated(
    tmp_path: Path, rented: Rental, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROWSERBASE_API_KEY", "wrong-canary-key")
    with pytest.raises(EnvironmentFault, match=r"no session: status 401: .*who are you") as raised:
        attempt(tmp_path, live(rented))
    assert "wrong-canary-key" not in str(raised.value)
