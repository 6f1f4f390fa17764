"""Does miniweb's tasks in the browser as a person would: proof that each can be done, and that its judge agrees."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webassay.core.task import Task
from webassay.errors import AgentFault

if TYPE_CHECKING:
    from webassay.systems.session import Session

VERSION = 1

ADDRESS_FIELDS = {"first line": "#id_line1", "postcode": "#id_postcode"}


@dataclass(frozen=True)
class Oracle:
    """Knows the site and the task's parameters, never the task's expected answer."""

    def solve(self, task: Task, session: "Session") -> str:
        """The final response as JSON."""
        if task.template not in SOLUTIONS:
            raise AgentFault(f"{task.task_id}: the oracle has no solution for template {task.template!r}")
        session.start("Open the start page")
        return json.dumps(SOLUTIONS[task.template](session, task.instantiation_dict))


def response(
    action: str, results: list[Any] | None = None, status: str = "SUCCESS", error: str | None = None
) -> dict[str, Any]:
    return {"action": action, "status": status, "results": results, "error_details": error}


def find_product(session: "Session", product: str) -> bool:
    """Search by name and open the product, if the shop has it."""
    session.type("#id_q", product, "Search for the product by name", enter=True)
    link = f"article.product_pod h3 a:text-is({json.dumps(product)})"
    if not session.page.locator(link).count():
        return False
    session.click(link, "Open the product's page")
    return True


def amount(text: str) -> float:
    """`£1,234.50` as a number."""
    match = re.search(r"\d[\d,]*(\.\d+)?", text)
    if not match:
        raise AgentFault(f"no amount of money in {text!r}")
    return float(match[0].replace(",", ""))


def product_price(session: "Session", values: dict[str, Any]) -> dict[str, Any]:
    if not find_product(session, values["product"]):
        found = session.text("form:has-text('Found')")
        return response("retrieve", status="NOT_FOUND_ERROR", error=f"No product {values['product']!r}: {found}")
    return response("retrieve", [amount(session.text(".product_main .price_color"))])


def order_total(session: "Session", values: dict[str, Any]) -> dict[str, Any]:
    session.click("a.dropdown-toggle:has-text('Fulfilment')", "Open the menu for orders")
    session.click("a.dropdown-item:text-is('Orders')", "Go to the list of orders")
    session.type("#search_form #id_order_number", values["order"], "Search for the order by number", enter=True)
    return response("retrieve", [amount(session.text("table:has-text('Order information') td >> nth=0"))])


def category_page(session: "Session", values: dict[str, Any]) -> dict[str, Any]:
    session.click(f".departments a:text-is({json.dumps(values['category'])})", "Open the category")
    return response("navigate")


def write_review(session: "Session", values: dict[str, Any]) -> dict[str, Any]:
    if not find_product(session, values["product"]):
        return response("mutate", status="NOT_FOUND_ERROR", error=f"No product {values['product']!r}")
    session.click("#write_review", "Open the review form")
    session.type("#add_review_form #id_title", values["title"], "Enter the title")
    session.click(f"#add_review_form .star-rating i >> nth={values['stars'] - 1}", "Choose the stars")
    session.type("#add_review_form #id_body", values["body"], "Enter the text")
    session.click("#add_review_form button[type=submit]", "Save the review")
    return confirmed(session, "Thank you for reviewing this product")


def change_address(session: "Session", values: dict[str, Any]) -> dict[str, Any]:
    session.click("nav.accounts a:has-text('Account')", "Open the account")
    session.click("a:text-is('Address Book')", "Open the address book")
    session.click(f"tr:has(address:has-text({json.dumps(values['city'])})) a:text-is('Edit')", "Edit the address")
    session.type(ADDRESS_FIELDS[values["field"]], values["value"], f"Enter the new {values['field']}")
    session.click("button:text-is('Save')", "Save the address")
    return confirmed(session, "Address")


def confirmed(session: "Session", message: str) -> dict[str, Any]:
    """Success only if the page says so."""
    shown = session.text("#messages")
    if message in shown:
        return response("mutate")
    return response("mutate", status="UNKNOWN_ERROR", error=f"The page says {shown!r}")


SOLUTIONS: dict[str, Callable[["Session", dict[str, Any]], dict[str, Any]]] = {
    "shop-price": product_price,
    "shop-missing": product_price,
    "admin-order-total": order_total,
    "shop-category": category_page,
    "shop-review": write_review,
    "shop-address": change_address,
}
