"""Who buys, says, asks and writes what, and when: decided before anything is written, from curated texts."""

from dataclasses import dataclass

from webassay.sites.miniweb.seed.plan.calendar import OPENING, SEED, TODAY, dice
from webassay.sites.miniweb.seed.plan.catalogue import Category, Product, plan_categories, plan_products
from webassay.sites.miniweb.seed.plan.desk import Queue, Ticket, plan_queues, plan_tickets
from webassay.sites.miniweb.seed.plan.forum import Forum, Topic, plan_forums, plan_topics
from webassay.sites.miniweb.seed.plan.orders import Order, plan_orders
from webassay.sites.miniweb.seed.plan.people import Colleague, Customer, plan_customers, plan_staff
from webassay.sites.miniweb.seed.plan.reviews import Review, plan_reviews
from webassay.sites.miniweb.seed.plan.wiki import Page, plan_pages
from webassay.sites.miniweb.seed.plan.wishes import WishList, plan_wish_lists

__all__ = ["OPENING", "SEED", "TODAY", "Plan", "make_plan"]


@dataclass(frozen=True)
class Plan:
    staff: tuple[Colleague, ...]
    customers: tuple[Customer, ...]
    categories: tuple[Category, ...]
    products: tuple[Product, ...]
    orders: tuple[Order, ...]
    reviews: tuple[Review, ...]
    wish_lists: tuple[WishList, ...]
    forums: tuple[Forum, ...]
    topics: tuple[Topic, ...]
    pages: tuple[Page, ...]
    queues: tuple[Queue, ...]
    tickets: tuple[Ticket, ...]


def make_plan() -> Plan:
    staff, customers = plan_staff(dice("staff")), plan_customers(dice("customers"))
    products = plan_products(dice("products"))
    orders = plan_orders(products, len(customers), dice("orders"))
    return Plan(
        staff=staff,
        customers=customers,
        categories=plan_categories(),
        products=products,
        orders=orders,
        reviews=plan_reviews(products, orders, dice("reviews")),
        wish_lists=plan_wish_lists(products, len(customers), dice("wish lists")),
        forums=plan_forums(),
        topics=plan_topics(products, len(customers), dice("forum")),
        pages=plan_pages(staff, dice("wiki")),
        queues=plan_queues(),
        tickets=plan_tickets(products, customers, orders, dice("desk")),
    )
