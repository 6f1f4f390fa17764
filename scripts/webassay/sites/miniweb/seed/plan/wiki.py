"""The handbook: its pages, and how each grew section by section."""

import random
from dataclasses import dataclass
from datetime import datetime, timedelta

from webassay.sites.miniweb.seed.plan.calendar import OPENING, TODAY, by_day, spread
from webassay.sites.miniweb.seed.plan.curated import curated
from webassay.sites.miniweb.seed.plan.forum import Author
from webassay.sites.miniweb.seed.plan.people import Colleague

CHAPTERS = ("company", "policies", "shop", "warehouse", "care", "community")


@dataclass(frozen=True)
class Revision:
    author: Author
    text: str
    message: str
    saved: datetime


@dataclass(frozen=True)
class Page:
    path: str
    """Slugs from the root, without slashes at the ends; empty for the root."""
    title: str
    revisions: tuple[Revision, ...]
    open_to_all: bool
    """Customers may edit it."""
    locked: bool

    @property
    def created(self) -> datetime:
        return self.revisions[0].saved


def plan_pages(staff: tuple[Colleague, ...], rng: random.Random) -> tuple[Page, ...]:
    """Parents before their children."""
    rows = [row for chapter in CHAPTERS for row in curated(f"handbook/{chapter}")["pages"]]
    created = spread(len(rows), OPENING, OPENING + timedelta(days=150), rng)
    names = [colleague.first_name.lower() for colleague in staff]
    return tuple(
        Page(
            path=row["path"],
            title=row["title"],
            revisions=revisions(row["text"], moment, author_of(row["by"], names), rng),
            open_to_all=row["path"].startswith("community-tips"),
            locked=row.get("locked", False),
        )
        for row, moment in zip(rows, created, strict=True)
    )


def author_of(name: str, staff: list[str]) -> Author:
    """A colleague by first name, or a customer by number."""
    return Author(staff.index(name), staff=True) if name in staff else Author(int(name))


def revisions(text: str, created: datetime, author: Author, rng: random.Random) -> tuple[Revision, ...]:
    """Sections were added one or two at a time, the last of them some months later."""
    parts = text.strip().split("\n\n## ")
    cuts = sorted(rng.sample(range(1, len(parts)), min(len(parts) - 1, rng.choice((0, 1, 1, 2)))))
    ends = [*cuts, len(parts)]
    moments = [by_day(created, rng)]
    for _ in cuts:
        moments.append(later(moments[-1], rng))
    return tuple(
        Revision(author, "\n\n## ".join(parts[:end]), message(parts, ends, number), moment)
        for number, (end, moment) in enumerate(zip(ends, moments, strict=True))
    )


def later(moment: datetime, rng: random.Random) -> datetime:
    days = int((TODAY - moment).days) - 3
    return by_day(moment + timedelta(days=rng.randint(3, max(4, days // 2))), rng)


def message(parts: list[str], ends: list[int], number: int) -> str:
    if number == 0:
        return "First version"
    return f"Added: {parts[ends[number - 1]].partition(chr(10))[0].strip()}"
