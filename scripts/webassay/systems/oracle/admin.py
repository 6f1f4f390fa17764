"""The shop's dashboard, as its staff use it."""

from typing import Any

from webassay.systems.oracle.hands import (
    Hands,
    Response,
    amount,
    arrived,
    cannot,
    confirmed,
    day,
    found,
    quoted,
)

ORDER = "table:has-text('Order information') td"
SEARCH = "#search_form #id_order_number"


def menu(hands: Hands, title: str, entry: str) -> None:
    hands.click(f"a.dropdown-toggle:has-text({quoted(title)})", f"Open the menu {title}")
    hands.click(f"a.dropdown-item:text-is({quoted(entry)})", f"Go to {entry}")


def find_order(hands: Hands, order: str) -> bool:
    """A number that exists leads straight to its order."""
    menu(hands, "Fulfilment", "Orders")
    hands.type(SEARCH, order, "Search for the order by number", enter=True)
    return hands.sees(ORDER)


def no_order(action: str, order: str) -> Response:
    return cannot(action, "NOT_FOUND_ERROR", f"The search finds no order {order}")


def order_total(hands: Hands, values: dict[str, Any]) -> Response:
    if not find_order(hands, values["order"]):
        return no_order("retrieve", values["order"])
    return found(amount(hands.text(f"{ORDER} >> nth=0")))


def order_summary(hands: Hands, values: dict[str, Any]) -> Response:
    if not find_order(hands, values["order"]):
        return no_order("retrieve", values["order"])
    total, bought, *_ = hands.texts(ORDER)
    customer = hands.text("table:has-text('Customer Information') td >> nth=0")
    return found({"customer": customer, "date": day(bought).date().isoformat(), "total": amount(total)})


def order_address(hands: Hands, values: dict[str, Any]) -> Response:
    """A name, then street, city and postcode, then the country."""
    if not find_order(hands, values["order"]):
        return no_order("retrieve", values["order"])
    hands.click("a:text-is('Shipping')", "Look at where it goes")
    lines = hands.text("#shipping tr:has(th:text-is('Address')) td").splitlines()
    _, street, city, postcode, *_ = [line.strip() for line in lines if line.strip()]
    return found(f"{street}, {city}, {postcode}")


def status_count(hands: Hands, values: dict[str, Any]) -> Response:
    menu(hands, "Fulfilment", "Statistics")
    return found(int(hands.text(f"tr:has(a:text-is({quoted(values['status'])})) td >> nth=1")))


def open_customer(hands: Hands, values: dict[str, Any]) -> Response:
    menu(hands, "Customers", "Customers")
    hands.type("#id_name", values["name"], "Search for the customer by name", enter=True)
    hands.click("table a:text-is('View')", "Open the customer's page")
    return arrived()


def set_status(hands: Hands, values: dict[str, Any]) -> Response:
    if not find_order(hands, values["order"]):
        return no_order("mutate", values["order"])
    offered = hands.texts("#id_new_status option")
    if values["status"] not in offered:
        why = f"The order offers {', '.join(offered) or 'no other status'}, not {values['status']}"
        return cannot("mutate", "ACTION_NOT_ALLOWED_ERROR", why)
    hands.select("#id_new_status", values["status"], "Choose the new status")
    hands.submit("button:text-is('Change status')", "Change it")
    return confirmed(hands, "Order status changed")


def find_product(hands: Hands, product: str) -> bool:
    menu(hands, "Catalogue", "Products")
    hands.type("#id_title", product, "Search for the product by title", enter=True)
    link = f"table a:text-is({quoted(product)})"
    if not hands.sees(link):
        return False
    hands.click(link, "Open the product")
    return True


def set_stock(hands: Hands, values: dict[str, Any]) -> Response:
    """Price and number in stock, or only the number."""
    if not find_product(hands, values["product"]):
        return cannot("mutate", "NOT_FOUND_ERROR", f"No product {values['product']!r}")
    hands.click("a:text-is('Stock and pricing')", "Look at stock and pricing")
    if "price" in values:
        hands.type("#id_stockrecords-0-price", values["price"], "Enter the price")
    hands.type("#id_stockrecords-0-num_in_stock", values["stock"], "Enter the number in stock")
    hands.submit("button[name=action][value=save]", "Save the product")
    return confirmed(hands, "Updated product")


def create_voucher(hands: Hands, values: dict[str, Any]) -> Response:
    menu(hands, "Offers", "Vouchers")
    hands.click("a:has-text('Create new voucher')", "Start a new voucher")
    form = "#create_update_voucher_form"
    hands.type(f"{form} #id_name", values["name"], "Enter the name")
    hands.type(f"{form} #id_code", values["code"], "Enter the code")
    hands.type(f"{form} #id_start_datetime", f"{values['start']} 00:00:00", "Enter when it begins")
    hands.type(f"{form} #id_end_datetime", f"{values['end']} 00:00:00", "Enter when it ends")
    hands.select(f"{form} #id_usage", "Once per customer", "Choose how often it can be used")
    hands.select(f"{form} #id_offers", values["offer"], "Choose the offer")
    hands.submit(f"{form} button[type=submit]", "Save the voucher")
    return confirmed(hands, values["code"], "table")


SOLUTIONS = {
    "admin-order-total": order_total,
    "admin-missing-order": order_total,
    "admin-order-summary": order_summary,
    "admin-order-address": order_address,
    "admin-status-count": status_count,
    "admin-customer": open_customer,
    "admin-order-status": set_status,
    "admin-final-status": set_status,
    "admin-stock": set_stock,
    "admin-voucher": create_voucher,
}
