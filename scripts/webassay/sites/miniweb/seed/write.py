"""The plan, written through Oscar's own models while the clock follows the plan's dates."""

from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import time_machine
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.contrib.sites.models import Site
from oscar.apps.basket.models import Basket
from oscar.apps.catalogue.categories import create_from_breadcrumbs
from oscar.apps.order.utils import OrderCreator
from oscar.apps.partner.strategy import Selector
from oscar.apps.shipping.methods import Free
from oscar.core.loading import get_model
from oscar.core.prices import Price

from webassay.core.files import write_text
from webassay.sites.miniweb import CUSTOMER, SHOP, STAFF
from webassay.sites.miniweb.models import Clock
from webassay.sites.miniweb.seed import plan as planned
from webassay.sites.miniweb.seed.pictures import picture

# At least 22 letters: a shorter salt is replaced at the first login, which would be a write.
SALT = "miniwebminiwebminiwebminiweb"
COUNTRIES = (("GB", "United Kingdom", 3), ("IE", "Ireland", 2), ("FR", "France", 1))
MoveTo = Callable[[datetime], None]


def write(plan: planned.Plan, media: Path) -> None:
    """Fill an empty database; leaves the site's clock at today."""
    with time_machine.travel(planned.OPENING, tick=False) as clock:
        write_places()
        write_staff()
        write_categories(plan.categories)
        write_pictures(plan.products, media)
        products = [write_product(number, product, clock.move_to) for number, product in enumerate(plan.products)]
        customers = [write_customer(customer, clock.move_to) for customer in plan.customers]
        for order in plan.orders:
            write_order(order, customers, products, clock.move_to)
        for review in plan.reviews:
            write_review(review, customers, products, clock.move_to)
        clock.move_to(planned.TODAY)
        # Oscar opens a basket when a user first looks at a page; with one there already, looking writes nothing.
        for user in User.objects.order_by("pk"):
            Basket.objects.create(owner=user)
    Clock.objects.create(now=planned.TODAY)


def write_places() -> None:
    Site.objects.filter(pk=1).update(domain=SHOP, name="Fernhill & Co.")
    country = get_model("address", "Country")
    for code, name, display_order in COUNTRIES:
        country.objects.create(
            pk=code, printable_name=name, name=name, display_order=display_order, is_shipping_country=True
        )
    get_model("partner", "Partner").objects.create(name="Fernhill Warehouse", code="fernhill")
    get_model("payment", "SourceType").objects.create(name="Card", code="card")


def write_staff() -> None:
    email, password = STAFF
    User.objects.create(
        username="admin",
        email=email,
        first_name="Alex",
        last_name="Morgan",
        is_staff=True,
        is_superuser=True,
        password=make_password(password, SALT),
    )


def write_categories(categories: tuple[planned.Category, ...], parents: tuple[str, ...] = ()) -> None:
    for category in categories:
        node = create_from_breadcrumbs(" > ".join((*parents, category.name)))
        node.description = category.description
        node.save()
        write_categories(category.children, (*parents, category.name))


def write_pictures(products: tuple[planned.Product, ...], media: Path) -> None:
    drawings = planned.curated("pictures")
    for number, product in enumerate(products):
        write_text(media / picture_name(number), picture(drawings[product.picture], number))
    write_text(media / "image_not_found.svg", picture(drawings["box"], 0))


def picture_name(number: int) -> str:
    return f"images/products/{number + 1:03d}.svg"


def write_product(number: int, product: planned.Product, move_to: MoveTo) -> Any:
    move_to(product.created)
    kind, _ = get_model("catalogue", "ProductClass").objects.get_or_create(name=product.product_class)
    row = get_model("catalogue", "Product").objects.create(
        title=product.title, upc=f"FH{2001 + 37 * number}", description=product.text, product_class=kind
    )
    row.categories.add(get_model("catalogue", "Category").objects.get(name=product.category))
    row.images.create(original=picture_name(number), display_order=0)
    row.stockrecords.create(
        partner=get_model("partner", "Partner").objects.get(),
        partner_sku=f"W-{number + 1:04d}",
        price=product.price,
        num_in_stock=product.in_stock,
    )
    return row


def write_customer(customer: planned.Customer, move_to: MoveTo) -> User:
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


def write_order(order: planned.Order, customers: list[User], products: list[Any], move_to: MoveTo) -> None:
    """Through a basket, as a customer would, so that order numbers and later baskets never collide."""
    move_to(order.placed)
    user = customers[order.customer]
    basket = Basket.objects.create(owner=user)
    basket.strategy = Selector().strategy()
    for product, quantity in order.lines:
        restock(products[product], quantity)
        basket.add_product(products[product], quantity)
    row = place(basket, user)
    for status, moment in order.history:
        move_to(moment)
        row.set_status(status)


def restock(product: Any, quantity: int) -> None:
    """What the past sells is added first, so that the planned stock is what is left today."""
    stock = product.stockrecords.get()
    stock.num_in_stock += quantity
    stock.save()


def place(basket: Any, user: User) -> Any:
    total = Price("GBP", excl_tax=basket.total_excl_tax, incl_tax=basket.total_incl_tax)
    method = Free()
    order = OrderCreator().place_order(
        basket, total, method, method.calculate(basket), user=user, shipping_address=ship_to(user)
    )
    basket.submit()
    card = get_model("payment", "SourceType").objects.get()
    order.sources.create(source_type=card, currency="GBP", amount_allocated=total.incl_tax, amount_debited=Decimal(0))
    return order


def ship_to(user: User) -> Any:
    """A copy of the customer's first address, which the shop then offers first."""
    home = user.addresses.order_by("pk").first()
    home.num_orders_as_shipping_address += 1
    home.save()
    address = get_model("order", "ShippingAddress")()
    home.populate_alternative_model(address)
    address.save()
    return address


def write_review(review: planned.Review, customers: list[User], products: list[Any], move_to: MoveTo) -> None:
    move_to(review.written)
    get_model("reviews", "ProductReview").objects.create(
        product=products[review.product],
        user=customers[review.customer],
        score=review.score,
        title=review.title,
        body=review.body,
    )
