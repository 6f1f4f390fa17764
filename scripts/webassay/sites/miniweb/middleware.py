"""What happens around every request: the site's own time, and which paths a host name serves."""

from collections.abc import Callable
from datetime import timedelta

import time_machine
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import http_date

from webassay.sites.miniweb import ADMIN, DESK, FORUM, SHOP, WIKI
from webassay.sites.miniweb.models import Clock

Next = Callable[[HttpRequest], HttpResponse]
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
TICK = timedelta(seconds=1)
STARTS = {ADMIN: "/dashboard/", FORUM: "/forum/", WIKI: "/wiki/", DESK: "/helpdesk/"}
"""Where each site begins; nothing else of it lies elsewhere, apart from the account."""


class SiteClock:
    """Answers each request at the time in the database, and moves it on after each that may write."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        now = Clock.objects.get().now
        with time_machine.travel(now, tick=False):
            response = self.get_response(request)
        response.headers["Date"] = http_date(now.timestamp())
        if request.method not in SAFE_METHODS:
            Clock.objects.update(now=now + TICK)
        return response


class HostPaths:
    """Each site has its own host name and its own part of the addresses, so that cookies stay apart."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        host, _, port = request.get_host().partition(":")
        start = STARTS.get(host)
        if start and request.path == "/":
            return HttpResponseRedirect(start)
        if serves(host, request.path):
            return self.get_response(request)
        if host == ADMIN:
            # Links of the dashboard to the shop ("View on site") are paths of one host in Oscar.
            return HttpResponseRedirect(f"http://{SHOP}{':' + port if port else ''}{request.get_full_path()}")
        raise Http404


def serves(host: str, path: str) -> bool:
    """Whether a path is one of this host's; the shop has what no other site claims."""
    if host == SHOP:
        return not path.startswith(tuple(STARTS.values()))
    own = STARTS[host]
    return path == own.rstrip("/") or path.startswith(own) or (host != ADMIN and path.startswith("/accounts/"))
