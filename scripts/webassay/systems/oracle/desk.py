"""The help desk, as customers and staff use it."""

from typing import Any

from webassay.systems.oracle.hands import (
    Hands,
    Response,
    arrived,
    cannot,
    confirmed,
    found,
    quoted,
)


def find_ticket(hands: Hands, title: str) -> str | None:
    """Search, and the selector of the ticket's row where there is one."""
    hands.type("#site_search", title, "Search for the ticket", enter=True)
    row = f"#tickets tr:has(a:text-is({quoted(title)}))"
    return row if hands.sees(row) else None


def open_ticket(hands: Hands, title: str) -> bool:
    row = find_ticket(hands, title)
    if row:
        hands.click(f"{row} a", "Open the ticket")
    return row is not None


def no_ticket(action: str, title: str) -> Response:
    return cannot(action, "NOT_FOUND_ERROR", f"The search finds no ticket {title!r}")


def ticket_summary(hands: Hands, values: dict[str, Any]) -> Response:
    row = find_ticket(hands, values["title"])
    if not row:
        return no_ticket("retrieve", values["title"])
    _, _, queue, status, priority, *_ = hands.texts(f"{row} td")
    return found({"queue": queue, "status": status, "priority": priority})


def ticket_count(hands: Hands, values: dict[str, Any]) -> Response:
    hands.select("#ticket_filter #id_queue", values["queue"], "Choose the queue")
    hands.select("#ticket_filter #id_status", values["status"], "Choose the status")
    hands.click("#ticket_filter button[type=submit]", "Show only these tickets")
    return found(int(hands.text("#ticket_count").split()[0]))


def ticket_page(hands: Hands, values: dict[str, Any]) -> Response:
    return arrived() if open_ticket(hands, values["title"]) else no_ticket("navigate", values["title"])


def create_ticket(hands: Hands, values: dict[str, Any]) -> Response:
    hands.click("a:text-is('New ticket') >> nth=0", "Start a ticket")
    hands.select("#ticket_form #id_queue", values["queue"], "Choose the queue")
    hands.type("#ticket_form #id_title", values["title"], "Enter the summary")
    hands.type("#ticket_form #id_body", values["text"], "Enter the description")
    hands.submit("#id_submit_ticket", "Submit the ticket")
    return confirmed(hands, values["title"], "h1")


def answer(hands: Hands, message: str, status: str | None = None) -> Response:
    """On a ticket's page."""
    hands.type("#ticket_answer_form #id_comment", message, "Enter the message")
    if status:
        hands.select("#ticket_answer_form #id_new_status", status, "Choose the status")
    hands.submit("#id_send", "Send the answer")
    return confirmed(hands, message, "#followups")


def close_ticket(hands: Hands, values: dict[str, Any]) -> Response:
    if not open_ticket(hands, values["title"]):
        return no_ticket("mutate", values["title"])
    return answer(hands, values["message"], "Closed")


def others_ticket(hands: Hands, values: dict[str, Any]) -> Response:
    """Not among one's own; its page says why."""
    hands.click("#tickets tbody a >> nth=0", "It is not in the list; see how the page of a ticket looks")
    hands.go("desk", f"/helpdesk/tickets/{values['number']}/", "Open the ticket by its number")
    return cannot("retrieve", "PERMISSION_DENIED_ERROR", f"The ticket's page says: {hands.text('h1')}")


def delete_ticket(hands: Hands, values: dict[str, Any]) -> Response:
    if not open_ticket(hands, values["title"]):
        return no_ticket("mutate", values["title"])
    offered = ", ".join(hands.texts("#id_new_status option"))
    hands.click("a:text-is('My tickets') >> nth=0", "Perhaps tickets can be deleted from the list")
    return cannot("mutate", "NOT_SUPPORTED_BY_PLATFORM", f"A ticket can only become {offered}; nothing deletes it")


SOLUTIONS = {
    "desk-ticket": ticket_summary,
    "desk-count": ticket_count,
    "desk-page": ticket_page,
    "desk-create": create_ticket,
    "desk-close": close_ticket,
    "desk-others": others_ticket,
    "desk-delete": delete_ticket,
}
