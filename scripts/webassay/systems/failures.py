"""Whose failure an error is: the environment's (abort, retry in a fresh one) or the agent's (final)."""

from playwright.sync_api import Browser, Error, TimeoutError

from webassay.errors import NO_SPACE, EnvironmentFault, WebassayError
from webassay.systems.session import Session


def environment_reason(error: Exception, session: Session | None, browser: Browser) -> str | None:
    """Why the attempt is aborted; None when the error is the agent's own."""
    if isinstance(error, EnvironmentFault):
        return str(error)
    if isinstance(error, WebassayError):
        return broken_surroundings(session, browser) if session else None
    if _is_full(error):
        return f"disk full: {error}"
    if session is None:
        return f"the attempt could not begin: {_line(error)}"
    if broken := broken_surroundings(session, browser):
        return broken
    if isinstance(error, TimeoutError) and (trouble := session.sites.trouble(session.task.sites)):
        return f"{trouble}: {_line(error)}"  # all time-outs look alike, so the site is asked
    return None


def broken_surroundings(session: Session, browser: Browser) -> str | None:
    """What makes an attempt worthless, whatever the agent made of it: it may have read an error page as an answer."""
    if not browser.is_connected():
        return "the browser died"
    if session.crashed:
        return "the page's renderer crashed"
    if not session.sites.alive:
        return "the site's process ended"
    if session.unreachable:
        return f"the site was unreachable: {session.unreachable}"
    return session.sites.trouble(session.task.sites) if session.site_errors else None


def _is_full(error: Exception) -> bool:
    if isinstance(error, Error):
        return "ENOSPC" in str(error).split("\n")[0] and "locator" not in str(error)  # not a selector that says so
    return isinstance(error, OSError) and error.errno in NO_SPACE


def _line(error: Exception) -> str:
    return str(error).strip().split("\n")[0] or type(error).__name__
