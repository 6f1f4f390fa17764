"""Questions to a language model behind OpenAI-compatible endpoints; what an endpoint does wrong is one ModelError."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from webassay.errors import ConfigError, ModelError, PromptTooLong

if TYPE_CHECKING:
    from openai import OpenAI

SAMPLING = ("temperature", "top_p", "max_tokens", "seed")
NO_KEY = "none"
"""The openai package refuses to start without a key, and local servers ask for none."""
SHOWN = 300
TOO_LONG = re.compile(r"context.?(length|size|window)", re.IGNORECASE)
"""As OpenAI, vLLM and llama.cpp call what a prompt can exceed."""


@dataclass(frozen=True)
class Reply:
    text: str
    """Empty where the model said nothing: that is its answer, not a fault of the endpoint."""
    model: str
    """As the endpoint names it, which can be more exact than what was asked for."""
    usage: dict[str, int] = field(default_factory=dict)
    finish_reason: str = ""
    """`stop`, `length` (cut off), `content_filter`, or whatever the endpoint says."""
    fingerprint: str = ""
    """Of the endpoint's set-up, where it tells one."""


@dataclass(frozen=True)
class Client:
    """Built from the `model` node of a configuration; nothing is read or opened before the first question."""

    model: dict[str, Any]

    def ask(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        max_tokens: int | None = None,
        form: Mapping[str, Any] | None = None,
    ) -> Reply:
        """The reply of the first endpoint that gives one; each is tried `retries` times beyond the first.

        `form` is a JSON schema for the reply, sent to a model that is known to keep to it; others are told in words.
        """
        options = parameters(self.model, max_tokens) | self._constraint(form)
        failures = []
        for endpoint, server in self._servers:
            try:
                return self._ask_one(server, messages, options)
            except PromptTooLong:
                raise
            except ModelError as error:
                failures.append(f"{_shown(endpoint)}: {self._without_key(str(error))[:SHOWN]}")
        raise ModelError(f"model {self.model['name']}: no endpoint answered; {'; '.join(failures)}")

    def _ask_one(self, server: "OpenAI", messages: Sequence[Mapping[str, Any]], options: dict[str, Any]) -> Reply:
        from openai import BadRequestError, OpenAIError

        create: Any = server.chat.completions.create
        try:
            given = create(model=self.model["name"], messages=messages, **options)
        except OpenAIError as error:
            if isinstance(error, BadRequestError) and TOO_LONG.search(str(error)):
                raise PromptTooLong(f"model {self.model['name']}: {self._without_key(str(error))[:SHOWN]}") from None
            cause = f" ({error.__cause__})" if error.__cause__ else ""
            raise ModelError(f"{type(error).__name__}: {error}{cause}") from None
        except ValueError as error:  # JSON or UTF-8 that ends too early: no OpenAIError, and not tried again
            raise ModelError(f"the answer is not JSON: {error}") from None
        return _reply(given)

    @cached_property
    def _servers(self) -> list[tuple[str, "OpenAI"]]:
        endpoints = self.model["endpoints"]
        if not endpoints:
            raise ConfigError(f"model {self.model['name']}: no endpoint; set model.endpoints=[http://host:port/v1]")
        return [(endpoint, self._connected(endpoint, self._key)) for endpoint in endpoints]

    def _connected(self, endpoint: str, key: str) -> "OpenAI":
        from openai import OpenAI  # takes a second to import, and most systems ask no model

        timeout, retries = self.model["timeout"], self.model["retries"]
        return OpenAI(base_url=endpoint, api_key=key, timeout=timeout, max_retries=retries)

    def _constraint(self, form: Mapping[str, Any] | None) -> dict[str, Any]:
        return {}

    def close(self) -> None:
        """Nothing to end: the endpoints are somebody else's."""

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


def client_for(model: dict[str, Any], weights: Path | None = None) -> Client | None:
    """None for `model=none`; `weights` is the dataset of a model in the box."""
    if weights is not None:
        from webassay.llm.embedded import EmbeddedClient

        return EmbeddedClient(model, weights)
    return None if model["name"] == "none" else Client(model)


def parameters(model: Mapping[str, Any], max_tokens: int | None = None) -> dict[str, Any]:
    """The sampling parameters that are sent: those that the configuration sets, or the caller."""
    options = {name: model[name] for name in SAMPLING if model.get(name) is not None}
    return options if max_tokens is None else options | {"max_tokens": max_tokens}


def _reply(given: Any) -> Reply:
    """The package checks no shape: a page of HTML comes back as a text, an empty object without choices."""
    from openai.types.chat import ChatCompletion

    if isinstance(given, str):
        raise ModelError(f"the answer is a page or a text, not a completion (is /v1 missing?): {given[:80]!r}")
    if not isinstance(given, ChatCompletion) or not given.choices:
        raise ModelError("the answer has no choices")
    message = getattr(given.choices[0], "message", None)
    text = getattr(message, "content", None) or getattr(message, "refusal", None)
    if message is None or not isinstance(text, str | None):
        raise ModelError("the answer's first choice has no message")
    told = (getattr(given.choices[0], "finish_reason", None), getattr(given, "system_fingerprint", None))
    return Reply(text or "", str(given.model), dict(_counts(given.usage)), *(str(word or "") for word in told))


def _counts(usage: Any) -> Iterator[tuple[str, int]]:
    for name in ("prompt_tokens", "completion_tokens", "total_tokens"):
        if isinstance(count := getattr(usage, name, None), int):
            yield name, count
    details = getattr(usage, "completion_tokens_details", None)
    if isinstance(count := getattr(details, "reasoning_tokens", None), int):
        yield "reasoning_tokens", count


def _shown(endpoint: str) -> str:
    """Without a user, password or query that it may hold."""
    parts = urlsplit(endpoint)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname}{port}{parts.path}"
