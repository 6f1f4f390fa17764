"""What a ticket can be about: an order that has come so far, or a product."""

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from webassay.sites.miniweb.seed.plan.calendar import OPENING, TODAY
from webassay.sites.miniweb.seed.plan.catalogue import Product
from webassay.sites.miniweb.seed.plan.forum import Author
from webassay.sites.miniweb.seed.plan.orders import Order
from webassay.sites.miniweb.seed.plan.people import Customer

FIRST_ORDER_NUMBER = 100_001
"""Oscar counts orders by their baskets."""


@dataclass(frozen=True)
class Matter:
    author: Author
    """Who asks."""
    words: dict[str, str]
    """They fill the templates."""
    since: datetime
    """Nobody could have asked before."""


@dataclass
class World:
    """What there is to ask about, and which orders have a ticket already."""

    products: tuple[Product, ...]
    customers: tuple[Customer, ...]
    orders: tuple[Order, ...]
    taken: set[int]

    def matter(self, kind: dict[str, Any], own: bool, rng: random.Random) -> Matter:
        """`own`: of the first customer, where one of theirs fits."""
        if kind["about"] == "product":
            return self.about_a_product(kind, own, rng)
        return self.about_an_order(kind, own, rng)

    def about_a_product(self, kind: dict[str, Any], own: bool, rng: random.Random) -> Matter:
        number = rng.randrange(len(self.products))
        customer = Author(0 if own else rng.randint(1, len(self.customers) - 1))
        author = Author(kind["colleague"], staff=True) if "colleague" in kind else customer
        name = "colleague" if author.staff else self.customers[author.number].first_name
        words = product_words(number, self.products[number]) | {"name": name}
        days = rng.randint(25, (TODAY - OPENING).days - 9)
        return Matter(author, words | loose_words(rng), OPENING + timedelta(days=days))

    def about_an_order(self, kind: dict[str, Any], own: bool, rng: random.Random) -> Matter:
        fitting = [
            number
            for number, order in enumerate(self.orders)
            if number not in self.taken and reached(order, kind["about"]) and order.placed < TODAY - timedelta(days=1)
        ]
        number = rng.choice([number for number in fitting if (self.orders[number].customer == 0) == own] or fitting)
        self.taken.add(number)
        order = self.orders[number]
        words = self.order_words(number, order, rng) | loose_words(rng)
        return Matter(Author(order.customer), words, reached(order, kind["about"]) or order.placed)

    def order_words(self, number: int, order: Order, rng: random.Random) -> dict[str, str]:
        customer = self.customers[order.customer]
        total = sum((self.products[product].price * quantity for product, quantity in order.lines), Decimal(0))
        product = rng.choice(order.lines)[0]
        return product_words(product, self.products[product]) | {
            "name": customer.first_name,
            "order": str(FIRST_ORDER_NUMBER + number),
            "total": f"£{total:.2f}",
            "placed": f"{order.placed.day} {order.placed:%B}",
            "city": customer.addresses[0].city,
            "street": customer.addresses[0].line1,
        }


def reached(order: Order, status: str) -> datetime | None:
    """When the order came so far; Shipped, Returned and Cancelled only where it has stayed there."""
    if status == "placed":
        return order.placed
    if status == "Being processed" or order.status == status:
        return order.reached(status)
    return None


def product_words(number: int, product: Product) -> dict[str, str]:
    return {"product": product.title, "noun": product.noun, "price": f"£{product.price}", "sku": f"W-{number + 1:04d}"}


def loose_words(rng: random.Random) -> dict[str, str]:
    """Numbers that only have to be believable."""
    return {
        "days": str(rng.randint(2, 9)),
        "count": str(rng.randint(3, 24)),
        "hour": f"{rng.randint(8, 17)}:{rng.choice(('00', '15', '30', '45'))}",
        "parcel": f"FD{rng.randint(10_000_000, 99_999_999)}",
        "weekday": rng.choice(("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")),
        "bay": f"{rng.choice('ABCDEF')}{rng.randint(1, 28)}",
        "percent": str(rng.choice((10, 15, 20, 25))),
    }
