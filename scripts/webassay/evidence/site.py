"""A site as evidence knows it: its addresses, how it asks for a login, how its sessions show."""

import re
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any
from urllib.parse import urlsplit

import msgspec

from webassay.errors import ConfigError
from webassay.evidence.body import plain_text
from webassay.evidence.har import Body, NetworkEvent, Origin, origin

_SEGMENT = re.compile(r"[A-Za-z]+://[^/?#]*/*([^/?#]*)")

LOGIN_PATHS = {"shopping": "/customer/account/login/", "reddit": "/login", "gitlab": "/users/sign_in"}
"""Of WebArena's sites, for environments in webarena-verified's form, which knows no logins."""

LOGIN_REDIRECTS = {"shopping_admin": ("", "/admin", "/auth/", "/admin/auth/")}
"""The same: the back office logs in at the address of its start page, which is no login page to who is logged in."""

LOGIN_FIELDS = {
    "shopping": ("login[username]", "login[password]"),
    "shopping_admin": ("login[username]", "login[password]"),
    "reddit": ("_username", "_password"),
    "gitlab": ("user[login]", "user[password]"),
}
"""The same: Magento's back office answers any address with its login form, and status 200."""


class Site(msgspec.Struct, frozen=True, dict=True):
    """Where a site is and how its sessions show; webarena-verified's environment with a few fields more."""

    urls: tuple[str, ...]
    active_url_idx: int = 0
    login_path: str | None = None
    login_redirects: tuple[str, ...] | None = None
    """Below the site's address: where else it sends those who must log in first."""
    login_fields: tuple[str, ...] | None = None
    """Names in the login form: a page that has them all is the login page, whatever its address."""
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
        """By the path; of one with a slash at its end all below, where Magento says whence one came."""
        path = self.login_path
        if path is None or path.rstrip("/") not in url or not any(origin(url) == where for where, _ in self.places):
            return False
        return _leads(path, urlsplit(url).path)

    def sends_to_login(self, target: str) -> bool:
        """Whether a redirect to there says only: log in first."""
        if self.is_login(target):
            return True
        if not self.login_redirects or not self.owns(target):
            return False
        given = urlsplit(target).path
        bases = (urlsplit(url).path.rstrip("/") for url in self.urls if origin(url) == origin(target))
        return any(_leads(base + path, given) for base in bases for path in self.login_redirects)

    def shows_login(self, event: NetworkEvent) -> bool:
        """By what was answered, where it was recorded; most answers are passed over without being decoded."""
        raw = bytes(event.response.raw_body) if self.login_fields else b""
        if not any(mark in raw for mark in self._marks):
            return False
        text = plain_text(event.response.body or Body())
        return all(named.search(text) for named in self._fields)

    @cached_property
    def _marks(self) -> tuple[bytes, ...]:
        return (b'"base64"', *(name.encode() for name in (self.login_fields or ())[:1]))

    @cached_property
    def _fields(self) -> tuple[re.Pattern[str], ...]:
        return tuple(re.compile(f"name=[\"']?{re.escape(name)}[\"'\\s/>]") for name in self.login_fields or ())


def sites_of(environments: Mapping[str, Any] | None) -> dict[str, Site]:
    """Environments as a config gives them, `__GITLAB__` or `gitlab`; what this room does not use is left to others."""
    try:
        return dict(_remembered(msgspec.json.encode(environments)))
    except (TypeError, ValueError, OverflowError):  # no JSON, so no text to remember them by
        return _sites_of(environments)


@lru_cache(maxsize=64)
def _remembered(environments: bytes) -> dict[str, Site]:
    """Most attempts share them."""
    return _sites_of(msgspec.json.decode(environments))


def _sites_of(environments: Mapping[str, Any] | None) -> dict[str, Site]:
    sites: dict[str, Site] = {}
    if not isinstance(environments or {}, Mapping):
        raise ConfigError(f"environments: {type(environments).__name__} given, expected a site's facts by its name")
    for given, facts in (environments or {}).items():
        name = str(given)
        name = name.strip("_").lower() if name.isupper() else name
        if name in sites:
            raise ConfigError(f"environments.{given}: {name} is given twice")
        try:
            site = msgspec.convert(facts, Site)
        except msgspec.ValidationError as error:
            raise ConfigError(f"environments.{given}: {error}") from None
        if not 0 <= site.active_url_idx < len(site.urls):
            raise ConfigError(f"environments.{given}: active_url_idx {site.active_url_idx}, but {len(site.urls)} urls")
        if broken := [url for url in site.urls if origin(url) is None]:
            raise ConfigError(f"environments.{given}: {broken[0]!r} is not an http address")
        sites[name] = _with_defaults(name, site)
    return sites


def _with_defaults(name: str, site: Site) -> Site:
    known = {
        "login_path": LOGIN_PATHS.get(name),
        "login_redirects": LOGIN_REDIRECTS.get(name),
        "login_fields": LOGIN_FIELDS.get(name),
    }
    missing = {field: value for field, value in known.items() if getattr(site, field) is None}
    return msgspec.structs.replace(site, name=name, **missing)


def _leads(path: str, given: str) -> bool:
    return given.rstrip("/") == path.rstrip("/") or (path.endswith("/") and given.startswith(path))


def _first_segment(url: str) -> str:
    found = _SEGMENT.match(url)
    return found.group(1) if found else ""
