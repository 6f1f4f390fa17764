"""Walks through all five sites, link by link: pages answer, refer to nobody else, and leave the database as it was."""

import re
import sqlite3
from collections import Counter
from urllib.parse import urljoin, urlsplit

import httpx
import pytest

from tests.sites.conftest import ANYONE, Site, users
from webassay.sites.miniweb import ADMIN, CUSTOMER, DESK, FORUM, HOSTS, SHOP, STAFF, WIKI
from webassay.sites.miniweb.content import content_digest

REFERENCE = re.compile(
    r"""(?:src|href|action|formaction)\s*=\s*["']?([^"'\s>]+)|@import\s+["']([^"']+)|url\(["']?([^"')]+)"""
)
LINK = re.compile(r'<a\b[^>]*?\shref="([^"#]+)')
LEAVES = ("logout", "/static/", "/media/", "/feeds/", "sort=checkbox")
"""Not followed: out of the site, files, and a heading of the dashboard that Oscar cannot sort by."""
MOST_PAGES = 45
MOST_ALIKE = 2
VISITS = [(host, who) for host in HOSTS for who in users(host)]


def walk(client: httpx.Client, host: str) -> dict[str, httpx.Response]:
    """Pages by address, from the start page on; of pages that differ in a number or a query only, two."""
    waiting, seen, kinds, pages = ["/"], {"/"}, Counter[str](), {}
    while waiting and len(pages) < MOST_PAGES:
        address = waiting.pop(0)
        kind = re.sub(r"[^/]*\d[^/]*|=[^&]*", "*", address)
        if kinds[kind] == MOST_ALIKE:
            continue
        kinds[kind] += 1
        answer = pages[address] = client.get(address)
        found = [answer.headers["Location"]] if answer.is_redirect else LINK.findall(answer.text)
        for link in found:
            target = urlsplit(urljoin(f"http://{host}{address}", link.replace("&amp;", "&")))
            path = f"{target.path}?{target.query}" if target.query else target.path
            if target.hostname == host and path not in seen and not any(word in path for word in LEAVES):
                seen.add(path)
                waiting.append(path)
    return pages


def strangers(text: str) -> list[str]:
    """Addresses in a page or a style sheet that lead to a host of somebody else."""
    references = ["".join(found) for found in REFERENCE.findall(text)]
    return [each for each in references if (urlsplit(each).hostname or HOSTS[0]) not in HOSTS]


@pytest.mark.parametrize(
    "host, who", VISITS, ids=lambda value: value if isinstance(value, str) else value[0] or "anyone"
)
def test_looking_around(site: Site, host: str, who: tuple[str, str]) -> None:
    with site.client(host, who) as client:
        sessions, digest = count_sessions(site), content_digest(site.database)
        pages = walk(client, host)
    assert {path: page.status_code for path, page in pages.items() if page.status_code >= 400} == {}
    assert {path: strangers(page.text) for path, page in pages.items() if strangers(page.text)} == {}
    assert {page.headers.get("X-Site-User") for page in pages.values()} == {who[0] or None}
    assert len(pages) > (2 if who == ANYONE and host in (ADMIN, DESK) else 9)
    assert (count_sessions(site), content_digest(site.database)) == (sessions, digest)


def count_sessions(site: Site) -> int:
    with sqlite3.connect(site.database) as database:
        return int(database.execute("SELECT count(*) FROM django_session").fetchone()[0])


@pytest.mark.parametrize("host", HOSTS)
def test_styles_and_scripts_are_here(site: Site, host: str) -> None:
    with site.client(host, STAFF) as client:
        page = client.get(
            {ADMIN: "/dashboard/", SHOP: "/", FORUM: "/forum/", WIKI: "/wiki/", DESK: "/helpdesk/tickets/"}[host]
        )
        files = [path for path in re.findall(r'(?:src|href)="([^"]+)"', page.text) if path.startswith("/static/")]
        assert len(files) > 3
        for path in files:
            answer = client.get(path)
            assert answer.status_code == 200, path
            assert not path.endswith(".css") or strangers(answer.text) == [], path


@pytest.mark.parametrize(
    "host, who, path",
    [
        (SHOP, CUSTOMER, "/accounts/addresses/2/default_for_shipping/"),
        (SHOP, CUSTOMER, "/accounts/wishlists/add/1/"),
        (DESK, STAFF, "/helpdesk/tickets/10/?take"),
    ],
)
def test_a_link_that_would_write_asks_first(site: Site, host: str, who: tuple[str, str], path: str) -> None:
    with site.client(host, who) as client:
        before = content_digest(site.database)
        assert 'id="confirm_form"' in client.get(path).text
        assert content_digest(site.database) == before
