"""The harness's door: a token, a reset that no request sees, the state and the clock."""

import subprocess
import threading

import httpx
import pytest

from tests.sites.conftest import SCRIPTS, TOKEN, Site, free_port, miniweb, post
from webassay.core.processes import child_environment
from webassay.sites.miniweb import CUSTOMER, FORUM, SHOP
from webassay.sites.miniweb.content import content_digest

NOON = "2025-06-20T12:00:00+00:00"


@pytest.mark.parametrize("method, path", [("POST", "/reset"), ("GET", "/state"), ("POST", "/clock"), ("GET", "/else")])
@pytest.mark.parametrize("token", ["wrong", TOKEN[:-1], TOKEN + "x"])
def test_nothing_without_the_token(site: Site, method: str, path: str, token: str) -> None:
    site.control("POST", "/clock", json={"now": NOON})
    moved = content_digest(site.database)
    answer = site.control(method, path, token=token, json={"now": "2025-01-01T00:00:00+00:00"})
    assert answer.status_code == 403 and moved not in answer.text
    assert content_digest(site.database) == moved != content_digest(site.template)


def test_a_reset_brings_back_rows_and_time(site: Site) -> None:
    seeded = site.control("GET", "/state").json()
    assert seeded == {"digest": content_digest(site.template), "clock": "2025-06-16T09:30:00+00:00"}
    with site.client(FORUM, CUSTOMER) as client:
        assert post(client, "/forum/vote/1/", value=-1).status_code == 302
        assert site.control("GET", "/state").json()["digest"] != seeded["digest"]
        site.reset()
        assert site.control("GET", "/state").json() == seeded
        assert site.database.read_bytes() == site.template.read_bytes()
        assert "X-Site-User" not in client.get("/forum/").headers


def test_the_clock_is_set(site: Site) -> None:
    assert site.control("POST", "/clock", json={"now": NOON}).json() == {"clock": NOON}
    assert site.get(SHOP, "/catalogue/").headers["Date"] == "Fri, 20 Jun 2025 12:00:00 GMT"
    with site.client(SHOP, CUSTOMER) as client:
        assert client.get("/catalogue/").headers["Date"] == "Fri, 20 Jun 2025 12:00:01 GMT"


@pytest.mark.parametrize(
    "method, path, body, status, words",
    [
        ("POST", "/clock", b'{"now": "2025-06-20T12:00:00"}', 400, "no offset"),
        ("POST", "/clock", b'{"now": "noon"}', 400, "expected"),
        ("POST", "/clock", b"[]", 400, "expected"),
        ("POST", "/clock", b"", 400, "expected"),
        ("POST", "/clock", b" " * 5000, 400, "at most"),
        ("GET", "/reset", b"", 404, "POST /reset"),
        ("POST", "/state", b"", 404, "GET /state"),
    ],
)
def test_errors_say_what_is_wrong(site: Site, method: str, path: str, body: bytes, status: int, words: str) -> None:
    answer = site.control(method, path, content=body)
    assert answer.status_code == status and words in answer.json()["error"]
    assert content_digest(site.database) == content_digest(site.template)


def test_resets_between_requests_of_others(site: Site) -> None:
    """Readers see the site whole, writers are not cut in two: every answer is a page, and the last reset wins."""
    answers: list[int] = []
    over = threading.Event()

    def visit(path: str) -> None:
        with site.client(SHOP) as client:
            while not over.is_set():
                answers.append(client.get(path).status_code)

    visitors = [threading.Thread(target=visit, args=(path,)) for path in ("/catalogue/", "/")]
    for visitor in visitors:
        visitor.start()
    for _ in range(15):
        with site.client(FORUM, CUSTOMER) as client:
            post(client, "/forum/vote/1/", value=1)
        site.reset()
    over.set()
    for visitor in visitors:
        visitor.join()
    assert set(answers) == {200} and len(answers) > 5
    assert site.control("GET", "/state").json()["digest"] == content_digest(site.template)


def test_a_damaged_database_is_told_and_mended(site: Site) -> None:
    site.database.write_bytes(b"not a database" * 1000)
    answer = site.control("GET", "/state")
    assert answer.status_code == 500 and "not a database" in answer.json()["error"]
    site.reset()
    assert site.get(SHOP, "/catalogue/").status_code == 200


def test_the_door_is_not_on_the_agents_port(site: Site) -> None:
    for path in ("/reset", "/state", "/clock"):
        assert site.get(SHOP, path).status_code == 404
        with httpx.Client(trust_env=False) as client:
            answer = client.post(f"http://127.0.0.1:{site.port}{path}", headers={"Authorization": f"Bearer {TOKEN}"})
        assert answer.status_code == 400


@pytest.mark.parametrize("token, taken, words", [("", False, "WEBASSAY_SITE_TOKEN"), ("token", True, "--control-port")])
def test_no_door_without_token_or_port(site: Site, token: str, taken: bool, words: str) -> None:
    control_port = site.control_port if taken else free_port()
    options = ["--database", site.database, "--port", free_port(), "--control-port", control_port]
    command = miniweb("serve", "--data", site.template.parent, *map(str, options))
    environment = child_environment() | {"WEBASSAY_SITE_TOKEN": token}
    done = subprocess.run(command, cwd=SCRIPTS, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and words in done.stderr and len(done.stderr.splitlines()) == 1
