"""A running copy of an environment's sites: start, readiness by content, reset, login, state."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

import httpx
import psutil

from webassay.core.processes import child_environment, die_with_parent
from webassay.core.task import Task
from webassay.errors import ConfigError, EnvironmentFault
from webassay.evidence.probe import Answers, ask, ask_rest

MOST_BYTES = 16 * 2**20


class Sites:
    """One process with its own port and database file; a worker has one of these."""

    def __init__(self, environment: dict[str, Any], data: Path, scratch: Path) -> None:
        self.environment = environment
        self.data = data.resolve()
        self.template = self.data / environment["database"]
        self.database = scratch.resolve() / environment["database"]
        self.log = scratch / "site.log"
        self.port = 0
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.reset()
        attempts = 1 if self.environment["port"] else 3  # a free port can be taken between asking and binding
        for left in reversed(range(attempts)):
            try:
                self._start()
                return self
            except EnvironmentFault:
                self.stop()
                if not left:
                    raise
        raise AssertionError

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def hosts(self) -> dict[str, str]:
        """Site name -> host, as agents address it."""
        return {name: urlsplit(site["url"]).hostname or "" for name, site in self.environment["sites"].items()}

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def reset(self) -> None:
        """Put the seeded database back, in one step; the site opens the file anew for each request."""
        beside = self.database.with_suffix(".fresh")
        shutil.copyfile(self.template, beside)
        os.replace(beside, self.database)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def stop(self) -> None:
        if self.alive and self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(5)
            except subprocess.TimeoutExpired:
                self.kill()

    def answers(self) -> bool:
        """Whether every site still shows what a working one shows."""
        return self.alive and all(self._ready(name) for name in self.environment["sites"])

    def login(self, account: str) -> list[dict[str, Any]]:
        """Log in over HTTP, apart from the agent's browser, and return the cookies for it."""
        who = self._account(account)
        with self._client(who["site"]) as client:
            client.get(who["login_path"])
            client.post(who["login_path"], data=_filled(who["fields"] | who["secrets"], client.cookies))
            if who["proof_text"] not in client.get(who["proof_path"]).text:
                raise EnvironmentFault(
                    f"account {account!r}: {who['proof_path']} does not show {who['proof_text']!r} "
                    f"after the login; see accounts.{account} of the environment"
                )
            host = self.hosts[who["site"]]
            return [
                {"name": cookie.name, "value": cookie.value or "", "domain": host, "path": "/", "httpOnly": True}
                for cookie in client.cookies.jar
            ]

    @property
    def secrets(self) -> list[str]:
        """Passwords of all accounts: an agent may come across any of them."""
        return [value for account in self.environment["accounts"].values() for value in account["secrets"].values()]

    def probe(self, task: Task) -> Answers:
        return ask(self.database, task) | ask_rest(task, self._get)

    def _get(self, site: str, path: str) -> bytes:
        with self._client(site) as client:
            try:
                answer = client.get(path)
            except httpx.HTTPError as error:
                raise EnvironmentFault(f"{site} does not answer a probe of {path}: {error}") from None
        if answer.status_code != 200 or len(answer.content) > MOST_BYTES:
            raise EnvironmentFault(
                f"{site} answered a probe of {path} with {answer.status_code} and {len(answer.content)} bytes"
            )
        return answer.content

    def _account(self, account: str) -> dict[str, Any]:
        try:
            return dict(self.environment["accounts"][account])
        except KeyError:
            raise ConfigError(
                f"account {account!r} is not among the environment's accounts: "
                f"{', '.join(self.environment['accounts']) or 'none'}"
            ) from None

    @contextmanager
    def _client(self, site: str) -> Iterator[httpx.Client]:
        """A browser-like client that reaches the site's host name on this copy's port."""
        headers = {"Host": self.hosts[site], "Referer": self.environment["sites"][site]["url"] + "/"}
        with httpx.Client(
            base_url=f"http://127.0.0.1:{self.port}", headers=headers, timeout=10, trust_env=False
        ) as client:
            yield client

    def _start(self) -> None:
        self.port = self.environment["port"] or _free_port()
        filled = {"python": sys.executable, "data": self.data, "database": self.database, "port": self.port}
        command = [str(word).format(**filled) for word in self.environment["command"]]
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=die_with_parent,
                env=child_environment(),
            )
        self._wait_until_ready()

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + self.environment["start_timeout"]
        while not (self._listens() and self.answers()):
            if not self.alive:
                raise EnvironmentFault(
                    f"the sites of {self.environment['name']!r} did not start on port {self.port}: {self._last_words()}"
                )
            if time.monotonic() > deadline:
                waiting = [name for name in self.environment["sites"] if not self._ready(name)]
                raise EnvironmentFault(
                    f"{', '.join(waiting)} of {self.environment['name']!r} did not show its ready_text "
                    f"within {self.environment['start_timeout']:g} s: {self._last_words()}"
                )
            time.sleep(0.05)

    def _listens(self) -> bool:
        """Whether it is this very process that has the port: another run's site would look just as ready."""
        try:
            family = [psutil.Process(self._process.pid)] if self._process else []
            family += [child for process in family for child in process.children(recursive=True)]
            sockets = [socket for process in family for socket in process.net_connections("tcp")]
        except psutil.Error:
            return False
        return any(each.status == psutil.CONN_LISTEN and each.laddr.port == self.port for each in sockets)

    def _ready(self, name: str) -> bool:
        site = self.environment["sites"][name]
        try:
            with self._client(name) as client:
                answer = client.get(site["ready_path"])
        except httpx.HTTPError:
            return False
        return answer.status_code == 200 and site["ready_text"] in answer.text

    def _last_words(self) -> str:
        lines = self.log.read_text(errors="replace").strip().splitlines()
        return lines[-1] if lines else "it printed nothing"


def _filled(fields: dict[str, str], cookies: httpx.Cookies) -> dict[str, str]:
    """`{cookie:NAME}` stands for a cookie that the login page set, as CSRF protection wants it."""

    def filled(value: str) -> str:
        return cookies.get(value[8:-1]) or "" if value.startswith("{cookie:") else value

    return {name: filled(value) for name, value in fields.items()}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
