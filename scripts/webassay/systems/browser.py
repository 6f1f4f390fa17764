"""Chromium through Playwright: which one, how it starts, and what it may reach."""

import os
import shutil
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Error, Playwright, ProxySettings, TimeoutError, WebSocketRoute

from webassay.errors import EnvironmentFault

ENVIRONMENT_VARIABLE = "WEBASSAY_BROWSER"
PLAYWRIGHT_PLACES = (
    "chromium_headless_shell-*/*/*headless*shell*",
    "chromium-*/*/chrome",
    "chromium-*/*/*.app/Contents/MacOS/*",
)
SYSTEM_PLACES = (
    "/usr/lib/chromium/chromium-headless-shell",  # Debian's; no windows, and a third less time for the same task
    "/usr/lib/chromium/chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
SYSTEM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
START_SECONDS = 30.0
NOWHERE = "http://127.0.0.1:9"
"""A proxy that does not exist."""
INSTALL_HINT = (
    "install one with `playwright install chromium` (anywhere) or `apt-get install chromium-headless-shell` "
    "(Debian, root)"
)
NO_PEERS = "for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection']) delete window[name]"
"""For a browser that was not started here, with the arguments that keep WebRTC in."""


@dataclass(frozen=True)
class Traits:
    """What else there is to know of an open browser."""

    ours: bool = True
    """Started here, so that it leads host names where `launch` says."""
    downloads: Path | None = None
    """Where it puts them; None: it takes none."""
    download_bytes: int = 0
    captcha_seconds: float = 0.0
    """How long to wait while it solves one by itself."""
    sandbox: str = ""
    """Of a browser that was started here: on, or why it is off."""


HERE = Traits()


def browser_candidates(configured: str | None = None, headless: bool = True) -> Iterator[Path]:
    """Where a browser may be, best first: configured, Playwright's own, the system's; with windows where asked for."""
    if named := configured or os.environ.get(ENVIRONMENT_VARIABLE):
        yield Path(named)
        return  # a named browser is used or reported missing, never silently replaced
    root = playwright_folder()
    found = [path for pattern in PLAYWRIGHT_PLACES for path in sorted(root.glob(pattern), reverse=True)]
    found += [Path(place) for place in (*SYSTEM_PLACES, *filter(None, map(shutil.which, SYSTEM_NAMES)))]
    yield from (path for path in found if headless or "headless" not in str(path))


def playwright_folder() -> Path:
    """Where `playwright install` puts browsers."""
    cache = Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    return Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH", cache / "ms-playwright"))


def find_browser(configured: str | None = None, headless: bool = True) -> Path:
    tried = list(browser_candidates(configured, headless))
    for path in tried:
        if path.is_file() and os.access(path, os.X_OK):
            return path
    looked = ", ".join(map(str, tried)) or "Playwright's folder and the system's path"
    raise EnvironmentFault(f"no browser (looked at {looked}); {INSTALL_HINT}, or set browser.executable")


@contextmanager
def launch(
    playwright: Playwright,
    path: Path,
    hosts: Mapping[str, int | None],
    headless: bool = True,
    debugging_port: int | None = None,
    downloads: Path | None = None,
) -> Iterator[Browser]:
    """A browser in which host names lead to local ports, or to themselves (None), and every other name to nowhere.

    With a debugging port others can drive it over CDP: contexts that they make reach no site at all.
    """
    with launched(playwright, path, hosts, headless, debugging_port, downloads) as (browser, _):
        yield browser


@contextmanager
def launched(
    playwright: Playwright,
    path: Path,
    hosts: Mapping[str, int | None],
    headless: bool = True,
    debugging_port: int | None = None,
    downloads: Path | None = None,
) -> Iterator[tuple[Browser, str]]:
    """The same, and how it stands with its sandbox."""
    rules = [f"MAP {host} 127.0.0.1:{port}" if port else f"EXCLUDE {host}" for host, port in hosts.items()]
    arguments = [
        f"--host-resolver-rules={', '.join([*rules, 'MAP * ~NOTFOUND'])}",
        "--disable-quic",
        "--disable-background-networking",
        "--disable-component-update",
        "--force-device-scale-factor=1",
        # peers and STUN servers are out of reach too; the second is how the headless shell spells it
        "--webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    ]
    if debugging_port is not None:
        arguments += [f"--remote-debugging-port={debugging_port}", f"--proxy-server={NOWHERE}"]
        arguments += ["--proxy-bypass-list=<-loopback>"]

    def start(sandbox: bool) -> Browser:
        return playwright.chromium.launch(
            executable_path=path,
            headless=headless,
            args=arguments,
            timeout=START_SECONDS * 1000,
            downloads_path=downloads,
            chromium_sandbox=sandbox,
        )

    try:
        browser, sandbox = _started(start)
    except Error as error:
        raise EnvironmentFault(f"the browser {path} does not start: {str(error).splitlines()[0]}") from None
    try:
        yield browser, sandbox
    finally:
        browser.close()


def _started(start: Callable[[bool], Browser]) -> tuple[Browser, str]:
    """In Chromium's sandbox wherever it can be: not root's, and not where the machine forbids what it is made of."""
    if os.geteuid() == 0:
        return start(False), "off: root's processes cannot have one"
    try:
        return start(True), "on"
    except TimeoutError:
        raise
    except Error:
        return start(False), "off: the browser does not start with one on this machine"


def confined(sites: Collection[str] | None) -> ProxySettings | None:
    """Proxy settings of a context that reaches only these sites: all else is sent to a proxy that does not exist.

    Routing every request through Python would do the same, at a tenth of a task's time.
    """
    if sites is None:
        return None
    places = ",".join(sorted({f"{host}:{port}" for _, host, port in map(origin, sites)}))
    return {"server": NOWHERE, "bypass": places}


def confine_sockets(context: BrowserContext, sites: Collection[str] | None, blocked: list[str]) -> None:
    """WebSockets to the task's own sites only."""
    if sites is None:
        return

    def gate(socket: WebSocketRoute) -> None:
        if may_visit(socket.url.replace("ws", "http", 1), sites):
            socket.connect_to_server()
        else:
            blocked.append(urlsplit(socket.url).hostname or "")
            socket.close(code=1008, reason="blocked")

    context.route_web_socket("**/*", gate)


def may_visit(url: str, sites: Collection[str] | None) -> bool:
    """Whether it is of the same origin as one of the sites; schemes such as file: and chrome: are of none."""
    try:
        found = origin(url)
    except ValueError:  # no address at all
        return False
    if sites is None:
        return url == "about:blank" or found[0] in ("http", "https")
    return url == "about:blank" or found in {origin(site) for site in sites}


def origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)
