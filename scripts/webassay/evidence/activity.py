"""Did the agent use the task's sites, and as the user it was to be? A right answer without a visit is a guess."""

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

import msgspec

from webassay.core.verdict import Assertion
from webassay.errors import ConfigError
from webassay.evidence.har import Events, NetworkEvent, Origin, find, origin

_SEGMENT = re.compile(r"[A-Za-z]+://[^/?#]*/*([^/?#]*)")
_PLACE = re.compile(r"[^?#]*[^?#/]|")
_ACTIVE = ("document", "xhr", "fetch", None)
"""Resource types that a page or a script call can have; None where the recorder names none."""


LOGIN_PATHS = {"shopping": "/customer/account/login/", "reddit": "/login", "gitlab": "/users/sign_in"}
"""Of WebArena's sites, for environments in webarena-verified's form, which knows no logins."""


class Site(msgspec.Struct, frozen=True, dict=True):
    """Where a site is and how its sessions show; webarena-verified's environment with a few fields more."""

    urls: tuple[str, ...]
    active_url_idx: int = 0
    login_path: str | None = None
    session_cookie: str | None = None
    login_required: bool = False
    """Every task on this site is done by somebody who is logged in."""
    user_header: str | None = None
    """The header in which the site names whose session it answers."""
    user: str | None = None
    """Who was logged in for the task, in the words of that header."""
    name: str = ""

    @property
    def tells_user(self) -> bool:
        return self.user_header is not None and self.user is not None

    @property
    def base(self) -> str:
        return self.urls[self.active_url_idx].rstrip("/")

    @cached_property
    def places(self) -> frozenset[tuple[Origin, str]]:
        """Origins, each with the first segment of its path: what tells a shop's admin pages from the shop."""
        return frozenset((found, _first_segment(url)) for url in self.urls if (found := origin(url)))

    def owns(self, url: str) -> bool:
        found = origin(url)
        return any(found == where and (not segment or segment == _first_segment(url)) for where, segment in self.places)

    def is_login(self, url: str) -> bool:
        """By the path; one with a slash at its end stands for all below it, where Magento says whence one came."""
        path = self.login_path
        if path is None or path.rstrip("/") not in url or not any(origin(url) == where for where, _ in self.places):
            return False
        given = urlsplit(url).path
        return given.rstrip("/") == path.rstrip("/") or (path.endswith("/") and given.startswith(path))


def sites_of(environments: Mapping[str, Any] | None) -> dict[str, Site]:
    """Environments as a config gives them; what this room does not use is left to others."""
    sites: dict[str, Site] = {}
    if not isinstance(environments or {}, Mapping):
        raise ConfigError(f"environments: {type(environments).__name__} given, expected a site's facts by its name")
    for name, facts in (environments or {}).items():
        try:
            site = msgspec.structs.replace(msgspec.convert(facts, Site), name=name)
        except msgspec.ValidationError as error:
            raise ConfigError(f"environments.{name}: {error}") from None
        if site.login_path is None:
            site = msgspec.structs.replace(site, login_path=LOGIN_PATHS.get(name))
        if not 0 <= site.active_url_idx < len(site.urls):
            raise ConfigError(f"environments.{name}: active_url_idx {site.active_url_idx}, but {len(site.urls)} urls")
        if broken := [url for url in site.urls if origin(url) is None]:
            raise ConfigError(f"environments.{name}: {broken[0]!r} is not an http address")
        sites[name] = site
    return sites


def check_activity(site: Site, events: Events) -> Assertion:
    """At least one page or script call of this site's own that was answered, and not by the login page."""
    answered = next((number for number in _own(site, events) if _counts(site, events[number])), None)
    reason = "" if answered is not None else _why_inactive(site, list(_own(site, events)), events)
    return _assertion(f"activity.{site.name}", answered, f"an answered request to {site.base}", reason)


def check_session(site: Site, events: Events) -> Assertion:
    """A session of the task's user, by the site's own word; where it says none, by the cookie that was sent."""
    return _check_user(site, events) if site.tells_user else _check_cookie(site, events)


def _check_cookie(site: Site, events: Events) -> Assertion:
    """At least one such request that carries the session cookie; its presence counts, its value is redacted."""
    cookie = site.session_cookie or ""
    own = (number for number in _own(site, events) if events[number].sends_cookie(cookie))
    answered = next((number for number in own if _counts(site, events[number])), None)
    reason = "" if answered is not None else _why_no_session(site, cookie, events)
    return _assertion(f"session.{site.name}", answered, f"a request to {site.base} with cookie {cookie}", reason)


def _check_user(site: Site, events: Events) -> Assertion:
    """At least one such request answered as the user, and none as anybody else."""
    named = ((number, _user(site, event)) for number, event in enumerate(events) if site.owns(event.url))
    users = {number: user for number, user in named if user}
    stranger = next((number for number, user in users.items() if user != site.user), None)
    answered = next((n for n in _own(site, events) if n in users and _counts(site, events[n])), None)
    expected = f"requests to {site.base} as {site.user}"
    if stranger is not None:
        reason = f"the session on {site.name} is of {users[stranger][:100]}, expected {site.user}"
        evidence = f"network.har#{stranger}"
        return Assertion(f"session.{site.name}", False, expected, users[stranger], evidence=evidence, reason=reason)
    reason = "" if answered is not None else _why_nobody(site, events)
    return _assertion(f"session.{site.name}", answered, expected, reason)


def _user(site: Site, event: NetworkEvent) -> str:
    return (find(event.response.headers, (site.user_header or "").lower()) or "").strip()


def check_exploration(sites: Iterable[Site], events: Events, pages: int, steps: int | None, least: int) -> Assertion:
    """What anybody could guess counts only after a look round: pages of the task's own sites, actions where known."""
    seen = pages_seen(sites, events, enough=pages)
    wanted = f"{pages} pages" + (f" and {least} actions" if steps is not None else "")
    did = f"{seen} {'page' if seen == 1 else 'pages'}" + (f" and {steps} actions" if steps is not None else "")
    passed = seen >= pages and (steps is None or steps >= least)
    reason = "" if passed else f"an answer that can be guessed, after {did}; at least {wanted} are asked for"
    return Assertion("exploration", passed, expected=wanted, actual=did, reason=reason)


def pages_seen(sites: Iterable[Site], events: Events, enough: int) -> int:
    """Different places that were answered with a page, or a part of one that a script fetched; up to `enough`.

    A redirect is no page yet, and a query makes no other page: the first visit alone would be two.
    """
    places: set[str] = set()
    for site in sites:
        for number in _own(site, events):
            if len(places) >= enough:
                return enough
            event = events[number]
            if 200 <= event.status < 300 and not site.is_login(event.url) and _is_page(event):
                places.add(_PLACE.match(event.url).group())  # type: ignore[union-attr]
    return len(places)


def session_sites(account: str | None, sites: Iterable[Site]) -> list[Site]:
    """Those whose session can be seen; an account that no site could show is a gap in the configuration."""
    sites = list(sites)
    seen = [site for site in sites if site.session_cookie or site.tells_user]
    if account is None:
        return [site for site in seen if site.login_required or site.tells_user]
    if not seen:
        names = ", ".join(site.name for site in sites)
        raise ConfigError(f"the task runs as {account!r}, but environments give no session_cookie for {names}")
    return seen


def leads_to_login(event: NetworkEvent, sites: Iterable[Site]) -> bool:
    """A redirect that only says: log in first."""
    target = event.location
    return target is not None and any(site.is_login(target) for site in sites)


def _own(site: Site, events: Events) -> Iterable[int]:
    return (
        number
        for number, event in enumerate(events)
        if event.resource_type in _ACTIVE and site.owns(event.url) and (event.is_document or event.is_script_call)
    )


def _is_page(event: NetworkEvent) -> bool:
    return event.is_document or event.mime_type.startswith("text/html")


def _counts(site: Site, event: NetworkEvent) -> bool:
    """A form of the login page shown again is no success, but the redirect after a good password is."""
    if 200 <= event.status < 300:
        return not site.is_login(event.url)
    return 300 <= event.status < 400 and not site.is_login(event.location or "")


def _why_nobody(site: Site, events: Events) -> str:
    """Without a cookie, with one that the site knows nobody by, or without a request that it answered."""
    own = [number for number in _own(site, events) if _counts(site, events[number])]
    cookie = site.session_cookie
    if own and cookie and not any(events[number].sends_cookie(cookie) for number in own):
        return _why_no_session(site, cookie, events)
    if own:
        sent = f"a session cookie {cookie!r} was sent, but " if cookie else ""
        return f"no valid session on {site.name}: {sent}{site.name} knew nobody by it (anonymous or expired)"
    return f"no valid session on {site.name}: {_why_inactive(site, list(_own(site, events)), events)}"


def _why_no_session(site: Site, cookie: str, events: Events) -> str:
    own = [number for number in _own(site, events) if events[number].sends_cookie(cookie)]
    if own:
        return f"no valid session on {site.name}: {_why_inactive(site, own, events)}"
    reason = f"no request to {site.name} carries the session cookie {cookie!r}"
    if any(event.sends_cookies for event in events):
        return reason
    way_out = f"environment.sites.{site.name}.login_required=false"
    return f"{reason}, nor any other cookie; if the recording was stripped of them: {way_out}"


def _why_inactive(site: Site, own: list[int], events: Events) -> str:
    if not events:
        return f"no request to {site.name}: the trace is empty"
    if not own:
        hosts = sorted({found[1] for event in events if (found := origin(event.url))})
        return f"no request to {site.name} ({site.base}): the trace has only {', '.join(hosts[:5]) or 'other schemes'}"
    if any(site.is_login(events[number].location or "") or site.is_login(events[number].url) for number in own):
        return f"{site.name} answered only with its login page {site.login_path}"
    statuses = sorted({events[number].status for number in own})
    return f"no request to {site.name} succeeded: it answered {', '.join(map(str, statuses[:5]))}"


def _first_segment(url: str) -> str:
    found = _SEGMENT.match(url)
    return found.group(1) if found else ""


def _assertion(name: str, number: int | None, expected: str, reason: str) -> Assertion:
    evidence = "" if number is None else f"network.har#{number}"
    return Assertion(name, number is not None, expected=expected, evidence=evidence, reason=reason)
