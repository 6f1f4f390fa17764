"""Who buys and says what, and when: decided before anything is written, from curated texts and one seed."""

import random
import tomllib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SEED = 20250616
OPENING = datetime(2024, 9, 2, 8, 0, tzinfo=UTC)
TODAY = datetime(2025, 6, 16, 9, 30, tzinfo=UTC)
"""The site's clock when a visitor first comes."""

ORDERS, REVIEWS = 60, 120
ORDERS_TODAY, ORDERS_THIS_WEEK, ORDERS_OF_FIRST_CUSTOMER = 5, 6, 6
SCORE_WEIGHTS = {5: 44, 4: 30, 3: 13, 2: 8, 1: 5}


@dataclass(frozen=True)
class Product:
    title: str
    category: str
    product_class: str
    price: Decimal
    picture: str
    """A drawing of pictures.toml."""
    text: str
    in_stock: int
    created: datetime


@dataclass(frozen=True)
class Address:
    line1: str
    city: str
    postcode: str


@dataclass(frozen=True)
class Customer:
    first_name: str
    last_name: str
    addresses: tuple[Address, ...]
    joined: datetime

    @property
    def email(self) -> str:
        return f"{self.first_name}.{self.last_name}@example.com".lower()


@dataclass(frozen=True)
class Order:
    """Customer and products by their position in the plan."""

    customer: int
    lines: tuple[tuple[int, int], ...]
    """Product and quantity."""
    placed: datetime
    history: tuple[tuple[str, datetime], ...]
    """Statuses after Pending."""


@dataclass(frozen=True)
class Review:
    customer: int
    product: int
    score: int
    title: str
    body: str
    written: datetime


@dataclass(frozen=True)
class Category:
    name: str
    description: str
    children: tuple["Category", ...] = ()


@dataclass(frozen=True)
class Plan:
    categories: tuple[Category, ...]
    products: tuple[Product, ...]
    customers: tuple[Customer, ...]
    orders: tuple[Order, ...]
    reviews: tuple[Review, ...]


def make_plan() -> Plan:
    rng = random.Random(SEED)
    departments = curated("catalogue")["departments"]
    products = plan_products(departments, rng)
    customers = plan_customers(rng)
    orders = plan_orders(products, len(customers), rng)
    reviews = plan_reviews(products, orders, rng)
    return Plan(plan_categories(departments), products, customers, orders, reviews)


def curated(name: str) -> dict[str, Any]:
    return tomllib.loads((HERE / f"{name}.toml").read_text("utf-8"))


def plan_categories(departments: list[dict[str, Any]]) -> tuple[Category, ...]:
    return tuple(
        Category(
            department["name"],
            department["description"],
            tuple(Category(child["name"], child["description"]) for child in department["categories"]),
        )
        for department in departments
    )


def plan_products(departments: list[dict[str, Any]], rng: random.Random) -> tuple[Product, ...]:
    rows = [
        (department["product_class"], category["name"], row)
        for department in departments
        for category in department["categories"]
        for row in category["products"]
    ]
    sold_out = rng.sample(range(len(rows)), 3)
    days = rng.sample(range(250), len(rows))
    return tuple(
        Product(
            title=row["title"],
            category=category,
            product_class=product_class,
            price=Decimal(f"{row['price']:.2f}"),
            picture=row["picture"],
            text=row["text"],
            in_stock=0 if number in sold_out else rng.randint(4, 80),
            created=OPENING - timedelta(days=300 - days[number], minutes=rng.randint(0, 500)),
        )
        for number, (product_class, category, row) in enumerate(rows)
    )


def plan_customers(rng: random.Random) -> tuple[Customer, ...]:
    people = curated("people")["customers"]
    return tuple(
        Customer(
            first_name=person["name"].partition(" ")[0],
            last_name=person["name"].partition(" ")[2],
            addresses=tuple(Address(*address) for address in person["addresses"]),
            joined=OPENING - timedelta(days=40 - 2 * number, minutes=rng.randint(0, 900)),
        )
        for number, person in enumerate(people)
    )


def plan_orders(products: tuple[Product, ...], customers: int, rng: random.Random) -> tuple[Order, ...]:
    """In order of time; some on the last day, so that the dashboard's graph has bars."""
    earlier = ORDERS - ORDERS_TODAY - ORDERS_THIS_WEEK
    ages = [rng.randint(10_000, 410_000) for _ in range(earlier)]
    ages += [rng.randint(1_500, 7_000) for _ in range(ORDERS_THIS_WEEK)]
    ages += [rng.randint(30, 1_300) for _ in range(ORDERS_TODAY)]
    times = sorted(TODAY - timedelta(minutes=age, seconds=rng.randint(0, 59)) for age in ages)
    buyers = [0] * ORDERS_OF_FIRST_CUSTOMER
    buyers += [1 + n % (customers - 1) for n in range(ORDERS - ORDERS_OF_FIRST_CUSTOMER)]
    rng.shuffle(buyers)
    sellable = [number for number, product in enumerate(products) if product.in_stock]
    return tuple(
        Order(buyer, lines(sellable, rng), placed, history(placed, rng))
        for buyer, placed in zip(buyers, times, strict=True)
    )


def lines(sellable: list[int], rng: random.Random) -> tuple[tuple[int, int], ...]:
    chosen = rng.sample(sellable, rng.choice((1, 2, 2, 3, 3, 4, 5)))
    return tuple((product, rng.choice((1, 1, 1, 2, 3))) for product in chosen)


def history(placed: datetime, rng: random.Random) -> tuple[tuple[str, datetime], ...]:
    """Orders are looked at within a day and leave within five; one in ten is cancelled first."""
    looked_at = placed + timedelta(hours=rng.randint(3, 30))
    left = looked_at + timedelta(hours=rng.randint(12, 96))
    cancelled = rng.random() < 0.1
    statuses = [("Cancelled", looked_at)] if cancelled else [("Being processed", looked_at), ("Shipped", left)]
    return tuple((status, moment) for status, moment in statuses if moment < TODAY)


def plan_reviews(products: tuple[Product, ...], orders: tuple[Order, ...], rng: random.Random) -> tuple[Review, ...]:
    """People review what they bought, once, some days after it came."""
    texts = curated("reviews")
    bought: dict[tuple[int, int], datetime] = {}
    for order in orders:
        if order.history and order.history[-1][0] == "Shipped":
            for product, _ in order.lines:
                bought.setdefault((order.customer, product), order.history[-1][1])
    chosen = sorted(rng.sample(sorted(bought), REVIEWS))
    written = [(reviewed(bought[pair], rng), pair) for pair in chosen]
    return tuple(
        review(customer, product, products[product].category, moment, texts, rng)
        for moment, (customer, product) in sorted(written)
    )


def reviewed(shipped: datetime, rng: random.Random) -> datetime:
    moment = shipped + timedelta(minutes=rng.randint(3 * 1440, 30 * 1440))
    return min(moment, TODAY - timedelta(minutes=rng.randint(60, 2000)))


def review(
    customer: int, product: int, category: str, written: datetime, texts: dict[str, Any], rng: random.Random
) -> Review:
    score = rng.choices(list(SCORE_WEIGHTS), list(SCORE_WEIGHTS.values()))[0]
    words, remarks = texts["scores"][str(score)], texts["remarks"][category]
    remark = rng.choice(remarks["good" if score > 3 else "bad"])
    body = f"{rng.choice(words['openings'])} {remark} {rng.choice(words['closings'])}"
    return Review(customer, product, score, rng.choice(words["titles"]), body, written)
