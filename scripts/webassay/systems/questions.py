"""What an agent asks the run's model: counted, kept as evidence, and on its own time only while the model works."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from webassay.core.answer import Usage, added
from webassay.errors import AgentFault, ConfigError, ModelError, OverBudget, PromptTooLong
from webassay.evidence.redact import Redactor
from webassay.llm.client import Client, Reply, Turn
from webassay.llm.prices import told_or_most
from webassay.systems.model_calls import record_call

EXCUSED_SECONDS = 1200.0
"""An endpoint that keeps an agent waiting for longer, all in all, has failed."""
Given = TypeVar("Given", Reply, Turn)


class Questions:
    def __init__(self, folder: Path, settings: dict[str, Any], redactor: Redactor, model: Client | None) -> None:
        self.folder, self.settings, self.redactor, self.model = folder, settings, redactor, model
        self.usage: dict[str, Usage] = {}
        self.answered_by: dict[str, str] = {}
        """The model as its endpoint named it last."""
        self._deadline = time.monotonic() + float(settings["max_seconds"])
        self._asking: float | None = None
        """Since when a question is with the model."""
        self._excused = 0.0

    def ask(
        self,
        component: str,
        messages: Sequence[Mapping[str, Any]],
        *,
        form: Mapping[str, Any] | None = None,
        tools: Sequence[Mapping[str, Any]] = (),
    ) -> Reply:
        """A question to the run's model; its tokens are counted as the component's, in the answer's `token_usage`."""
        return self._asked(component, messages, lambda model: model.ask(messages, form=form, tools=tools))

    def respond(self, component: str, items: Sequence[Mapping[str, Any]], **settings: Any) -> Turn:
        """The same by the Responses API, for tools that only it has."""
        return self._asked(component, items, lambda model: model.respond(items, **settings))

    def _asked(self, component: str, shown: Sequence[Mapping[str, Any]], put: Callable[[Client], Given]) -> Given:
        if self.model is None:
            name = self.settings["name"]
            raise ConfigError(f"system {name} asks a model, and model is none; choose one, such as model=smollm2")
        self.check_clock()
        try:
            with self._excusing(self.model):
                given = put(self.model)
        except PromptTooLong as error:
            raise AgentFault(str(error)) from None
        reply, calls = (given.reply, given.calls) if isinstance(given, Turn) else (given, ())
        reply = replace(reply, usage=dict(told_or_most(reply.usage, shown, reply.text)))
        record_call(self.folder, self.redactor, component, shown, reply, calls)
        self.usage[component] = added(self.usage.get(component), reply.usage, self.model.model.get("prices"))
        self.answered_by = {"name": reply.model, "fingerprint": reply.fingerprint}
        return given

    @contextmanager
    def _excusing(self, model: Client) -> Iterator[None]:
        """Limits, failed tries and the pauses between them take nothing from the agent's time."""
        before, self._asking = model.waited, time.monotonic()
        try:
            yield
        finally:
            self._asking = None
            self._deadline += model.waited - before
            self._excused += model.waited - before

    @property
    def seconds_left(self) -> float:
        return self._deadline - time.monotonic()

    def check_clock(self) -> None:
        if self._asking is not None:  # whose time this was is known when there is a reply
            if self._excused + time.monotonic() - self._asking > EXCUSED_SECONDS:
                raise ModelError(f"the model's endpoint kept the agent waiting for more than {EXCUSED_SECONDS:g} s")
        elif self.seconds_left < 0:
            raise OverBudget(f"more than {self.settings['max_seconds']:g} s")
