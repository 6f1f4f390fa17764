"""Questions to a language model behind OpenAI-compatible endpoints; what an endpoint does wrong is one ModelError."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from webassay.errors import ConfigError, ModelError

if TYPE_CHECKING:
    from openai import OpenAI

SAMPLING = ("temperature", "top_p", "max_tokens", "seed")
NO_KEY = "none"
"""The openai package refuses to start without a key, and local servers ask for none."""
SHOWN = 300


@dataclass(frozen=True)
class Reply:
    text: str
    """Empty where the model said nothing: that is its answer, not a fault of the endpoint."""
    model: str
    """As the endpoint names it, which can be more exact than what was asked for."""
    usage: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Client:
    """Built from the `model` node of a configuration; nothing is read or opened before the first question."""

    model: dict[str, Any]

    def ask(self, messages: list[dict[str, Any]], *, max_tokens: int | None = None) -> Reply:
        """The reply of the first endpoint that gives one; each is tried `retries` times beyond the first."""
        options = {name: self.model[name] for name in SAMPLING if self.model.get(name) is not None}
        if max_tokens is not None:
            options["max_tokens"] = max_tokens
        failures = []
        for endpoint, server in self._servers:
            try:
                return self._ask_one(server, messages, options)
            except ModelError as error:
                failures.append(f"{_shown(endpoint)}: {self._without_key(str(error))[:SHOWN]}")
        raise ModelError(f"model {self.model['name']}: no endpoint answered; {'; '.join(failures)}")

    def _ask_one(self, server: "OpenAI", messages: list[dict[str, Any]], options: dict[str, Any]) -> Reply:
        from openai import OpenAIError

        create: Any = server.chat.completions.create
        try:
            given = create(model=self.model["name"], messages=messages, **options)
        except OpenAIError as error:
            cause = f" ({error.__cause__})" if error.__cause__ else ""
            raise ModelError(f"{type(error).__name__}: {error}{cause}") from None
        except ValueError as error:  # JSON or UTF-8 that ends too early: no OpenAIError, and not tried again
            raise ModelError(f"the answer is not JSON: {error}") from None
        return _reply(given)

    @cached_property
    def _servers(self) -> list[tuple[str, "OpenAI"]]:
        from openai import OpenAI  # takes a second to import, and most systems ask no model

        endpoints = self.model["endpoints"]
        if not endpoints:
            raise ConfigError(f"model {self.model['name']}: no endpoint; set model.endpoints=[http://host:port/v1]")
        settings = {"api_key": self._key, "timeout": self.model["timeout"], "max_retries": self.model["retries"]}
        return [(endpoint, OpenAI(base_url=endpoint, **settings)) for endpoint in endpoints]

    @cached_property
    def _key(self) -> str:
        variable = self.model["api_key_env"]
        if not variable:
            return NO_KEY
        if not os.environ.get(variable):
            raise ConfigError(
                f"model {self.model['name']}: the environment variable {variable} is not set; "
                "export the key there, or set model.api_key_env=null for a server that needs none"
            )
        return os.environ[variable]

    def _without_key(self, text: str) -> str:
        """Servers repeat a key that they refuse."""
        return text if self._key == NO_KEY else text.replace(self._key, "[key]")


def client_for(model: dict[str, Any]) -> Client | None:
    """None for `model=none`."""
    return None if model["name"] == "none" else Client(model)


def _reply(given: Any) -> Reply:
    """The package checks no shape: a page of HTML comes back as a text, an empty object without choices."""
    from openai.types.chat import ChatCompletion

    if isinstance(given, str):
        raise ModelError(f"the answer is a page or a text, not a completion (is /v1 missing?): {given[:80]!r}")
    if not isinstance(given, ChatCompletion) or not given.choices:
        raise ModelError("the answer has no choices")
    message = getattr(given.choices[0], "message", None)
    text = getattr(message, "content", None)
    if message is None or not isinstance(text, str | None):
        raise ModelError("the answer's first choice has no message")
    return Reply(text or "", str(given.model), dict(_counts(given.usage)))


def _counts(usage: Any) -> Iterator[tuple[str, int]]:
    for name in ("prompt_tokens", "completion_tokens", "total_tokens"):
        if isinstance(count := getattr(usage, name, None), int):
            yield name, count


def _shown(endpoint: str) -> str:
    """Without a user, password or query that it may hold."""
    parts = urlsplit(endpoint)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname}{port}{parts.path}"
