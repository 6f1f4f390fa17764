"""Tasks of the shop: a customer looks things up, orders, reviews, and tries what the shop does not let her do."""

import sqlite3
from collections.abc import Iterator

from webassay.benchmarks.miniweb.forms import (
    AMOUNT,
    COUNT,
    CUSTOMER,
    DATE,
    MANY,
    MONTH,
    TEXT,
    TRUTH,
    Rows,
    Template,
    absent,
    appended,
    ask,
    below,
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
    says_exactly,
    says_not_applicable,
    searched,
    seen,
    shows,
    spread,
    task,
    update,
    watched,
)
from webassay.core.task import Probe, Task
from webassay.errors import TaskError

SHOP = ("shop",)

PRICE = Template("shop-price", 'Get the price of the product "{product}".', "retrieve", SHOP, "easy")
ORDER_DATE = Template(
    "shop-order-date", "On which date did I place my order with a total of £{total}?", "retrieve", SHOP, "medium"
)
REVIEW_MONTH = Template(
    "shop-review-month", 'In which month did {name} review the product "{product}"?', "retrieve", SHOP, "medium"
)
REVIEW_COUNT = Template(
    "shop-review-count",
    'How many of the reviews of the product "{product}" give it {stars} out of 5 stars?',
    "retrieve",
    SHOP,
    "medium",
)
REVIEWED = Template("shop-reviewed", 'Has {name} reviewed the product "{product}"?', "retrieve", SHOP, "medium")
CHEAPER = Template(
    "shop-cheaper",
    'List the titles of all products in the category "{category}" that cost less than £{limit}.',
    "retrieve",
    SHOP,
    "hard",
)
CATEGORY = Template("shop-category", 'Open the page of the category "{category}".', "navigate", SHOP, "easy")
REVIEW = Template(
    "shop-review",
    'Write a review of the product "{product}" with {stars} stars, the title "{title}" and the text "{body}"',
    "mutate",
    SHOP,
    "medium",
)
ADDRESS = Template(
    "shop-address", 'Change the {field} of my saved address in {city} to "{value}".', "mutate", SHOP, "medium"
)
WISH = Template("shop-wish", 'Put the product "{product}" on my wish list "{wishes}".', "mutate", SHOP, "easy")
ORDER = Template(
    "shop-order",
    'Order one "{product}" and have it delivered to my saved address in {city}.',
    "mutate",
    SHOP,
    "hard",
)
MISSING = Template(
    "shop-missing",
    'Get the price of the product "{product}" in the category "{category}".',
    "retrieve",
    SHOP,
    "medium",
)
SOLD_OUT = Template(
    "shop-sold-out",
    'Order one "{product}" and have it delivered to my saved address in {city}.',
    "mutate",
    SHOP,
    "medium",
)
REVIEW_AGAIN = Template(
    "shop-review-again",
    'Write a further review of the product "{product}" with {stars} stars, the title "{title}" and the text "{body}"',
    "mutate",
    SHOP,
    "hard",
)
POSTCODE = Template(
    "shop-postcode", 'Change the postcode of my saved address in {city} to "{value}".', "mutate", SHOP, "hard"
)
INVOICE = Template(
    "shop-invoice", "Send the invoice of my order number {order} to me again, as a PDF.", "mutate", SHOP, "hard"
)
PARCEL = Template(
    "shop-parcel", "Find out in which town the parcel of my order number {order} is now.", "retrieve", SHOP, "medium"
)

TEXTS = (
    (4, "Served us well all summer", "We use it every weekend. It is easy to clean and still looks new."),
    (2, "Not what I expected", "It arrived on time, but it feels lighter and less solid than my old one."),
)
ADDRESS_CHANGES = (
    ("first line", 2, "line1", "Flat 2, 31 Alma Vale Road"),
    ("postcode", 7, "postcode", "BA1 5LR"),
)
"""Field as a person says it, its place in the probe `addresses`, its column, the new value."""
BAD_POSTCODES = ("BRISTOL 6", "BA-2")
MISSING_PRODUCTS = (("Meridian Espresso Machine", "Kitchen"), ("Kestrel Binoculars", "Hiking"))
"""With the category where a person would look."""

ADDRESSES = Probe(
    "SELECT a.first_name, a.last_name, a.line1, a.line2, a.line3, a.line4, a.state, a.postcode, a.country_id,"
    " a.phone_number, a.notes, a.is_default_for_shipping, a.is_default_for_billing"
    " FROM address_useraddress a JOIN auth_user u ON u.id = a.user_id WHERE u.email = ? ORDER BY a.id",
    (CUSTOMER,),
)
REVIEWS = Probe(
    "SELECT p.title, r.score, r.title, r.body, r.status FROM reviews_productreview r"
    " JOIN catalogue_product p ON p.id = r.product_id JOIN auth_user u ON u.id = r.user_id"
    " WHERE u.email = ? ORDER BY r.id",
    (CUSTOMER,),
)
WISHES = Probe(
    "SELECT w.name, l.title, l.quantity FROM wishlists_line l JOIN wishlists_wishlist w ON w.id = l.wishlist_id"
    " JOIN auth_user u ON u.id = w.owner_id WHERE u.email = ? ORDER BY l.id",
    (CUSTOMER,),
)
ORDERS = Probe(
    "SELECT l.title, l.quantity, o.total_incl_tax, o.status, a.line1, a.line4, a.postcode FROM order_line l"
    " JOIN order_order o ON o.id = l.order_id JOIN order_shippingaddress a ON a.id = o.shipping_address_id"
    " JOIN auth_user u ON u.id = o.user_id WHERE u.email = ? ORDER BY l.id",
    (CUSTOMER,),
)
PRODUCTS = (
    "SELECT p.title, p.slug || '_' || p.id AS address, s.price, s.num_in_stock - coalesce(s.num_allocated, 0) AS left,"
    " p.id FROM catalogue_product p JOIN partner_stockrecord s ON s.product_id = p.id"
)
CATEGORIES = (
    "SELECT c.name, d.slug || '/' || c.slug || '_' || c.id AS address, c.id FROM catalogue_category c"
    " JOIN catalogue_category d ON d.path = substr(c.path, 1, 4) WHERE c.depth = 2"
)
OF_REVIEWS = (
    "SELECT p.title, p.slug || '_' || p.id, u.first_name || ' ' || u.last_name, r.score, r.date_created"
    " FROM reviews_productreview r JOIN catalogue_product p ON p.id = r.product_id JOIN auth_user u ON u.id = r.user_id"
    " WHERE r.status = 1 AND u.email <> ? ORDER BY r.id"
)


def product_page(address: str) -> str:
    return f"__SHOP__/catalogue/{address}/"


def category_page(address: str) -> str:
    return f"__SHOP__/catalogue/category/{address}/"


def price_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    products = distinct(ask(database, f"{PRODUCTS} WHERE left > 0 ORDER BY p.id"), 2)
    for number, (product, _, price, *_) in enumerate(spread(products, MANY), 1):
        yield task(PRICE, number, {"product": product}, found(PRICE, [float(price)], AMOUNT), original=says(price))


def order_date_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    """Totals and days that no other order of hers has."""
    orders = ask(
        database,
        "SELECT o.total_incl_tax, o.date_placed FROM order_order o JOIN auth_user u ON u.id = o.user_id"
        " WHERE u.email = ? ORDER BY o.id",
        CUSTOMER,
    )
    days = distinct(distinct([[total, local(placed).date()] for total, placed in orders], 0), 1)
    for number, (total, day) in enumerate(spread(days, MANY), 1):
        answer = found(ORDER_DATE, [day.isoformat()], DATE)
        yield task(ORDER_DATE, number, {"total": f"{total:.2f}"}, answer, original=says(day.isoformat()))


def review_month_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    """Of products with several reviews, all of different months."""
    reviews = ask(database, OF_REVIEWS, CUSTOMER)
    months = [[product, address, name, f"{local(written):%B}"] for product, address, name, _, written in reviews]
    clear = [row for row in months if is_clear(row, months)]
    for number, (product, address, name, month) in enumerate(spread(clear, MANY), 1):
        values = {"name": name, "product": product}
        answer = found(REVIEW_MONTH, [month], MONTH)
        yield task(REVIEW_MONTH, number, values, answer, seen(below(product_page(address))), original=says(month))


def is_clear(row: list[str], rows: Rows) -> bool:
    """Another review of the product would give another answer, and there is one."""
    others = [other[3] for other in rows if other[0] == row[0] and other is not row]
    return len(others) > 1 and row[3] not in others


def review_count_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    """One with none, one with several."""
    reviews = ask(database, OF_REVIEWS.replace("u.email <> ?", "u.email <> ''"))
    for number, (stars, wanted) in enumerate(((1, 0), (4, 2)), 1):
        counts = [
            [product, address]
            for product, address in dict.fromkeys((row[0], row[1]) for row in reviews)
            if len(scores := [row[3] for row in reviews if row[0] == product]) > 3 and scores.count(stars) == wanted
        ]
        ((product, address),) = spread(counts, 1)
        values = {"product": product, "stars": stars}
        answer = found(REVIEW_COUNT, [wanted], COUNT)
        yield task(REVIEW_COUNT, number, values, answer, seen(below(product_page(address))), original=says(wanted))


def reviewed_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    """Asked twice of somebody who did, and once of somebody who reviewed other things."""
    reviews = ask(database, OF_REVIEWS, CUSTOMER)
    names = sorted({row[2] for row in reviews})
    for number, (product, address, name, *_) in enumerate(spread(reviews, 3), 1):
        writers = {row[2] for row in reviews if row[0] == product}
        is_true = number % 2 == 1
        asked = name if is_true else next(one for one in names if one not in writers)
        values, answer = {"name": asked, "product": product}, found(REVIEWED, [is_true], TRUTH)
        yield task(REVIEWED, number, values, answer, seen(below(product_page(address))), original=says_exactly(is_true))


def cheaper_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    """A limit between the third and the fourth price, so that three products are asked for."""
    for number, (category, address, key) in enumerate(spread(ask(database, f"{CATEGORIES} ORDER BY c.path"), 2), 1):
        products = ask(
            database,
            f"{PRODUCTS} JOIN catalogue_productcategory k ON k.product_id = p.id"
            " WHERE k.category_id = ? ORDER BY s.price",
            key,
        )
        limit = round((products[2][2] + products[3][2]) / 2)
        titles = [row[0] for row in products if row[2] < limit]
        if len(titles) != 3 or limit in [row[2] for row in products]:
            raise TaskError(f"{CHEAPER.id}: no whole number parts three products of {category!r} from the others")
        values, answer = {"category": category, "limit": limit}, found(CHEAPER, titles, TEXT)
        yield task(CHEAPER, number, values, answer, seen(category_page(address)), original=says(*titles))


def category_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    """Only categories below a department: the departments stand in the menu."""
    categories = ask(database, f"{CATEGORIES} ORDER BY c.path")
    for number, (category, address, _) in enumerate(spread(categories, MANY), 1):
        url = category_page(address)
        yield task(CATEGORY, number, {"category": category}, done(CATEGORY), event(url), original=ends_at(url))


def review_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    """Of products that the customer has not reviewed: the shop takes one review each."""
    products = ask(
        database,
        f"{PRODUCTS} WHERE p.id NOT IN (SELECT r.product_id FROM reviews_productreview r"
        " JOIN auth_user u ON u.id = r.user_id WHERE u.email = ?) ORDER BY p.id",
        CUSTOMER,
    )
    chosen = zip(spread(products, len(TEXTS)), TEXTS, strict=True)
    for number, ((product, address, *_), (stars, title, body)) in enumerate(chosen, 1):
        yield task(
            REVIEW,
            number,
            {"product": product, "stars": stars, "title": title, "body": body},
            done(REVIEW),
            posted(f"{product_page(address)}reviews/add/", title=title, score=str(stars)),
            states=[watched(database, "reviews", REVIEWS, appended(product, stars, title, body, 1))],
            allowed=[
                insert("reviews_productreview"),
                update("catalogue_product", "rating", "date_updated"),
            ],
            original=shows((f"{product_page(address)}reviews/", "", [title, body])),
        )


def saved_addresses(database: sqlite3.Connection) -> Rows:
    """Key and city."""
    saved = ask(
        database,
        "SELECT a.id, a.line4 FROM address_useraddress a JOIN auth_user u ON u.id = a.user_id"
        " WHERE u.email = ? ORDER BY a.id",
        CUSTOMER,
    )
    if len(saved) < 3 or distinct(saved, 1) != saved:
        raise TaskError(f"{CUSTOMER} needs three addresses in different cities, has {saved}; build the site again")
    return saved


def address_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    saved = saved_addresses(database)
    for number, (field, place, column, value) in enumerate(ADDRESS_CHANGES, 1):
        key, city = saved[number - 1]
        yield task(
            ADDRESS,
            number,
            {"field": field, "city": city, "value": value},
            done(ADDRESS),
            posted(f"__SHOP__/accounts/addresses/{key}/"),
            states=[watched(database, "addresses", ADDRESSES, replaced(number - 1, place, value))],
            allowed=[update("address_useraddress", column, "search_text", "hash")],
            original=shows(("__SHOP__/accounts/addresses/", "", [value])),
        )


def wish_list(database: sqlite3.Connection) -> list[str]:
    """Name and key of the customer's only one."""
    sql = "SELECT w.name, w.key FROM wishlists_wishlist w JOIN auth_user u ON u.id = w.owner_id WHERE u.email = ?"
    return only(ask(database, sql, CUSTOMER), f"wish list of {CUSTOMER}")


def wish_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    name, list_key = wish_list(database)
    products = ask(database, f"{PRODUCTS} WHERE p.title NOT IN (SELECT title FROM wishlists_line) ORDER BY p.id DESC")
    for number, (product, _, _, _, key) in enumerate(spread(products, MANY), 1):
        yield task(
            WISH,
            number,
            {"product": product, "wishes": name},
            done(WISH),
            posted(f"__SHOP__/accounts/wishlists/{list_key}/add/{key}/"),
            states=[watched(database, "wishes", WISHES, appended(name, product, 1))],
            allowed=[insert("wishlists_line")],
            original=shows((f"__SHOP__/accounts/wishlists/{list_key}/", "", [product])),
        )


ORDERED = (
    insert("basket_basket"),
    insert("basket_line"),
    update("basket_basket", "status", "date_submitted"),
    insert("order_order"),
    insert("order_line"),
    insert("order_lineprice"),
    insert("order_shippingaddress"),
    insert("communication_email"),
    insert("communication_notification"),
    update("partner_stockrecord", "num_allocated", "date_updated"),
    update("address_useraddress", "num_orders_as_shipping_address"),
)
"""What one order of one product writes."""


def order_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    saved, places = saved_addresses(database), ask(database, ADDRESSES.sql or "", CUSTOMER)
    products = ask(database, f"{PRODUCTS} WHERE left > 5 ORDER BY s.price, p.id")
    for number, (product, _, price, _, key) in enumerate(spread(products, 2), 1):
        city, place = saved[number - 1][1], places[number - 1]
        yield task(
            ORDER,
            number,
            {"product": product, "city": city},
            done(ORDER),
            posted(f"__SHOP__/basket/add/{key}/"),
            posted("__SHOP__/checkout/preview/"),
            states=[
                watched(database, "orders", ORDERS, appended(product, 1, price, "Pending", place[2], city, place[7]))
            ],
            allowed=ORDERED,
            original=shows(("last", "", [product, city, "Confirmation"])),
        )


def missing_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    for number, (product, category) in enumerate(MISSING_PRODUCTS, 1):
        _, address, _ = only(ask(database, f"{CATEGORIES} AND c.name = ?", category), f"category {category!r}")
        absent(ask(database, "SELECT 1 FROM catalogue_product WHERE title LIKE ?", f"%{product}%"), repr(product))
        looked = searched("__SHOP__/search/", "q", product, category_page(address))
        values, answer = {"product": product, "category": category}, refused(MISSING, "NOT_FOUND_ERROR")
        yield task(MISSING, number, values, answer, looked, original=says_not_applicable(f"no product {product}"))


def sold_out_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    saved = saved_addresses(database)
    products = ask(database, f"{PRODUCTS} WHERE left <= 0 ORDER BY p.id")
    for number, (product, address, *_) in enumerate(spread(products, 2), 1):
        values = {"product": product, "city": saved[number - 1][1]}
        answer, looked = refused(SOLD_OUT, "ACTION_NOT_ALLOWED_ERROR"), seen(product_page(address))
        yield task(SOLD_OUT, number, values, answer, looked, original=says_not_applicable("it is out of stock"))


def review_again_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    mine = ask(
        database,
        "SELECT p.title, p.slug || '_' || p.id FROM reviews_productreview r JOIN auth_user u ON u.id = r.user_id"
        " JOIN catalogue_product p ON p.id = r.product_id WHERE u.email = ? AND r.status = 1 ORDER BY r.id",
        CUSTOMER,
    )
    for number, ((product, address), (stars, title, body)) in enumerate(zip(spread(mine, 2), TEXTS, strict=False), 1):
        values = {"product": product, "stars": stars, "title": title, "body": body}
        answer, looked = refused(REVIEW_AGAIN, "ACTION_NOT_ALLOWED_ERROR"), seen(below(product_page(address)))
        original = says_not_applicable("the shop takes one review of a product from each customer")
        yield task(REVIEW_AGAIN, number, values, answer, looked, original=original)


def postcode_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    for number, ((key, city), value) in enumerate(zip(saved_addresses(database), BAD_POSTCODES, strict=False), 1):
        tried = posted(f"__SHOP__/accounts/addresses/{key}/", status=200)
        answer, original = (
            refused(POSTCODE, "DATA_VALIDATION_ERROR"),
            says_not_applicable("no postcode of that country"),
        )
        yield task(POSTCODE, number, {"city": city, "value": value}, answer, tried, original=original)


def my_orders(database: sqlite3.Connection, *statuses: str) -> Rows:
    """Numbers, of all or of those with one of the statuses."""
    rows = ask(
        database,
        "SELECT o.number, o.status FROM order_order o JOIN auth_user u ON u.id = o.user_id WHERE u.email = ?"
        " ORDER BY o.id",
        CUSTOMER,
    )
    return [[number] for number, status in rows if not statuses or status in statuses]


def invoice_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    for number, (order,) in enumerate(spread(my_orders(database), 2), 1):
        answer, looked = refused(INVOICE, "NOT_SUPPORTED_BY_PLATFORM"), seen(f"__SHOP__/accounts/orders/{order}/")
        original = says_not_applicable("the shop sends no invoices")
        yield task(INVOICE, number, {"order": order}, answer, looked, original=original)


def parcel_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    """The carrier does not answer, and the page that asks it cannot say why."""
    for number, (order,) in enumerate(spread(my_orders(database, "Shipped")[::-1], 2), 1):
        answer, looked = refused(PARCEL, "UNKNOWN_ERROR"), searched("__SHOP__/tracking/", "order", order)
        original = says_not_applicable("tracking fails with an error that it does not explain")
        yield task(PARCEL, number, {"order": order}, answer, looked, original=original)


TASKS = (
    price_tasks,
    order_date_tasks,
    review_month_tasks,
    review_count_tasks,
    reviewed_tasks,
    cheaper_tasks,
    category_tasks,
    review_tasks,
    address_tasks,
    wish_tasks,
    order_tasks,
    missing_tasks,
    sold_out_tasks,
    review_again_tasks,
    postcode_tasks,
    invoice_tasks,
    parcel_tasks,
)
