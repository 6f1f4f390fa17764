"""Did the agent use the task's sites, and as the user it was to be? A right answer without a visit is a guess."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import msgspec

from webassay.core.verdict import Assertion
from webassay.errors import ConfigError
from webassay.evidence.har import NetworkEvent, Origin, origin


class Site(msgspec.Struct, frozen=True):
    """Where a site is and how its sessions show; webarena-verified's environment with two fields more."""

    urls: tuple[str, ...]
    active_url_idx: int = 0
    login_path: str | None = None
    session_cookie: str | None = None
    name: str = ""

    @property
    def base(self) -> str:
        return self.urls[self.active_url_idx].rstrip("/")

    @property
    def origins(self) -> frozenset[Origin]:
        return frozenset(found for url in self.urls if (found := origin(url)))

    def is_login(self, url: str) -> bool:
        if self.login_path is None or origin(url) not in self.origins:
            return False
        return urlsplit(url).path.rstrip("/") == self.login_path.rstrip("/")


def sites_of(environments: Mapping[str, Any] | None) -> dict[str, Site]:
    """Environments as a config gives them; what this room does not use is left to others."""
    sites: dict[str, Site] = {}
    for name, facts in (environments or {}).items():
        try:
            site = msgspec.structs.replace(msgspec.convert(facts, Site), name=name)
        except msgspec.ValidationError as error:
            raise ConfigError(f"environments.{name}: {error}") from None
        if not 0 <= site.active_url_idx < len(site.urls):
            raise ConfigError(f"environments.{name}: active_url_idx {site.active_url_idx}, but {len(site.urls)} urls")
        if broken := [url for url in site.urls if origin(url) is None]:
            raise ConfigError(f"environments.{name}: {broken[0]!r} is not an http address")
        sites[name] = site
    return sites


def check_activity(site: Site, events: Sequence[NetworkEvent]) -> Assertion:
    """At least one page or script call of this site's own origin that was answered, and not by the login page."""
    own = _own(site, events)
    answered = next((number for number in own if _counts(site, events[number])), None)
    reason = "" if answered is not None else _why_inactive(site, own, events)
    return _assertion(f"activity.{site.name}", answered, f"an answered request to {site.base}", reason)


def check_session(site: Site, events: Sequence[NetworkEvent]) -> Assertion:
    """At least one such request that carries the session cookie; its presence counts, its value is redacted."""
    cookie = site.session_cookie or ""
    own = [number for number in _own(site, events) if events[number].sends_cookie(cookie)]
    answered = next((number for number in own if _counts(site, events[number])), None)
    reason = ""
    if answered is None:
        reason = f"no request to {site.name} carries the session cookie {cookie!r}"
        if own:
            reason = f"no valid session on {site.name}: {_why_inactive(site, own, events)}"
    return _assertion(f"session.{site.name}", answered, f"a request to {site.base} with cookie {cookie}", reason)


def session_sites(account: str | None, sites: Iterable[Site]) -> list[Site]:
    """Those whose session can be seen; an account that no site could show is a gap in the configuration."""
    if account is None:
        return []
    sites = list(sites)
    seen = [site for site in sites if site.session_cookie]
    if not seen:
        names = ", ".join(site.name for site in sites)
        raise ConfigError(f"the task runs as {account!r}, but environments give no session_cookie for {names}")
    return seen


def _own(site: Site, events: Sequence[NetworkEvent]) -> list[int]:
    origins = site.origins
    return [
        number
        for number, event in enumerate(events)
        if (event.is_document or event.is_script_call) and origin(event.url) in origins
    ]


def _counts(site: Site, event: NetworkEvent) -> bool:
    """A form of the login page shown again is no success, but the redirect after a good password is."""
    if 200 <= event.status < 300:
        return not site.is_login(event.url)
    return 300 <= event.status < 400 and not site.is_login(event.location or "")


def _why_inactive(site: Site, own: Sequence[int], events: Sequence[NetworkEvent]) -> str:
    if not events:
        return f"no request to {site.name}: the trace is empty"
    if not own:
        hosts = sorted({found[1] for event in events if (found := origin(event.url))})
        return f"no request to {site.name} ({site.base}): the trace has only {', '.join(hosts[:5]) or 'other schemes'}"
    if any(site.is_login(events[number].location or "") or site.is_login(events[number].url) for number in own):
        return f"{site.name} answered only with its login page {site.login_path}"
    statuses = sorted({events[number].status for number in own})
    return f"no request to {site.name} succeeded: it answered {', '.join(map(str, statuses[:5]))}"


def _assertion(name: str, number: int | None, expected: str, reason: str) -> Assertion:
    evidence = "" if number is None else f"network.har#{number}"
    return Assertion(name, number is not None, expected=expected, evidence=evidence, reason=reason)
