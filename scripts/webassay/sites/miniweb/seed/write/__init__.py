"""The plan, written through the applications' own models while the clock follows the plan's dates."""

from pathlib import Path

import time_machine
from oscar.apps.basket.models import Basket

from webassay.sites.miniweb.models import Clock
from webassay.sites.miniweb.seed.plan import OPENING, TODAY, Plan
from webassay.sites.miniweb.seed.write.desk import write_desk
from webassay.sites.miniweb.seed.write.forum import write_forum
from webassay.sites.miniweb.seed.write.offers import write_offers
from webassay.sites.miniweb.seed.write.orders import write_orders
from webassay.sites.miniweb.seed.write.people import write_people
from webassay.sites.miniweb.seed.write.shop import write_places, write_reviews, write_shop, write_wish_lists
from webassay.sites.miniweb.seed.write.wiki import write_wiki


def write(plan: Plan, media: Path) -> None:
    """Fill an empty database; leaves the site's clock at today."""
    with time_machine.travel(OPENING, tick=False) as clock:
        write_places()
        people = write_people(plan.staff, plan.customers, clock.move_to)
        products = write_shop(plan, media, clock.move_to)
        write_orders(plan.orders, people, products, clock.move_to)
        write_reviews(plan.reviews, people, products, clock.move_to)
        write_wish_lists(plan.wish_lists, people, products, clock.move_to)
        write_offers(clock.move_to)
        write_forum(plan.forums, plan.topics, people, clock.move_to)
        write_wiki(plan.pages, people, clock.move_to)
        write_desk(plan.queues, plan.tickets, people, clock.move_to)
        clock.move_to(TODAY)
        # Oscar opens a basket when a user first looks at a page; with one there already, looking writes nothing.
        for user in (*people.staff, *people.customers):
            Basket.objects.create(owner=user)
    Clock.objects.create(now=TODAY)
