"""The handbook, as a reader uses it."""

import re
from typing import Any

from webassay.errors import AgentFault
from webassay.systems.oracle.hands import (
    Hands,
    Response,
    arrived,
    cannot,
    confirmed,
    day,
    found,
)

FACTS = {
    "how long after delivery may customers return what they bought": ("Returns policy", r"within (\d+ days)"),
    "after how long is an unconfirmed payment tried again": ("Payment", r"again after (\d+ hours)"),
}
"""Which page a reader would take, and how the answer reads there."""


def find_page(hands: Hands, title: str) -> bool:
    """Through the search, which writes the page's path below its title."""
    hands.type("#site_search", title, "Search for the page", enter=True)
    for number, text in enumerate(hands.texts("#content_inner table td a")):
        if text.splitlines()[0].strip() == title:
            hands.click(f"#content_inner table td a >> nth={number}", "Open the page")
            return True
    return False


def no_page(hands: Hands, action: str, title: str) -> Response:
    """Once more by its first word alone, in case the page has a slightly other name."""
    hands.type("#site_search", title.split()[0], "Search for a part of the name", enter=True)
    return cannot(action, "NOT_FOUND_ERROR", f"The handbook has no page {title!r}")


def said(hands: Hands, pattern: str) -> str:
    match = re.search(pattern, hands.text("#article-text"))
    if not match:
        raise AgentFault(f"the page does not say {pattern!r}")
    return match[1]


def fact(hands: Hands, values: dict[str, Any]) -> Response:
    title, pattern = FACTS[values["question"]]
    if not find_page(hands, title):
        return no_page(hands, "retrieve", title)
    return found(said(hands, pattern))


def last_change(hands: Hands, values: dict[str, Any]) -> Response:
    if not find_page(hands, values["page"]):
        return no_page(hands, "retrieve", values["page"])
    return found(day(hands.text(".last-change")).date().isoformat())


def children(hands: Hands, values: dict[str, Any]) -> Response:
    if not find_page(hands, values["page"]):
        return no_page(hands, "retrieve", values["page"])
    return found(*hands.texts("#article-children a"))


def open_page(hands: Hands, values: dict[str, Any]) -> Response:
    return arrived() if find_page(hands, values["page"]) else no_page(hands, "navigate", values["page"])


def add_line(hands: Hands, values: dict[str, Any]) -> Response:
    if not find_page(hands, values["page"]):
        return no_page(hands, "mutate", values["page"])
    if not hands.sees("#edit_article"):
        path = hands.path + "_edit/"
        hands.go("wiki", path, "There is no button to edit; perhaps the form is where it is for other pages")
        return cannot("mutate", "PERMISSION_DENIED_ERROR", f"No way to edit; the form says: {hands.text('h1')}")
    hands.click("#edit_article", "Edit the page")
    text = hands.value("#id_content")
    hands.type("#id_content", f"{text.rstrip()}\n\n{values['line']}", "Add the line at the end")
    hands.submit("#id_save", "Save the page")
    return confirmed(hands, values["line"], "#article-text")


SOLUTIONS = {
    "wiki-fact": fact,
    "wiki-changed": last_change,
    "wiki-missing": last_change,
    "wiki-children": children,
    "wiki-page": open_page,
    "wiki-edit": add_line,
    "wiki-forbidden": add_line,
}
