"""What people talk about in the forum, and whose posts they like."""

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from webassay.sites.miniweb.seed.plan.calendar import OPENING, TODAY, by_day, spread
from webassay.sites.miniweb.seed.plan.catalogue import Product
from webassay.sites.miniweb.seed.plan.choice import unsaid
from webassay.sites.miniweb.seed.plan.curated import curated

POSTS = 300
FIRST_CUSTOMER = 0
UPVOTES = 0.84


@dataclass(frozen=True)
class Forum:
    name: str
    description: str
    parent: str
    """Empty for the headings that hold the forums."""
    staff_only: bool
    """Customers read it, but do not write there."""


@dataclass(frozen=True)
class Author:
    """A customer or one of the staff, by position in the plan."""

    number: int
    staff: bool = False


@dataclass(frozen=True)
class Post:
    author: Author
    text: str
    written: datetime
    votes: tuple[tuple[int, int], ...]
    """Customer and +1 or -1."""


@dataclass(frozen=True)
class Topic:
    forum: str
    subject: str
    posts: tuple[Post, ...]
    views: int
    announcement: bool
    locked: bool


def plan_forums() -> tuple[Forum, ...]:
    return tuple(
        Forum(row["name"], row["description"], row.get("parent", ""), row.get("staff_only", False))
        for row in curated("forum")["forums"]
    )


def plan_topics(products: tuple[Product, ...], customers: int, rng: random.Random) -> tuple[Topic, ...]:
    texts = curated("forum")
    rows = texts["topics"]
    said: set[str] = set()
    remarks = remarks_per_topic(rows, rng)
    starts = spread(len(rows), OPENING + timedelta(days=20), TODAY - timedelta(days=4), rng)
    nouns = {product.title: product.noun for product in products}
    views = rng.sample(range(60, 900), len(rows))
    return tuple(
        Topic(
            forum=row["forum"],
            subject=row["subject"],
            posts=posts(row, conversation(row, count, texts["remarks"], nouns, said, rng), start, customers, rng),
            views=seen,
            announcement=row["forum"] == "Announcements",
            locked=row.get("locked", False),
        )
        for row, count, start, seen in zip(rows, remarks, starts, views, strict=True)
    )


def remarks_per_topic(rows: list[dict[str, Any]], rng: random.Random) -> list[int]:
    """How many short remarks join each topic, so that there are so many posts in all; none where staff talk."""
    open_to_all = [number for number, row in enumerate(rows) if row["forum"] != "Announcements"]
    wanted = POSTS - sum(1 + len(row["replies"]) for row in rows)
    counts = [0] * len(rows)
    for number in rng.choices(open_to_all, k=wanted):
        counts[number] += 1
    return counts


def conversation(
    row: dict[str, Any],
    remarks: int,
    texts: dict[str, Any],
    nouns: dict[str, str],
    said: set[str],
    rng: random.Random,
) -> list[str]:
    """The topic's own replies in their order, and remarks between and after them."""
    replies = list(row["replies"])
    kind = texts["product" if row.get("product") else "talk"]
    slots = texts["slots"]
    for _ in range(remarks):
        remark = unsaid(said, lambda: fill(rng.choice(kind), nouns.get(row.get("product", ""), ""), slots, rng))
        replies.insert(rng.randint(min(2, len(replies)), len(replies)), remark)
    return [row["opening"], *replies]


def fill(template: str, noun: str, slots: dict[str, list[str]], rng: random.Random) -> str:
    return template.format(noun=noun, **{name: rng.choice(values) for name, values in slots.items()})


def posts(
    row: dict[str, Any], conversation: list[str], start: datetime, customers: int, rng: random.Random
) -> tuple[Post, ...]:
    opener = author_of(row["by"], Author(FIRST_CUSTOMER), customers, rng)
    authors = [opener]
    for text in conversation[1:]:
        author = speaker(text, opener, authors[-1], customers, rng)
        authors.append(author)
    return tuple(
        Post(author, text.split("|", 1)[-1].strip(), moment, votes(author, customers, rng))
        for author, text, moment in zip(authors, conversation, times(start, len(conversation), rng), strict=True)
    )


def speaker(text: str, opener: Author, before: Author, customers: int, rng: random.Random) -> Author:
    """`emma|`, `staff|` and `op|` in front of a text say who speaks; otherwise some customer who did not just speak."""
    if "|" in text:
        return author_of(text.split("|", 1)[0], opener, customers, rng)
    while True:
        author = Author(rng.randint(1, customers - 1))
        if author not in (opener, before):
            return author


def author_of(name: str, opener: Author, customers: int, rng: random.Random) -> Author:
    if name == "op":
        return opener
    if name == "emma":
        return Author(FIRST_CUSTOMER)
    if name == "staff":
        return Author(rng.randint(0, 4), staff=True)
    return Author(rng.randint(1, customers - 1))


def times(start: datetime, count: int, rng: random.Random) -> list[datetime]:
    """Lively at first, then slower; all before today."""
    moments = [by_day(start, rng)]
    room = int((TODAY - moments[0]).total_seconds()) // (count + 1)
    for number in range(1, count):
        pause = min(room, rng.randint(1_500, 40_000 + 20_000 * number))
        moments.append(moments[-1] + timedelta(seconds=pause))
    return moments


def votes(author: Author, customers: int, rng: random.Random) -> tuple[tuple[int, int], ...]:
    voters = rng.sample(range(customers), min(int(rng.expovariate(0.4)), 14))
    return tuple((voter, 1 if rng.random() < UPVOTES else -1) for voter in sorted(voters) if Author(voter) != author)
