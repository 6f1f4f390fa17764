"""Questions to a language model behind OpenAI-compatible endpoints; what an endpoint does wrong is one ModelError."""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from webassay.errors import ConfigError, ModelError
from webassay.llm.endpoint import Declined, Endpoint, Given, Passing, endpoints_of
from webassay.llm.failover import first_answer
from webassay.llm.pictures import encoded
from webassay.llm.rates import Rates

if TYPE_CHECKING:
    from openai import OpenAI

SAMPLING = ("temperature", "top_p", "max_tokens", "seed")
APIS = ("chat", "responses")
OURS = ("model", "messages", "input", "stream", "n", "tools", "store")
"""What model.sampling cannot set, since the client does."""


class Paid(Protocol):
    """Sends a question once, as `Purse.pay` does for those who keep to a budget."""

    def __call__(self, send: Callable[[], Given]) -> Given: ...


@dataclass(frozen=True)
class Reply:
    text: str
    """Empty where the model said nothing: that is its answer, not a fault of the endpoint."""
    model: str
    """As the endpoint names it, which can be more exact than what was asked for."""
    usage: dict[str, int] = field(default_factory=dict)
    finish_reason: str = ""
    """`stop`, `length` (cut off), `content_filter` (also where the question was declined), or what else it says."""
    fingerprint: str = ""
    """Of the endpoint's set-up, where it tells one."""


@dataclass(frozen=True)
class Turn:
    """What the Responses API gives: items, to be sent again with the next question, of which some call tools."""

    reply: Reply
    items: tuple[dict[str, Any], ...]

    @property
    def usage(self) -> dict[str, int]:
        return self.reply.usage

    @property
    def calls(self) -> tuple[dict[str, Any], ...]:
        return tuple(item for item in self.items if str(item.get("type")).endswith("_call"))


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
        tools: Sequence[Mapping[str, Any]] = (),
        paid: "Paid | None" = None,
    ) -> Reply:
        """The reply of the first endpoint that gives one; each is tried `retries` times beyond the first.

        `form` is a JSON schema for the reply, sent to a model that is known to keep to it; others are told in words.
        A call of one of the `tools` is a `<tool_call>` at the end of the reply's text.
        """
        if self._api == "responses":
            return self.respond(messages, form=self._kept(form), max_tokens=max_tokens, paid=paid).reply
        options = _options(parameters(self.model, max_tokens))
        if tools:
            options["tools"] = encoded(tools)
        if (kept := self._kept(form)) is not None:
            schema = {"name": "reply", "schema": encoded(kept)}
            options["response_format"] = {"type": "json_schema", "json_schema": schema}
        sent = encoded(messages)

        def put(server: "OpenAI") -> Reply:
            create: Any = server.chat.completions.create
            return _reply(create(model=self.model["name"], messages=sent, **options))

        try:
            return self._asked(put, paid)
        except Declined:
            return self._declined

    def respond(
        self,
        items: Sequence[Mapping[str, Any]],
        *,
        max_tokens: int | None = None,
        form: Mapping[str, Any] | None = None,
        paid: "Paid | None" = None,
        **settings: Any,
    ) -> Turn:
        """The same by the Responses API: items are messages in either API's form, and what earlier turns gave.

        `settings` such as `instructions` and `tools` are sent as they are. All of it goes along each time, since what
        one endpoint has stored another does not know.
        """
        from webassay.llm import responses

        options = _options(parameters(self.model, max_tokens))
        sent = responses.body(self.model["name"], encoded(items), options, encoded(form)) | encoded(settings)

        def put(server: "OpenAI") -> Turn:
            create: Any = server.responses.create
            return responses.read(create(**sent))

        try:
            return self._asked(put, paid)
        except Declined:
            return Turn(self._declined, ())

    def _asked(self, put: "Callable[[OpenAI], Given]", paid: "Paid | None") -> Given:
        send = put if paid is None else lambda server: paid(lambda: put(server))
        started = time.monotonic()
        with self._rates.turn():
            given, began = first_answer(self._servers, send, self.model["name"], self.model["retries"])
            self._clock.waited += began - started
            self._rates.cost(sum(given.usage.get(kind, 0) for kind in ("prompt_tokens", "completion_tokens")))
            return given

    @property
    def _declined(self) -> Reply:
        return Reply("", self.model["name"], finish_reason="content_filter")

    @property
    def waited(self) -> float:
        """Seconds, so far, in which no model was at work on a question: limits, failed tries, pauses between them."""
        return self._clock.waited

    @cached_property
    def _clock(self) -> "_Clock":
        return _Clock()

    @cached_property
    def _rates(self) -> Rates:
        return Rates(self.model.get("limits") or {}, self.model["name"])

    @cached_property
    def _servers(self) -> list[Endpoint]:
        return endpoints_of(self.model)

    @property
    def _api(self) -> str:
        api = str(self.model.get("api", "chat"))
        if api not in APIS:
            raise ConfigError(f"model.api={api}: unknown; known are {', '.join(APIS)}")
        return api

    def _kept(self, form: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
        """The form, of a model that is known to keep to it."""
        return form if self.model.get("structured") else None

    def close(self) -> None:
        """Nothing to end: the endpoints are somebody else's."""


@dataclass
class _Clock:
    waited: float = 0.0


def client_for(model: dict[str, Any], weights: Path | None = None) -> Client | None:
    """None for `model=none`; `weights` is the dataset of a model in the box."""
    if weights is not None:
        from webassay.llm.embedded import EmbeddedClient

        return EmbeddedClient(model, weights)
    return None if model["name"] == "none" else Client(model)


def parameters(model: Mapping[str, Any], max_tokens: int | None = None) -> dict[str, Any]:
    """The sampling parameters that are sent: those that the configuration sets, or the caller."""
    more = model.get("sampling") or {}
    if taken := [name for name in more if name in OURS]:
        raise ConfigError(f"model.sampling.{taken[0]} cannot be set: the client does")
    options = {name: model[name] for name in SAMPLING if model.get(name) is not None} | more
    return options if max_tokens is None else options | {"max_tokens": max_tokens}


def _options(given: Mapping[str, Any]) -> dict[str, Any]:
    """For the openai package, which takes what it does not know by name in one piece."""
    more = {name: value for name, value in given.items() if name not in SAMPLING}
    known = {name: value for name, value in given.items() if name in SAMPLING}
    return known | ({"extra_body": more} if more else {})


def _reply(given: Any) -> Reply:
    """The package checks no shape: a page of HTML comes back as a text, an empty object without choices."""
    from openai.types.chat import ChatCompletion

    if isinstance(given, str):
        raise ModelError(f"the answer is a page or a text, not a completion (is /v1 missing?): {given[:80]!r}")
    if not isinstance(given, ChatCompletion) or not given.choices:
        raise Passing("the answer has no choices", usage=dict(_counts(getattr(given, "usage", None))))
    message = getattr(given.choices[0], "message", None)
    text = getattr(message, "content", None) or getattr(message, "refusal", None)
    if message is None or not isinstance(text, str | None):
        raise Passing("the answer's first choice has no message", usage=dict(_counts(given.usage)))
    told = (getattr(given.choices[0], "finish_reason", None), getattr(given, "system_fingerprint", None))
    words = "\n".join(filter(None, [text, *map(_written, getattr(message, "tool_calls", None) or ())]))
    return Reply(words, str(given.model), dict(_counts(given.usage)), *(str(word or "") for word in told))


def _written(call: Any) -> str:
    """A call that the server took out of the model's text, where models trained on such calls had put it."""
    said = call.function.arguments
    with suppress(ValueError, RecursionError):  # told to the model by whoever reads the call
        said = json.loads(said)
    return f"<tool_call>\n{json.dumps({'name': call.function.name, 'arguments': said})}\n</tool_call>"


def _counts(usage: Any) -> Iterator[tuple[str, int]]:
    for name in ("prompt_tokens", "completion_tokens", "total_tokens"):
        if isinstance(count := getattr(usage, name, None), int):
            yield name, max(count, 0)
    for side, name in (("completion_tokens_details", "reasoning_tokens"), ("prompt_tokens_details", "cached_tokens")):
        if isinstance(count := getattr(getattr(usage, side, None), name, None), int):
            yield name, max(count, 0)
