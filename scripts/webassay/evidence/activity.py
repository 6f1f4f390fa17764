"""Did the agent use the task's sites, and as the user it was to be? A right answer without a visit is a guess."""

import re
from collections.abc import Iterable, Iterator

import msgspec

from webassay.core.verdict import Assertion
from webassay.errors import ConfigError
from webassay.evidence.har import Events, NetworkEvent, find, origin
from webassay.evidence.site import Site

_PLACE = re.compile(r"[^?#]*[^?#/]|")
_ACTIVE = ("document", "xhr", "fetch", None)
"""Resource types that a page or a script call can have; None where the recorder names none."""


def check_activity(site: Site, events: Events) -> Assertion:
    """At least one page or script call of this site's own that was answered, and not by the login page."""
    answered = next((number for number in _own(site, events) if _counts(site, events[number])), None)
    own = [] if answered is not None else list(_own(site, events))
    reason = "" if answered is not None else _why_inactive(site, own, events)
    check = _assertion(f"activity.{site.name}", answered, f"an answered request to {site.base}", reason)
    return msgspec.structs.replace(check, fault="site") if _is_down(own, events) else check


def _is_down(own: list[int], events: Events) -> bool:
    return bool(own) and all(events[number].status >= 500 for number in own)


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
    """Different places that were answered with a page, a part of one, or by a service elsewhere; up to `enough`.

    A redirect is no page yet, and a query makes no other page: the first visit alone would be two. For the same reason
    a site's answers to its own scripts count only as HTML: many a start page asks for data of itself.
    """
    places: set[str] = set()
    for event in _looked_at(list(sites), events):
        place = _PLACE.match(event.url)
        places.add(place.group() if place else "")
        if len(places) >= enough:
            return enough
    return len(places)


def _looked_at(sites: list[Site], events: Events) -> Iterator[NetworkEvent]:
    for site in sites:
        own = (events[number] for number in _own(site, events))
        yield from (event for event in own if _is_page(event) and event.status < 300 and _counts(site, event))
    for event in events:
        if event.method == "GET" and 200 <= event.status < 300 and event.is_script_call and _asked_by(sites, event):
            yield event


def _asked_by(sites: list[Site], event: NetworkEvent) -> bool:
    """A map's page asks a service on another origin for places and ways."""
    if any(site.owns(event.url) for site in sites):
        return False
    came_from = find(event.request.headers, "referer") or find(event.request.headers, "origin") or ""
    return any(site.owns(came_from) for site in sites)


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
    return target is not None and any(site.sends_to_login(target) for site in sites)


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
        return not _is_login(site, event)
    return 300 <= event.status < 400 and not leads_to_login(event, [site])


def _is_login(site: Site, event: NetworkEvent) -> bool:
    return site.is_login(event.url) or site.shows_login(event)


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
    if any(leads_to_login(events[number], [site]) or _is_login(site, events[number]) for number in own):
        return f"{site.name} answered only with its login page {site.login_path or ''}".rstrip()
    statuses = sorted({events[number].status for number in own})
    return f"no request to {site.name} succeeded: it answered {', '.join(map(str, statuses[:5]))}"


def _assertion(name: str, number: int | None, expected: str, reason: str) -> Assertion:
    evidence = "" if number is None else f"network.har#{number}"
    return Assertion(name, number is not None, expected=expected, evidence=evidence, reason=reason)
