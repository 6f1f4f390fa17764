"""Tasks of the shop's dashboard: staff look at orders and customers, change orders, products and vouchers."""

import sqlite3
from collections.abc import Iterator

from webassay.benchmarks.miniweb.forms import (
    ADDRESS,
    AMOUNT,
    COUNT,
    DATE,
    MANY,
    TEXT,
    Rows,
    Template,
    absent,
    appended,
    ask,
    distinct,
    done,
    ends_at,
    event,
    found,
    insert,
    local,
    only,
    posted,
    refused,
    replaced,
    says,
    says_not_applicable,
    searched,
    seen,
    shape,
    shows,
    spread,
    task,
    update,
    utc,
    watched,
)
from webassay.core.task import Probe, Task

ADMIN = ("admin",)
START = "/dashboard/"


def template(name: str, intent: str, kind: str, difficulty: str) -> Template:
    return Template(f"admin-{name}", intent, kind, ADMIN, difficulty, "staff", START)


TOTAL = template("order-total", "Get the total of order number {order}.", "retrieve", "easy")
SUMMARY = template(
    "order-summary",
    "Get the customer's name, the date of purchase and the total of order number {order},"
    ' as an object with the keys "customer", "date" and "total".',
    "retrieve",
    "medium",
)
SHIPPED_TO = template(
    "order-address",
    "Get the address that order number {order} is shipped to: street, city and postcode.",
    "retrieve",
    "medium",
)
STATUS_COUNT = template("status-count", 'How many orders have the status "{status}"?', "retrieve", "medium")
CUSTOMER_PAGE = template("customer", "Open the dashboard's page of the customer {name}.", "navigate", "easy")
STATUS = template("order-status", 'Set the status of order number {order} to "{status}".', "mutate", "medium")
STOCK = template(
    "stock",
    'Set the price of the product "{product}" to £{price} and the number in stock to {stock}.',
    "mutate",
    "hard",
)
VOUCHER = template(
    "voucher",
    'Create a voucher named "{name}" with the code {code}, valid from {start} 00:00:00 to {end} 00:00:00, that each'
    ' customer can use once, for the offer "{offer}".',
    "mutate",
    "hard",
)
MISSING = template("missing-order", "Get the total of order number {order}.", "retrieve", "medium")
FINAL = template("final-status", 'Set the status of order number {order} to "{status}".', "mutate", "hard")

VOUCHERS = (
    ("Summer thanks", "SUMMER25", "2025-07-01", "2025-08-31"),
    ("Harvest weekend", "HARVEST25", "2025-09-19", "2025-09-22"),
)
STOCKS = (("19.45", 64), ("87.25", 17))
"""New prices and numbers in stock."""
NEXT = {"Pending": "Being processed", "Being processed": "Shipped"}
"""What the shop offers next, besides cancelling."""

ORDERS = (
    "SELECT o.number, o.total_incl_tax, o.status, o.date_placed, u.first_name || ' ' || u.last_name, a.line1, a.line4,"
    " a.postcode FROM order_order o JOIN auth_user u ON u.id = o.user_id"
    " JOIN order_shippingaddress a ON a.id = o.shipping_address_id"
)


def order_page(order: str) -> str:
    return f"__ADMIN__/dashboard/orders/{order}/"


def total_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    orders = distinct(ask(database, f"{ORDERS} ORDER BY o.id"), 1)
    for number, (order, total, *_) in enumerate(spread(orders, MANY), 1):
        yield task(TOTAL, number, {"order": order}, found(TOTAL, [float(total)], AMOUNT), original=says(total))


def summary_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    schema = shape(customer=TEXT, date=DATE, total=AMOUNT)
    orders = distinct(ask(database, f"{ORDERS} ORDER BY o.id DESC"), 1)
    for number, (order, total, _, placed, name, *_) in enumerate(spread(orders, MANY), 1):
        day = local(placed).date().isoformat()
        answer = found(SUMMARY, [{"customer": name, "date": day, "total": float(total)}], schema)
        yield task(SUMMARY, number, {"order": order}, answer, original=says(name, day, total))


def shipped_to_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    """One order of each customer: nobody else's orders go to the same street."""
    orders = distinct(ask(database, f"{ORDERS} GROUP BY u.id HAVING o.id = max(o.id) ORDER BY u.id"), 5)
    for number, (order, *_, street, city, postcode) in enumerate(spread(orders, MANY), 1):
        answer = found(SHIPPED_TO, [f"{street}, {city}, {postcode}"], ADDRESS)
        yield task(SHIPPED_TO, number, {"order": order}, answer, original=says(street, postcode))


def status_count_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    counts = distinct(ask(database, "SELECT status, count(*) FROM order_order GROUP BY status ORDER BY status"), 1)
    for number, (status, count) in enumerate(spread(counts, 2), 1):
        yield task(STATUS_COUNT, number, {"status": status}, found(STATUS_COUNT, [count], COUNT), original=says(count))


def customer_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    people = ask(
        database,
        "SELECT id, first_name || ' ' || last_name AS name FROM auth_user WHERE NOT is_staff ORDER BY last_name, id",
    )
    for number, (key, name) in enumerate(spread(distinct(people, 1), MANY), 1):
        url = f"__ADMIN__/dashboard/users/{key}/"
        yield task(CUSTOMER_PAGE, number, {"name": name}, done(CUSTOMER_PAGE), event(url), original=ends_at(url))


def status_probe(order: str) -> Probe:
    return Probe("SELECT number, status, total_incl_tax FROM order_order WHERE number = ?", (order,))


def status_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    for number, (old, new) in enumerate(NEXT.items(), 1):
        ((order, *_),) = spread(ask(database, f"{ORDERS} WHERE o.status = ? ORDER BY o.id", old), 1)
        lines = only(
            ask(
                database,
                "SELECT count(*) FROM order_line l JOIN order_order o ON o.id = l.order_id WHERE o.number = ?",
                order,
            ),
            "lines",
        )[0]
        yield task(
            STATUS,
            number,
            {"order": order, "status": new},
            done(STATUS),
            posted(order_page(order), new_status=new),
            states=[watched(database, "order", status_probe(order), replaced(0, 1, new))],
            allowed=[
                update("order_order", "status"),
                update("order_line", "status", rows=lines),
                insert("order_orderstatuschange"),
                insert("order_ordernote"),
            ],
            original=shows((order_page(order), "", [f"<td>{new}</td>"])),
        )


def stock_probe(product: int) -> Probe:
    return Probe("SELECT partner_sku, price, num_in_stock FROM partner_stockrecord WHERE product_id = ?", (product,))


RESTOCKED = (
    update("partner_stockrecord", "price", "num_in_stock", "date_updated"),
    update("catalogue_product", "meta_title", "meta_description", "date_updated"),
)
"""What saving a product with another stock writes; the form turns empty descriptions for search engines into text."""


def stock_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    products = ask(
        database,
        "SELECT p.id, p.title FROM catalogue_product p"
        " JOIN partner_stockrecord s ON s.product_id = p.id WHERE s.num_in_stock > 0 ORDER BY p.id DESC",
    )
    chosen = zip(spread(products, len(STOCKS)), STOCKS, strict=True)
    for number, ((key, product), (price, stock)) in enumerate(chosen, 1):

        def change(rows: Rows, price: str = price, stock: int = stock) -> Rows:
            return [[rows[0][0], float(price), stock]]

        page = f"__ADMIN__/dashboard/catalogue/products/{key}/"
        yield task(
            STOCK,
            number,
            {"product": product, "price": price, "stock": stock},
            done(STOCK),
            posted(page),
            states=[watched(database, "stock", stock_probe(key), change)],
            allowed=RESTOCKED,
            original=shows((page, "", [f'value="{price}"', f'value="{stock}"'])),
        )


def voucher_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    offers = ask(database, "SELECT name FROM offer_conditionaloffer WHERE offer_type = 'Voucher' ORDER BY id")
    probe = Probe(
        "SELECT v.name, v.code, v.usage, v.start_datetime, v.end_datetime, o.name FROM voucher_voucher v"
        " LEFT JOIN voucher_voucher_offers k ON k.voucher_id = v.id"
        " LEFT JOIN offer_conditionaloffer o ON o.id = k.conditionaloffer_id ORDER BY v.id"
    )
    chosen = zip(VOUCHERS, spread(offers, len(VOUCHERS)), strict=True)
    for number, ((name, code, start, end), (offer,)) in enumerate(chosen, 1):
        absent(ask(database, "SELECT 1 FROM voucher_voucher WHERE code = ? OR name = ?", code, name), f"voucher {code}")
        dates = [utc(f"{day} 00:00:00") for day in (start, end)]
        yield task(
            VOUCHER,
            number,
            {"name": name, "code": code, "start": start, "end": end, "offer": offer},
            done(VOUCHER),
            posted("__ADMIN__/dashboard/vouchers/create/"),
            states=[watched(database, "vouchers", probe, appended(name, code, "Once per customer", *dates, offer))],
            allowed=[insert("voucher_voucher"), insert("voucher_voucher_offers")],
            original=shows(("__ADMIN__/dashboard/vouchers/", "", [name, code])),
        )


def missing_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    last = only(ask(database, "SELECT max(CAST(number AS INTEGER)) FROM order_order"), "last order")[0]
    for number, order in enumerate((str(last + 8203), str(last + 4716)), 1):
        looked = searched("__ADMIN__/dashboard/orders/", "order_number", order, order_page(order))
        answer, original = refused(MISSING, "NOT_FOUND_ERROR"), says_not_applicable("no such order")
        yield task(MISSING, number, {"order": order}, answer, looked, original=original)


def final_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    """What is cancelled or returned stays so."""
    orders = ask(database, f"{ORDERS} WHERE o.status IN ('Cancelled', 'Returned') ORDER BY o.id")
    for number, ((order, *_), status) in enumerate(zip(spread(orders, 2), ("Shipped", "Pending"), strict=True), 1):
        answer, looked = refused(FINAL, "ACTION_NOT_ALLOWED_ERROR"), seen(order_page(order))
        original = says_not_applicable("the status of such an order cannot be changed")
        yield task(FINAL, number, {"order": order, "status": status}, answer, looked, original=original)


TASKS = (
    total_tasks,
    summary_tasks,
    shipped_to_tasks,
    status_count_tasks,
    customer_tasks,
    status_tasks,
    stock_tasks,
    voucher_tasks,
    missing_tasks,
    final_tasks,
)
