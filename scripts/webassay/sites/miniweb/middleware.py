"""What happens around every request: the site's time, who asks, which paths a host serves, GETs that only look."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import time_machine
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.http import http_date
from machina.apps.forum_permission.handler import PermissionHandler
from machina.apps.forum_permission.middleware import ForumPermissionMiddleware
from oscar.apps.basket.middleware import BasketMiddleware
from oscar.core.loading import get_model

from webassay.sites.miniweb import ADMIN, DESK, FORUM, SHOP, WIKI
from webassay.sites.miniweb.models import Clock

Next = Callable[[HttpRequest], HttpResponse]
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
WRITING = ("INSERT", "UPDATE", "DELETE", "REPLACE")
TICK = timedelta(seconds=1)
USER_HEADER = "X-Site-User"
STARTS = {ADMIN: "/dashboard/", FORUM: "/forum/", WIKI: "/wiki/", DESK: "/helpdesk/"}
"""Where each site begins; nothing else of it lies elsewhere, apart from the account."""
ACCOUNT = ("/accounts/login/", "/accounts/logout/", "/accounts/profile/")
"""Of the account what each site has; orders and addresses are the shop's."""


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


class SiteUser:
    """Says in each answer who asked, because a session cookie alone proves nothing."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        asked = request.user.email if request.user.is_authenticated else None
        response = self.get_response(request)
        if asked:
            response.headers[USER_HEADER] = asked
        return response


class HostPaths:
    """Each site has its own host name and its own part of the addresses, so that cookies stay apart."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        host, colon, port = request.get_host().partition(":")
        if host in STARTS and (request.path == "/" or after_staff_login(host, request)):
            return HttpResponseRedirect(STARTS[host])
        if serves(host, request.path):
            return self.get_response(request)
        other = elsewhere(host, request)
        if other is None:
            raise Http404
        return HttpResponseRedirect(f"http://{other}{colon}{port}{request.get_full_path()}")


def serves(host: str, path: str) -> bool:
    """Whether a path is one of this host's; the shop has what no other site claims."""
    if host == SHOP:
        return not begins(path, *STARTS.values())
    return begins(path, STARTS[host]) or (host != ADMIN and begins(path, *ACCOUNT))


def after_staff_login(host: str, request: HttpRequest) -> bool:
    """Oscar leads staff to the dashboard after each login, also after one on the forum."""
    return host != ADMIN and request.path == STARTS[ADMIN] and bool(request.user.is_staff)


def elsewhere(host: str, request: HttpRequest) -> str | None:
    """The host that a link means: those between shop, account and dashboard are paths of one host in Oscar."""
    if host == ADMIN or (host != SHOP and not begins(request.path, *STARTS.values())):
        return SHOP
    if host == SHOP and begins(request.path, STARTS[ADMIN]) and request.user.is_staff:
        return ADMIN
    return None


def begins(path: str, *starts: str) -> bool:
    return f"{path}/".startswith(starts)


class LateBasket(BasketMiddleware):
    """A customer gets a basket with the first product; an anonymous one is taken over by the login, not by a look."""

    def get_basket(self, request: HttpRequest) -> Any:
        if request.method in SAFE_METHODS and request.user.is_authenticated and request._basket_cache is None:
            baskets = get_model("basket", "basket")
            if not baskets.open.filter(owner=request.user).exists():
                request._basket_cache = baskets(owner=request.user)
        return super().get_basket(request)

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        left_behind = self.get_cookie_key(request) in request.COOKIES and request.user.is_authenticated
        if left_behind and request.method not in SAFE_METHODS:
            request._basket_cache = None
            self.get_basket(request)
        return super().process_response(request, response)


class OneVisitor(ForumPermissionMiddleware):
    """All anonymous visitors of the forum are one: machina would write a session for each."""

    def process_request(self, request: HttpRequest) -> None:
        if not request.user.is_authenticated:
            request.user.forum_key = "visitor"
        request.forum_permission_handler = PermissionHandler()


HARMLESS = ('"django_session"', 'SET "analytics_tracked"')
"""Sessions, and the page after an order, which notes that it has been seen."""


class WriteOnLook(Exception):
    pass


class LookOnly:
    """A GET writes nothing but a session: where an application would, the visitor is asked to do it by POST."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in SAFE_METHODS:
            return self.get_response(request)
        with connection.execute_wrapper(refuse_writes):
            return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return render(request, "miniweb/confirm.html") if isinstance(exception, WriteOnLook) else None


def refuse_writes(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
    if sql.lstrip().upper().startswith(WRITING) and not any(part in sql for part in HARMLESS):
        raise WriteOnLook(sql)
    return execute(sql, params, many, context)
