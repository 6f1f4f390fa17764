"""Amounts of money: exact decimals, the sign as written, and the currency where one is named."""

import re
from decimal import Decimal
from typing import Any

import msgspec
from price_parser import Price

from webassay.matching.number import read_number
from webassay.matching.tolerance import Tolerances
from webassay.matching.value import NotOfType, ValueType, short_text

_SYMBOLS = {"€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR"} | dict.fromkeys(
    ("$", "US$", "US $", "DOLLAR", "DOLLARS", "US DOLLAR", "US DOLLARS"), "USD"
)
_AMOUNT = re.compile(r"[0-9](?:[0-9.,' ]*[0-9])?|(?<![A-Za-z])\.[0-9]+")
_IN_BRACKETS = re.compile(r"(?<=[0-9 ])\(([A-Za-z]{3})\)$")
_TWICE = re.compile(r"([A-Z]{3}) ?([$€£¥₹])")
"""`USD$`: the code and its sign."""
_POINT = re.compile(
    r"(?:[0-9]+|[1-9][0-9]{0,2}(?:,[0-9]{3})+|[1-9][0-9]{0,2}(?: [0-9]{3})+|[1-9][0-9]?(?:,[0-9]{2})*,[0-9]{3})"
    r"(?:\.[0-9]+)?|\.[0-9]+"
)
_COMMA = re.compile(r"(?:[0-9]+|[1-9][0-9]{0,2}(?:[. ][0-9]{3})+),[0-9]{1,2}")
_AMBIGUOUS = re.compile(r"[1-9][0-9]{0,2}\.[0-9]{3}")
_SIGNS = {("", ""): 1, ("+", ""): 1, ("-", ""): -1, ("(", ")"): -1}


class Money(msgspec.Struct, frozen=True):
    amount: Decimal
    currency: str | None = None
    """None where the text names none; such an amount agrees with any currency."""

    def __str__(self) -> str:
        return f"{self.amount:f} {self.currency or ''}".rstrip()


def read_currency(raw: Any) -> Money:
    """All of the text must be amount, sign and currency: `about $12`, `$12-14` and `$1.2M` are refused.

    A stop may end it, as it ends a sentence.
    """
    if not isinstance(raw, str):
        return Money(read_number(raw))
    text = _IN_BRACKETS.sub(r"\1", short_text(raw, "an amount of money").removesuffix("."))
    found = _AMOUNT.search(text)
    if not found:
        raise NotOfType(f"{text!r} is not an amount of money")
    before, after = text[: found.start()], text[found.end() :]
    left, right = before.strip("+-( "), after.strip(") ")
    sign = _SIGNS.get((_without(before, left), _without(after, right)))
    if sign is None:
        raise NotOfType(f"{text!r} is not an amount of money")
    return Money(sign * _decimal(found.group()), _currency(left, right, text))


def same_money(expected: Money, actual: Money, tolerances: Tolerances) -> bool:
    known = expected.currency is not None and actual.currency is not None
    if known and expected.currency != actual.currency:
        return False
    return expected.amount == actual.amount or abs(expected.amount - actual.amount) <= tolerances.currency


def _without(text: str, part: str) -> str:
    return text.replace(part, "", 1).replace(" ", "")


def _decimal(digits: str) -> Decimal:
    if _AMBIGUOUS.fullmatch(digits):
        raise NotOfType(f"{digits} may be thousands or thousandths")
    if _POINT.fullmatch(digits):
        return Decimal(re.sub("[, ]", "", digits))
    if _COMMA.fullmatch(digits):
        return Decimal(re.sub("[. ]", "", digits).replace(",", "."))
    raise NotOfType(f"{digits} is not grouped as an amount of money is")


def _currency(left: str, right: str, text: str) -> str | None:
    """`$5 USD` names it twice, which is fine; `€5 USD` is not."""
    given = [name for side in (left, right) if side for name in _names(side)]
    names = {_SYMBOLS.get(name.upper(), name.upper()) for name in given}
    if len(names) > 1 or not all(map(_is_currency, given)):
        raise NotOfType(f"{text!r} is not an amount of money")
    return names.pop() if names else None


def _names(side: str) -> tuple[str, ...]:
    found = _TWICE.fullmatch(side.upper())
    return found.groups() if found else (side,)


def _is_currency(name: str) -> bool:
    return name.upper() in _SYMBOLS or any(
        Price.fromstring(f"{spelling} 1").currency == spelling for spelling in (name, name.upper())
    )


CURRENCY = ValueType("currency", read_currency, same_money)
