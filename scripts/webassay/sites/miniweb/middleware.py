"""What happens around every request: the site's own time, and which paths a host name serves."""

from collections.abc import Callable
from datetime import timedelta

import time_machine
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import http_date

from webassay.sites.miniweb import ADMIN, SHOP
from webassay.sites.miniweb.models import Clock

Next = Callable[[HttpRequest], HttpResponse]
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
TICK = timedelta(seconds=1)


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
    """The dashboard lives on its own host name, so that staff and customer cookies stay apart."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        host, _, port = request.get_host().partition(":")
        dashboard = request.path == "/dashboard" or request.path.startswith("/dashboard/")
        if host == SHOP and dashboard:
            raise Http404
        if host == ADMIN and request.path == "/":
            return HttpResponseRedirect("/dashboard/")
        if host == ADMIN and not dashboard:
            # Links of the dashboard to the shop ("View on site") are paths of one host in Oscar.
            return HttpResponseRedirect(f"http://{SHOP}{':' + port if port else ''}{request.get_full_path()}")
        return self.get_response(request)
