"""The addresses of all five sites; which of them a host serves is the middleware's business."""

from django.apps import apps
from django.contrib.auth.decorators import login_required
from django.urls import include, path
from django.views.generic import RedirectView, TemplateView
from helpdesk.views import staff

from webassay.sites.miniweb.desk import Start, TicketList, customer_account, own_ticket, staff_only
from webassay.sites.miniweb.forum import PostSearch, vote
from webassay.sites.miniweb.views import Home

# Of django-helpdesk what a help desk of this size uses: its other pages need scripts from elsewhere or write on GET.
desk = [
    path("", Start.as_view(), name="home"),
    path("tickets/", TicketList.as_view(), name="list"),
    path("tickets/submit/", login_required(staff.CreateTicketView.as_view()), name="submit"),
    path("tickets/<int:ticket_id>/", own_ticket(staff.view_ticket), name="view"),
    path("tickets/<int:ticket_id>/update/", own_ticket(staff.update_ticket_view), name="update"),
    path("tickets/<int:ticket_id>/edit/", staff_only(staff.edit_ticket), name="edit"),
    path("view/", RedirectView.as_view(pattern_name="helpdesk:list"), name="public_view"),
]

# A ticket's page links to its customer under the name that Django's own admin site would have.
customers = [path("<int:object_id>/", customer_account, name="auth_user_change")]

urlpatterns = [
    path("", Home.as_view(), name="front"),
    path("tracking/", TemplateView.as_view(template_name="miniweb/tracking.html"), name="tracking"),
    path("forum/vote/<int:post_id>/", vote, name="vote"),
    path("forum/search/", PostSearch.as_view(), name="forum_search"),
    path("forum/", include("machina.urls")),
    path("wiki/", include("wiki.urls")),
    path("helpdesk/", include((desk, "helpdesk"))),
    path("helpdesk/customers/", include((customers, "admin"))),
    path("", include(apps.get_app_config("oscar").urls[0])),
]
