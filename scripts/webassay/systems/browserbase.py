"""A browser rented from BrowserBase, by its REST API: given back whatever happens."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import httpx
import msgspec
from tenacity import RetryCallState, Retrying, retry_if_exception_type, stop_after_attempt, stop_after_delay

from webassay.errors import ConfigError, EnvironmentFault

PAUSE_SECONDS = 10.0
RELEASES = 3
SHOWN = 200


class Rented(msgspec.Struct, frozen=True):
    """What is needed of its record of a session."""

    id: str
    connectUrl: str

    @property
    def name(self) -> str:
        return self.id

    @property
    def address(self) -> str:
        """Holds a key."""
        return self.connectUrl


class _Busy(EnvironmentFault):
    """Too many sessions, or too many requests: later there may be room."""

    def __init__(self, text: str, wait: float) -> None:
        super().__init__(text)
        self.wait = wait


@contextmanager
def rented(wanted: Mapping[str, Any]) -> Iterator[Rented]:
    """It ends with its connection too (`keepAlive` is false), so one whose worker was killed costs nothing more."""
    key, project = _named(wanted["api_key_env"]), _named(wanted["project_env"])
    with httpx.Client(base_url=wanted["endpoint"], headers={"X-BB-API-Key": key}, timeout=30) as client:
        session = _create(client, wanted, project)
        try:
            yield session
        finally:
            _release(client, session, project)


def secrets(wanted: Mapping[str, Any]) -> list[str]:
    """What no evidence may hold."""
    named = (os.environ.get(wanted[key] or "", "") for key in ("api_key_env", "project_env") if key in wanted)
    return [*named, *([wanted["endpoint"]] if wanted["kind"] == "cdp" else [])]


def _create(client: httpx.Client, wanted: Mapping[str, Any], project: str) -> Rented:
    settings = {"advancedStealth": wanted["advanced_stealth"], "solveCaptchas": wanted["solve_captchas"]}
    order = {
        "projectId": project,
        "proxies": wanted["proxies"],
        "region": wanted["region"],
        "keepAlive": False,
        "timeout": wanted["session_seconds"],
        "browserSettings": settings,
    }
    tries = Retrying(
        stop=stop_after_delay(wanted["wait_seconds"]),
        retry=retry_if_exception_type(_Busy),
        wait=_wait,
        reraise=True,
    )
    return tries(lambda: _ordered(client, order))


def _ordered(client: httpx.Client, order: Mapping[str, Any]) -> Rented:
    try:
        answer = client.post("/v1/sessions", json=order)
    except httpx.HTTPError as error:
        raise EnvironmentFault(f"browserbase: {client.base_url} does not answer: {error}") from None
    if answer.status_code == 429:
        raise _Busy("browserbase: no session was free within browser.wait_seconds", _asked_for(answer))
    if not answer.is_success:
        raise EnvironmentFault(f"browserbase: no session: status {answer.status_code}: {answer.text[:SHOWN]}")
    try:
        return msgspec.json.decode(answer.content, type=Rented)
    except msgspec.DecodeError as error:
        raise EnvironmentFault(f"browserbase: no session: {error}: {answer.text[:SHOWN]}") from None


def _release(client: httpx.Client, session: Rented, project: str) -> None:
    """Again where it fails; one that cannot be given back is told, and ends with its connection."""
    tries = Retrying(stop=stop_after_attempt(RELEASES), retry=retry_if_exception_type(httpx.HTTPError), reraise=True)
    order = {"projectId": project, "status": "REQUEST_RELEASE"}
    try:
        tries(lambda: client.post(f"/v1/sessions/{session.id}", json=order).raise_for_status())
    except httpx.HTTPError as error:
        print(f"browserbase: session {session.id} was not given back: {error}", file=sys.stderr)


def _named(variable: str) -> str:
    if not os.environ.get(variable):
        raise ConfigError(f"browser=browserbase: the environment variable {variable} is not set")
    return os.environ[variable]


def _asked_for(answer: httpx.Response) -> float:
    try:
        return min(max(float(answer.headers.get("retry-after", PAUSE_SECONDS)), 0.0), 60.0)
    except ValueError:  # a date
        return PAUSE_SECONDS


def _wait(state: RetryCallState) -> float:
    failed = state.outcome.exception() if state.outcome else None
    return failed.wait if isinstance(failed, _Busy) else PAUSE_SECONDS
