"""Logging in as a browser does: the site's own form, hidden fields and all, filled in and sent."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.cookiejar import Cookie
from typing import Any
from urllib.parse import urljoin

import httpx

from webassay.errors import EnvironmentFault


@dataclass
class Form:
    action: str = ""
    fields: dict[str, str] = field(default_factory=dict)
    buttons: dict[str, str] = field(default_factory=dict)
    """Named ones that send the form; a person presses one, the first."""


class _Forms(HTMLParser):
    """The forms of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Form] = []
        self._open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._open = True
            self.found.append(Form(given.get("action", "")))
        elif self._open and given.get("name") and tag in ("input", "button", "select", "textarea"):
            kind = given.get("type", "submit" if tag == "button" else "text").lower()
            if kind in ("submit", "image"):
                self.found[-1].buttons[given["name"]] = given.get("value", "")
            elif kind not in ("checkbox", "radio", "reset", "button", "file") or "checked" in given:
                self.found[-1].fields[given["name"]] = given.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = False


def log_in(client: httpx.Client, site: dict[str, Any], where: str, user: str, password: str) -> None:
    """Leaves the session's cookies in the client; a login that the site does not confirm is a fault of ours."""
    if not site["login_path"] or not site["login_form"]:
        raise EnvironmentFault(
            f"nobody can log in on {where}: the environment says no login_path and login_form for it"
        )
    try:
        page = client.get(site["login_path"])
        form = _login_form(page, list(site["login_form"]), where)
        given = {
            name: value.replace("{user}", user).replace("{password}", password)
            for name, value in site["login_form"].items()
        }
        pressed = dict(list(form.buttons.items())[:1])
        sent = form.fields | pressed | given
        client.post(urljoin(str(page.url), form.action), data=sent, follow_redirects=False)
        _prove(_proof(client, site), site, where, user)
    except httpx.HTTPError as error:
        raise EnvironmentFault(f"{where} does not answer a login: {error or type(error).__name__}") from None


def is_logged_in(client: httpx.Client, site: dict[str, Any], where: str, user: str) -> bool:
    """Whether cookies that an earlier login left are still good: sites forget, and agents log out."""
    try:
        _prove(_proof(client, site), site, where, user)
    except (httpx.HTTPError, EnvironmentFault):
        return False
    return True


def for_browser(cookie: Cookie, host: str) -> dict[str, Any]:
    """As the site gave it, for the host under which agents know it; a page sees what is not HttpOnly."""
    told = {name.lower(): value for name, value in vars(cookie)["_rest"].items()}
    same_site = (told.get("samesite") or "").title()
    given: dict[str, Any] = {"name": cookie.name, "value": cookie.value or "", "domain": host, "path": cookie.path}
    given |= {"secure": cookie.secure, "httpOnly": "httponly" in told}
    if cookie.expires is not None:
        given["expires"] = float(cookie.expires)
    if same_site in ("Strict", "Lax") or (same_site == "None" and cookie.secure):  # browsers take no other None
        given["sameSite"] = same_site
    return given


def _login_form(page: httpx.Response, names: list[str], where: str) -> Form:
    forms = _Forms()
    forms.feed(page.text)
    for form in forms.found:
        if set(names) <= set(form.fields):
            return form
    raise EnvironmentFault(f"{where}: {page.url} ({page.status_code}) has no form with the fields {', '.join(names)}")


def _proof(client: httpx.Client, site: dict[str, Any]) -> httpx.Response:
    return client.get(site["proof_path"] or site["login_path"], follow_redirects=bool(site["proof_text"]))


def _prove(page: httpx.Response, site: dict[str, Any], where: str, user: str) -> None:
    wanted = site["proof_text"].replace("{user}", user)
    if wanted and wanted in page.text:
        return
    if not wanted and site["user_header"] and page.headers.get(site["user_header"]) == user:
        return
    missing = repr(wanted) if wanted else f"{site['user_header']}: {user}"
    raise EnvironmentFault(
        f"{user} could not log in on {where}: {page.url.path} does not show {missing} afterwards; "
        "see login_form, proof_path and proof_text of the site, and the account's password"
    )
