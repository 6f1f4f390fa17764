"""Tasks over several sites, done with what the oracle knows of each."""

import re
from typing import Any

from webassay.errors import AgentFault
from webassay.systems.oracle import admin, desk, forum, shop, wiki
from webassay.systems.oracle.hands import Hands, Response, found

CAPITALS = re.compile(r"[A-Z][\w'-]*(?: [A-Z][\w'-]*)+")


def open_ticket(hands: Hands, values: dict[str, Any]) -> str:
    """The text of the ticket, title included."""
    if not desk.open_ticket(hands, values["title"]):
        raise AgentFault(f"no ticket {values['title']!r}")
    return f"{values['title']}\n{hands.text('#ticket_description')}"


def extension(hands: Hands, values: dict[str, Any]) -> Response:
    open_ticket(hands, values)
    owner = hands.text("#ticket_owner")
    hands.go("wiki", "/", "Go to the handbook for the phone number")
    if not wiki.find_page(hands, "Phone list and contacts"):
        raise AgentFault("the handbook has no list of phone numbers")
    return found(int(wiki.said(hands, rf"{re.escape(owner)}, [^:.]+: (\d+)")))


def order_total(hands: Hands, values: dict[str, Any]) -> Response:
    numbers = re.findall(r"\b1\d{5}\b", open_ticket(hands, values))
    hands.go("admin", "/dashboard/", "Go to the dashboard for the order")
    return admin.order_total(hands, {"order": numbers[0]})


def set_stock(hands: Hands, values: dict[str, Any]) -> Response:
    match = re.search(r"of the (.+?) than we found|not get the (.+?) although", open_ticket(hands, values))
    if not match:
        raise AgentFault("the ticket names no product")
    hands.go("admin", "/dashboard/", "Go to the dashboard for the product")
    return admin.set_stock(hands, {"product": match[1] or match[2], "stock": values["stock"]})


def wish(hands: Hands, values: dict[str, Any]) -> Response:
    """The product is the longest name in the post, as a reader sees at once."""
    if not forum.find_topic(hands, values["topic"]):
        return forum.no_topic("mutate", values["topic"])
    post = hands.text(f"{forum.POSTS} .post-content >> nth=0")
    hands.go("shop", "/", "Go to the shop for the product")
    return shop.wish(hands, {"product": max(CAPITALS.findall(post), key=len), "wishes": values["wishes"]})


def answer(hands: Hands, values: dict[str, Any]) -> Response:
    length = wiki.fact(hands, values)["results"][0]
    hands.go("desk", "/", "Go to the help desk with the answer")
    open_ticket(hands, values)
    return desk.answer(hands, length)


def price(hands: Hands, values: dict[str, Any]) -> Response:
    if not shop.find_product(hands, values["product"]):
        return shop.no_product("mutate", values["product"])
    message = hands.text(".product_main .price_color")
    hands.go("forum", "/", "Go to the forum with the price")
    return forum.reply(hands, {"topic": values["topic"], "message": message})


SOLUTIONS = {
    "multi-extension": extension,
    "multi-order-total": order_total,
    "multi-stock": set_stock,
    "multi-wish": wish,
    "multi-answer": answer,
    "multi-price": price,
}
