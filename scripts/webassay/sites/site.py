"""A running copy of an environment's sites: start, readiness by content, reset, login, state.

Three kinds, told apart by the environment's `command`: one process for all sites; one process for each, started for
the first task that needs it (`{site}` in the command or its folder); none, where the sites run elsewhere, at their url.
"""

import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import cached_property
from http.cookiejar import Cookie
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

import httpx

from webassay.config.schema.environment import Site
from webassay.core.task import Task
from webassay.errors import ConfigError, EnvironmentFault
from webassay.evidence.probe import Answers, ask, ask_rest
from webassay.sites.login import for_browser, is_logged_in, log_in
from webassay.sites.process import SiteProcess, site_variables
from webassay.sites.reset import reset_by

MOST_BYTES = 16 * 2**20
SHARED = ""


class Sites:
    """What a worker has of an environment: its processes, ports and database file."""

    def __init__(self, environment: dict[str, Any], data: Path, scratch: Path, keys: Collection[str] = ()) -> None:
        """`keys` are values that no process of a site is given, whatever they are called."""
        anywhere = {"sites": _AnySite(environment["sites"])} if environment.get("any_site") else {}
        self.environment, self._keys = environment | anywhere, keys
        self.data = data.resolve()
        self.database = scratch.resolve() / (environment["database"] or "none")
        self._sessions: dict[tuple[str, str], list[Cookie]] = {}
        self._processes = {name: self._process(name, scratch) for name in self._process_names()}

    def __enter__(self) -> Self:
        for offset, process in enumerate(self._processes.values()):
            process.take_ports(offset)
        if SHARED in self._processes:
            self._start_shared(self._processes[SHARED])
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @cached_property
    def hooks(self) -> httpx.Client:
        """For calls between harness and sites: made once, since that takes longer than a reset."""
        return httpx.Client(trust_env=False)

    @property
    def variables(self) -> dict[str, str]:
        """What a program of the environment's finds in its environment."""
        return site_variables(self.environment, self._keys)

    @property
    def template(self) -> Path:
        """The seeded database that a reset copies."""
        return self.data / str(self.environment["database"])

    @property
    def hosts(self) -> dict[str, str]:
        """Site name -> host, as agents address it."""
        return {name: urlsplit(site["url"]).hostname or "" for name, site in self.environment["sites"].items()}

    @property
    def port(self) -> int:
        """Of the process that serves all sites."""
        return self._processes[SHARED].port

    @property
    def addresses(self) -> dict[str, int | None]:
        """Host -> the local port that serves it, or None where it is reached by its own name."""
        return {host: found.port if (found := self.process(name)) else None for name, host in self.hosts.items()}

    def process(self, site: str) -> SiteProcess | None:
        """The one that serves it; None for a site that runs elsewhere."""
        return self._processes.get(SHARED) or self._processes.get(site)

    @property
    def alive(self) -> bool:
        return all(process.alive for process in self._processes.values() if process.started)

    def prepare(self, task: Task) -> None:
        """What the task needs runs, and is in its seeded state."""
        names = [name for name in task.sites if name in self._processes]
        fresh = [name for name in names if not self._processes[name].alive]
        for name in fresh:
            self._start(self._processes[name], [name])
        self.reset([name for name in names if name not in fresh] if names else None)
        if not self._processes and (trouble := self.trouble(task.sites)):
            raise EnvironmentFault(trouble)

    def reset(self, names: Iterable[str] | None = None) -> None:
        """Back to the seeded state: of these processes, or of the one that serves all."""
        chosen = self._processes.values() if names is None else [self._processes[name] for name in names]
        if not self._processes:
            reset_by(self, None)
        for process in chosen:
            if process.alive or process is self._processes.get(SHARED):
                reset_by(self, process)

    def restart(self, process: SiteProcess) -> None:
        process.stop()
        self._start(process, self._served(process))

    def kill(self) -> None:
        for process in self._processes.values():
            process.kill()

    def stop(self) -> None:
        for process in self._processes.values():
            process.stop()

    def answers(self, names: Iterable[str] | None = None) -> bool:
        """Whether every site still shows what a working one shows."""
        return self.alive and self.trouble(names) is None

    def trouble(self, names: Iterable[str] | None = None) -> str | None:
        """The first site that does not show its ready_text, in words; of those that have been started."""
        running = [name for name in self.environment["sites"] if not (found := self.process(name)) or found.started]
        return next(filter(None, map(self._unready, running if names is None else names)), None)

    def users(self, task: Task) -> dict[str, str | None]:
        """Who is logged in on each of the task's sites: the name of an account."""
        return {name: self._account_on(name, task.account) for name in task.sites}

    def login(self, task: Task) -> list[dict[str, Any]]:
        """Log in over HTTP, apart from the agent's browser, on each of the task's sites; the cookies for it."""
        setters: dict[tuple[str, str], str] = {}
        cookies: list[dict[str, Any]] = []
        for name, account in self.users(task).items():
            for cookie in self._log_in(name, account) if account else ():
                setter = setters.setdefault((cookie["domain"], cookie["name"]), name)
                if setter != name:
                    raise ConfigError(
                        f"{setter} and {name} have one host, {cookie['domain']}, and both set the cookie "
                        f"{cookie['name']}: give each a host name of its own in environment.sites.<name>.url"
                    )
                cookies.append(cookie)
        return cookies

    @property
    def secrets(self) -> list[str]:
        """Passwords of all accounts, since an agent may come across any of them, and the tokens of this copy."""
        return passwords(self.environment) + [process.token for process in self._processes.values()]

    def probe(self, task: Task) -> Answers:
        if not self.environment["database"] and any(probe.sql is not None for probe in task.probes.values()):
            raise ConfigError(
                f"task {task.task_id} asks by SQL; environment {self.environment['name']!r} has no database"
            )
        return ask(self.database, task) | ask_rest(task, self.get)

    def get(self, site: str, path: str) -> bytes:
        """What the site answers to somebody who is not logged in."""
        with self.client(site) as client:
            try:
                answer = client.get(path)
            except httpx.HTTPError as error:
                raise EnvironmentFault(f"{site} does not answer a probe of {path}: {error}") from None
        if answer.status_code != 200 or len(answer.content) > MOST_BYTES:
            raise EnvironmentFault(
                f"{site} answered a probe of {path} with {answer.status_code} and {len(answer.content)} bytes"
            )
        return answer.content

    @contextmanager
    def client(self, site: str) -> Iterator[httpx.Client]:
        """A browser-like client: the site's own address and host name, wherever it is served."""
        url, process = self.environment["sites"][site]["url"], self.process(site)
        transport = _Local(process.port) if process else None
        with httpx.Client(
            base_url=_origin(url),
            headers={"Referer": url + "/"},
            timeout=10,
            trust_env=False,
            follow_redirects=True,
            transport=transport,
        ) as client:
            yield client

    def _process_names(self) -> list[str]:
        words = [*self.environment["command"], self.environment["cwd"]]
        if not self.environment["command"]:
            return []
        return list(self.environment["sites"]) if any("{site}" in word for word in words) else [SHARED]

    def _process(self, name: str, scratch: Path) -> SiteProcess:
        places = {"data": self.data, "database": self.database}
        return SiteProcess(self.environment, places, scratch / f"{name or 'site'}.log", name, self._keys)

    def _served(self, process: SiteProcess) -> list[str]:
        return [name for name in self.environment["sites"] if self.process(name) is process]

    def _start_shared(self, process: SiteProcess) -> None:
        if self.environment["database"]:
            reset_by(self, process, "copy")
        attempts = 1 if self.environment["port"] else 3  # a free port can be taken between asking and binding
        for left in reversed(range(attempts)):
            try:
                return self._start(process, self._served(process))
            except EnvironmentFault:
                process.stop()
                if not left:
                    raise
                process.take_ports()

    def _start(self, process: SiteProcess, names: list[str]) -> None:
        process.start()
        deadline = time.monotonic() + self.environment["start_timeout"]
        while not (process.listens() and all(self._unready(name) is None for name in names)):
            if not process.alive:
                raise EnvironmentFault(
                    f"the sites of {self.environment['name']!r} did not start on port {process.port}: "
                    f"{process.last_words()}"
                )
            if time.monotonic() > deadline:
                waiting = [name for name in names if self._unready(name)]
                raise EnvironmentFault(
                    f"{', '.join(waiting)} of {self.environment['name']!r} did not show its ready_text "
                    f"within {self.environment['start_timeout']:g} s: {process.last_words()}"
                )
            time.sleep(0.05)

    def _unready(self, name: str) -> str | None:
        """Why the site is not ready, with the address that says so."""
        site = self.environment["sites"][name]
        if not site["ready_text"]:
            return None
        where = f"{name} at {_origin(site['url'])}{site['ready_path']}"
        try:
            with self.client(name) as client:
                answer = client.get(site["ready_path"])
        except httpx.HTTPError as error:
            return f"{where} does not answer: {error or type(error).__name__}"
        if answer.status_code != 200:
            return f"{where} answers {answer.status_code}"
        return None if site["ready_text"] in answer.text else f"{where} does not show {site['ready_text']!r}"

    def _account_on(self, site: str, named: str | None) -> str | None:
        """The task's own account where the site knows it, else the site's."""
        for account in (named, self.environment["sites"][site]["account"]):
            if account is not None and self._account(account)["site"] in (None, site):
                return account
        return None

    def _account(self, account: str) -> dict[str, Any]:
        try:
            return dict(self.environment["accounts"][account])
        except KeyError:
            raise ConfigError(
                f"account {account!r} is not among the environment's accounts: "
                f"{', '.join(self.environment['accounts']) or 'none'}"
            ) from None

    def _log_in(self, name: str, account: str) -> list[dict[str, Any]]:
        who = self._account(account)
        with self.client(name) as client:
            self._renew(client, name, account, who)
            return [for_browser(cookie, self.hosts[name]) for cookie in client.cookies.jar]

    def _renew(self, client: httpx.Client, name: str, account: str, who: dict[str, Any]) -> None:
        """On sites that run elsewhere a session outlives its task, and serves the next one if it is still good."""
        site, kept = self.environment["sites"][name], self._sessions.get((name, account), ())
        for cookie in kept:
            client.cookies.jar.set_cookie(cookie)
        if not (kept and is_logged_in(client, site, name, who["user"])):
            client.cookies.clear()
            log_in(client, site, name, who["user"], who["password"])
        if not self._processes:
            self._sessions[name, account] = list(client.cookies.jar)


def passwords(environment: dict[str, Any]) -> list[str]:
    return [str(account["password"]) for account in environment["accounts"].values()]


class _AnySite(dict[str, Any]):
    """Sites of the open web: nothing is known of those that no configuration names."""

    def __missing__(self, name: str) -> dict[str, Any]:
        return asdict(Site(url="", ready_text=""))


class _Local(httpx.HTTPTransport):
    """Every host name leads to one local port, as it does in the agents' browser."""

    def __init__(self, port: int) -> None:
        super().__init__(verify=False)  # never TLS, whose set-up takes longer than the request
        self._port = port

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        local = request.url.copy_with(scheme="http", host="127.0.0.1", port=self._port)
        return super().handle_request(
            httpx.Request(
                request.method, local, headers=request.headers, stream=request.stream, extensions=request.extensions
            )
        )


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
