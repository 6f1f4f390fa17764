"""Orders, through baskets, as customers place them, and what became of them."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import User
from django.db.models.signals import post_save
from oscar.apps.basket.models import Basket
from oscar.apps.customer.alerts.receivers import send_product_alerts
from oscar.apps.order.utils import OrderCreator
from oscar.apps.partner.strategy import Selector
from oscar.apps.shipping.methods import Free
from oscar.core.loading import get_model
from oscar.core.prices import Price

from webassay.sites.miniweb.seed.plan.orders import Order
from webassay.sites.miniweb.seed.write.people import MoveTo, People


def write_orders(orders: tuple[Order, ...], people: People, products: list[Any], move_to: MoveTo) -> None:
    """Everything that happens to any order, in the order of time; orders get their numbers in that of the plan."""
    # Nobody waits for an alert about stock, and looking for somebody after each line takes a tenth of the time.
    post_save.disconnect(send_product_alerts, sender=get_model("partner", "StockRecord"))
    products = in_stock(products)
    rows: dict[int, Any] = {}
    for moment, number, status in events(orders):
        move_to(moment)
        if status is None:
            rows[number] = write_order(orders[number], people, products)
        else:
            rows[number].set_status(status)


def in_stock(products: list[Any]) -> list[Any]:
    """The same products with their stock records and classes at hand."""
    rows = type(products[0]).objects.select_related("product_class").prefetch_related("stockrecords").in_bulk()
    return [rows[product.pk] for product in products]


def events(orders: tuple[Order, ...]) -> list[tuple[datetime, int, str | None]]:
    placed = [(order.placed, number, None) for number, order in enumerate(orders)]
    later = [(moment, number, status) for number, order in enumerate(orders) for status, moment in order.history]
    return sorted([*placed, *later], key=lambda event: event[:2])


def write_order(order: Order, people: People, products: list[Any]) -> Any:
    """Through a basket, so that order numbers and later baskets never collide."""
    user = people.customers[order.customer]
    basket = Basket.objects.create(owner=user)
    basket.strategy = Selector().strategy()
    for number, quantity in order.lines:
        add(basket, products[number], quantity)
    share(basket, {product.pk: product for product in (products[number] for number, _ in order.lines)})
    return place(basket, user)


def add(basket: Any, product: Any, quantity: int) -> None:
    """The row that `basket.add_product` writes, which would read all other lines again each time."""
    info = basket.get_stock_info(product, [])
    basket.lines.create(
        line_reference=basket._create_line_reference(product, info.stockrecord, []),
        product=product,
        stockrecord=info.stockrecord,
        quantity=quantity,
        price_excl_tax=info.price.excl_tax,
        price_incl_tax=info.price.incl_tax,
        price_currency=info.price.currency,
        tax_code=info.price.tax_code,
    )


def share(basket: Any, products: dict[int, Any]) -> None:
    """Lines that know the products in memory need not ask for their prices and classes again."""
    for line in basket.all_lines():
        line.product = products[line.product_id]
        line.stockrecord = line.product.stockrecords.all()[0]


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
