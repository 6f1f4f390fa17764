"""The seeded world: the same bytes every time, as large as promised, consistent, and nothing said twice."""

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from webassay.sites.miniweb.content import content_digest
from webassay.sites.miniweb.seed.plan import OPENING, TODAY, Plan, make_plan
from webassay.sites.miniweb.seed.plan.choice import unsaid
from webassay.sites.miniweb.seed.plan.curated import curated

from .conftest import run

EMMA = "(SELECT id FROM auth_user WHERE email = 'emma.lopez@example.com')"


@pytest.fixture(scope="module")
def database(built: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(built / "site.sqlite3")
    yield connection
    connection.close()


@pytest.fixture(scope="module")
def plan() -> Plan:
    return make_plan()


def column(database: sqlite3.Connection, sql: str) -> list[object]:
    return [row[0] for row in database.execute(sql)]


def test_two_builds_are_the_same_bytes(built: Path, tmp_path: Path) -> None:
    assert run("build", "--out", tmp_path).returncode == 0
    files = sorted(path.relative_to(built) for path in built.rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file())
    assert len(files) == 202, "the database, 200 pictures and the one for a missing picture"
    assert [name for name in files if (built / name).read_bytes() != (tmp_path / name).read_bytes()] == []


def test_the_digest_sees_rows_and_not_storage_or_sessions(built: Path, tmp_path: Path) -> None:
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


@pytest.mark.parametrize(
    "rows, least",
    [
        ("catalogue_product", 200),
        ("auth_user WHERE NOT is_staff", 60),
        ("order_order", 400),
        ("reviews_productreview WHERE status = 1", 600),
        ("forum_conversation_topic", 30),
        ("forum_conversation_post WHERE approved", 300),
        ("miniweb_vote", 400),
        ("wiki_urlpath", 60),
        ("wiki_articlerevision", 100),
        ("helpdesk_ticket", 120),
        ("helpdesk_ticket WHERE status IN (1, 2)", 15),
        ("voucher_voucher", 2),
        ("offer_range WHERE includes_all_products", 1),
        ("offer_conditionaloffer WHERE offer_type = 'Voucher'", 2),
        ("basket_basket WHERE status = 'Open'", 65),
        (f"order_order WHERE user_id = {EMMA}", 12),
        (f"address_useraddress WHERE user_id = {EMMA}", 3),
        (f"reviews_productreview WHERE user_id = {EMMA}", 3),
        (f"wishlists_line l JOIN wishlists_wishlist w ON w.id = l.wishlist_id WHERE w.owner_id = {EMMA}", 3),
        (f"forum_conversation_topic WHERE poster_id = {EMMA}", 3),
        (f"forum_conversation_post WHERE poster_id = {EMMA}", 8),
        ("helpdesk_ticket WHERE submitter_email = 'emma.lopez@example.com' AND status IN (1, 2)", 1),
        ("helpdesk_ticket WHERE submitter_email = 'emma.lopez@example.com' AND status IN (3, 4)", 3),
    ],
)
def test_there_is_enough_of_everything(database: sqlite3.Connection, rows: str, least: int) -> None:
    assert column(database, f"SELECT count(*) FROM {rows}")[0] >= least  # type: ignore[operator]


def test_every_reference_has_its_row(database: sqlite3.Connection) -> None:
    assert database.execute("PRAGMA foreign_key_check").fetchall() == []
    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.parametrize(
    "texts",
    [
        "SELECT title FROM catalogue_product",
        "SELECT description FROM catalogue_product",
        "SELECT price FROM partner_stockrecord",
        "SELECT body FROM reviews_productreview",
        "SELECT product_id || title FROM reviews_productreview",
        "SELECT subject FROM forum_conversation_topic",
        "SELECT content FROM forum_conversation_post",
        "SELECT content FROM wiki_articlerevision",
        "SELECT r.title FROM wiki_article a JOIN wiki_articlerevision r ON r.id = a.current_revision_id",
        "SELECT title FROM helpdesk_ticket",
        "SELECT description FROM helpdesk_ticket",
        "SELECT resolution FROM helpdesk_ticket WHERE resolution IS NOT NULL",
        "SELECT comment FROM helpdesk_followup",
        "SELECT key FROM wishlists_wishlist",
        "SELECT secret_key FROM helpdesk_ticket",
        f"SELECT total_incl_tax FROM order_order WHERE user_id = {EMMA}",
    ],
)
def test_nothing_is_said_twice(database: sqlite3.Connection, texts: str) -> None:
    said = column(database, texts)
    assert said
    assert sorted({text for text in said if said.count(text) > 1}, key=str) == []


@pytest.mark.parametrize(
    "moments",
    [
        "SELECT date_placed FROM order_order ORDER BY id",
        "SELECT date_created FROM order_orderstatuschange ORDER BY id",
        "SELECT date_created FROM reviews_productreview ORDER BY id",
        "SELECT created FROM forum_conversation_post ORDER BY id",
        "SELECT created FROM wiki_articlerevision ORDER BY id",
        "SELECT created FROM helpdesk_ticket ORDER BY id",
        "SELECT date FROM helpdesk_followup ORDER BY id",
    ],
)
def test_time_passes_between_any_two(database: sqlite3.Connection, moments: str) -> None:
    times = [str(moment) for moment in column(database, moments)]
    assert times == sorted(set(times))
    assert f"{OPENING:%Y-%m-%d}" <= times[0] and times[-1] < f"{TODAY:%Y-%m-%d %H:%M}"


def test_no_placeholder_is_left_in_a_text(database: sqlite3.Connection) -> None:
    texts = (
        "SELECT body || title FROM reviews_productreview UNION ALL SELECT content FROM forum_conversation_post"
        " UNION ALL SELECT title || description FROM helpdesk_ticket UNION ALL SELECT comment FROM helpdesk_followup"
        " UNION ALL SELECT content FROM wiki_articlerevision"
    )
    assert [text for text in column(database, texts) if set("{}|") & set(str(text))] == []


def test_tickets_speak_of_orders_of_those_who_ask(database: sqlite3.Connection) -> None:
    strangers = column(
        database,
        "SELECT t.title FROM helpdesk_ticket t JOIN order_order o ON instr(t.title || t.description, o.number)"
        " JOIN auth_user u ON u.id = o.user_id WHERE u.email <> t.submitter_email",
    )
    mentioned = "SELECT count(*) FROM helpdesk_ticket t JOIN order_order o ON instr(t.title || t.description, o.number)"
    assert strangers == [] and column(database, mentioned)[0] > 50  # type: ignore[operator]


def test_duplicates_name_an_earlier_ticket_of_the_same_person(database: sqlite3.Connection) -> None:
    named = database.execute(
        "SELECT t.id, first.id FROM helpdesk_ticket t JOIN helpdesk_followup f ON f.ticket_id = t.id"
        " JOIN helpdesk_ticket first ON f.comment LIKE '%ticket ' || first.id || '%' OR f.comment LIKE"
        " '%Ticket ' || first.id || ' %' WHERE t.status = 5 AND f.new_status = 5 AND first.id < t.id"
        " AND first.submitter_email = t.submitter_email AND instr(t.title, first.title)"
    ).fetchall()
    assert len(named) == 8


def test_stock_left_is_never_negative(database: sqlite3.Connection) -> None:
    left = column(database, "SELECT num_in_stock - coalesce(num_allocated, 0) FROM partner_stockrecord")
    assert min(left) == 0 and left.count(0) == 9  # type: ignore[type-var]


def test_the_handbook_quotes_the_forum_and_the_shop_rightly(plan: Plan) -> None:
    """Topics are about products that exist, and wish lists hold them (a wrong title would not be planned at all)."""
    titles = {product.title for product in plan.products}
    assert {topic["product"] for topic in curated("forum")["topics"] if "product" in topic} <= titles


def test_too_few_templates_are_an_error() -> None:
    said: set[str] = set()
    assert unsaid(said, lambda: "only this") == "only this"
    with pytest.raises(ValueError, match="add templates"):
        unsaid(said, lambda: "only this")
