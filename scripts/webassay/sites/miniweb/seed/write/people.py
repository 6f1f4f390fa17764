"""Accounts of staff and customers."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group, User

from webassay.sites.miniweb import CUSTOMER, STAFF
from webassay.sites.miniweb.seed.plan.forum import Author
from webassay.sites.miniweb.seed.plan.people import Colleague, Customer

# At least 22 letters: a shorter salt is replaced at the first login, which would be a write.
SALT = "miniwebminiwebminiwebminiweb"
MoveTo = Callable[[datetime], None]


@dataclass(frozen=True)
class People:
    """Rows in the plan's order."""

    staff: tuple[User, ...]
    customers: tuple[User, ...]
    colleagues: Group

    def __getitem__(self, author: Author) -> User:
        return (self.staff if author.staff else self.customers)[author.number]


def write_people(staff: tuple[Colleague, ...], customers: tuple[Customer, ...], move_to: MoveTo) -> People:
    group = Group.objects.create(name="Fernhill staff")
    colleagues = tuple(write_colleague(colleague, move_to) for colleague in staff)
    group.user_set.add(*colleagues)
    return People(colleagues, tuple(write_customer(customer, move_to) for customer in customers), group)


def write_colleague(colleague: Colleague, move_to: MoveTo) -> User:
    move_to(colleague.joined)
    return User.objects.create(
        username=colleague.email.partition("@")[0],
        email=colleague.email,
        first_name=colleague.first_name,
        last_name=colleague.last_name,
        is_staff=True,
        is_superuser=colleague.email == STAFF[0],
        password=make_password(STAFF[1], SALT),
    )


def write_customer(customer: Customer, move_to: MoveTo) -> User:
    move_to(customer.joined)
    user = User.objects.create(
        username=customer.email.partition("@")[0],
        email=customer.email,
        first_name=customer.first_name,
        last_name=customer.last_name,
        password=make_password(CUSTOMER[1], SALT),
    )
    for number, address in enumerate(customer.addresses):
        user.addresses.create(
            first_name=customer.first_name,
            last_name=customer.last_name,
            line1=address.line1,
            line4=address.city,
            postcode=address.postcode,
            country_id="GB",
            is_default_for_shipping=number == 0,
            is_default_for_billing=number == 0,
        )
    return user
