"""The help desk: queues, tickets and their follow-ups, through the help desk's own update."""

from datetime import datetime
from typing import Any

from helpdesk.models import FollowUp, Queue, Ticket
from helpdesk.update_ticket import update_ticket

from webassay.sites.miniweb.seed.plan import desk as planned
from webassay.sites.miniweb.seed.write.people import MoveTo, People

STATUSES = {
    "Reopened": Ticket.REOPENED_STATUS,
    "Resolved": Ticket.RESOLVED_STATUS,
    "Closed": Ticket.CLOSED_STATUS,
    "Duplicate": Ticket.DUPLICATE_STATUS,
}


def write_desk(
    queues: tuple[planned.Queue, ...], tickets: tuple[planned.Ticket, ...], people: People, move_to: MoveTo
) -> None:
    places = {queue.name: write_queue(queue) for queue in queues}
    rows: dict[int, Any] = {}
    for moment, number, reply in events(tickets):
        move_to(moment)
        if reply is None:
            rows[number] = write_ticket(tickets[number], places[tickets[number].queue], people)
        else:
            write_reply(reply, rows[number], people)


def events(tickets: tuple[planned.Ticket, ...]) -> list[tuple[datetime, int, planned.Reply | None]]:
    opened = [(ticket.opened, number, None) for number, ticket in enumerate(tickets)]
    replies = [(reply.written, number, reply) for number, ticket in enumerate(tickets) for reply in ticket.replies]
    return sorted([*opened, *replies], key=lambda event: event[:2])


def write_queue(queue: planned.Queue) -> Any:
    return Queue.objects.create(
        title=queue.name,
        slug=queue.slug,
        email_address=queue.email,
        allow_public_submission=True,
        new_ticket_cc="",
        updated_ticket_cc="",
    )


def write_ticket(ticket: planned.Ticket, queue: Any, people: People) -> Any:
    """As the submission form writes it: the ticket, and its text once more as the first follow-up."""
    author = people[ticket.author]
    row = Ticket.objects.create(
        title=ticket.title,
        queue=queue,
        submitter_email=author.email,
        description=ticket.text,
        priority=ticket.priority,
        due_date=ticket.due,
        assigned_to=None if ticket.colleague is None else people.staff[ticket.colleague],
        secret_key=ticket.key,
    )
    FollowUp.objects.create(
        ticket=row, title="Ticket Opened", public=True, comment=ticket.text, user=author, email_recipients=[]
    )
    return row


def write_reply(reply: planned.Reply, ticket: Any, people: People) -> None:
    update_ticket(
        people[reply.author],
        ticket,
        title="",
        comment=reply.text,
        public=reply.public,
        new_status=STATUSES.get(reply.status, ticket.status),
    )
