"""What can go wrong in a browser, each for real: told to the agent, or an abort; never the other's fault.

The agent acts as those do that a model drives: what fails is an observation, and after each it goes on.
"""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.systems.hostile_site import LARGE, hostile_site
from tests.systems.test_runner import Listener, Scripted, outside  # noqa: F401  (a fixture)
from webassay.config.experiment import plan_experiment
from webassay.core.task import Task
from webassay.core.trajectory import Trajectory
from webassay.errors import AgentFault
from webassay.sites.site import Sites
from webassay.systems.acting import Acting
from webassay.systems.runner import Ending, Surroundings, run_attempt
from webassay.systems.session import Session
from webassay.systems.text_agent.page import look
from webassay.systems.worker import Brief, surroundings

ANSWER = '{"action": "retrieve", "status": "SUCCESS", "results": ["x"]}'
TASK = Task("t", "Look", ("reddit",), "t", (), start_urls=("__REDDIT__/calm",))
Solve = Callable[[Acting, str], object]


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Planning keeps a cache under results/ of the current folder."""
    before, folder = Path.cwd(), tmp_path_factory.mktemp("cwd")
    os.chdir(folder)
    (folder / "tasks.jsonl").write_text("{}")
    yield folder
    os.chdir(before)


@pytest.fixture(scope="module")
def config(elsewhere: Path) -> Iterator[dict[str, Any]]:
    with hostile_site() as url:
        site = f"environment.sites.reddit.url={url} environment.sites.reddit.ready_path=/calm"
        chosen = f"{site} environment.sites.reddit.ready_text=Calm system.action_seconds=4 system.max_seconds=180"
        overrides = f"system=oracle benchmark=file benchmark.path=tasks.jsonl environment=webarena {chosen}"
        yield plan_experiment("single", f"{overrides} browser.download_megabytes=1").runs[0].config


@pytest.fixture(scope="module")
def around(config: dict[str, Any], elsewhere: Path) -> Iterator[Surroundings]:
    with surroundings(Brief(str(elsewhere), str(elsewhere), config)) as ready:
        yield ready


def attempt(around: Surroundings, folder: Path, solve: Solve) -> Ending:
    def whole(task: Task, session: Session) -> str:
        acting = Acting(session, 1.0)
        acting.start()
        solve(acting, session.url("reddit", ""))
        return ANSWER

    return run_attempt(TASK, 0, folder / "attempt", replace(around, system=Scripted(whole)))


def told(acting: Acting, do: Callable[[], object]) -> str:
    return acting.do("wait", {}, "", do)


def test_failures_of_the_agent_are_observations_and_the_next_step_works(around: Surroundings, tmp_path: Path) -> None:
    """Also right after a failed navigation, whose error page would else swallow the next one."""
    wanted = {
        "/loop": "ERR_TOO_MANY_REDIRECTS",
        "/missing": "",
        "/broken": "",
        "/dialogs": "",
        "/leave": "",
    }

    def solve(acting: Acting, url: str) -> None:
        page = acting.session.page
        for path, expected in wanted.items():
            trouble = acting.visit(url + path, "")
            assert expected in trouble if expected else trouble == "", (path, trouble)
            assert acting.visit(url + "/calm", "") == "", path
            assert page.inner_text("h1") == "Calm", path
        for bad in ("http://127.0.0.1:1/", "http://", "not a url", "http://127.0.0.1:6667/"):
            assert "not among the sites" in acting.visit(bad, ""), bad
        acting.visit(url + "/hidden", "")
        page.set_default_timeout(400)
        for do, expected in (
            (lambda: page.click("#hidden"), "Timeout"),
            (lambda: page.click("#covered"), "Timeout"),
            (lambda: page.click("#nowhere"), "Timeout"),
            (lambda: page.locator("button").click(), "strict mode violation"),
            (lambda: page.click("!!"), "Unexpected token"),
            (lambda: page.fill("#covered", "x"), "not an <input>"),
            (lambda: page.evaluate("throw new Error('mine')"), "mine"),
            (lambda: page.keyboard.press("NoSuchKey"), "Unknown key"),
        ):
            assert expected in told(acting, do), expected
        assert acting.visit(url + "/calm", "") == ""

    ending = attempt(around, tmp_path, solve)
    assert ending.outcome == "answered", ending
    kept = Trajectory.from_folder(tmp_path / "attempt")
    assert kept.attempt is not None and kept.attempt.site_errors == 1
    assert len(kept.screenshots) == len(kept.steps) - 1
    log = (tmp_path / "attempt" / "core.log").read_text()
    assert 0 < log.count("answered a alert") <= 20 and len(log) < 40_000


@pytest.mark.parametrize("seconds", [0.0, 0.2, 0.25, 0.3, 1.0])
def test_a_popup_that_closes_itself_leaves_the_page_below(around: Surroundings, tmp_path: Path, seconds: float) -> None:
    """Whatever is looked at in that moment: the click itself, the wait for silence, the picture."""

    def solve(acting: Acting, url: str) -> None:
        below = acting.session.page
        assert acting.visit(url + "/opens", "") == ""

        def do() -> None:
            below.mouse.click(50, 80)
            below.wait_for_timeout(seconds * 1000)

        assert told(acting, do) == ""
        acting.session.page.wait_for_timeout(600)
        assert acting.session.page is below and acting.visit(url + "/calm", "") == ""

    ending = attempt(around, tmp_path, solve)
    assert ending.outcome == "answered", ending


def test_the_last_window_leaves_an_empty_one(around: Surroundings, tmp_path: Path) -> None:
    def solve(acting: Acting, url: str) -> None:
        assert told(acting, acting.session.page.close) == "" and acting.session.page.url == "about:blank"
        assert acting.visit(url + "/calm", "") == ""

    ending = attempt(around, tmp_path, solve)
    assert ending.outcome == "answered", ending


def test_what_is_no_address_or_no_whole_text_is_an_observation(around: Surroundings, tmp_path: Path) -> None:
    def solve(acting: Acting, url: str) -> None:
        for bad in ("http://127.0.0.1:99999/", "http://[bad", "//a℀b.com", "http://x\ud83d/"):
            assert "not among the sites" in acting.visit(bad, ""), bad
        page = acting.session.page
        assert told(acting, lambda: page.evaluate("document.title = 'half \\ud83d'")) == ""
        assert acting.do("type", {"text": "half \ud83d"}, "a thought \ud83d", lambda: None) == ""
        raise AgentFault("half \ud83d")

    ending = attempt(around, tmp_path, solve)
    assert ending.outcome == "over_budget", ending
    kept = Trajectory.from_folder(tmp_path / "attempt")
    assert kept.steps[-1].arguments == {"action": "type", "text": "half ?", "thoughts": "a thought ?"}


def test_a_frame_that_fails_is_not_the_site(around: Surroundings, tmp_path: Path) -> None:
    ending = attempt(around, tmp_path, lambda acting, url: acting.visit(url + "/frames", ""))
    assert ending.outcome == "answered", ending


@pytest.mark.parametrize(
    "path, error",
    [
        ("/cut", "ERR_EMPTY_RESPONSE"),
        ("/garbage", "ERR_INVALID_HTTP_RESPONSE"),
        ("/no-gzip", "ERR_CONTENT_DECODING_FAILED"),
    ],
)
def test_a_site_that_fails_is_not_the_agent(around: Surroundings, tmp_path: Path, path: str, error: str) -> None:
    ending = attempt(around, tmp_path, lambda acting, url: acting.visit(url + path, ""))
    assert ending.outcome == "aborted" and error in ending.reason, ending


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes a certificate")
def test_a_site_whose_certificate_nobody_vouches_for_is_not_the_agents_failure(
    around: Surroundings, tmp_path: Path
) -> None:
    with hostile_site(certificate(tmp_path)) as url:
        site = around.sites.environment["sites"]["reddit"] | {"url": url, "ready_text": ""}
        environment = around.sites.environment | {"sites": {"reddit": site}}
        with Sites(environment, tmp_path, tmp_path) as sites:
            ending = attempt(replace(around, sites=sites), tmp_path, lambda acting, url: None)
    assert ending.outcome == "aborted" and "ERR_CERT_AUTHORITY_INVALID" in ending.reason, ending


def certificate(folder: Path) -> Path:
    """Self-signed; with its key in one file."""
    made = folder / "site.pem"
    words = "req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1"
    subprocess.run(["openssl", *words.split(), "-out", made, "-keyout", folder / "key.pem"], check=True)
    made.write_text(made.read_text() + (folder / "key.pem").read_text())
    return made


def test_pages_that_multiply_are_closed_and_those_that_never_rest_are_waited_for_with_an_end(
    around: Surroundings, tmp_path: Path
) -> None:
    def solve(acting: Acting, url: str) -> None:
        acting.visit(url + "/popups", "")
        acting.session.page.wait_for_timeout(1000)
        assert len(acting.session.context.pages) <= 20
        began = time.monotonic()
        acting.visit(url + "/again", "")
        assert time.monotonic() - began < 10
        acting.visit(url + "/calm", "")
        acting.visit(url + "/calm", "")
        assert acting.session.page.inner_text("h1") == "Calm"

    ending = attempt(around, tmp_path, solve)
    assert ending.outcome == "answered", ending


def test_a_page_of_200_000_nodes_can_be_read_and_left(around: Surroundings, tmp_path: Path) -> None:
    def solve(acting: Acting, url: str) -> None:
        acting.visit(url + "/huge", "")
        view = look(acting.session.page, 8000, 150)
        assert "# Huge" in view.lines[0] and sum(map(len, view.lines)) < 9000
        acting.visit(url + "/calm", "")
        assert acting.session.page.inner_text("h1") == "Calm"

    ending = attempt(around, tmp_path, solve)
    assert ending.outcome == "answered", ending


def test_a_page_that_hangs_is_the_agents_observation_and_can_be_left(around: Surroundings, tmp_path: Path) -> None:
    def solve(acting: Acting, url: str) -> None:
        acting.visit(url + "/busy", "")
        told(acting, lambda: acting.session.page.click("h1"))
        assert acting.visit(url + "/calm", "") == ""

    ending = attempt(around, tmp_path, solve)
    assert ending.outcome == "answered", ending
    kept = Trajectory.from_folder(tmp_path / "attempt")
    assert len(kept.screenshots) == len(kept.steps) - 1


INSTALL = """async port => {
  try { await navigator.serviceWorker.register('/sw.js?port=' + port) } catch {}
  await new Promise(done => setTimeout(done, 1500))
  return (await navigator.serviceWorker.getRegistrations()).length
}"""


def test_a_service_worker_never_runs(
    around: Surroundings,
    outside: ThreadingHTTPServer,  # noqa: F811
    tmp_path: Path,
) -> None:
    """Its requests would be no page's, and its answers not the site's."""
    running: list[int] = []

    def solve(acting: Acting, url: str) -> None:
        acting.visit(url + "/calm", "")
        running.append(acting.session.page.evaluate(INSTALL, outside.server_address[1]))

    assert attempt(around, tmp_path, solve).outcome == "answered"
    assert (running, Listener.hits) == ([0], [])


def test_downloads_together_stay_within_the_size(around: Surroundings, tmp_path: Path) -> None:
    def solve(acting: Acting, url: str) -> None:
        for number in range(4):
            acting.visit(f"{url}/file-half?{number}", "")
            acting.session.page.wait_for_timeout(500)

    assert attempt(around, tmp_path, solve).outcome == "answered"
    listed = json.loads((tmp_path / "attempt" / "downloads.json").read_text())
    assert len(listed) == 4 and sum("file" in one for one in listed) == 1, listed
    assert sum(path.stat().st_size for path in (tmp_path / "attempt" / "downloads").iterdir()) < 2**20


def test_how_it_stands_with_the_sandbox_is_told(around: Surroundings, tmp_path: Path) -> None:
    attempt(around, tmp_path, lambda acting, url: None)
    kept = Trajectory.from_folder(tmp_path / "attempt").attempt
    assert kept is not None and kept.browser["sandbox"] == around.traits.sandbox != ""
    assert f"sandbox is {around.traits.sandbox}" in (tmp_path / "attempt" / "core.log").read_text()


def test_downloads_are_kept_apart_up_to_a_size(around: Surroundings, tmp_path: Path) -> None:
    def solve(acting: Acting, url: str) -> None:
        assert "Download is starting" in acting.visit(url + "/file-small", "")
        acting.session.page.wait_for_timeout(500)
        acting.visit(url + "/file-large", "")
        acting.session.page.wait_for_timeout(1000)
        assert acting.visit(url + "/calm", "") == ""

    held = replace(around, keys=(*around.keys, "canary-word"))
    ending = attempt(held, tmp_path, solve)
    assert ending.outcome == "answered", ending
    small, large = json.loads((tmp_path / "attempt" / "downloads.json").read_text())
    if "trouble" in small:
        small, large = large, small
    kept = tmp_path / "attempt" / small["file"]
    assert kept.name.startswith("download_") and kept.stat().st_mode & 0o777 == 0o400
    assert b"canary-word" not in kept.read_bytes() and small["suggested"].endswith("evil.sh")
    assert "larger than" in large["trouble"] or large["trouble"] == "canceled"
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and path.stat().st_size > LARGE // 2]


def test_ten_thousand_actions_a_minute_are_as_many_as_the_budget_has(around: Surroundings, tmp_path: Path) -> None:
    def solve(acting: Acting, url: str) -> None:
        for _ in range(10_000):
            acting.session.act("scroll", {"pixels": -1}, "", lambda: acting.session.page.mouse.wheel(0, 1))

    ending = attempt(around, tmp_path, solve)
    assert (ending.outcome, ending.reason) == ("over_budget", "OverBudget: more than 30 actions")


@pytest.mark.parametrize("what", ["page", "context"])
def test_whoever_closes_their_own_window_has_failed_by_themselves(
    around: Surroundings, tmp_path: Path, what: str
) -> None:
    def solve(acting: Acting, url: str) -> None:
        page = acting.session.page
        getattr(acting.session, what).close()
        page.click("h1")

    ending = attempt(around, tmp_path, solve)
    assert ending.outcome == "over_budget" and "closed" in ending.reason, ending
