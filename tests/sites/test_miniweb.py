"""The site in the box: built twice, served by its real process, reset by copying a file over its database."""

import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil
import pytest

from webassay.sites.miniweb import ADMIN, CUSTOMER, SHOP, STAFF
from webassay.sites.miniweb.content import content_digest

SCRIPTS = Path(__file__).parents[2] / "scripts"
FIRST_MOMENT = "Mon, 16 Jun 2025 09:30:00 GMT"
LOGINS = {
    SHOP: ("/accounts/login/", {"login-username": CUSTOMER[0], "login-password": CUSTOMER[1], "login_submit": "1"}),
    ADMIN: ("/dashboard/login/", {"username": STAFF[0], "password": STAFF[1]}),
}


def miniweb(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "webassay.sites.miniweb", *map(str, arguments)]


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(miniweb(*arguments), cwd=SCRIPTS, capture_output=True, text=True, timeout=60, check=False)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(frozen=True)
class Site:
    template: Path
    database: Path
    port: int
    pid: int

    def client(self, host: str) -> httpx.Client:
        return httpx.Client(base_url=f"http://127.0.0.1:{self.port}", headers={"Host": host}, trust_env=False)

    def get(self, host: str, path: str) -> httpx.Response:
        with self.client(host) as client:
            return client.get(path)

    def reset(self) -> None:
        beside = self.database.with_suffix(".new")
        shutil.copyfile(self.template, beside)
        os.replace(beside, self.database)


def log_in(client: httpx.Client, host: str) -> httpx.Response:
    """Cookies by hand: httpx files them under 127.0.0.1, whatever the Host header says."""
    path, fields = LOGINS[host]
    token = client.get(path).cookies["csrftoken"]
    answer = client.post(path, data=fields | {"csrfmiddlewaretoken": token}, headers={"Cookie": f"csrftoken={token}"})
    client.headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in answer.cookies.items())
    return answer


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("built")
    answer = run("build", "--out", out)
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.strip() == content_digest(out / "site.sqlite3")
    return out


@pytest.fixture(scope="session")
def process(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    database, port = tmp_path_factory.mktemp("running") / "db.sqlite3", free_port()
    shutil.copyfile(built / "site.sqlite3", database)
    command = miniweb("serve", "--data", built, "--database", database, "--port", str(port))
    server = subprocess.Popen(command, cwd=SCRIPTS, stdout=subprocess.PIPE, text=True)
    assert server.stdout and "listens" in server.stdout.readline()
    yield Site(built / "site.sqlite3", database, port, server.pid)
    server.terminate()
    server.wait(10)


@pytest.fixture
def site(process: Site) -> Site:
    process.reset()
    return process


def test_two_builds_are_the_same_bytes(built: Path, tmp_path: Path) -> None:
    assert run("build", "--out", tmp_path).returncode == 0
    files = sorted(path.relative_to(built) for path in built.rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file())
    assert len(files) == 62
    assert [name for name in files if (built / name).read_bytes() != (tmp_path / name).read_bytes()] == []


def test_content_digest_sees_rows_and_not_storage_or_sessions(built: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite3"
    shutil.copyfile(built / "site.sqlite3", copy)
    database = sqlite3.connect(copy)
    database.executescript(
        "PRAGMA page_size = 1024; VACUUM; INSERT INTO django_session VALUES ('key', 'data', '2025-01-01');"
    )
    assert content_digest(copy) == content_digest(built / "site.sqlite3")
    database.executescript("UPDATE partner_stockrecord SET price = price + 1 WHERE id = 7")
    database.close()
    assert content_digest(copy) != content_digest(built / "site.sqlite3")


def test_the_shop_shows_products_and_the_dashboard_its_login(site: Site) -> None:
    assert "Ridgeway Two-Person Tent" in site.get(SHOP, "/catalogue/").text
    assert 'id="dashboard_login_form"' in site.get(ADMIN, "/dashboard/login/").text


@pytest.mark.parametrize(
    "host, path, status, location",
    [
        (SHOP, "/", 200, None),
        (SHOP, "/dashboard/", 404, None),
        (SHOP, "/dashboard/login/", 404, None),
        (ADMIN, "/", 302, "/dashboard/"),
        (ADMIN, "/dashboard/", 302, "/dashboard/login/?next=/dashboard/"),
        (ADMIN, "/catalogue/", 302, f"http://{SHOP}/catalogue/"),
        ("elsewhere.localhost", "/", 400, None),
    ],
)
def test_hosts_are_apart(site: Site, host: str, path: str, status: int, location: str | None) -> None:
    answer = site.get(host, path)
    assert (answer.status_code, answer.headers.get("Location")) == (status, location)


def test_cookies_belong_to_one_host(site: Site) -> None:
    for host in (SHOP, ADMIN):
        with site.client(host) as client:
            answer = log_in(client, host)
            assert answer.status_code == 302
            cookies = answer.headers.get_list("Set-Cookie")
            assert any(cookie.strip().startswith("sessionid=") for cookie in cookies)
            assert "domain" not in " ".join(cookies).lower()


def test_login_is_proven_by_a_page(site: Site) -> None:
    assert site.get(SHOP, "/accounts/profile/").status_code == 302
    with site.client(SHOP) as client:
        log_in(client, SHOP)
        assert CUSTOMER[0] in client.get("/accounts/profile/").text
    with site.client(ADMIN) as client:
        log_in(client, ADMIN)
        assert 'id="logout_form"' in client.get("/dashboard/").text


def test_pages_name_no_other_host(site: Site) -> None:
    shop = ["/", "/catalogue/", "/search/?q=lamp", "/catalogue/ridgeway-two-person-tent_1/", "/accounts/addresses/"]
    shop += ["/catalogue/ridgeway-two-person-tent_1/reviews/add/", "/accounts/addresses/1/", "/basket/"]
    admin = ["/dashboard/", "/dashboard/orders/", "/dashboard/orders/100007/"]
    for host, paths in ((SHOP, shop), (ADMIN, admin)):
        with site.client(host) as client:
            log_in(client, host)
            for path in paths:
                page = client.get(path)
                assert page.status_code == 200, path
                assert re.findall(r'(?:src|href|action)="((?:https?:)?//[^"]*)"', page.text) == [], path


def test_looking_writes_nothing(site: Site) -> None:
    with site.client(SHOP) as client:
        log_in(client, SHOP)
        before = site.database.read_bytes()
        for path in ("/", "/catalogue/", "/search/?q=tent", "/catalogue/ridgeway-two-person-tent_1/", "/basket/"):
            assert client.get(path).status_code == 200
    assert site.database.read_bytes() == before
    assert os.listdir(site.database.parent) == [site.database.name]


def test_the_clock_moves_with_each_post_and_a_copied_file_turns_it_back(site: Site) -> None:
    with site.client(SHOP) as client:
        assert client.get("/catalogue/").headers["Date"] == FIRST_MOMENT
        log_in(client, SHOP)
        assert client.get("/catalogue/").headers["Date"] == "Mon, 16 Jun 2025 09:30:01 GMT"
        assert client.get("/catalogue/").headers["Date"] == "Mon, 16 Jun 2025 09:30:01 GMT"
        site.reset()
        assert site.database.read_bytes() == site.template.read_bytes()
        assert client.get("/catalogue/").headers["Date"] == FIRST_MOMENT
        assert client.get("/accounts/profile/").status_code == 302, "the session is gone with the reset"


def test_after_a_reset_the_same_requests_write_the_same_rows(site: Site) -> None:
    digests = []
    for _ in range(2):
        site.reset()
        with site.client(SHOP) as client:
            log_in(client, SHOP)
        digests.append(content_digest(site.database))
    assert digests[0] == digests[1] != content_digest(site.template)


@pytest.mark.parametrize(
    "query, first",
    [
        ("/search/?q=sleeping+bag", "Thistle Down Sleeping Bag"),
        ("/catalogue/?sort_by=price-asc", "Meadow Wildflower Seed Mix"),
        ("/catalogue/category/electronics/audio_10/?sort_by=price-desc", "Chimney Bookshelf Speakers"),
        ("/catalogue/?selected_facets=price%3A%5B60+TO+*%5D&sort_by=price-asc", "Polar Thirty-Litre Cool Box"),
    ],
)
def test_search_sorts_and_narrows(site: Site, query: str, first: str) -> None:
    titles = re.findall(r'<h3 class="mt-3"><a href="[^"]*">([^<]*)</a>', site.get(SHOP, query).text)
    assert titles[0] == first


def test_listens_on_loopback_only(site: Site) -> None:
    listening = [
        connection.laddr.ip
        for connection in psutil.Process(site.pid).net_connections("inet")
        if connection.status == psutil.CONN_LISTEN
    ]
    assert listening == ["127.0.0.1"]


def test_errors_are_one_line(site: Site, built: Path, tmp_path: Path) -> None:
    junk = tmp_path / "junk.sqlite3"
    junk.write_bytes(b"not a database" * 100)
    for data, database, port, words in [
        (built, site.database, site.port, "port"),
        (built, tmp_path / "missing.sqlite3", free_port(), "no such database"),
        (built, junk, free_port(), "not a miniweb database"),
        (tmp_path, site.database, free_port(), "no media folder"),
    ]:
        answer = run("serve", "--data", data, "--database", database, "--port", str(port))
        assert answer.returncode == 1
        assert words in answer.stderr and len(answer.stderr.splitlines()) == 1
