"""One OpenAI-compatible endpoint: asked again where that may help, and what it does wrong is one ModelError."""

import os
import re
import stat
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from urllib.parse import urlsplit

from tenacity import RetryCallState, Retrying, retry_if_exception_type, stop_after_attempt, wait_random_exponential

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
REST_SECONDS = 60.0
"""For so long an endpoint that failed is asked after the others; it is never given up."""
LONGEST_WAIT = 120.0


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


@dataclass
class Endpoint:
    url: str
    model: Mapping[str, Any]
    key: str
    tired_until: float = field(default=0.0, init=False)

    @cached_property
    def server(self) -> "OpenAI":
        from openai import OpenAI  # takes a second to import, and most systems ask no model

        return OpenAI(base_url=self.url, api_key=self.key, timeout=self.model["timeout"], max_retries=0)

    def ask(self, put: "Callable[[OpenAI], Given]") -> tuple[Given, float]:
        """What it gave, and when the try began that gave it."""
        tries = Retrying(
            stop=stop_after_attempt(self.model["retries"] + 1),
            retry=retry_if_exception_type(Passing),
            wait=_wait,
            reraise=True,
        )
        try:
            given = tries(self._once, put)
        except (PromptTooLong, PurseEmpty):
            raise
        except ModelError:
            self.tired_until = time.monotonic() + REST_SECONDS
            raise
        self.tired_until = 0.0
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

    def _read(self, error: "OpenAIError") -> ModelError:
        from openai import APIConnectionError, APIStatusError, BadRequestError

        if isinstance(error, BadRequestError) and TOO_LONG.search(str(error)):
            return PromptTooLong(f"model {self.model['name']}: {self.without_key(str(error))[:SHOWN]}")
        cause = f" ({error.__cause__})" if error.__cause__ else ""
        said = f"{type(error).__name__}: {error}{cause}"
        if isinstance(error, APIConnectionError):  # time-outs too
            return Passing(said)
        if isinstance(error, APIStatusError) and (error.status_code in PASSING or error.status_code >= 500):
            return ModelError(said) if error.code == SPENT else Passing(said, _asked_for(error))
        return ModelError(said)

    def without_key(self, text: str) -> str:
        """Servers repeat a key that they refuse."""
        return text if self.key == NO_KEY else text.replace(self.key, "[key]")

    @property
    def shown(self) -> str:
        """Without a user, password or query that its address may hold."""
        parts = urlsplit(self.url)
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.scheme}://{parts.hostname}{port}{parts.path}"


def key_of(model: Mapping[str, Any]) -> str:
    """Out of the named environment variable or file, read when it is needed and kept nowhere."""
    variable, file = model["api_key_env"], model.get("api_key_file")
    if file:
        return _key_in(Path(file).expanduser(), model["name"])
    if not variable:
        return NO_KEY
    if not os.environ.get(variable):
        raise ConfigError(
            f"model {model['name']}: the environment variable {variable} is not set; "
            "export the key there, or set model.api_key_env=null for a server that needs none"
        )
    return os.environ[variable]


def known_key(model: Mapping[str, Any]) -> str:
    """For those who must not repeat it; empty where there is none."""
    try:
        key = key_of(model)
    except ConfigError:  # told when a model is asked
        return ""
    return "" if key == NO_KEY else key


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
    try:
        return float(error.response.headers.get("retry-after", 0))
    except ValueError:  # a date
        return 0.0


def _wait(state: RetryCallState) -> float:
    failed = state.outcome.exception() if state.outcome else None
    asked = failed.wait if isinstance(failed, Passing) else 0.0
    return min(asked, LONGEST_WAIT) if asked > 0 else wait_random_exponential(multiplier=0.5, max=8)(state)
