"""What visitors of the forum, the handbook and the help desk may write, and what becomes of it."""

import re
import sqlite3
from typing import Any

import pytest

from tests.sites.conftest import Site, post
from webassay.sites.miniweb import CUSTOMER, DESK, FORUM, SHOP, STAFF, WIKI
from webassay.sites.miniweb.content import content_digest

OPEN_PAGE = "/wiki/community-tips/packing-list/"
STAFF_PAGE = "/wiki/policies/returns/"


def ask(site: Site, query: str, *values: Any) -> list[tuple[Any, ...]]:
    with sqlite3.connect(site.database) as database:
        return database.execute(query, values).fetchall()


def one(site: Site, query: str, *values: Any) -> Any:
    return ask(site, query, *values)[0][0]


def votes(site: Site, post_id: int) -> list[Any]:
    query = "SELECT value FROM miniweb_vote JOIN auth_user ON user_id = auth_user.id WHERE email = ? AND post_id = ?"
    return [value for (value,) in ask(site, query, CUSTOMER[0], post_id)]


def test_a_member_has_one_vote_on_a_post(site: Site) -> None:
    free = one(
        site,
        "SELECT min(id) FROM forum_conversation_post WHERE id NOT IN (SELECT post_id FROM miniweb_vote WHERE user_id = "
        "(SELECT id FROM auth_user WHERE email = ?))",
        CUSTOMER[0],
    )
    score = one(site, "SELECT coalesce(sum(value), 0) FROM miniweb_vote WHERE post_id = ?", free)
    with site.client(FORUM, CUSTOMER) as client:
        for value, expected in ((1, [1]), (1, [1]), (-1, [-1])):
            answer = post(client, f"/forum/vote/{free}/", value=value)
            assert answer.status_code == 302 and votes(site, free) == expected
        page = client.get(answer.headers["Location"]).text
    shown = re.search(rf'id="score_{free}"[^>]*>(-?\d+)<', page)
    assert shown and int(shown[1]) == score - 1
    assert re.search(rf'class="vote mine" id="downvote_{free}"', page)


@pytest.mark.parametrize("value, status", [("2", 400), ("", 400), ("up", 400)])
def test_a_vote_is_up_or_down(site: Site, value: str, status: int) -> None:
    with site.client(FORUM, CUSTOMER) as client:
        before = ask(site, "SELECT * FROM miniweb_vote")
        assert post(client, "/forum/vote/1/", value=value).status_code == status
        assert post(client, "/forum/vote/999999/", value=1).status_code == 404
        assert client.get("/forum/vote/1/").status_code == 405
        assert ask(site, "SELECT * FROM miniweb_vote") == before


def test_visitors_do_not_vote(site: Site) -> None:
    with site.client(FORUM, CUSTOMER) as client:
        client.headers["Cookie"] = re.sub("sessionid=[^;]*", "somebody=else", client.headers["Cookie"])
        answer = post(client, "/forum/vote/1/", value=1)
    assert answer.headers["Location"].startswith("/accounts/login/?next=")


def test_the_forum_is_searched(site: Site) -> None:
    subject = one(site, "SELECT subject FROM forum_conversation_topic WHERE forum_id = 5 ORDER BY id LIMIT 1")
    assert subject in site.get(FORUM, f"/forum/search/?q={subject.split()[0]}").text
    assert "0 posts found" in site.get(FORUM, "/forum/search/?q=zyzzyva").text
    assert "0 posts found" in site.get(FORUM, "/forum/search/").text


def test_a_page_that_is_open_to_all_is_edited(site: Site) -> None:
    with site.client(WIKI, CUSTOMER) as client:
        form = client.get(f"{OPEN_PAGE}_edit/").text
        current = re.search(r'name="current_revision" value="(\d+)"', form)
        title = re.search(r'name="title" value="([^"]*)"', form)
        assert current and title and "<textarea" in form
        fields = {
            "title": title[1],
            "content": "New text.",
            "summary": "Why",
            "current_revision": current[1],
            "save": 1,
        }
        assert post(client, f"{OPEN_PAGE}_edit/", **fields).status_code == 302
        assert "New text." in client.get(OPEN_PAGE).text


def test_many_edits_at_one_moment(site: Site) -> None:
    with site.client(WIKI, CUSTOMER) as client:
        for number in range(7):
            fields = {"title": f"Socks {number}", "slug": f"socks-{number}", "content": "Dry.", "summary": ""}
            assert post(client, f"{OPEN_PAGE}_create/", **fields).status_code == 302, number


def test_staff_pages_are_for_staff(site: Site) -> None:
    with site.client(WIKI, CUSTOMER) as client:
        assert 'id="edit_article"' not in client.get(STAFF_PAGE).text
        assert client.get(f"{STAFF_PAGE}_edit/").status_code in (302, 403)
    with site.client(WIKI, STAFF) as client:
        assert client.get(f"{STAFF_PAGE}_edit/").status_code == 200


def test_an_empty_handbook_says_so(site: Site) -> None:
    with sqlite3.connect(site.database) as database:
        for table in ("wiki_articleforobject", "wiki_urlpath", "wiki_articlerevision", "wiki_article"):
            database.execute(f"DELETE FROM {table}")
    with site.client(WIKI) as client:
        client.follow_redirects = True
        answer = client.get("/wiki/", headers={"Host": WIKI})
    assert answer.status_code == 200 and "no pages" in answer.text


@pytest.fixture
def tickets(site: Site) -> tuple[int, int]:
    """A ticket of the customer and one of somebody else."""
    query = "SELECT min(id) FROM helpdesk_ticket WHERE submitter_email {} ?"
    return one(site, query.format("="), CUSTOMER[0]), one(site, query.format("!="), CUSTOMER[0])


def test_customers_see_their_own_tickets(site: Site, tickets: tuple[int, int]) -> None:
    own, other = tickets
    with site.client(DESK, CUSTOMER) as client:
        listed = {int(number) for number in re.findall(r'data-ticket="(\d+)"', client.get("/helpdesk/tickets/").text)}
        assert own in listed and other not in listed
        assert client.get(f"/helpdesk/tickets/{own}/").status_code == 200
        assert client.get(f"/helpdesk/tickets/{other}/").status_code == 403
        assert post(client, f"/helpdesk/tickets/{other}/update/", comment="Mine!").status_code == 403
        assert client.get(f"/helpdesk/tickets/{own}/edit/").status_code == 403
        assert client.get("/helpdesk/tickets/999999/").status_code == 404
    with site.client(DESK, STAFF) as client:
        assert client.get(f"/helpdesk/tickets/{other}/").status_code == 200


def test_a_ticket_is_answered_and_closed(site: Site, tickets: tuple[int, int]) -> None:
    own = tickets[0]
    columns = "title, queue_id, priority, submitter_email, assigned_to_id, description, due_date"
    before = ask(site, f"SELECT {columns} FROM helpdesk_ticket WHERE id = ?", own)
    with site.client(DESK, CUSTOMER) as client:
        page = client.get(f"/helpdesk/tickets/{own}/").text
        form = page[page.index('id="ticket_answer_form"') :]
        fields = dict(
            re.findall(r'type="hidden" name="(title|queue|priority|submitter_email|public)" value="([^"]*)"', form)
        )
        answer = post(client, f"/helpdesk/tickets/{own}/update/", **fields, comment="All fine.", new_status=4)
        assert answer.status_code == 302
    assert one(site, "SELECT status FROM helpdesk_ticket WHERE id = ?", own) == 4
    assert ask(site, f"SELECT {columns} FROM helpdesk_ticket WHERE id = ?", own) == before


@pytest.mark.parametrize(
    "query, condition",
    [("status=1", "status = 1"), ("queue=2&priority=3", "queue_id = 2 AND priority = 3"), ("q=order+refund", None)],
)
def test_tickets_are_narrowed_by_the_address(site: Site, query: str, condition: str | None) -> None:
    text = "lower(title || ' ' || coalesce(description, '') || ' ' || coalesce(resolution, '') || submitter_email)"
    condition = condition or f"{text} LIKE '%order%' AND {text} LIKE '%refund%'"
    expected = one(site, f"SELECT count(*) FROM helpdesk_ticket WHERE {condition}")
    with site.client(DESK, STAFF) as client:
        page = client.get(f"/helpdesk/tickets/?{query}").text
    assert f'id="ticket_count">{expected} ticket' in page and expected > 0


def test_a_basket_is_made_by_adding_and_follows_the_login(site: Site) -> None:
    with site.client(SHOP) as client:
        token = client.get("/accounts/login/").cookies["csrftoken"]
        client.headers["Cookie"] = f"csrftoken={token}"
        cookie = post(client, "/basket/add/1/", quantity=1).cookies["oscar_open_basket"]
        client.headers["Cookie"] += f'; oscar_open_basket="{cookie.strip(chr(34))}"'
        fields = {"login-username": CUSTOMER[0], "login-password": CUSTOMER[1], "login_submit": "1"}
        answer = post(client, "/accounts/login/", **fields)
        client.headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in answer.cookies.items() if value)
        before = content_digest(site.database)
        assert "Ridgeway Two-Person Tent" in client.get("/basket/").text
        assert content_digest(site.database) == before
