"""What people say about what they bought."""

import random
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from webassay.sites.miniweb.seed.plan.calendar import TODAY
from webassay.sites.miniweb.seed.plan.catalogue import Product
from webassay.sites.miniweb.seed.plan.choice import unsaid
from webassay.sites.miniweb.seed.plan.curated import curated
from webassay.sites.miniweb.seed.plan.orders import Order

REVIEWS = 600
OF_FIRST_CUSTOMER = 7
SCORE_WEIGHTS = {5: 44, 4: 30, 3: 13, 2: 8, 1: 5}


@dataclass(frozen=True)
class Review:
    customer: int
    product: int
    score: int
    title: str
    body: str
    written: datetime


def plan_reviews(products: tuple[Product, ...], orders: tuple[Order, ...], rng: random.Random) -> tuple[Review, ...]:
    """People review what they bought, once, some days after it came."""
    bought: dict[tuple[int, int], datetime] = {}
    for order in orders:
        shipped = order.reached("Shipped")
        if shipped and shipped < TODAY - timedelta(days=4):
            for product, _ in order.lines:
                bought.setdefault((order.customer, product), shipped)
    own = [pair for pair in sorted(bought) if pair[0] == 0]
    others = [pair for pair in sorted(bought) if pair[0] != 0]
    chosen = rng.sample(own, OF_FIRST_CUSTOMER) + rng.sample(others, REVIEWS - OF_FIRST_CUSTOMER)
    written = sorted((reviewed(bought[pair], rng), pair) for pair in chosen)
    texts, said = curated("reviews"), defaultdict[str, set[str]](set)
    return tuple(
        review(customer, product, products[product], moment, texts, said, rng)
        for moment, (customer, product) in written
    )


def reviewed(shipped: datetime, rng: random.Random) -> datetime:
    """Between three and thirty days later, in seconds, so that no two reviews share a moment."""
    latest = min(30 * 86_400, int((TODAY - shipped).total_seconds()) - 3_600)
    return shipped + timedelta(seconds=rng.randint(3 * 86_400, latest))


def review(
    customer: int,
    number: int,
    product: Product,
    written: datetime,
    texts: dict[str, Any],
    said: dict[str, set[str]],
    rng: random.Random,
) -> Review:
    """A body that nobody has written before, and a title that the product does not have yet."""
    score = rng.choices(list(SCORE_WEIGHTS), list(SCORE_WEIGHTS.values()))[0]
    words, mood = texts["scores"][str(score)], "good" if score > 3 else "bad"
    remarks = texts["remarks"][product.category][mood]
    body = unsaid(said["bodies"], lambda: body_of(words, remarks, texts["uses"][mood], product, rng))
    title = unsaid(said[product.title], lambda: title_of(words, texts["praise"][str(score)], product, rng))
    return Review(customer, number, score, title, body, written)


def body_of(
    words: dict[str, list[str]], remarks: list[str], uses: list[str], product: Product, rng: random.Random
) -> str:
    """An opening and a remark; mostly a closing and sometimes how it is used."""
    sentences = [rng.choice(words["openings"]), rng.choice(remarks)]
    if rng.random() < 0.6:
        sentences.append(rng.choice(uses))
    if rng.random() < 0.7:
        sentences.append(rng.choice(words["closings"]))
    return " ".join(sentences).format(noun=product.noun)


def title_of(words: dict[str, list[str]], praise: list[str], product: Product, rng: random.Random) -> str:
    if rng.random() < 0.3:
        return rng.choice(words["titles"])
    return rng.choice(praise).format(noun=product.noun)
