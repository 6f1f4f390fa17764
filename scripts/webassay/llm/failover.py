"""Several endpoints of one model: whoever fails is asked again later, and the next one at once."""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webassay.errors import ConfigError, ModelError, PromptTooLong, PurseEmpty
from webassay.llm.endpoint import SHOWN, Declined, Endpoint, Given, KeyRefused, Passing

if TYPE_CHECKING:
    from openai import OpenAI

PAUSE, LONGEST_PAUSE = 0.5, 8.0
"""Of the first, and of any: seconds by lot up to this, doubled with each try."""


@dataclass
class _Place:
    """An endpoint, for the time of one question."""

    endpoint: Endpoint
    due: float = 0.0
    """Not asked before, by the monotonic clock."""
    tries: int = 0
    failure: ModelError | None = None

    @property
    def told(self) -> str:
        return f"{self.endpoint.shown}: {self.endpoint.without_key(str(self.failure))[:SHOWN]}"

    def put_off(self, failure: Passing) -> None:
        self.tries += 1
        longest = min(PAUSE * 2 ** (self.tries - 1), LONGEST_PAUSE)
        self.due = time.monotonic() + (failure.wait or random.uniform(0, longest))


def first_answer(
    endpoints: Sequence[Endpoint], put: "Callable[[OpenAI], Given]", name: str, retries: int
) -> tuple[Given, float]:
    """What the first gave that answered, and when it was asked; each is tried `retries` times beyond the first.

    Those that failed a moment ago come last, and nobody is asked before the time that it has named.
    """
    now = time.monotonic()
    places = [_Place(one) for one in sorted(endpoints, key=lambda one: one.tired_until > now)]
    waiting = list(places)
    while waiting:
        place = min(waiting, key=lambda one: one.due)
        time.sleep(max(0.0, place.due - time.monotonic()))
        try:
            return place.endpoint.ask(put)
        except (PromptTooLong, PurseEmpty, Declined):
            raise
        except ModelError as failure:
            place.failure = failure
            if isinstance(failure, Passing):
                place.put_off(failure)
            if not isinstance(failure, Passing) or place.tries > retries:
                waiting.remove(place)
    raise _trouble(places, name)


def _trouble(places: Sequence[_Place], name: str) -> ModelError | ConfigError:
    if all(isinstance(place.failure, KeyRefused) for place in places):
        told = "; ".join(f"{place.told} ({place.endpoint.key_source})" for place in places)
        return ConfigError(f"model {name}: no endpoint takes its key: {told}")
    return ModelError(f"model {name}: no endpoint answered; {'; '.join(place.told for place in places)}")
