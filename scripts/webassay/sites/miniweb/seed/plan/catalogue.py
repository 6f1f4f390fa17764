"""What the shop sells, and since when."""

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from webassay.sites.miniweb.seed.plan.calendar import OPENING
from webassay.sites.miniweb.seed.plan.curated import curated

DEPARTMENTS = ("outdoor", "home", "electronics", "family", "paper")
SOLD_OUT = 9


@dataclass(frozen=True)
class Product:
    title: str
    noun: str
    """What people call it in a sentence, in the singular."""
    category: str
    product_class: str
    price: Decimal
    picture: str
    """A drawing of pictures.toml."""
    text: str
    in_stock: int
    """What is left today, after all orders."""
    created: datetime


@dataclass(frozen=True)
class Category:
    name: str
    description: str
    children: tuple["Category", ...] = ()


def departments() -> list[dict[str, Any]]:
    return [curated(f"catalogue/{name}") for name in DEPARTMENTS]


def plan_categories() -> tuple[Category, ...]:
    return tuple(
        Category(
            department["name"],
            department["description"],
            tuple(Category(child["name"], child["description"]) for child in department["categories"]),
        )
        for department in departments()
    )


def plan_products(rng: random.Random) -> tuple[Product, ...]:
    rows = [
        (department["product_class"], category["name"], row)
        for department in departments()
        for category in department["categories"]
        for row in category["products"]
    ]
    # The first of each category stays in stock: it is what a visitor sees first.
    sold_out = rng.sample([number for number in range(len(rows)) if number % 10], SOLD_OUT)
    days = rng.sample(range(280), len(rows))
    return tuple(
        Product(
            title=row["title"],
            noun=row["noun"],
            category=category,
            product_class=product_class,
            price=Decimal(f"{row['price']:.2f}"),
            picture=row["picture"],
            text=row["text"],
            in_stock=0 if number in sold_out else rng.randint(4, 80),
            created=OPENING - timedelta(days=420 - days[number], minutes=rng.randint(0, 500)),
        )
        for number, (product_class, category, row) in enumerate(rows)
    )
