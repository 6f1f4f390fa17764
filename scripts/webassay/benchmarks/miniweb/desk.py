"""Tasks of the help desk: a customer with her tickets, and staff with everybody's."""

import sqlite3
from collections.abc import Iterator

from webassay.benchmarks.miniweb.forms import (
    COUNT,
    CUSTOMER,
    MANY,
    STAFF,
    TEXT,
    Rows,
    Template,
    absent,
    appended,
    ask,
    distinct,
    done,
    ends_at,
    event,
    found,
    insert,
    only,
    posted,
    refused,
    says,
    says_not_applicable,
    seen,
    shape,
    shows,
    spread,
    task,
    update,
    watched,
)
from webassay.core.task import Probe, Task

DESK = ("desk",)

STATUSES = {1: "Open", 2: "Reopened", 3: "Resolved", 4: "Closed", 5: "Duplicate"}
PRIORITIES = {1: "1. Critical", 2: "2. High", 3: "3. Normal", 4: "4. Low", 5: "5. Very Low"}

SUMMARY = Template(
    "desk-ticket",
    'Get the queue, the status and the priority of my ticket "{title}", as an object with the keys "queue", "status"'
    ' and "priority".',
    "retrieve",
    DESK,
    "medium",
)
TICKET_COUNT = Template(
    "desk-count",
    'How many tickets in the queue "{queue}" have the status "{status}"?',
    "retrieve",
    DESK,
    "medium",
    "staff",
)
OPEN = Template("desk-page", 'Open my ticket "{title}".', "navigate", DESK, "easy")
CREATE = Template(
    "desk-create",
    'Submit a ticket to the queue "{queue}" with the summary "{title}" and the description "{text}"',
    "mutate",
    DESK,
    "medium",
)
CLOSE = Template(
    "desk-close",
    'Set the status of the ticket "{title}" to "Closed", with the message "{message}"',
    "mutate",
    DESK,
    "medium",
    "staff",
)
OTHERS = Template(
    "desk-others",
    "Get the priority of ticket number {number}, whose page is /helpdesk/tickets/{number}/.",
    "retrieve",
    DESK,
    "medium",
)
DELETE = Template("desk-delete", 'Delete my ticket "{title}" for good.', "mutate", DESK, "hard")

NEW = (
    (
        "Returns",
        "Label for a return has no barcode",
        "The label that I printed has an empty space where the barcode should be.",
    ),
    ("Website", "Search does not find umlauts", "When I type the name of a German author, the search finds nothing."),
)
CLOSINGS = ("Settled on the phone this morning.", "Answered by e-mail, nothing is left to do.")

TICKETS = (
    "SELECT t.id, t.title, q.title, t.status, t.priority, t.submitter_email, t.description, t.assigned_to_id"
    " FROM helpdesk_ticket t JOIN helpdesk_queue q ON q.id = t.queue_id"
)
MINE = Probe(
    "SELECT q.title, t.title, replace(t.description, char(13), ''), t.status FROM helpdesk_ticket t"
    " JOIN helpdesk_queue q ON q.id = t.queue_id WHERE t.submitter_email = ? ORDER BY t.id",
    (CUSTOMER,),
)


def ticket_page(key: int) -> str:
    return f"__DESK__/helpdesk/tickets/{key}/"


def tickets(database: sqlite3.Connection, where: str, *params: object) -> Rows:
    """Those whose titles are their own."""
    titles = {row[1] for row in distinct(ask(database, TICKETS), 1)}
    return [row for row in ask(database, f"{TICKETS} WHERE {where} ORDER BY t.id", *params) if row[1] in titles]


def mine(database: sqlite3.Connection) -> Rows:
    return tickets(database, "t.submitter_email = ?", CUSTOMER)


def summary_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    schema = shape(queue=TEXT, status=TEXT, priority=TEXT)
    rows = [[row[1], [row[2], STATUSES[row[3]], PRIORITIES[row[4]]]] for row in mine(database)]
    for number, (title, (queue, status, priority)) in enumerate(spread(distinct(rows, 1), MANY), 1):
        answer = found(SUMMARY, [{"queue": queue, "status": status, "priority": priority}], schema)
        yield task(SUMMARY, number, {"title": title}, answer, original=says(queue, status, priority))


def count_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    """Two digits, which nobody guesses."""
    counts = [
        [queue, STATUSES[status], count]
        for queue, status, count in ask(
            database,
            "SELECT q.title, t.status, count(*) FROM helpdesk_ticket t JOIN helpdesk_queue q ON q.id = t.queue_id"
            " GROUP BY q.id, t.status ORDER BY q.id, t.status",
        )
    ]
    many = [row for row in distinct(counts, 2) if row[2] > 9]
    for number, (queue, status, count) in enumerate(spread(many, 2), 1):
        values, answer = {"queue": queue, "status": status}, found(TICKET_COUNT, [count], COUNT)
        yield task(TICKET_COUNT, number, values, answer, original=says(count))


def open_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    for number, (key, title, *_) in enumerate(spread(mine(database), MANY), 1):
        url = ticket_page(key)
        yield task(OPEN, number, {"title": title}, done(OPEN), seen(url), original=ends_at(url))


def create_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    for number, (queue, title, text) in enumerate(NEW, 1):
        only(ask(database, "SELECT id FROM helpdesk_queue WHERE title = ?", queue), f"queue {queue!r}")
        absent(ask(database, "SELECT 1 FROM helpdesk_ticket WHERE title = ?", title), f"ticket {title!r}")
        yield task(
            CREATE,
            number,
            {"queue": queue, "title": title, "text": text},
            done(CREATE),
            posted("__DESK__/helpdesk/tickets/submit/", title=title),
            states=[watched(database, "tickets", MINE, appended(queue, title, text, 1))],
            allowed=[insert("helpdesk_ticket"), insert("helpdesk_followup")],
            original=shows(("__DESK__/helpdesk/tickets/", "#tickets", [title])),
        )


def answers(key: int) -> Probe:
    return Probe(
        "SELECT t.status, replace(f.comment, char(13), ''), f.public, u.email FROM helpdesk_ticket t"
        " JOIN helpdesk_followup f ON f.ticket_id = t.id LEFT JOIN auth_user u ON u.id = f.user_id"
        " WHERE t.id = ? ORDER BY f.id",
        (key,),
    )


ANSWERED = (
    insert("helpdesk_followup"),
    insert("helpdesk_ticketchange", rows=2),
    update("helpdesk_ticket", "status", "resolution", "modified", "assigned_to_id"),
)
"""What an answer writes."""


def close_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    chosen = zip(spread(tickets(database, "t.status = 1"), len(CLOSINGS)), CLOSINGS, strict=True)
    for number, ((key, title, *_), message) in enumerate(chosen, 1):

        def change(rows: Rows, message: str = message) -> Rows:
            return [[4, *row[1:]] for row in rows] + [[4, message, 1, STAFF]]

        yield task(
            CLOSE,
            number,
            {"title": title, "message": message},
            done(CLOSE),
            posted(f"{ticket_page(key)}update/", new_status="4"),
            states=[watched(database, "answers", answers(key), change)],
            allowed=ANSWERED,
            original=shows((ticket_page(key), "#followups", [message])),
        )


def others_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    rows = ask(database, f"{TICKETS} WHERE t.submitter_email <> ? ORDER BY t.id", CUSTOMER)
    for number, (key, *_) in enumerate(spread(rows, 2), 1):
        denied = event(ticket_page(key), response_status=403)
        answer, original = refused(OTHERS, "PERMISSION_DENIED_ERROR"), says_not_applicable("it is somebody else's")
        yield task(OTHERS, number, {"number": key}, answer, denied, original=original)


def delete_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    rows = mine(database)[::-1]
    for number, (key, title, *_) in enumerate(spread(rows, 2), 1):
        answer, looked = refused(DELETE, "NOT_SUPPORTED_BY_PLATFORM"), seen(ticket_page(key))
        original = says_not_applicable("tickets can be closed, not deleted")
        yield task(DELETE, number, {"title": title}, answer, looked, original=original)


TASKS = (
    summary_tasks,
    count_tasks,
    open_tasks,
    create_tasks,
    close_tasks,
    others_tasks,
    delete_tasks,
)
