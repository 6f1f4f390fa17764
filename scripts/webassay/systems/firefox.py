"""Firefox, as Playwright builds it: another engine, with fewer ways to keep it in than Chromium has.

It knows no rules for host names, so sites that are started here are out of its reach. Hosts that are not the task's are
behind a proxy that does not exist, wherever a redirect leads; other ports of the task's hosts are refused request by
request. Peers, QUIC and what Firefox fetches of its own accord are switched off.
"""

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Error, Playwright, ProxySettings, Route

from webassay.errors import EnvironmentFault
from webassay.systems.browser import NOWHERE, START_SECONDS, confined, may_visit, origin, playwright_folder

PLACES = ("firefox-*/firefox/firefox", "firefox-*/firefox/*.app/Contents/MacOS/firefox")
HINT = (
    "`playwright install firefox` gets the one build that Playwright can drive, and browser.executable names one that "
    "lies elsewhere; Mozilla's own and Debian's firefox-esr cannot be driven"
)
PREFERENCES: dict[str, str | float | bool] = {
    "media.peerconnection.enabled": False,
    "network.http.http3.enable": False,
    "network.dns.disablePrefetch": True,
    "network.prefetch-next": False,
    "network.http.speculative-parallel-limit": 0,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.proxy.allow_hijacking_localhost": True,  # else this machine is never behind a proxy
    "network.proxy.failover_direct": False,  # nor is a proxy that is not there passed by
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
}
CONNECTION_ERRORS = (
    *("NS_ERROR_CONNECTION_REFUSED", "NS_ERROR_NET_", "NS_ERROR_UNKNOWN_HOST", "NS_ERROR_CORRUPTED_CONTENT"),
    *("SEC_ERROR_", "SSL_ERROR_", "MOZILLA_PKIX_ERROR_"),
)


def find_firefox(configured: str | None = None) -> Path:
    tried = [Path(configured)] if configured else _installed()
    for path in tried:
        if path.is_file() and os.access(path, os.X_OK):
            return path
    looked = ", ".join(map(str, tried)) or f"{playwright_folder()}/{PLACES[0]}"
    raise EnvironmentFault(f"no Firefox (looked at {looked}); {HINT}")


def _installed() -> list[Path]:
    return [path for place in PLACES for path in sorted(playwright_folder().glob(place), reverse=True)]


@contextmanager
def launch_firefox(playwright: Playwright, path: Path, headless: bool, downloads: Path | None) -> Iterator[Browser]:
    try:
        browser = playwright.firefox.launch(
            executable_path=path,
            headless=headless,
            firefox_user_prefs=PREFERENCES,
            timeout=START_SECONDS * 1000,
            downloads_path=downloads,
        )
    except Error as error:
        raise EnvironmentFault(f"Firefox {path} does not start: {str(error).splitlines()[0]}; {HINT}") from None
    try:
        yield browser
    finally:
        browser.close()


def is_firefox(browser: Browser) -> bool:
    return browser.browser_type.name == "firefox"


def proxy_for(browser: Browser, sites: Collection[str] | None) -> ProxySettings | None:
    """Of a context: Firefox tells exceptions from a proxy by their hosts alone."""
    if sites is None or not is_firefox(browser):
        return confined(sites)
    return {"server": NOWHERE, "bypass": ",".join(sorted({origin(site)[1] or "" for site in sites}))}


def confine_requests(context: BrowserContext, sites: Collection[str] | None, blocked: list[str]) -> None:
    """To the task's own ports too, where the proxy cannot tell them apart."""

    def gate(route: Route) -> None:
        if may_visit(route.request.url, sites):
            route.continue_()
        else:
            blocked.append(urlsplit(route.request.url).hostname or "")
            route.abort("blockedbyclient")

    if sites is not None:
        context.route("http*://**/*", gate)
