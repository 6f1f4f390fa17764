"""Wish lists: named, with what their owner would like to have."""

import random
from dataclasses import dataclass
from datetime import datetime

from webassay.sites.miniweb.seed.plan.calendar import OPENING, TODAY, spread
from webassay.sites.miniweb.seed.plan.catalogue import Product
from webassay.sites.miniweb.seed.plan.curated import curated

KEY_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


@dataclass(frozen=True)
class WishList:
    owner: int
    name: str
    key: str
    """Part of its address; Oscar would draw one at random."""
    products: tuple[int, ...]
    made: datetime


def plan_wish_lists(products: tuple[Product, ...], customers: int, rng: random.Random) -> tuple[WishList, ...]:
    """The first list is the first customer's."""
    texts = curated("people")["wish_lists"]
    owners = [0, *rng.sample(range(1, customers), len(texts) - 1)]
    titles = [product.title for product in products]
    times = spread(len(texts), OPENING, TODAY, rng)
    return tuple(
        WishList(
            owner=owner,
            name=text["name"],
            key="".join(rng.choices(KEY_LETTERS, k=6)),
            products=tuple(titles.index(title) for title in text["products"]),
            made=moment,
        )
        for owner, text, moment in zip(owners, texts, times, strict=True)
    )
