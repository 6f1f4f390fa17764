"""Who works at Fernhill & Co. and who buys there."""

import random
from dataclasses import dataclass
from datetime import datetime, timedelta

from webassay.sites.miniweb.seed.plan.calendar import OPENING
from webassay.sites.miniweb.seed.plan.curated import curated


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
        return f"{self.first_name}.{self.last_name}@example.com".lower().replace("'", "")


@dataclass(frozen=True)
class Colleague:
    """One of the staff."""

    first_name: str
    last_name: str
    email: str
    joined: datetime


def plan_customers(rng: random.Random) -> tuple[Customer, ...]:
    people = curated("people")["customers"]
    return tuple(
        Customer(
            first_name=person["name"].partition(" ")[0],
            last_name=person["name"].partition(" ")[2],
            addresses=tuple(Address(*address) for address in person["addresses"]),
            joined=OPENING - timedelta(days=2 * (len(people) - number), minutes=rng.randint(0, 900)),
        )
        for number, person in enumerate(people)
    )


def plan_staff(rng: random.Random) -> tuple[Colleague, ...]:
    """The first is the account that tasks use."""
    people = curated("people")["staff"]
    return tuple(
        Colleague(
            *person["name"].split(" "),
            email=person["email"],
            joined=OPENING - timedelta(days=700 - 60 * number, minutes=rng.randint(0, 300)),
        )
        for number, person in enumerate(people)
    )
