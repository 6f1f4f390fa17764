"""Several opinions of a model about one trajectory, and the verdict they come to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from webassay.core.verdict import Assertion
from webassay.errors import ConfigError


@dataclass(frozen=True)
class Opinion:
    """One vote."""

    success: bool | None
    """None: abstained, and the reason says why."""
    reason: str
    text: str
    """The reply as it came."""


def check_votes(votes: int, agreement: float) -> None:
    if votes < 1 or not 0.5 <= agreement < 1:
        raise ConfigError(
            f"judge.votes={votes} judge.agreement={agreement}: at least one vote, and a share of at least 0.5 below 1"
        )


def draw(votes: int, ask: Callable[[int], Opinion]) -> list[Opinion]:
    """As many as it takes until those to come cannot change the majority; which share is enough plays no part."""
    drawn: list[Opinion] = []
    while len(drawn) < votes and abs(_lead(drawn)) <= votes - len(drawn):
        drawn.append(ask(len(drawn)))
    return drawn


def decide(drawn: Sequence[Opinion], agreement: float) -> Opinion:
    """The first opinion of the winning side; abstentions agree with nobody."""
    lead = _lead(drawn)
    side = [one for one in drawn if one.success is (lead > 0)] if lead else []
    if len(side) > agreement * len(drawn):
        return side[0]
    abstained = [one for one in drawn if one.success is None]
    if len(abstained) * 2 >= len(drawn):
        return abstained[0]
    counts = [sum(one.success is value for one in drawn) for value in (True, False, None)]
    said = "{} success, {} failure, {} abstained".format(*counts)
    return Opinion(None, f"abstained: split: {said}; more than {agreement:g} of the votes must agree", drawn[0].text)


def as_assertions(drawn: Sequence[Opinion], shown: str) -> tuple[Assertion, ...]:
    """The votes as they are kept beside the verdict; `shown` says which screenshots they rest on."""
    words = {True: "success", False: "failure", None: "abstained"}
    return tuple(
        Assertion(f"vote.{number}", bool(one.success), "success", words[one.success], evidence=shown, reason=one.reason)
        for number, one in enumerate(drawn)
    )


def _lead(drawn: Sequence[Opinion]) -> int:
    return sum((one.success is True) - (one.success is False) for one in drawn)
