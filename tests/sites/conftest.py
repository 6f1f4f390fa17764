"""The sites in the box, built once and served by their real process, with a control endpoint."""

import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from webassay.core.processes import child_environment
from webassay.sites.miniweb import ADMIN, CUSTOMER, STAFF
from webassay.sites.miniweb.content import content_digest

SCRIPTS = Path(__file__).parents[2] / "scripts"
TOKEN = "a token of this test run"
ANYONE = ("", "")


def miniweb(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "webassay.sites.miniweb", *map(str, arguments)]


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(miniweb(*arguments), cwd=SCRIPTS, capture_output=True, text=True, timeout=600, check=False)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(frozen=True)
class Site:
    template: Path
    database: Path
    port: int
    control_port: int
    pid: int

    @contextmanager
    def client(self, host: str, who: tuple[str, str] = ANYONE) -> Iterator[httpx.Client]:
        """A visitor, logged in where a name and a password are given."""
        address = f"http://127.0.0.1:{self.port}"
        with httpx.Client(base_url=address, headers={"Host": host}, trust_env=False, timeout=60) as client:
            if who != ANYONE:
                assert log_in(client, host, who).status_code == 302
            yield client

    def get(self, host: str, path: str) -> httpx.Response:
        with self.client(host) as client:
            return client.get(path)

    def control(self, method: str, path: str, token: str = TOKEN, **options: Any) -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}"}
        with httpx.Client(base_url=f"http://127.0.0.1:{self.control_port}", trust_env=False, timeout=30) as client:
            return client.request(method, path, headers=headers, **options)

    def reset(self) -> None:
        assert self.control("POST", "/reset").status_code == 200


def log_in(client: httpx.Client, host: str, who: tuple[str, str]) -> httpx.Response:
    """Cookies by hand: httpx files them under 127.0.0.1, whatever the Host header says."""
    if host == ADMIN:
        path, fields = "/dashboard/login/", {"username": who[0], "password": who[1]}
    else:
        path = "/accounts/login/"
        fields = {"login-username": who[0], "login-password": who[1], "login_submit": "1"}
    token = client.get(path).cookies["csrftoken"]
    answer = client.post(path, data=fields | {"csrfmiddlewaretoken": token}, headers={"Cookie": f"csrftoken={token}"})
    client.headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in answer.cookies.items())
    return answer


def post(client: httpx.Client, path: str, **fields: str | int) -> httpx.Response:
    """A form with its CSRF token, which the login left in the cookies."""
    token = next(part[10:] for part in client.headers["Cookie"].split("; ") if part.startswith("csrftoken="))
    return client.post(path, data={"csrfmiddlewaretoken": token, **fields})


def users(host: str) -> list[tuple[str, str]]:
    """Who visits a host: customers have no business in the dashboard."""
    return [ANYONE, STAFF] if host == ADMIN else [ANYONE, CUSTOMER, STAFF]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("built")
    answer = run("build", "--out", out)
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.strip() == content_digest(out / "site.sqlite3")
    return out


@pytest.fixture(scope="session")
def process(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    database, port, control_port = tmp_path_factory.mktemp("running") / "db.sqlite3", free_port(), free_port()
    shutil.copyfile(built / "site.sqlite3", database)
    command = miniweb("serve", "--data", built, "--database", database, "--port", str(port))
    command += ["--control-port", str(control_port)]
    environment = child_environment() | {"WEBASSAY_SITE_TOKEN": TOKEN}
    server = subprocess.Popen(command, cwd=SCRIPTS, stdout=subprocess.PIPE, text=True, env=environment)
    assert server.stdout and "listens" in server.stdout.readline()
    yield Site(built / "site.sqlite3", database, port, control_port, server.pid)
    server.terminate()
    server.wait(10)


@pytest.fixture
def site(process: Site) -> Site:
    process.reset()
    return process
