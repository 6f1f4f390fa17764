"""Is a browser here that works? If not, and if asked to, get one."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from webassay.errors import EnvironmentFault
from webassay.systems.browser import INSTALL_HINT, find_browser, launch

DEBIAN_PACKAGES = "chromium-headless-shell fonts-liberation"


def check(*, install: bool) -> int:
    """Print what was found; 0 when a run can start."""
    path, version = _working_browser(install)
    print(f"browser   {version}  {path}")
    print(f"python    {sys.version.split()[0]}  {sys.executable}")
    print(f"disk      {shutil.disk_usage(Path.cwd()).free / 2**30:.0f} GB free here")
    return 0


def _working_browser(install: bool) -> tuple[Path, str]:
    try:
        return _try_browser()
    except EnvironmentFault:
        if not install:
            raise
    for command in _installers():
        print(f"no browser yet: {' '.join(command)}", file=sys.stderr)
        if subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
            continue
        try:
            return _try_browser()
        except EnvironmentFault as error:
            print(f"  {error}", file=sys.stderr)
    raise EnvironmentFault(f"no working browser could be found or installed; {INSTALL_HINT}")


def _try_browser() -> tuple[Path, str]:
    path = find_browser()
    with sync_playwright() as playwright, launch(playwright, path, {}) as browser:
        return path, browser.version


def _installers() -> list[list[str]]:
    """Playwright's own build first; Debian's packages where this process may install them."""
    commands = [[sys.executable, "-m", "playwright", "install", "chromium"]]
    if shutil.which("apt-get") and os.geteuid() == 0:
        commands.append(["sh", "-c", "apt-get update && apt-get install -y --no-install-recommends " + DEBIAN_PACKAGES])
    return commands
