"""A rubric: criteria with points, some of which only count under a condition, and what a run earns by them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec

Points = Annotated[float, msgspec.Meta(gt=0, le=1000)]


class Item(msgspec.Struct, frozen=True):
    """One criterion."""

    criterion: str
    description: str
    max_points: Points
    condition: str | None = None
    """It counts only where this holds."""


class _Raw(msgspec.Struct):
    """As written by a model or by somebody else: parts of a criterion may be nested below it."""

    criterion: str = ""
    description: str = ""
    max_points: float = 0
    condition: str | None = None
    penalty: bool | None = None
    """Added when the rubric was scored: it is about that run's side effects."""
    items: list["_Raw"] = []


class _Rubric(msgspec.Struct):
    items: list[_Raw]


@dataclass(frozen=True)
class Scored:
    """A criterion after it was scored."""

    item: Item
    earned: float
    """As if what cannot be verified were true."""
    verifiable: bool
    met: bool
    """Its condition holds, or it has none."""
    justification: str
    applicable_evidence: str
    cited: tuple[int, ...] = ()
    penalty: bool = False
    """Added for a side effect: it costs its points."""


@dataclass(frozen=True)
class Total:
    """Points of the criteria that count."""

    earned: float
    """Strict: what cannot be verified earns nothing."""
    lenient: float
    most: float
    unverifiable: int

    def share(self, how: str) -> float | None:
        """Of the points that could be had; None where nothing could, since no condition holds."""
        return (self.lenient if how == "lenient" else self.earned) / self.most if self.most else None


def read_rubric(raw: Any) -> tuple[Item, ...]:
    """A ValueError says what is wrong with it; criteria are at the leaves, and inherit a condition from above.

    Scores and penalties of an earlier judging are no part of it.
    """
    items = tuple(_leaves(msgspec.convert(raw, _Rubric, strict=False).items, None))
    if not items:
        raise ValueError("a rubric needs at least one criterion")
    return items


def _leaves(raws: Sequence[_Raw], above: str | None) -> list[Item]:
    found = []
    for raw in (each for each in raws if not each.penalty):
        condition = " and ".join(part for part in (above, (raw.condition or "").strip()) if part) or None
        if raw.items:
            found += _leaves(raw.items, condition)
        elif not raw.criterion.strip():
            raise ValueError("a criterion has no text")
        else:
            record = {"criterion": raw.criterion, "description": raw.description, "max_points": raw.max_points}
            found.append(msgspec.convert(record | {"condition": condition}, Item))
    return found


def listed(items: Sequence[Item]) -> str:
    """As models are shown it: numbered from 0."""
    lines = []
    for number, item in enumerate(items):
        lines.append(f"{number}. {item.criterion} (at most {item.max_points:g} points)")
        lines += [f"   {item.description}"] if item.description else []
        lines += [f"   Counts only if: {item.condition}"] if item.condition else []
    return "\n".join(lines)


def total(scored: Sequence[Scored]) -> Total:
    counting = [one for one in scored if one.met]
    return Total(
        earned=sum(one.earned for one in counting if one.verifiable),
        lenient=sum(one.earned for one in counting),
        most=sum(one.item.max_points for one in counting),
        unverifiable=sum(not one.verifiable for one in counting),
    )
