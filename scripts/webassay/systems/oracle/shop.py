"""The shop, as its customer uses it."""

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

STARS = ("One", "Two", "Three", "Four", "Five")
ADDRESS_FIELDS = {"first line": "#id_line1", "second line": "#id_line2", "postcode": "#id_postcode"}


def find_product(hands: Hands, product: str) -> bool:
    """Search by name and open the product, if the shop has it."""
    hands.type("#id_q", product, "Search for the product by name", enter=True)
    link = f"article.product_pod h3 a:text-is({quoted(product)})"
    if not hands.sees(link):
        return False
    hands.click(link, "Open the product's page")
    return True


def find_reviews(hands: Hands, product: str) -> bool:
    """The product's page shows a few reviews, and a link to all where there are more."""
    if not find_product(hands, product):
        return False
    if hands.sees("a:has-text('See all reviews')"):
        hands.click("a:has-text('See all reviews')", "See all reviews")
    return True


def no_product(action: str, product: str) -> Response:
    return cannot(action, "NOT_FOUND_ERROR", f"The shop has no product {product!r}")


def product_price(hands: Hands, values: dict[str, Any]) -> Response:
    if find_product(hands, values["product"]):
        return found(amount(hands.text(".product_main .price_color")))
    if "category" in values:
        hands.click(".breadcrumb a:text-is('Home')", "Back to the start page, to look through the category")
        open_category(hands, values["category"])
    return no_product("retrieve", values["product"])


def open_orders(hands: Hands) -> None:
    hands.click("nav.accounts a:has-text('Account')", "Open the account")
    hands.click("aside a:text-is('Order History')", "Look at the orders so far")


def order_date(hands: Hands, values: dict[str, Any]) -> Response:
    open_orders(hands)
    return found(day(hands.text(f"table tr:has(td:text-is({quoted('£' + values['total'])}))")).date().isoformat())


def review_month(hands: Hands, values: dict[str, Any]) -> Response:
    if not find_reviews(hands, values["product"]):
        return no_product("retrieve", values["product"])
    review = hands.text(f"article.review:has(strong:text-is({quoted(values['name'])})) small:has-text('Reviewed by')")
    return found(f"{day(review):%B}")


def review_count(hands: Hands, values: dict[str, Any]) -> Response:
    if not find_reviews(hands, values["product"]):
        return no_product("retrieve", values["product"])
    return found(len(hands.texts(f"article.review h3.star-rating.{STARS[values['stars'] - 1]}")))


def has_reviewed(hands: Hands, values: dict[str, Any]) -> Response:
    if not find_reviews(hands, values["product"]):
        return no_product("retrieve", values["product"])
    return found(hands.sees(f"article.review strong:text-is({quoted(values['name'])})"))


def open_category(hands: Hands, category: str) -> None:
    hands.click(f".departments a:text-is({quoted(category)})", "Open the category")


def category_page(hands: Hands, values: dict[str, Any]) -> Response:
    open_category(hands, values["category"])
    return arrived()


def cheaper_products(hands: Hands, values: dict[str, Any]) -> Response:
    open_category(hands, values["category"])
    titles, prices = hands.texts("article.product_pod h3 a"), hands.texts("article.product_pod .price_color")
    return found(
        *(title for title, price in zip(titles, prices, strict=True) if amount(price) < float(values["limit"]))
    )


def write_review(hands: Hands, values: dict[str, Any]) -> Response:
    if not find_product(hands, values["product"]):
        return no_product("mutate", values["product"])
    if not hands.sees("#write_review"):
        own = hands.sees("article.review small:has-text('Reviewed by you')")
        why = "There is a review of mine already, and no way to write another" if own else "No way to write a review"
        return cannot("mutate", "ACTION_NOT_ALLOWED_ERROR", why)
    hands.click("#write_review", "Open the review form")
    hands.type("#add_review_form #id_title", values["title"], "Enter the title")
    hands.click(f"#add_review_form .star-rating i >> nth={values['stars'] - 1}", "Choose the stars")
    hands.type("#add_review_form #id_body", values["body"], "Enter the text")
    hands.submit("#add_review_form button[type=submit]", "Save the review")
    return confirmed(hands, "Thank you for reviewing this product")


def change_address(hands: Hands, values: dict[str, Any]) -> Response:
    field = values.get("field", "postcode")
    hands.click("nav.accounts a:has-text('Account')", "Open the account")
    hands.click("a:text-is('Address Book')", "Open the address book")
    hands.click(f"tr:has(address:has-text({quoted(values['city'])})) a:text-is('Edit')", "Edit the address")
    hands.type(ADDRESS_FIELDS[field], values["value"], f"Enter the new {field}")
    hands.submit("button:text-is('Save')", "Save the address")
    if hands.sees(".invalid-feedback, .has-error, .error-block"):
        why = " ".join(hands.texts(".invalid-feedback, .has-error, .error-block"))
        return cannot("mutate", "DATA_VALIDATION_ERROR", f"The form says: {why}")
    return confirmed(hands, "Address")


def wish(hands: Hands, values: dict[str, Any]) -> Response:
    if not find_product(hands, values["product"]):
        return no_product("mutate", values["product"])
    hands.submit(
        f"button:has-text({quoted('Add to wish list')}):has-text({quoted(values['wishes'])})", "Put it on the list"
    )
    return confirmed(hands, values["product"])


def order(hands: Hands, values: dict[str, Any]) -> Response:
    if not find_product(hands, values["product"]):
        return no_product("mutate", values["product"])
    if not hands.sees("#add_to_basket_form button[type=submit]"):
        why = f"It cannot be put in the basket: {hands.text('.product_main .availability')}"
        return cannot("mutate", "ACTION_NOT_ALLOWED_ERROR", why)
    hands.click("#add_to_basket_form button[type=submit]", "Put one in the basket")
    hands.click(".basket-mini button:has-text('View basket')", "Look at the basket")
    hands.click("a:text-is('Proceed to checkout')", "Go to the checkout")
    hands.click(
        f".choose-block .card:has(address:has-text({quoted(values['city'])})) button.ship-address",
        "Choose the address",
    )
    hands.click("#view_preview", "Go on to the preview")
    hands.submit("#place-order", "Place the order")
    return confirmed(hands, "Your order has been placed", ".lead")


def invoice(hands: Hands, values: dict[str, Any]) -> Response:
    open_orders(hands)
    hands.click(f"table a:has-text({quoted(values['order'])})", "Open the order")
    if hands.sees("#content_inner :text('invoice')"):
        return cannot("mutate", "UNKNOWN_ERROR", "There is something about invoices that I do not know")
    hands.click("aside a:text-is('Email History')", "Perhaps it can be sent again from here")
    return cannot("mutate", "NOT_SUPPORTED_BY_PLATFORM", "The shop has invoices neither with orders nor with emails")


def track(hands: Hands, values: dict[str, Any]) -> Response:
    hands.click("a:text-is('Track a parcel')", "Go where parcels are tracked")
    hands.type("#tracking_form #id_order", values["order"], "Ask for the order", enter=True)
    return cannot("retrieve", "UNKNOWN_ERROR", hands.text("#tracking_error"))


SOLUTIONS = {
    "shop-price": product_price,
    "shop-missing": product_price,
    "shop-order-date": order_date,
    "shop-review-month": review_month,
    "shop-review-count": review_count,
    "shop-reviewed": has_reviewed,
    "shop-cheaper": cheaper_products,
    "shop-category": category_page,
    "shop-review": write_review,
    "shop-review-again": write_review,
    "shop-address": change_address,
    "shop-postcode": change_address,
    "shop-wish": wish,
    "shop-order": order,
    "shop-sold-out": order,
    "shop-invoice": invoice,
    "shop-parcel": track,
}
