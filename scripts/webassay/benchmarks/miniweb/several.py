"""Tasks over several sites: what is learned on one is used on another, by somebody who is logged in on both."""

import re
import sqlite3
from collections.abc import Iterator

from webassay.benchmarks.miniweb import admin, desk, forum, shop, wiki
from webassay.benchmarks.miniweb.forms import (
    AMOUNT,
    COUNT,
    CUSTOMER,
    STAFF,
    Rows,
    Template,
    appended,
    ask,
    below,
    distinct,
    done,
    found,
    insert,
    posted,
    replaced,
    says,
    seen,
    shows,
    spread,
    task,
    watched,
)
from webassay.core.task import Task

EXTENSION = Template(
    "multi-extension",
    'Get the phone extension, as the handbook gives it, of the colleague to whom the ticket "{title}" is assigned.',
    "retrieve",
    ("desk", "wiki"),
    "hard",
    "staff",
)
TOTAL = Template(
    "multi-order-total",
    'Get the total of the order that the ticket "{title}" is about.',
    "retrieve",
    ("desk", "admin"),
    "medium",
    "staff",
)
STOCK = Template(
    "multi-stock",
    'Set the number in stock of the product that the ticket "{title}" is about to {stock}.',
    "mutate",
    ("desk", "admin"),
    "hard",
    "staff",
)
WISH = Template(
    "multi-wish",
    'Put the product that the first post of the topic "{topic}" names on my wish list "{wishes}".',
    "mutate",
    ("forum", "shop"),
    "hard",
)
ANSWER = Template(
    "multi-answer",
    'Look up in the handbook: {question}? Answer the ticket "{title}" with that length of time and nothing else,'
    ' such as "7 days", and leave its status as it is.',
    "mutate",
    ("wiki", "desk"),
    "hard",
    "staff",
)
PRICE = Template(
    "multi-price",
    'Reply to the topic "{topic}" with the price of the product "{product}" in the shop and nothing else, such as'
    ' "£9.99".',
    "mutate",
    ("shop", "forum"),
    "hard",
)

STOCKS = (33, 128)
NAME = re.compile(r"[A-Z][\w'-]*(?: [A-Z][\w'-]*)+")
"""A product's title that is easily told from the sentence around it."""


def extension_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    """One ticket for each colleague whose number the list has once."""
    _, path, text, *_ = wiki.page(database, "Phone list and contacts")
    people = dict(ask(database, "SELECT id, first_name || ' ' || last_name FROM auth_user WHERE is_staff"))
    known = {key: re.findall(rf"{re.escape(name)}, [^:.]+: (\d+)", str(text)) for key, name in people.items()}
    tickets = {row[7]: row[1] for row in desk.tickets(database, "t.assigned_to_id") if len(known[row[7]]) == 1}
    rows = [[ticket, known[key][0]] for key, ticket in sorted(tickets.items())]
    for number, (ticket, extension) in enumerate(spread(rows, 2), 1):
        answer = found(EXTENSION, [int(extension)], COUNT)
        yield task(EXTENSION, number, {"title": ticket}, answer, seen(f"__WIKI__{path}"), original=says(extension))


def total_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    """One order is named, and no other has its total."""
    totals = {row[0]: row[1] for row in distinct(ask(database, admin.ORDERS), 1)}
    rows = []
    for _, title, *_, text, _ in desk.tickets(database, "t.status <> 5"):
        orders = set(re.findall(r"\b1\d{5}\b", f"{title} {text}"))
        rows += [[title, totals[order]] for order in orders if len(orders) == 1 and order in totals]
    for number, (title, total) in enumerate(spread(rows, 2), 1):
        answer = found(TOTAL, [float(total)], AMOUNT)
        yield task(TOTAL, number, {"title": title}, answer, original=says(float(total)))


def stock_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    products = ask(database, f"{shop.PRODUCTS} ORDER BY p.id")
    named = [
        [title, row]
        for _, title, *_, text, _ in desk.tickets(database, "t.title LIKE 'Stock count of %'")
        for row in products
        if [one[0] for one in products if one[0] in str(text)] == [row[0]]
    ]
    chosen = zip(spread(named, len(STOCKS)), STOCKS, strict=True)
    for number, ((title, (_, _, _, _, key)), stock) in enumerate(chosen, 1):
        page = f"__ADMIN__/dashboard/catalogue/products/{key}/"
        yield task(
            STOCK,
            number,
            {"title": title, "stock": stock},
            done(STOCK),
            posted(page),
            states=[watched(database, "stock", admin.stock_probe(key), replaced(0, 2, stock))],
            allowed=admin.RESTOCKED,
            original=shows((page, "", [f'value="{stock}"'])),
        )


def topics_about_products(database: sqlite3.Connection) -> Rows:
    """Topic, its address, its forum and a row of the product that its first post names in full."""
    products = ask(database, f"{shop.PRODUCTS} ORDER BY p.id")
    rows = []
    for key, topic, address, name, *_ in forum.short_topics(database):
        (text,) = ask(database, "SELECT content FROM forum_conversation_post WHERE topic_id = ? ORDER BY id", key)[0]
        about = [row for row in products if row[0] in text]
        if len(about) == 1 and NAME.fullmatch(about[0][0]):
            rows.append([topic, address, name, about[0]])
    return rows


def wish_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    name, list_key = shop.wish_list(database)
    wished = {row[1] for row in ask(database, shop.WISHES.sql or "", CUSTOMER)}
    rows = [row for row in topics_about_products(database) if row[3][0] not in wished]
    for number, (topic, address, _, (product, _, _, _, key)) in enumerate(spread(rows, 2), 1):
        yield task(
            WISH,
            number,
            {"topic": topic, "wishes": name},
            done(WISH),
            seen(below(forum.topic_page(address))),
            posted(f"__SHOP__/accounts/wishlists/{list_key}/add/{key}/"),
            states=[watched(database, "wishes", shop.WISHES, appended(name, product, 1))],
            allowed=[insert("wishlists_line")],
            original=shows((f"__SHOP__/accounts/wishlists/{list_key}/", "", [product])),
        )


def answer_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    """On tickets that are open, so that an answer changes no status."""
    chosen = zip(wiki.FACTS, spread(desk.tickets(database, "t.status = 1")[::-1], len(wiki.FACTS)), strict=True)
    for number, ((page, question, pattern), (key, title, *_)) in enumerate(chosen, 1):
        message = wiki.fact(database, page, pattern)
        yield task(
            ANSWER,
            number,
            {"question": question, "title": title},
            done(ANSWER),
            seen(f"__WIKI__{wiki.page(database, page)[1]}"),
            posted(f"{desk.ticket_page(key)}update/", comment=message),
            states=[watched(database, "answers", desk.answers(key), appended(1, message, 1, STAFF))],
            allowed=desk.ANSWERED,
            original=shows((desk.ticket_page(key), "#followups", [message])),
        )


def price_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    rows = topics_about_products(database)[::-1]
    for number, (topic, address, name, (product, _, price, *_)) in enumerate(spread(rows, 2), 1):
        message = f"£{price:.2f}"
        yield task(
            PRICE,
            number,
            {"topic": topic, "product": product},
            done(PRICE),
            posted(f"{forum.topic_page(address)}post/create/"),
            states=[watched(database, "posts", forum.MY_POSTS, appended(name, topic, message))],
            allowed=[forum.update_topic(), *forum.WRITTEN],
            original=shows((forum.topic_page(address), "", [message])),
        )


TASKS = (
    extension_tasks,
    total_tasks,
    stock_tasks,
    wish_tasks,
    answer_tasks,
    price_tasks,
)
