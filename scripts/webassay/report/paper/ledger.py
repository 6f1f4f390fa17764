"""The ledger: what the paper says, what comes out here, by which rule, and what the comparison of the two gives.

The paper's values are data (`published.toml`); ours are computed at run time; no verdict is written down anywhere.

| verdict | when |
|---|---|
| exact | the same number, counted in public data (or computed with such a count), or a constant that is a default |
| sum rule | the same number, and only by the odd rule that the entry describes |
| consistent | nothing but the paper's own numbers, and they fit together; or it lies within what is possible |
| not regenerable | nothing public gives it; `missing` says what would |
| contradicted | another number: `instead` says by what |
"""

import math
import operator
import tomllib
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from functools import reduce
from pathlib import Path
from typing import Any, Literal

import msgspec
import pandas as pd

from webassay.errors import WebassayError
from webassay.report.sheet import Sheet
from webassay.stats.power import implied_spread, largest_spread

PUBLISHED = Path(__file__).with_name("published.toml")
Verdict = Literal["exact", "sum rule", "consistent", "not regenerable", "contradicted"]
Value = float | tuple[float, float]
"""A number, or the least and the greatest that are possible."""


class Claim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One number or statement of the paper."""

    item: str
    what: str
    value: str
    """As printed, so that its decimals are known."""
    ours: str | dict[str, list[Any]] | None = None
    """A computed number's name, or a rule over names and numbers of the paper: `{percent = ["naive.na", "tasks"]}`."""
    rule: str = ""
    odd: bool = False
    """The rule was found by looking for the number; nothing in the paper says it."""
    missing: str = ""
    instead: str = ""


class Entry(msgspec.Struct, frozen=True):
    """A line of the ledger."""

    item: str
    what: str
    paper: str
    here: str
    rule: str
    verdict: Verdict
    remark: str


def read_claims(path: Path = PUBLISHED) -> list[Claim]:
    try:
        return msgspec.convert(tomllib.loads(path.read_text())["claim"], list[Claim])
    except (tomllib.TOMLDecodeError, KeyError, msgspec.ValidationError) as error:
        raise WebassayError(f"{path}: not a list of claims ({error})") from None


def ledger(claims: list[Claim], facts: Mapping[str, float]) -> list[Entry]:
    return [_entry(claim, facts) for claim in claims]


def _entry(claim: Claim, facts: Mapping[str, float]) -> Entry:
    ours = None if claim.ours is None else _computed(claim.ours, facts)
    verdict = _verdict(claim, ours)
    remark = {"not regenerable": claim.missing, "contradicted": claim.instead}.get(verdict, "")
    return Entry(claim.item, claim.what, claim.value, _shown(ours, claim.value), claim.rule, verdict, remark)


def _verdict(claim: Claim, ours: Value | None) -> Verdict:
    if ours is None:
        return "not regenerable"
    if not _agrees(claim.value, ours):
        return "contradicted"
    if claim.odd:
        return "sum rule"
    return "exact" if _is_counted(claim.ours) and not isinstance(ours, tuple) else "consistent"


def _agrees(printed: str, ours: Value) -> bool:
    """Equal at the decimals that the paper prints, or within what is possible."""
    value = _decimal(printed)
    if value is None:
        return False
    if isinstance(ours, tuple):
        return ours[0] <= float(value) <= ours[1]
    return abs(Decimal(repr(ours)) - value) <= _half_a_digit(value)


def _half_a_digit(value: Decimal) -> Decimal:
    exponent = value.as_tuple().exponent
    assert isinstance(exponent, int)
    return Decimal("0.5").scaleb(exponent) if exponent < 0 else Decimal(0)


def _decimal(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def _computed(source: str | dict[str, list[Any]], facts: Mapping[str, float]) -> Value:
    if isinstance(source, str):
        return _operand(source, facts)
    (name, operands), *more = source.items()
    if more or name not in RULES:
        raise WebassayError(f"{PUBLISHED.name}: {source} is not one of the rules {', '.join(RULES)}")
    return RULES[name](*(_operand(each, facts) for each in operands))


def _operand(given: Any, facts: Mapping[str, float]) -> float:
    """A number of the paper's, a computed one by its name, or a rule within a rule."""
    if isinstance(given, dict):
        found = _computed(given, facts)
        assert not isinstance(found, tuple)
        return found
    if isinstance(given, str):
        if given not in facts:
            raise WebassayError(f"{PUBLISHED.name}: nothing here computes {given!r}")
        return facts[given]
    return float(given)


def _is_counted(source: Any) -> bool:
    """Whether anything that was computed from data is in it."""
    if isinstance(source, dict):
        return any(_is_counted(each) for operands in source.values() for each in operands)
    return isinstance(source, str)


def _half_width_within(mean: float, templates: float, confidence: float) -> tuple[float, float]:
    """In percent: 0 if all templates agree, at most what a spread of zeros and ones gives."""
    one = implied_spread(1.0, int(templates), confidence)
    return 0.0, 100 * largest_spread(mean / 100, int(templates)) / one


RULES: dict[str, Callable[..., Value]] = {
    "sum": lambda *parts: math.fsum(parts),
    "product": lambda *parts: reduce(operator.mul, parts),
    "difference": lambda whole, part: whole - part,
    "ratio": lambda part, whole: part / whole,
    "percent": lambda part, whole: 100 * part / whole,
    "mean": lambda *parts: math.fsum(parts) / len(parts),
    "between": lambda *parts: (min(parts), max(parts)),
    "half_width": _half_width_within,
}


def ledger_sheet(entries: list[Entry]) -> Sheet:
    data = pd.DataFrame([msgspec.to_builtins(entry) for entry in entries])
    counts = data["verdict"].value_counts().to_dict()
    told = ", ".join(f"{counts.get(name, 0)} {name}" for name in Verdict.__args__)  # type: ignore[attr-defined]
    note = (
        f"{told}. Exact: counted in public data, or a constant that is a default here. Sum rule: the number comes out "
        "only by the rule that stands there. Consistent: the paper's own numbers fit together. Ours are rounded as the "
        "paper's are."
    )
    return Sheet("paper_status", "How much of the paper regenerates, and what it contradicts", data, data, note)


def _shown(ours: Value | None, printed: str) -> str:
    if ours is None:
        return "n/a"
    if isinstance(ours, tuple):
        return f"possible: {ours[0]:.1f} to {ours[1]:.1f}"
    value = _decimal(printed)
    exponent = value.as_tuple().exponent if value is not None else -1
    digits = max(0, -exponent) if isinstance(exponent, int) else 1
    return f"{ours:.{digits}f}"
