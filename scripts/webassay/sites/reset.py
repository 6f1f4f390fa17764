"""Ways back to the seeded state: a file copied, an address called, a program run, a process started anew."""

import os
import shutil
import subprocess
from collections.abc import Callable
from typing import TYPE_CHECKING

import httpx

from webassay.core.secret_names import without_credentials
from webassay.errors import ConfigError, EnvironmentFault

if TYPE_CHECKING:
    from webassay.sites.process import SiteProcess
    from webassay.sites.site import Sites


def reset_by(sites: "Sites", process: "SiteProcess | None", way: str | None = None) -> None:
    """By the way that the environment says; `process` is None for sites that run elsewhere."""
    way = way or str(sites.environment["reset"]["by"])
    if way not in WAYS:
        raise ConfigError(f"environment.reset.by={way}: known are {', '.join(WAYS)}")
    if process is None and way in ("copy", "restart"):
        raise ConfigError(
            f"environment.reset.by={way}: the sites of {sites.environment['name']!r} run elsewhere; "
            "use url, command or none"
        )
    WAYS[way](sites, process)


def _copy(sites: "Sites", process: "SiteProcess | None") -> None:
    """In one step; the site opens the file anew for each request."""
    beside = sites.database.with_suffix(".fresh")
    shutil.copyfile(sites.template, beside)
    os.replace(beside, sites.database)


def _url(sites: "Sites", process: "SiteProcess | None") -> None:
    settings = sites.environment["reset"]
    url = process.filled(settings["url"]) if process else settings["url"]
    shown = without_credentials(url)
    headers = {"Authorization": f"Bearer {process.token}"} if process else {}
    try:
        answer = sites.hooks.post(url, headers=headers, timeout=settings["timeout"])
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise EnvironmentFault(f"environment.reset.url: {shown} does not answer: {error}") from None
    if not answer.is_success:
        raise EnvironmentFault(f"environment.reset.url: {shown} answered {answer.status_code}: {answer.text[:200]}")


def _command(sites: "Sites", process: "SiteProcess | None") -> None:
    settings = sites.environment["reset"]
    words = [process.filled(word) if process else word for word in settings["command"]]
    try:
        done = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=settings["timeout"],
            env=sites.variables,
        )
    except (OSError, subprocess.TimeoutExpired, IndexError) as error:
        raise EnvironmentFault(f"environment.reset.command: {error}") from None
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:] or [f"exit status {done.returncode}"]
        raise EnvironmentFault(f"environment.reset.command failed: {last[0]}")


def _restart(sites: "Sites", process: "SiteProcess | None") -> None:
    if process is not None:
        sites.restart(process)


def _none(sites: "Sites", process: "SiteProcess | None") -> None:
    """What agents change stays."""


WAYS: dict[str, "Callable[[Sites, SiteProcess | None], None]"] = {
    "copy": _copy,
    "url": _url,
    "command": _command,
    "restart": _restart,
    "none": _none,
}
