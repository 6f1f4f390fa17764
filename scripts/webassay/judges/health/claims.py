"""Runs whose right verdict is known, since they are made up: what was asked, what the pages showed, what was claimed.

A judge cannot tell them from others: they lie on disk as any trajectory does, and what they are about changes with the
seed, so that no stored reply and no model's memory answers for them.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from webassay.core.task import Task

Known = Literal["success", "failure"]
SHOP = "http://shop.localhost"
THINGS = ("Alder", "Birch", "Cedar", "Hazel", "Larch", "Maple", "Rowan", "Willow")
KINDS = ("tent", "stove", "lantern", "rucksack", "kettle", "blanket", "compass", "hammock")


@dataclass(frozen=True)
class Page:
    """As it was seen."""

    path: str
    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Step:
    """An action on the page of the same number; the last one ends the run."""

    action: str
    element: str = ""
    thought: str = ""
    note: str = ""
    """What the agent wrote down of the page's text."""


@dataclass(frozen=True)
class Claim:
    """A run that is made up."""

    name: str
    known: Known
    intent: str
    pages: tuple[Page, ...]
    steps: tuple[Step, ...]
    answer: str

    @property
    def task(self) -> Task:
        return Task(self.name, self.intent, ("shop",), "known", (), (SHOP + "/",))


@dataclass(frozen=True)
class _Draw:
    """What a pair of claims is about."""

    thing: str
    other: str
    price: str
    other_price: str
    count: int


@dataclass(frozen=True)
class _Story:
    """One task, done and not done."""

    intent: str
    link: str
    page: Page
    done: str
    wrong: str
    undone: Page | None = None
    """What is seen where it was not done; None: the same, and only what is claimed is wrong."""


def known_claims(count: int, seed: str) -> list[Claim]:
    """Successes and failures in turn, in pairs about the same; the same for the same seed."""
    rng = random.Random(f"claims {seed}")
    claims: list[Claim] = []
    for number in range(-(-count // 2)):
        story = STORIES[number % len(STORIES)](_drawn(rng))
        claims += [_claim(story, "success", rng), _claim(story, "failure", rng)]
    return claims[:count]


def _drawn(rng: random.Random) -> _Draw:
    thing, other = (f"{first} {kind}" for first, kind in zip(rng.sample(THINGS, 2), rng.sample(KINDS, 2), strict=True))
    low, high = sorted(rng.sample(range(11, 99), 2))
    return _Draw(
        thing, other, f"£{low}.{rng.randrange(10, 99)}", f"£{high}.{rng.randrange(10, 99)}", rng.randrange(3, 60)
    )


def _claim(story: _Story, known: Known, rng: random.Random) -> Claim:
    right = known == "success"
    page = story.page if right or story.undone is None else story.undone
    start = Page("/", "Oak & Ash Outfitters", ("Welcome to the shop.", "All products", "Basket: 0 items"))
    listing = Page("/catalogue/", "All products", (story.link, "Next page"))
    steps = (
        Step("visit_url"),
        Step("left_click", story.link, "The page of this should tell."),
        Step("terminate", thought="Everything that was asked for is there."),
    )
    return Claim(
        f"k{rng.getrandbits(48):012x}",
        known,
        story.intent,
        (start, listing, page),
        steps,
        story.done if right else story.wrong,
    )


def _price(drawn: _Draw) -> _Story:
    page = Page("/catalogue/1", drawn.thing, (f"Price: {drawn.price}", "In stock", f"{drawn.count} reviews"))
    return _Story(
        f"How much does the {drawn.thing} cost in this shop?",
        drawn.thing,
        page,
        f"The {drawn.thing} costs {drawn.price}.",
        f"The {drawn.thing} costs {drawn.other_price}.",
    )


def _reviews(drawn: _Draw) -> _Story:
    page = Page("/catalogue/2", drawn.thing, (f"Price: {drawn.price}", f"{drawn.count} reviews", "In stock"))
    return _Story(
        f"How many reviews does the {drawn.thing} have?",
        drawn.thing,
        page,
        f"It has {drawn.count} reviews.",
        f"It has {drawn.count + 7} reviews.",
    )


def _basket(drawn: _Draw) -> _Story:
    filled = Page(
        "/basket/", "Basket", (f"{drawn.thing} has been added to your basket.", f"Total: {drawn.price}", "1 item")
    )
    empty = Page("/basket/", "Basket", (f"{drawn.thing} is out of stock and was not added.", "Your basket is empty."))
    return _Story(
        f"Put one {drawn.thing} into the basket.",
        f"Add {drawn.thing} to basket",
        filled,
        f"The {drawn.thing} is in the basket.",
        f"The {drawn.thing} is in the basket.",
        empty,
    )


def _cheapest(drawn: _Draw) -> _Story:
    lines = (
        f"1. {drawn.thing} {drawn.price}",
        f"2. {drawn.other} {drawn.other_price}",
        "Sorted by: price, low to high",
    )
    return _Story(
        "Which is the cheapest thing in the sale?",
        "Sale, by price",
        Page("/sale?sort=price", "Sale (2 results)", lines),
        f"The cheapest is the {drawn.thing}.",
        f"The cheapest is the {drawn.other}.",
    )


STORIES: tuple[Callable[[_Draw], _Story], ...] = (_price, _basket, _cheapest, _reviews)
