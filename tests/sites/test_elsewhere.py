"""Sites that run elsewhere, on two ports of one host: looked at by content, reset by hook, logged in by form."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Error, sync_playwright

from webassay.core.task import Task
from webassay.errors import ConfigError, EnvironmentFault
from webassay.sites.login import for_browser
from webassay.sites.process import free_port
from webassay.sites.site import Sites
from webassay.systems.browser import confined, find_browser, launch

SERVER = Path(__file__).with_name("deployment.py")
TASK = Task("t", "", ("notes",), "template", ())
BOTH = Task("t", "", ("notes", "mail"), "template", ())


class Deployment:
    def __init__(self) -> None:
        self.ports = {"notes": free_port(), "mail": free_port()}
        self.processes = {
            name: subprocess.Popen([sys.executable, SERVER, str(port), name.title()])
            for name, port in self.ports.items()
        }
        for name in self.ports:
            _wait(self.url(name))

    def url(self, name: str) -> str:
        return f"http://127.0.0.1:{self.ports[name]}"

    def tell(self, name: str, path: str, **fields: str) -> None:
        httpx.post(self.url(name) + path, data=fields, trust_env=False).raise_for_status()

    def stop(self, name: str) -> None:
        self.processes[name].kill()
        self.processes[name].wait()

    def environment(self, **settings: Any) -> dict[str, Any]:
        form = {"user[login]": "{user}", "user[password]": "{password}"}
        sites = {
            name: {"url": self.url(name), "ready_path": "/", "ready_text": name.title(), "account": "ann",
                   "login_path": "/login", "login_form": form, "proof_path": "/me", "proof_text": "Signed in as {user}",
                   "user_header": None}
            for name in self.ports
        }  # fmt: skip
        accounts = {"ann": {"site": None, "user": "ann", "password": "open sesame"}}
        defaults = {"name": "mine", "database": "", "port": 0, "command": [], "cwd": "", "path": "",
                    "reset": {"by": "none"}, "sites": sites, "accounts": accounts}  # fmt: skip
        return defaults | settings


def _wait(url: str) -> None:
    deadline = time.monotonic() + 20
    while True:
        try:
            httpx.get(url, trust_env=False)
            return
        except httpx.HTTPError:
            assert time.monotonic() < deadline
            time.sleep(0.05)


@pytest.fixture
def deployment() -> Iterator[Deployment]:
    running = Deployment()
    yield running
    for name in running.ports:
        running.stop(name)


def test_what_is_not_there_is_named_with_its_address_and_its_text(deployment: Deployment, tmp_path: Path) -> None:
    with Sites(deployment.environment(), tmp_path, tmp_path) as sites:
        sites.prepare(BOTH)
        assert sites.alive and sites.addresses == {"127.0.0.1": None}
        deployment.tell("mail", "/empty")
        sites.prepare(TASK)  # of no concern to a task that does not need it
        for path, message in (("/empty", "/ does not show 'Mail'"), ("/break", "/ answers 500")):
            deployment.tell("mail", path)
            with pytest.raises(EnvironmentFault, match=f"mail at {deployment.url('mail')}{message}"):
                sites.prepare(BOTH)
        deployment.stop("mail")
        with pytest.raises(EnvironmentFault, match=f"mail at {deployment.url('mail')}/ does not answer"):
            sites.prepare(BOTH)


def test_mutations_stay_unless_a_hook_takes_them_back(deployment: Deployment, tmp_path: Path) -> None:
    hook = {"by": "url", "url": deployment.url("notes") + "/reset", "timeout": 5.0}
    call = f"import urllib.request as u; u.urlopen(u.Request({hook['url']!r}, method='POST'))"
    program = {"by": "command", "command": [sys.executable, "-c", call], "timeout": 20.0}
    for reset, kept in (({"by": "none"}, "tea"), (hook, ""), (program, "")):
        deployment.tell("notes", "/reset")
        deployment.tell("notes", "/notes", note="tea")
        with Sites(deployment.environment(reset=reset), tmp_path, tmp_path) as sites:
            sites.prepare(TASK)
            assert sites.get("notes", "/notes").decode().removeprefix("<h1>Notes</h1>") == kept


@pytest.mark.parametrize(
    "reset, message",
    [
        ({"by": "url", "url": "http://127.0.0.1:9/reset", "timeout": 1.0}, "reset.url: .* does not answer"),
        (
            {"by": "url", "url": "http://admin:resetpw99@127.0.0.1:9/reset?key=abcdefg", "timeout": 1.0},
            "reset.url: http://127.0.0.1:9/reset does not answer: ",
        ),
        ({"by": "command", "command": [sys.executable, "-c", "exit('no disk')"], "timeout": 20.0}, "failed: no disk"),
        ({"by": "command", "command": [sys.executable, "-c", "while 1: 0"], "timeout": 1.0}, "timed out"),
        ({"by": "copy"}, "run elsewhere; use url, command or none"),
        ({"by": "magic"}, "known are copy, url, command, restart, none"),
    ],
)
def test_a_reset_that_fails_is_told(
    deployment: Deployment, tmp_path: Path, reset: dict[str, Any], message: str
) -> None:
    with Sites(deployment.environment(reset=reset), tmp_path, tmp_path) as sites:
        with pytest.raises((EnvironmentFault, ConfigError), match=message):
            sites.prepare(TASK)


@pytest.mark.parametrize(
    "attributes, kept",
    [
        ("", {"path": "/", "secure": False, "httpOnly": False}),
        ("; Path=/admin; HttpOnly", {"path": "/admin", "secure": False, "httpOnly": True}),
        ("; Secure; SameSite=None", {"path": "/", "secure": True, "httpOnly": False, "sameSite": "None"}),
        ("; SameSite=None", {"path": "/", "secure": False, "httpOnly": False}),
        ("; samesite=lax; expires=Fri, 01 Jan 2100 00:00:00 GMT",
         {"path": "/", "secure": False, "httpOnly": False, "sameSite": "Lax", "expires": 4102444800.0}),
    ],
)  # fmt: skip
def test_a_cookie_stays_as_the_site_gave_it(attributes: str, kept: dict[str, Any]) -> None:
    answer = httpx.Response(
        200, headers={"Set-Cookie": f"s=1{attributes}"}, request=httpx.Request("GET", "http://x.y/")
    )
    (cookie,) = answer.cookies.jar
    assert for_browser(cookie, "x.y") == {"name": "s", "value": "1", "domain": "x.y"} | kept


def test_the_sites_own_form_is_filled_in_and_sent(deployment: Deployment, tmp_path: Path) -> None:
    with Sites(deployment.environment(), tmp_path, tmp_path) as sites:
        cookies = sites.login(TASK)
        assert [(cookie["name"], cookie["value"], cookie["domain"]) for cookie in cookies] == [
            ("session", "s-ann", "127.0.0.1")
        ]
        assert (cookies[0]["path"], cookies[0]["sameSite"], cookies[0]["httpOnly"]) == ("/", "Strict", True)
        assert cookies[0]["secure"] is False and 0 < cookies[0]["expires"] - time.time() <= 600
        with pytest.raises(ConfigError, match=r"have one host, 127.0.0.1, and both set the cookie session"):
            sites.login(BOTH)


def test_a_session_serves_the_next_task_until_it_is_no_longer_good(deployment: Deployment, tmp_path: Path) -> None:
    with Sites(deployment.environment(), tmp_path, tmp_path) as sites:
        first = sites.login(TASK)
        sites.environment["accounts"]["ann"]["password"] = "wrong"
        assert sites.login(TASK) == first, "nobody had to log in"
        deployment.tell("notes", "/expire")
        with pytest.raises(
            EnvironmentFault, match=r"ann could not log in on notes: /me does not show 'Signed in as ann'"
        ):
            sites.login(TASK)
        sites.environment["accounts"]["ann"]["password"] = "open sesame"
        assert [cookie["value"] for cookie in sites.login(TASK)] == ["s-ann-2"]


def test_another_port_of_the_same_host_is_another_site(deployment: Deployment, tmp_path: Path) -> None:
    with sync_playwright() as playwright, launch(playwright, find_browser(), {"127.0.0.1": None}) as browser:
        page = browser.new_context(proxy=confined([deployment.url("notes")])).new_page()
        page.goto(deployment.url("notes"))
        assert page.inner_text("h1") == "Notes"
        with pytest.raises(Error, match="ERR_PROXY_CONNECTION_FAILED"):
            page.goto(deployment.url("mail"))
