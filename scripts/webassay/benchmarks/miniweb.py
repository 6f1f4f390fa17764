"""Tasks over the site in the box; every answer is asked of the seeded database, none is typed in."""

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webassay.core.task import Probe, Task, unique
from webassay.errors import TaskError

VERSION = 1

CUSTOMER = "emma.lopez@example.com"
NO_DATA = {"type": "null"}
PRICES = {"type": "array", "items": {"type": "number", "format": "currency"}}

Rows = list[list[Any]]
State = dict[str, Rows]

PROBES = {
    "reviews": Probe(
        "SELECT p.title, r.score, r.title, r.body, r.status FROM reviews_productreview r"
        " JOIN catalogue_product p ON p.id = r.product_id JOIN auth_user u ON u.id = r.user_id"
        " WHERE u.email = ? ORDER BY p.title",
        (CUSTOMER,),
    ),
    "addresses": Probe(
        "SELECT a.first_name, a.last_name, a.line1, a.line2, a.line3, a.line4, a.state, a.postcode, a.country_id,"
        " a.phone_number, a.notes, a.is_default_for_shipping, a.is_default_for_billing"
        " FROM address_useraddress a JOIN auth_user u ON u.id = a.user_id WHERE u.email = ? ORDER BY a.id",
        (CUSTOMER,),
    ),
    # What no task may touch: how many rows, and a sum that most changes within a row would move.
    "elsewhere": Probe(
        "SELECT 'addresses of others' AS what, count(*), sum(length(a.search_text)) FROM address_useraddress a"
        " JOIN auth_user u ON u.id = a.user_id WHERE u.email <> ?"
        " UNION ALL SELECT 'basket lines', count(*), sum(quantity) FROM basket_line b JOIN basket_basket k"
        " ON k.id = b.basket_id WHERE k.status = 'Open'"
        " UNION ALL SELECT 'offers', count(*), sum(length(name)) FROM offer_conditionaloffer"
        " UNION ALL SELECT 'order addresses', count(*), sum(length(search_text || notes)) FROM order_shippingaddress"
        " UNION ALL SELECT 'order lines ' || status, count(*), sum(quantity) FROM order_line GROUP BY status"
        " UNION ALL SELECT 'order notes', count(*), sum(length(message)) FROM order_ordernote"
        " UNION ALL SELECT 'orders ' || status, count(*), round(sum(total_incl_tax), 2) FROM order_order"
        " GROUP BY status"
        " UNION ALL SELECT 'products', sum(is_public), sum(length(title || description)) FROM catalogue_product"
        " UNION ALL SELECT 'review votes', count(*), sum(delta) FROM reviews_vote"
        " UNION ALL SELECT 'reviews of others', count(*), sum(r.score + length(r.title || r.body))"
        " FROM reviews_productreview r LEFT JOIN auth_user u ON u.id = r.user_id WHERE u.email IS NOT ?"
        " UNION ALL SELECT 'stock', sum(num_in_stock - coalesce(num_allocated, 0)), round(sum(price), 2)"
        " FROM partner_stockrecord"
        " UNION ALL SELECT 'users', count(*), sum(length(email || first_name || last_name)) FROM auth_user"
        " UNION ALL SELECT 'vouchers', count(*), sum(length(code)) FROM voucher_voucher"
        " UNION ALL SELECT 'wish list lines', count(*), sum(quantity) FROM wishlists_line"
        " ORDER BY what",
        (CUSTOMER, CUSTOMER),
    ),
}


@dataclass(frozen=True)
class Template:
    """What the tasks of one kind share."""

    id: str
    intent: str
    kind: str
    site: str
    account: str
    start: str


PRICE = Template("shop-price", 'Get the price of the product "{product}".', "retrieve", "shop", "customer", "/")
TOTAL = Template(
    "admin-order-total", "Get the total of order number {order}.", "retrieve", "admin", "staff", "/dashboard/"
)
CATEGORY = Template("shop-category", 'Open the page of the category "{category}".', "navigate", "shop", "customer", "/")
REVIEW = Template(
    "shop-review",
    'Write a review of the product "{product}" with {stars} stars, the title "{title}" and the text "{body}"',
    "mutate",
    "shop",
    "customer",
    "/",
)
ADDRESS = Template(
    "shop-address",
    'Change the {field} of my saved address in {city} to "{value}".',
    "mutate",
    "shop",
    "customer",
    "/",
)
MISSING = Template("shop-missing", 'Get the price of the product "{product}".', "retrieve", "shop", "customer", "/")

REVIEWS = (
    (4, "Served us well all summer", "We use it every weekend. It is easy to clean and still looks new."),
    (2, "Not what I expected", "It arrived on time, but it feels lighter and less solid than my old one."),
)
ADDRESS_CHANGES = (
    ("first line", 2, "Unit 9, The Old Foundry, Canal Road"),
    ("postcode", 7, "EX4 6NE"),
)
"""Field as a person says it, its column in the probe `addresses`, the new value."""
MISSING_PRODUCTS = ("Meridian Espresso Machine", "Osprey Telescopic Fishing Rod")


def load(data: Path) -> list[Task]:
    """The tasks of a site that `python -m webassay.sites.miniweb build --out DATA` wrote."""
    path = data / "site.sqlite3"
    if not path.is_file():
        command = f"python -m webassay.sites.miniweb build --out {data}"
        raise TaskError(f"{path}: no such database; build it with `{command}`")
    database = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    try:
        return unique(tasks(database))
    except sqlite3.DatabaseError as error:
        raise TaskError(f"{path}: not a miniweb database ({error}); build it again") from None
    finally:
        database.close()


def tasks(database: sqlite3.Connection) -> Iterator[Task]:
    state = {name: ask(database, probe.sql or "", *probe.params) for name, probe in PROBES.items()}
    yield from price_tasks(database, state)
    yield from total_tasks(database, state)
    yield from category_tasks(database, state)
    yield from review_tasks(database, state)
    yield from address_tasks(database, state)
    yield from missing_tasks(database, state)


def price_tasks(database: sqlite3.Connection, state: State) -> Iterator[Task]:
    """A price that two products share would let the wrong product pass."""
    products = ask(
        database,
        "SELECT p.title, s.price FROM catalogue_product p JOIN partner_stockrecord s ON s.product_id = p.id"
        " GROUP BY s.price HAVING count(*) = 1 AND s.num_in_stock > 0 ORDER BY p.id",
    )
    for number, (product, price) in enumerate(spread(products, 3), 1):
        yield task(PRICE, number, {"product": product}, [answer(PRICE, [float(price)])], state)


def total_tasks(database: sqlite3.Connection, state: State) -> Iterator[Task]:
    orders = ask(
        database,
        "SELECT number, total_incl_tax FROM order_order GROUP BY total_incl_tax HAVING count(*) = 1 ORDER BY id",
    )
    for number, (order, total) in enumerate(spread(orders, 3), 1):
        yield task(TOTAL, number, {"order": order}, [answer(TOTAL, [float(total)])], state)


def category_tasks(database: sqlite3.Connection, state: State) -> Iterator[Task]:
    """Only categories below a department: the departments stand in the menu."""
    categories = ask(
        database,
        "SELECT c.name, d.slug || '/' || c.slug || '_' || c.id FROM catalogue_category c"
        " JOIN catalogue_category d ON d.path = substr(c.path, 1, 4) WHERE c.depth = 2 ORDER BY c.path",
    )
    for number, (category, address) in enumerate(spread(categories, 2), 1):
        visit = event(f"__SHOP__/catalogue/category/{address}/")
        yield task(CATEGORY, number, {"category": category}, [answer(CATEGORY), visit], state)


def review_tasks(database: sqlite3.Connection, state: State) -> Iterator[Task]:
    """Of products that the customer has not reviewed: the shop takes one review each."""
    products = ask(
        database,
        "SELECT title, slug || '_' || id FROM catalogue_product WHERE id NOT IN (SELECT r.product_id"
        " FROM reviews_productreview r JOIN auth_user u ON u.id = r.user_id WHERE u.email = ?) ORDER BY id",
        CUSTOMER,
    )
    chosen = zip(spread(products, len(REVIEWS)), REVIEWS, strict=True)
    for number, ((product, address), (stars, title, body)) in enumerate(chosen, 1):
        values = {"product": product, "stars": stars, "title": title, "body": body}
        sent = event(f"__SHOP__/catalogue/{address}/reviews/add/", http_method="POST", response_status=302)
        after = {"reviews": sorted([*state["reviews"], [product, stars, title, body, 1]])}
        yield task(REVIEW, number, values, [answer(REVIEW), sent], state, after)


def address_tasks(database: sqlite3.Connection, state: State) -> Iterator[Task]:
    addresses = ask(
        database,
        "SELECT a.id, a.line4 FROM address_useraddress a JOIN auth_user u ON u.id = a.user_id"
        " WHERE u.email = ? ORDER BY a.id",
        CUSTOMER,
    )
    for number, (field, column, value) in enumerate(ADDRESS_CHANGES, 1):
        key, city = addresses[number]
        changed = [list(row) for row in state["addresses"]]
        changed[number][column] = value
        sent = event(f"__SHOP__/accounts/addresses/{key}/", http_method="POST", response_status=302)
        values = {"field": field, "city": city, "value": value}
        yield task(ADDRESS, number, values, [answer(ADDRESS), sent], state, {"addresses": changed})


def missing_tasks(database: sqlite3.Connection, state: State) -> Iterator[Task]:
    for number, product in enumerate(MISSING_PRODUCTS, 1):
        if ask(database, "SELECT 1 FROM catalogue_product WHERE title = ? COLLATE NOCASE", product):
            raise TaskError(f"the shop sells {product!r}; choose a name in MISSING_PRODUCTS that it does not")
        absent = answer(MISSING, status="NOT_FOUND_ERROR")
        yield task(MISSING, number, {"product": product}, [absent], state)


def ask(database: sqlite3.Connection, sql: str, *params: Any) -> Rows:
    return [list(row) for row in database.execute(sql, params)]


def spread(rows: Rows, count: int) -> Sequence[list[Any]]:
    """So many rows, evenly from first to last."""
    if len(rows) < count:
        raise TaskError(f"the site has {len(rows)} rows to choose from, {count} are needed; build it again")
    return [rows[len(rows) * (2 * n + 1) // (2 * count)] for n in range(count)]


def answer(template: Template, data: list[float] | None = None, status: str = "SUCCESS") -> dict[str, Any]:
    return {
        "evaluator": "AgentResponseEvaluator",
        "results_schema": NO_DATA if data is None else PRICES,
        "expected": {"task_type": template.kind, "status": status, "retrieved_data": data},
    }


def event(url: str, **details: Any) -> dict[str, Any]:
    return {"evaluator": "NetworkEventEvaluator", "expected": {"url": url, **details}}


def task(
    template: Template,
    number: int,
    values: dict[str, Any],
    evaluators: list[dict[str, Any]],
    before: State,
    after: State | None = None,
) -> Task:
    """`after` holds only the probes whose rows shall change."""
    final = before | (after or {})
    states = [
        {"evaluator": "StateEvaluator", "probe": name, "before": before[name], "after": final[name]} for name in PROBES
    ]
    return Task(
        task_id=f"{template.id}-{number}",
        intent=template.intent.format(**values),
        sites=(template.site,),
        intent_template_id=template.id,
        eval=(*evaluators, *states),
        start_urls=(f"__{template.site.upper()}__{template.start}",),
        intent_template=template.intent,
        instantiation_dict=values,
        account=template.account,
        probes=PROBES,
    )
