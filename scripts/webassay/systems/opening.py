"""The browser of a run, by its kind: started here, somewhere else behind an address, or rented for the time."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Error, Playwright

from webassay.errors import ConfigError, EnvironmentFault
from webassay.systems.browser import Traits, find_browser, launched
from webassay.systems.browserbase import rented
from webassay.systems.firefox import find_firefox, launch_firefox

KINDS = ("chromium", "firefox", "cdp", "browserbase")
OWN = ("chromium", "firefox")
"""Those that are started here."""
MEGABYTE = 2**20
CONNECT_SECONDS = 30.0


def check(wanted: Mapping[str, Any], environment: Mapping[str, Any], *, needs_own: bool) -> None:
    """What cannot work is told before anything is started."""
    kind = wanted["kind"]
    if kind not in KINDS:
        raise ConfigError(f"browser.kind={kind}: unknown; known are {', '.join(KINDS)}")
    if environment.get("any_site") and kind in OWN:
        raise ConfigError(
            f"environment={environment['name']}: no browser of this machine is sent to the open web, where any page "
            "could look into its network; choose browser=browserbase or browser=cdp, or import trajectories that were "
            "made elsewhere"
        )
    if environment.get("any_site") and kind == "cdp" and not wanted["elsewhere"] and _is_here(wanted["endpoint"]):
        raise ConfigError(
            f"environment={environment['name']}: browser.endpoint is an address of this machine, and no browser of it "
            "is sent to the open web, where any page could look into its network; browser.elsewhere=true says that "
            "the address is a tunnel to a browser on another machine"
        )
    if kind == "chromium":
        return
    if kind == "firefox":
        _check_firefox(environment, needs_own)
        return
    if needs_own:
        raise ConfigError(f"browser={kind}: system=external is given the address of a browser that is started here")
    if environment["command"] and not environment["port"]:
        raise ConfigError(
            f"browser={kind}: it is not started here, so it cannot be told where the sites of "
            f"environment={environment['name']} are; give them a port (environment.port=18080 execution.workers=1) and "
            "start the browser with --host-resolver-rules='MAP *.localhost 127.0.0.1:18080'"
        )


def _check_firefox(environment: Mapping[str, Any], needs_cdp: bool) -> None:
    if needs_cdp:
        raise ConfigError("browser=firefox: system=external is given an address for CDP, which Firefox has not")
    if environment["command"]:
        raise ConfigError(
            f"browser=firefox: it cannot be told where the sites of environment={environment['name']} are, which are "
            "started here under names of their own; use browser=chromium, or sites that run elsewhere"
        )
    if any(site["own_writes"] for site in environment["sites"].values()):
        raise ConfigError("browser=firefox: own_writes are told apart by Chromium's debugger; use browser=chromium")


@contextmanager
def open_browser(
    playwright: Playwright,
    wanted: Mapping[str, Any],
    hosts: Mapping[str, int | None],
    scratch: Path,
    debugging_port: int | None = None,
) -> Iterator[tuple[Browser, Path | str, Traits]]:
    """Connected, what it is called, and what else is to be known."""
    if wanted["kind"] == "chromium":
        path, downloads = find_browser(wanted["executable"], wanted["headless"]), scratch / "downloads"
        downloads.mkdir()
        most = int(wanted["download_megabytes"] * MEGABYTE)
        with launched(playwright, path, hosts, wanted["headless"], debugging_port, downloads) as (browser, sandbox):
            yield browser, path, Traits(True, downloads, most, sandbox=sandbox)
    elif wanted["kind"] == "firefox":
        path, downloads = find_firefox(wanted["executable"]), scratch / "downloads"
        downloads.mkdir()
        traits = Traits(True, downloads, int(wanted["download_megabytes"] * MEGABYTE))
        with launch_firefox(playwright, path, wanted["headless"], downloads) as browser:
            yield browser, path, traits
    elif wanted["kind"] == "cdp":
        with connected(playwright, wanted["endpoint"]) as browser:
            yield browser, _shown(wanted["endpoint"]), Traits(ours=False)
    else:
        with rented(wanted) as session, connected(playwright, session.address) as browser:
            traits = Traits(ours=False, captcha_seconds=wanted["captcha_seconds"])
            yield browser, f"browserbase {session.name}", traits


@contextmanager
def connected(playwright: Playwright, address: str) -> Iterator[Browser]:
    try:
        browser = playwright.chromium.connect_over_cdp(address, timeout=CONNECT_SECONDS * 1000)
    except Error as error:
        said = str(error).splitlines()[0].replace(address, _shown(address))
        raise EnvironmentFault(f"no browser answers at {_shown(address)}: {said}") from None
    try:
        yield browser
    finally:
        browser.close()  # the contexts that were made here, and the connection


def _is_here(address: str) -> bool:
    host = (urlsplit(address).hostname or "").rstrip(".")
    try:
        number = ip_address(host)
        return number.is_loopback or number.is_unspecified
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _shown(address: str) -> str:
    """Without keys, which stand in user, path or query."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.hostname}{f':{parts.port}' if parts.port else ''}"
