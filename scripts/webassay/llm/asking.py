"""The one way by which judges ask models: through the store, so that what was asked once is never asked again.

| `llm.mode` | a reply that is stored | one that is not |
|---|---|---|
| `record` (default) | is used | is asked for and stored |
| `replay` | is used | is an error that names it; no endpoint, key or network is needed |
| `live` | is not looked at | is asked for and not stored: for replies that may not be kept |
"""

import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from webassay.core.answer import Usage, added
from webassay.core.learned import learn_types
from webassay.errors import ConfigError, StoreError
from webassay.llm.client import Client, Reply, client_for, parameters
from webassay.llm.endpoint import known_keys
from webassay.llm.pictures import without_pictures
from webassay.llm.spending import Purse
from webassay.llm.store import Entry, Question, Store, entry_of, question_of

MODES = ("record", "replay", "live")
SHORTEST_KEY = 8
"""Shorter ones, such as EMPTY, are given to servers that ask for none, and are words."""
_starting = threading.Lock()
"""Many threads put the first question at once, and a model in the box is started once."""


@dataclass(frozen=True)
class Ask:
    """A question, and the step of a judging that puts it."""

    step: str
    messages: Sequence[Mapping[str, Any]]
    repeat: int = 0
    form: Mapping[str, Any] | None = None
    """A JSON schema of the answer, for models that are held to one; others are told in words."""


@dataclass(frozen=True)
class Asker:
    """Built from a judge's `model` node and the `llm` node; opens nothing before the first question."""

    model: Mapping[str, Any]
    llm: Mapping[str, Any]

    def __post_init__(self) -> None:
        if self.llm["mode"] not in MODES:
            raise ConfigError(f"llm.mode={self.llm['mode']}: unknown; known are {', '.join(MODES)}")
        if self.model["name"] == "none":
            raise ConfigError(
                "this judge needs a model; choose one of config/model by model@judge.model=NAME, "
                "or set judge.model.name and judge.model.endpoints"
            )

    def ask(self, ask: Ask, about: str) -> Entry:
        """The stored reply, or else the endpoint's; `about` is whom an error names."""
        messages = ask.messages if self.model.get("pictures", True) else without_pictures(ask.messages)
        form = ask.form if self._is_held_to_forms else None
        sampling = parameters(self.model) | ({"form": form} if form else {})
        question = question_of(self.model["name"], messages, sampling, ask.repeat)
        with nullcontext() if self.llm["mode"] == "live" else self._flights.of(question.key):
            return self._answered(ask, question, messages, form, about)

    def _answered(
        self, ask: Ask, question: Question, messages: Sequence[Any], form: Mapping[str, Any] | None, about: str
    ) -> Entry:
        if (kept := self._kept(question)) is not None:
            return kept
        if self.llm["mode"] == "replay":
            raise StoreError(
                f"{self._store.folder} has no reply {question.key}, which {about} needs for {ask.step}; "
                "llm.mode=record asks the model for it, `webassay judge-store merge` adds somebody's replies"
            )
        entry = entry_of(question, self._put(messages, form), time.time())
        return entry if self.llm["mode"] == "live" else self._store.put(entry)

    def ask_all(self, asks: Sequence[Ask], about: str) -> list[Entry]:
        """Several at once, in their order; when one fails, those under way are stored and the rest is not asked."""
        if len(asks) < 2:
            return [self.ask(ask, about) for ask in asks]
        learn_types()
        with ThreadPoolExecutor(max(1, int(self.llm["parallel"]))) as pool:
            waiting = [pool.submit(self.ask, ask, about) for ask in asks]
            try:
                return [each.result() for each in waiting]
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _put(self, messages: Sequence[Mapping[str, Any]], form: Mapping[str, Any] | None) -> Reply:
        with _starting:
            client, purse = self._client, self._purse
        paid = None if purse is None else partial(purse.pay, messages)
        return without_keys(client.ask(messages, form=form, paid=paid), known_keys(self.model))

    def _kept(self, question: Question) -> Entry | None:
        if self.llm["mode"] == "live":
            return None
        try:
            return self._store.get(question.key)
        except StoreError:
            if self.llm["mode"] == "replay":
                raise
            self._store.set_aside(question.key)
            return None

    @property
    def _is_held_to_forms(self) -> bool:
        return bool(self.model.get("structured") or self.model.get("weights"))

    @cached_property
    def _flights(self) -> "_Flights":
        return _Flights()

    @cached_property
    def _purse(self) -> Purse | None:
        budget = self.llm.get("budget")
        return None if budget is None else Purse(Path(self.llm["folder"]), budget, self.model)

    @cached_property
    def _store(self) -> Store:
        return Store(Path(self.llm["folder"]))

    @cached_property
    def _client(self) -> Client:
        weights = self.model.get("weights")
        client = client_for(dict(self.model), Path(weights["folder"]) if weights else None)
        assert client is not None  # __post_init__ refuses model none
        return client


class _Flights:
    """Who asks what others ask at the same moment waits, and finds their reply in the store."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._under_way: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()

    @contextmanager
    def of(self, key: str) -> Iterator[None]:
        with self._guard:
            flight = self._under_way.setdefault(key, threading.Lock())
        with flight:
            yield


def without_keys(reply: Reply, keys: Iterable[str]) -> Reply:
    """A server may repeat the key that it was given, and replies are kept and shared."""
    told = {name: getattr(reply, name) for name in ("text", "model", "finish_reason", "fingerprint")}
    for key in (key for key in keys if len(key) >= SHORTEST_KEY):
        told = {name: text.replace(key, "[key]") for name, text in told.items()}
    return replace(reply, **told)


@dataclass
class Hearing:
    """All that is asked about one trajectory: which replies it took, and their tokens by step."""

    asker: Asker
    about: str
    keys: dict[str, None] = field(default_factory=dict)
    usage: dict[str, Usage] = field(default_factory=dict)

    def ask(self, ask: Ask) -> Reply:
        return self.ask_all([ask])[0]

    def ask_all(self, asks: Sequence[Ask]) -> list[Reply]:
        entries = self.asker.ask_all(asks, self.about)
        for ask, entry in zip(asks, entries, strict=True):
            if self.asker.llm["mode"] != "live":
                self.keys[entry.key] = None
            step = ask.step.partition(" ")[0]
            self.usage[step] = added(self.usage.get(step), entry.reply.usage)
        return [entry.reply for entry in entries]
