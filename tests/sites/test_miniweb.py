"""The sites in the box, served by their real process: hosts, logins, time and search."""

import os
import re
import shutil
import sqlite3
from pathlib import Path

import psutil
import pytest

from tests.sites.conftest import Site, free_port, log_in, post, run, users
from webassay.sites.miniweb import ADMIN, CUSTOMER, DESK, FORUM, HOSTS, SHOP, STAFF, WIKI
from webassay.sites.miniweb.content import content_digest

FIRST_MOMENT = "Mon, 16 Jun 2025 09:30:00 GMT"


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
        (SHOP, "/forum/", 404, None),
        (SHOP, "/wiki", 404, None),
        (SHOP, "/helpdesk/tickets/", 404, None),
        (FORUM, "/", 302, "/forum/"),
        (FORUM, "/wiki/", 404, None),
        (FORUM, "/catalogue/", 302, f"http://{SHOP}/catalogue/"),
        (WIKI, "/accounts/orders/", 302, f"http://{SHOP}/accounts/orders/"),
        (WIKI, "/", 302, "/wiki/"),
        (WIKI, "/dashboard/", 404, None),
        (DESK, "/", 302, "/helpdesk/"),
        (DESK, "/helpdesk/tickets/", 302, "/accounts/login/?next=/helpdesk/tickets/"),
        ("elsewhere.localhost", "/", 400, None),
    ],
)
def test_hosts_are_apart(site: Site, host: str, path: str, status: int, location: str | None) -> None:
    answer = site.get(host, path)
    assert (answer.status_code, answer.headers.get("Location")) == (status, location)


@pytest.mark.parametrize("host", HOSTS)
def test_staff_stay_where_they_logged_in(site: Site, host: str) -> None:
    with site.client(host) as client:
        led = log_in(client, host, STAFF).headers["Location"]
        answer = client.get(led)
    assert led == "/dashboard/"
    starts = {SHOP: f"http://{ADMIN}/dashboard/", FORUM: "/forum/", WIKI: "/wiki/", DESK: "/helpdesk/"}
    assert answer.headers.get("Location") == starts.get(host) and answer.is_success == (host == ADMIN)


@pytest.mark.parametrize("host", HOSTS)
def test_cookies_belong_to_one_host(site: Site, host: str) -> None:
    with site.client(host) as client:
        answer = log_in(client, host, STAFF)
        assert answer.status_code == 302
        cookies = answer.headers.get_list("Set-Cookie")
        assert any(cookie.strip().startswith("sessionid=") for cookie in cookies)
        assert "domain" not in " ".join(cookies).lower()


@pytest.mark.parametrize("host", [host for host in HOSTS if host != ADMIN])
def test_login_is_proven_by_a_page(site: Site, host: str) -> None:
    assert site.get(host, "/accounts/profile/").status_code == 302
    with site.client(host, CUSTOMER) as client:
        assert CUSTOMER[0] in client.get("/accounts/profile/").text


@pytest.mark.parametrize("host", HOSTS)
def test_each_answer_names_who_asked(site: Site, host: str) -> None:
    for who in users(host):
        with site.client(host, who) as client:
            for path in ("/", "/accounts/profile/", "/no-such-page/"):
                assert client.get(path).headers.get("X-Site-User") == (who[0] or None), path
            assert client.post("/").headers.get("X-Site-User") == (who[0] or None)


def test_an_expired_session_is_nobody(site: Site) -> None:
    with site.client(SHOP, CUSTOMER) as client:
        with sqlite3.connect(site.database) as database:
            database.execute("UPDATE django_session SET expire_date = '2025-01-01'")
        answer = client.get("/catalogue/")
        assert answer.status_code == 200 and "X-Site-User" not in answer.headers


def test_the_login_writes_a_session_and_its_time(site: Site) -> None:
    for host in (SHOP, FORUM, WIKI, DESK):
        site.reset()
        with site.client(host, CUSTOMER) as client:
            client.get("/")
        with sqlite3.connect(site.database) as database:
            database.execute("UPDATE auth_user SET last_login = NULL")
            database.execute("UPDATE miniweb_clock SET now = '2025-06-16 09:30:00'")
        assert content_digest(site.database) == content_digest(site.template), host


def test_the_login_leads_on(site: Site) -> None:
    with site.client(DESK) as client:
        page = client.get("/accounts/login/?next=/helpdesk/tickets/")
        client.headers["Cookie"] = f"csrftoken={page.cookies['csrftoken']}"
        hidden = dict(re.findall(r'type="hidden" name="(login-redirect_url)" value="([^"]*)"', page.text))
        fields = {"login-username": CUSTOMER[0], "login-password": CUSTOMER[1], "login_submit": "1"}
        answer = post(client, "/accounts/login/", **fields, **hidden)
        assert (answer.status_code, answer.headers["Location"]) == (302, "/helpdesk/tickets/")


def test_the_clock_moves_with_each_post_and_a_copied_file_turns_it_back(site: Site) -> None:
    with site.client(SHOP) as client:
        assert client.get("/catalogue/").headers["Date"] == FIRST_MOMENT
        log_in(client, SHOP, CUSTOMER)
        assert client.get("/catalogue/").headers["Date"] == "Mon, 16 Jun 2025 09:30:01 GMT"
        assert client.get("/catalogue/").headers["Date"] == "Mon, 16 Jun 2025 09:30:01 GMT"
        beside = site.database.with_suffix(".new")
        shutil.copyfile(site.template, beside)
        os.replace(beside, site.database)
        assert client.get("/catalogue/").headers["Date"] == FIRST_MOMENT
        assert client.get("/accounts/profile/").status_code == 302, "the session is gone with the reset"


def test_after_a_reset_the_same_requests_write_the_same_rows(site: Site) -> None:
    digests = []
    for _ in range(2):
        site.reset()
        with site.client(FORUM, CUSTOMER) as client:
            assert post(client, "/forum/vote/1/", value=1).status_code == 302
        digests.append(content_digest(site.database))
    assert digests[0] == digests[1] != content_digest(site.template)


@pytest.mark.parametrize(
    "query, first",
    [
        ("/search/?q=sleeping+bag", "Thistle Down Sleeping Bag"),
        ("/catalogue/?sort_by=price-asc", "Meadow Wildflower Seed Mix"),
        ("/catalogue/category/electronics/audio_15/?sort_by=price-desc", "Chimney Bookshelf Speakers"),
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
    assert listening == ["127.0.0.1", "127.0.0.1"]


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
