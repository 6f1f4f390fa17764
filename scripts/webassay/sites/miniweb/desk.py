"""What the help desk has beyond django-helpdesk: a ticket list without scripts, and customers who see their own."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.mixins import LoginRequiredMixin
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.generic import ListView, TemplateView
from helpdesk.models import Queue, Ticket

from webassay.sites.miniweb.views import hosts

View = Callable[..., HttpResponse]
ORDERS = {
    "-created": "Newest first",
    "created": "Oldest first",
    "-modified": "Last updated",
    "priority": "Most urgent first",
    "title": "Title",
}


def own_ticket(view: View) -> View:
    """Staff may open every ticket, a customer the ones that came from his or her address."""

    @wraps(view)
    def guarded(request: HttpRequest, ticket_id: int) -> HttpResponse:
        if request.user.is_authenticated and not visible(request.user).filter(pk=ticket_id).exists():
            get_object_or_404(Ticket, pk=ticket_id)
            raise PermissionDenied
        return view(request, ticket_id=ticket_id)

    return guarded


def staff_only(view: View) -> View:
    @wraps(view)
    def guarded(request: HttpRequest, ticket_id: int) -> HttpResponse:
        if request.user.is_authenticated and not request.user.is_staff:
            raise PermissionDenied
        return view(request, ticket_id=ticket_id)

    return guarded


def visible(user: Any) -> QuerySet[Ticket]:
    tickets = Ticket.objects.all()
    return tickets if user.is_staff else tickets.filter(submitter_email__iexact=user.email)


def customer_account(request: HttpRequest, object_id: int) -> HttpResponse:
    """The customer of a ticket is found in the dashboard, on its own host."""
    return redirect(f"{hosts(request)['admin_address']}/dashboard/users/{object_id}/")


class Start(TemplateView):
    """A welcome for visitors; who is logged in sees the tickets at once."""

    template_name = "miniweb/desk.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated:
            return redirect("helpdesk:list")
        return super().get(request, *args, **kwargs)


class TicketList(LoginRequiredMixin, ListView):
    """Narrowed and sorted by the query string alone, so that an address is a view."""

    template_name = "miniweb/tickets.html"
    context_object_name = "tickets"
    paginate_by = 25

    def get_queryset(self) -> QuerySet[Ticket]:
        tickets = visible(self.request.user).select_related("queue", "assigned_to")
        for field in ("status", "queue", "priority"):
            chosen = self.request.GET.get(field, "")
            if chosen.isdecimal():
                tickets = tickets.filter(**{field: int(chosen)})
        for word in self.request.GET.get("q", "").split():
            tickets = tickets.filter(
                Q(title__icontains=word)
                | Q(description__icontains=word)
                | Q(resolution__icontains=word)
                | Q(submitter_email__icontains=word)
            )
        order = self.request.GET.get("sort", "")
        return tickets.order_by(order if order in ORDERS else "-created", "-pk")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        chosen = self.request.GET.copy()
        chosen.pop("page", None)
        return {
            **super().get_context_data(**kwargs),
            "chosen": chosen.dict(),
            "chosen_query": chosen.urlencode(),
            "queues": [(str(queue.pk), queue.title) for queue in Queue.objects.order_by("title")],
            "statuses": [(str(number), name) for number, name in Ticket.STATUS_CHOICES],
            "priorities": [(str(number), name) for number, name in Ticket.PRIORITY_CHOICES],
            "orders": ORDERS.items(),
        }
