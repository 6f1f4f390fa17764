"""Who orders what, and when."""

import random
from dataclasses import dataclass
from datetime import datetime, timedelta

from webassay.sites.miniweb.seed.plan.calendar import OPENING, TODAY, spread
from webassay.sites.miniweb.seed.plan.catalogue import Product

ORDERS = 400
ORDERS_TODAY, ORDERS_THIS_WEEK = 6, 14
OF_FIRST_CUSTOMER = 16


@dataclass(frozen=True)
class Order:
    """Customer and products by their position in the plan."""

    customer: int
    lines: tuple[tuple[int, int], ...]
    """Product and quantity."""
    placed: datetime
    history: tuple[tuple[str, datetime], ...]
    """Statuses after Pending."""

    @property
    def status(self) -> str:
        return self.history[-1][0] if self.history else "Pending"

    def reached(self, status: str) -> datetime | None:
        return dict(self.history).get(status)


def plan_orders(products: tuple[Product, ...], customers: int, rng: random.Random) -> tuple[Order, ...]:
    """In order of time; some on the last day, so that the dashboard's graph has bars."""
    sellable = [number for number, product in enumerate(products) if product.in_stock]
    times = order_times(rng)
    buyers = order_buyers(times, customers, rng)
    return tuple(
        Order(buyer, lines(sellable, rng), placed, history(placed, rng))
        for buyer, placed in zip(buyers, times, strict=True)
    )


def order_times(rng: random.Random) -> list[datetime]:
    week, day = TODAY - timedelta(days=6), TODAY - timedelta(hours=9)
    earlier = spread(ORDERS - ORDERS_TODAY - ORDERS_THIS_WEEK, OPENING, week, rng)
    return earlier + spread(ORDERS_THIS_WEEK, week, day, rng) + spread(ORDERS_TODAY, day, TODAY, rng)


def order_buyers(times: list[datetime], customers: int, rng: random.Random) -> list[int]:
    """The first customer orders in every month and once more in the last two; all others equally often."""
    buyers = [1 + n % (customers - 1) for n in range(len(times))]
    rng.shuffle(buyers)
    months: dict[tuple[int, int], list[int]] = {}
    for number, moment in enumerate(times[:-1]):
        months.setdefault((moment.year, moment.month), []).append(number)
    chosen = [rng.choice(numbers[: len(numbers) // 2]) for numbers in months.values()]
    chosen += [rng.choice(numbers[len(numbers) // 2 :]) for numbers in list(months.values())[-2:]]
    for number in chosen:
        buyers[number] = 0
    return buyers


def lines(sellable: list[int], rng: random.Random) -> tuple[tuple[int, int], ...]:
    chosen = rng.sample(sellable, rng.choice((1, 2, 2, 3, 3, 4, 5)))
    return tuple((product, rng.choice((1, 1, 1, 2, 3))) for product in chosen)


def history(placed: datetime, rng: random.Random) -> tuple[tuple[str, datetime], ...]:
    """Orders are looked at within a day and leave within five; one in twelve is cancelled first, a few come back."""
    looked_at = placed + timedelta(hours=rng.randint(3, 30), minutes=rng.randint(0, 59), seconds=rng.randint(0, 59))
    left = looked_at + timedelta(hours=rng.randint(12, 96), minutes=rng.randint(0, 59))
    back = left + timedelta(days=rng.randint(6, 24), hours=rng.randint(0, 9))
    fate = rng.random()
    statuses = [("Being processed", looked_at), ("Shipped", left)]
    if fate < 0.08:
        statuses = [("Cancelled", looked_at)]
    elif fate < 0.15:
        statuses.append(("Returned", back))
    return tuple((status, moment) for status, moment in statuses if moment < TODAY)
