"""One OpenAI-compatible endpoint, with its key; what it does wrong is one ModelError."""

import math
import os
import re
import stat
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from urllib.parse import urlsplit

from webassay.errors import ConfigError, ModelError, PromptTooLong, PurseEmpty

if TYPE_CHECKING:
    from openai import APIStatusError, OpenAI, OpenAIError

NO_KEY = "none"
"""The openai package refuses to start without a key, and local servers ask for none."""
SHOWN = 300
TOO_LONG = re.compile(r"context.?(length|size|window)", re.IGNORECASE)
"""As OpenAI, vLLM and llama.cpp call what a prompt can exceed."""
PASSING = (408, 409, 429)
"""Statuses besides 5xx that another try may change."""
SPENT = "insufficient_quota"
"""A 429 that no waiting mends."""
DECLINED = re.compile(
    r"content.?(filter|policy|management)|invalid.?prompt|usage polic|safety system|try again with a different prompt",
    re.IGNORECASE,
)
"""A 400 by which a service declines what the question says, as OpenAI and Azure put it."""
SHAPES = (KeyError, TypeError, AttributeError, IndexError)
"""What reading an answer raises that is made otherwise than its API says."""
REST_SECONDS = 60.0
"""For so long an endpoint that failed is asked after the others; it is never given up."""
LONGEST_WAIT = 120.0
ENTRY = ("url", "api_key_env", "api_key_file")


class Counted(Protocol):
    """What an endpoint gives."""

    @property
    def usage(self) -> dict[str, int]: ...


Given = TypeVar("Given", bound=Counted)


class Passing(ModelError):
    """Another try may mend it."""

    def __init__(self, text: str, wait: float = 0.0, usage: Mapping[str, int] | None = None) -> None:
        super().__init__(text)
        self.wait = wait
        """Seconds that the endpoint asked for."""
        self.usage = usage or {}
        """What it counted all the same."""


class KeyRefused(ModelError):
    """No question will fare better with this key."""


class Declined(ModelError):
    """The service will not have the question put to its model: an answer, if an empty one, and nobody's fault."""


@dataclass
class Endpoint:
    url: str
    model: Mapping[str, Any]
    key: str
    key_source: str = ""
    """Where the key comes from, in words."""
    tired_until: float = field(default=0.0, init=False)
    answered: bool = field(default=False, init=False)

    @cached_property
    def server(self) -> "OpenAI":
        from openai import OpenAI  # takes a second to import, and most systems ask no model

        return OpenAI(base_url=self.url, api_key=self.key, timeout=self.model["timeout"], max_retries=0)

    def ask(self, put: "Callable[[OpenAI], Given]") -> tuple[Given, float]:
        """What it gave, and when it was asked; once, since another endpoint may answer at once where this one fails."""
        try:
            given = self._once(put)
        except (PromptTooLong, PurseEmpty, Declined):
            raise
        except ModelError:
            self.tired_until = time.monotonic() + REST_SECONDS
            raise
        self.tired_until, self.answered = 0.0, True
        return given

    def _once(self, put: "Callable[[OpenAI], Given]") -> tuple[Given, float]:
        from openai import OpenAIError

        began = time.monotonic()
        try:
            return put(self.server), began
        except OpenAIError as error:
            raise self._read(error) from None
        except ValueError as error:  # JSON or UTF-8 that ends too early, which is no OpenAIError
            raise Passing(f"the answer is not JSON: {error}") from None
        except SHAPES as error:
            raise Passing(f"the answer does not have the API's shape: {error!r}") from None

    def _read(self, error: "OpenAIError") -> ModelError:
        from openai import APIConnectionError, APIStatusError, BadRequestError

        if isinstance(error, BadRequestError) and TOO_LONG.search(str(error)):
            return PromptTooLong(f"model {self.model['name']}: {self.without_key(str(error))[:SHOWN]}")
        if isinstance(error, BadRequestError) and DECLINED.search(f"{error.code} {error}"):
            return Declined(self.without_key(str(error))[:SHOWN])
        cause = f" ({error.__cause__})" if error.__cause__ else ""
        said = f"{type(error).__name__}: {error}{cause}"
        if isinstance(error, APIConnectionError):  # time-outs too
            return Passing(said)
        if isinstance(error, APIStatusError) and (error.status_code in PASSING or error.status_code >= 500):
            return ModelError(said) if error.code == SPENT else Passing(said, _asked_for(error))
        refused = isinstance(error, APIStatusError) and (
            error.status_code == 401 or (error.status_code == 403 and not self.answered)  # later, of one question
        )
        return KeyRefused(said) if refused else ModelError(said)

    def without_key(self, text: str) -> str:
        """Servers repeat a key that they refuse."""
        return text if self.key == NO_KEY else text.replace(self.key, "[key]")

    @property
    def shown(self) -> str:
        """Without a user, password or query that its address may hold."""
        parts = urlsplit(self.url)
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.scheme}://{parts.hostname}{port}{parts.path}"


def endpoints_of(model: Mapping[str, Any]) -> list[Endpoint]:
    """Each with its own key; the model's goes to the host of the first endpoint that names none, and nowhere else."""
    name, given = model["name"], model["endpoints"]
    if not given:
        raise ConfigError(f"model {name}: no endpoint; set model.endpoints=[http://host:port/v1]")
    entries = [_entry(one, number, name) for number, one in enumerate(given, 1)]
    plain = [entry["url"] for entry in entries if set(entry) == {"url"}]
    if _has_key(model) and len({urlsplit(url)[:2] for url in plain}) > 1:
        hosts = ", ".join(dict.fromkeys(urlsplit(url).hostname or "" for url in plain[1:]))
        raise ConfigError(
            f"model {name}: its key is for {urlsplit(plain[0]).hostname}; say which key {hosts} gets, "
            "in model.endpoints: {url: …, api_key_env: NAME}, or api_key_env: null for none"
        )
    return [_endpoint(entry, model) for entry in entries]


def _entry(given: Any, number: int, name: str) -> Mapping[str, Any]:
    entry = given if isinstance(given, Mapping) else {"url": given}
    where = f"model {name}: number {number} of model.endpoints"  # not what it says, which may hold a password
    if unknown := set(entry) - set(ENTRY):
        raise ConfigError(f"{where}: unknown key {', '.join(sorted(unknown))}; known are {', '.join(ENTRY)}")
    if not _is_address(entry.get("url")):
        raise ConfigError(f"{where} is no address; it should look like http://host:port/v1")
    return entry


def _is_address(url: Any) -> bool:
    try:
        parts = urlsplit(url)
        return (
            parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0 and not re.search(r"\s", url)
        )
    except (ValueError, TypeError, AttributeError):
        return False


def _endpoint(entry: Mapping[str, Any], model: Mapping[str, Any]) -> Endpoint:
    owner = model if set(entry) == {"url"} else entry
    return Endpoint(entry["url"], model, key_of(owner, model["name"]), _key_source(owner))


def _has_key(owner: Mapping[str, Any]) -> bool:
    return bool(owner.get("api_key_env") or owner.get("api_key_file"))


def _key_source(owner: Mapping[str, Any]) -> str:
    if owner.get("api_key_file"):
        return f"its key is that of the file {owner['api_key_file']}"
    if owner.get("api_key_env"):
        return f"its key is that of the environment variable {owner['api_key_env']}"
    return "it is sent no key; name one by model.api_key_env or model.api_key_file"


def key_of(owner: Mapping[str, Any], name: str) -> str:
    """Out of the named environment variable or file, read when it is needed and kept nowhere."""
    variable, file = owner.get("api_key_env"), owner.get("api_key_file")
    if file:
        return _key_in(Path(file).expanduser(), name)
    if not variable:
        return NO_KEY
    if not os.environ.get(variable):
        raise ConfigError(
            f"model {name}: the environment variable {variable} is not set; "
            "export the key there, or set model.api_key_env=null for a server that needs none"
        )
    return os.environ[variable]


def known_keys(model: Mapping[str, Any]) -> list[str]:
    """For those who must not repeat them."""
    found = []
    for owner in (model, *(one for one in model["endpoints"] if isinstance(one, Mapping))):
        with suppress(ConfigError):  # told when a model is asked
            found.append(key_of(owner, model["name"]))
    return [key for key in found if key != NO_KEY]


def _key_in(path: Path, name: str) -> str:
    try:
        if path.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH):
            raise ConfigError(f"model {name}: others may read the key in {path}; chmod 600 {path}")
        key = path.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"model {name}: api_key_file {path} cannot be read: {error}") from None
    if not key or len(key.split()) > 1:
        raise ConfigError(f"model {name}: api_key_file {path} should hold the key and nothing else")
    return key


def _asked_for(error: "APIStatusError") -> float:
    """Seconds, milliseconds or a date, as services say it."""
    headers = error.response.headers
    milliseconds, after = _number(headers.get("retry-after-ms")), headers.get("retry-after")
    seconds = _number(after) if milliseconds is None else milliseconds / 1000
    if seconds is None and after:
        try:
            seconds = (parsedate_to_datetime(after).astimezone(UTC) - datetime.now(UTC)).total_seconds()
        except ValueError:
            seconds = None
    return min(max(seconds or 0.0, 0.0), LONGEST_WAIT)


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if math.isfinite(number) else None
