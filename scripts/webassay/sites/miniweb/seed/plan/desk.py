"""What customers and colleagues ask the help desk, and what came of it."""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from webassay.sites.miniweb.seed.plan.calendar import TODAY, by_day
from webassay.sites.miniweb.seed.plan.catalogue import Product
from webassay.sites.miniweb.seed.plan.choice import unsaid
from webassay.sites.miniweb.seed.plan.curated import curated
from webassay.sites.miniweb.seed.plan.forum import Author
from webassay.sites.miniweb.seed.plan.matters import Matter, World
from webassay.sites.miniweb.seed.plan.orders import Order
from webassay.sites.miniweb.seed.plan.people import Customer

TICKETS, DUPLICATES = 120, 8
EVERY = 10
"""One ticket in so many is the first customer's."""
KEY_LETTERS = "0123456789abcdef"
RECENT = {"Open": 60, "Reopened": 10, "Resolved": 20, "Closed": 10}
OLD = {"Open": 8, "Reopened": 8, "Resolved": 34, "Closed": 50}
Say = Callable[[list[str]], str]


@dataclass(frozen=True)
class Queue:
    name: str
    slug: str
    email: str
    colleague: int
    """Who usually answers, by position in the plan."""


@dataclass(frozen=True)
class Reply:
    author: Author
    text: str
    written: datetime
    status: str = ""
    """What the ticket became with it, if that changed."""
    public: bool = True


@dataclass(frozen=True)
class Ticket:
    queue: str
    title: str
    text: str
    author: Author
    priority: int
    opened: datetime
    replies: tuple[Reply, ...]
    colleague: int | None
    due: datetime | None
    key: str
    """Lets people without an account see it; the help desk would draw one at random."""


def plan_queues() -> tuple[Queue, ...]:
    return tuple(Queue(**row) for row in curated("desk")["queues"])


def plan_tickets(
    products: tuple[Product, ...], customers: tuple[Customer, ...], orders: tuple[Order, ...], rng: random.Random
) -> tuple[Ticket, ...]:
    """In order of time, so that a ticket's number is its position plus one."""
    texts = curated("desk")
    owners = {queue.name: queue.colleague for queue in plan_queues()}
    world, said = World(products, customers, orders, set()), set[str]()
    tickets = []
    for number in range(TICKETS - DUPLICATES):
        kind = texts["kinds"][number % len(texts["kinds"])]
        matter = world.matter(kind, number % EVERY == 0, rng)
        tickets.append(plan_ticket(kind, matter, owners[kind["queue"]], texts, said, rng))
    older = [ticket for ticket in tickets if not ticket.author.staff and ticket.opened < TODAY - timedelta(days=9)]
    asked_again = zip(rng.sample(older, DUPLICATES), texts["duplicates"], strict=True)
    doubles = [double(ticket, text, owners[ticket.queue], rng) for ticket, text in asked_again]
    ordered = sorted([*tickets, *doubles], key=lambda ticket: ticket.opened)
    numbers = {ticket.title: position + 1 for position, ticket in enumerate(ordered)}
    return tuple(pointing(ticket, numbers) for ticket in ordered)


def plan_ticket(
    kind: dict[str, Any], matter: Matter, owner: int, texts: dict[str, Any], said: set[str], rng: random.Random
) -> Ticket:
    def say(templates: list[str]) -> str:
        return unsaid(said, lambda: rng.choice(templates).format(**matter.words))

    latest = min(matter.since + timedelta(days=rng.randint(1, 6)), TODAY - timedelta(days=1))
    opened = by_day(max(latest, matter.since.replace(hour=0) + timedelta(days=1)), rng)
    outcome = outcome_of(opened, rng)
    replies = plan_replies(kind, matter, Author(owner, staff=True), texts, outcome, opened, say, rng)
    priority = rng.choice(kind["priorities"])
    return Ticket(
        queue=kind["queue"],
        title=say(kind["titles"]),
        text=say(kind["texts"]),
        author=matter.author,
        priority=priority,
        opened=min(opened, TODAY - timedelta(seconds=rng.randint(3_000, 40_000))),
        replies=replies,
        colleague=owner if replies or rng.random() < 0.4 else None,
        due=opened + timedelta(days=3 * priority) if priority < 3 else None,
        key=key(rng),
    )


def outcome_of(opened: datetime, rng: random.Random) -> str:
    age = TODAY - opened
    if age < timedelta(days=2):
        return "Open"
    weights = RECENT if age < timedelta(days=20) else OLD
    return rng.choices(list(weights), list(weights.values()))[0]


def plan_replies(
    kind: dict[str, Any],
    matter: Matter,
    colleague: Author,
    texts: dict[str, Any],
    outcome: str,
    opened: datetime,
    say: Say,
    rng: random.Random,
) -> tuple[Reply, ...]:
    """A question and its answer or a note among colleagues, then how it ended; drafts that reach today are left out."""
    drafts: list[tuple[Author, list[str], str, bool]] = []
    if rng.random() < 0.55:
        drafts.append((colleague, kind["questions"], "", True))
        drafts.append((matter.author, kind["answers"], "", True))
    if rng.random() < 0.3:
        drafts.append((colleague, texts["notes"], "", False))
    if outcome != "Open":
        drafts.append((colleague, kind["resolutions"], "Resolved", True))
    if outcome == "Closed":
        drafts.append((colleague, texts["closings"], "Closed", True))
    if outcome == "Reopened":
        drafts.append((matter.author, kind["again"], "Reopened", True))
    moment, replies = opened, []
    for author, templates, status, public in drafts:
        moment += timedelta(seconds=rng.randint(2_000, 150_000))
        if moment < TODAY - timedelta(minutes=20):
            replies.append(Reply(author, say(templates), moment, status, public))
    return tuple(replies)


def double(ticket: Ticket, text: dict[str, str], owner: int, rng: random.Random) -> Ticket:
    """Somebody who asks again instead of waiting; `{ticket}` is filled in when all tickets have their numbers."""
    opened = ticket.opened + timedelta(seconds=rng.randint(80_000, 200_000))
    answered = opened + timedelta(seconds=rng.randint(3_000, 60_000))
    reply = Reply(Author(owner, staff=True), text["reply"], answered, "Duplicate")
    return replace(
        ticket,
        title=f"{text['title']}: {ticket.title}",
        text=text["text"].replace("{title}", ticket.title),
        opened=opened,
        replies=(reply,),
        colleague=owner,
        due=None,
        key=key(rng),
    )


def pointing(ticket: Ticket, numbers: dict[str, int]) -> Ticket:
    """Duplicates name the number of the ticket whose title ends theirs."""
    first = numbers.get(ticket.title.partition(": ")[2])
    if first is None:
        return ticket
    replies = tuple(replace(reply, text=reply.text.replace("{ticket}", str(first))) for reply in ticket.replies)
    return replace(ticket, replies=replies)


def key(rng: random.Random) -> str:
    return "".join(rng.choices(KEY_LETTERS, k=32))
