"""Each type's spellings: which are the same, which differ, and which are no spelling of it at all."""

import os
import subprocess
import sys
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.matching.reading import EXPECTED, JSON, same, unhurried
from webassay.errors import ConfigError
from webassay.matching.tolerance import Tolerances
from webassay.matching.types import TYPES
from webassay.matching.value import NotOfType

SAME = [
    ("string", "Quest Lumaflex™ Band", "quest  lumaflex band"),
    ("string", "Café", "Cafe\N{COMBINING ACUTE ACCENT}"),
    ("string", "Straße", "STRASSE"),
    ("string", "rock ’n’ roll – live", "Rock 'n' Roll - Live"),
    ("string", "a\N{ZERO WIDTH SPACE}b", "ab"),
    ("string", " x\n", "x"),
    ("string", '"Sprite"', "Sprite."),
    ("string", "“Bad!”", "bad"),
    ("string", "'x y!?'.", "x y"),
    ("string", "Cronus Yoga Pant -33-Blue", "Cronus Yoga Pant–33 — Blue"),
    ("string", "15213", 15213),
    ("string", "15213", 15213.0),
    ("string", "...", "..."),
    ("string", "５ m²", "5 M²"),
    ("text", "Café\r\n au  lait ", "CAFE\N{COMBINING ACUTE ACCENT} au\nlait"),
    ("text", "a\N{NO-BREAK SPACE}b", "a b"),
    ("text", "170", 170),
    ("text", "0.5", 0.5),
    ("text", "true", True),
    ("text", "False", False),
    ("text", " ", ""),
    ("number", "1,000", 1000),
    ("number", "1,234,567.50", 1234567.5),
    ("number", "-36.39", -36.39),
    ("number", "\N{MINUS SIGN}5", -5),
    ("number", "007", 7),
    ("number", ".5", 0.5),
    ("number", "#170", 170),
    ("number", "# 000170", 170),
    ("number", "5.", 5),
    ("number", "1,000.", 1000),
    ("number", "5\N{ZERO WIDTH SPACE}", 5),
    ("number", "\N{LEFT-TO-RIGHT MARK}-5 ", -5),
    ("number", 1, 1.0),
    ("integer", "12", 12.0),
    ("boolean", "Yes", True),
    ("boolean", "false", False),
    ("boolean", "Yes.", True),
    ("boolean", "no.", False),
    ("boolean", "True!", True),
    ("currency", "$1,000.00", "1000 USD"),
    ("currency", "$1,000.00", 1000),
    ("currency", "$5 USD", "US$5"),
    ("currency", "US $36.39", "36.39 dollars"),
    ("currency", "-us $36.39", "-36.39 USD"),
    ("currency", "1 Dollar", "1 US dollar"),
    ("currency", "(12.00)", -12),
    ("currency", "($12.00)", "-$12"),
    ("currency", "$-5", "-5.00"),
    ("currency", "1.234,56 €", "EUR 1,234.56"),
    ("currency", "1 000,00 kr", 1000),
    ("currency", "1,23,456.78", 123456.78),
    ("currency", "12,50", 12.5),
    ("currency", "6 560.69", 6560.69),
    ("currency", 0.1, "0.10"),
    ("currency", "$1,000.00", "$1,000.00."),
    ("currency", "$1,000.00", "1000 usd."),
    ("currency", 0.5, "$.50"),
    ("currency", -0.5, "-.50"),
    ("currency", "$1,000.00", "USD$1000"),
    ("currency", "$1,000.00", "$1000.00 (USD)"),
    ("number", 1000, "1 000"),
    ("number", 1234567.5, "1\N{NARROW NO-BREAK SPACE}234 567.5"),
    ("url", "http://a.b/x", "http://a.b/x/"),
    ("url", "http://a.b/x?y=1", "http://a.b/x/?y=1"),
    ("date", "Apr 5, 2024", "2024-04-05"),
    ("date", "04/05/2024", "5 April 2024"),
    ("date", "2024-04-05T23:59:00Z", "2024-04-05"),
    ("date", "Friday, 5th of April 2024", "20240405"),
    ("date", "Tue., March 5, 2024", "2024-03-05 TUESDAY"),
    ("month", "September", "Sept."),
    ("month", "may", 5),
    ("month", "05", "May"),
    ("url", "HTTP://Shop.localhost:80", "http://shop.localhost/"),
    ("url", "http://a.b/x?b=2&a=1", "http://a.b/x?a=1&b=2"),
    ("url", "http://a.b/%7euser/a%20b", "http://a.b/~user/a b"),
    ("null", None, None),
]
DIFFERENT = [
    ("string", "a", "b"),
    ("string", "x-y", "xy"),
    ("string", "x-y", "x y"),
    ("string", "León", "Leon"),
    ("string", ".env", "env"),
    ("string", "06516", 6516),
    ("string", "a", '"a'),
    ("string", "...", ""),
    ("string", "5²", "52"),
    ("string", "⑤", "5"),
    ("string", "5½", "51⁄2"),
    ("string", "9㎡", "9m2"),
    ("text", "CHATGPT_PLUGIN!!!", "chatgpt_plugin"),
    ("text", '"x".', "x"),
    ("text", "“x”", '"x"'),
    ("text", "a - b", "a-b"),
    ("text", "León", "Leon"),
    ("text", "ab", "a b"),
    ("text", "5²", "52"),
    ("text", "06516", 6516),
    ("text", "1", True),
    ("number", "-36.39", "36.39"),
    ("number", "36.39", "36.40"),
    ("number", 0.1 + 0.2, 0.3),
    ("number", 10**20, 10**20 + 1),
    ("boolean", True, "no"),
    ("currency", "-36.39", "36.39"),
    ("currency", "$5", "€5"),
    ("currency", "5 dollars", "€5"),
    ("currency", "$12.00", "12.01"),
    ("currency", "1,000", "1"),
    ("date", "2024-04-05", "2024-05-04"),
    ("month", "May", "June"),
    ("url", "http://a.b/x", "https://a.b/x"),
    ("url", "http://a.b/x", "http://a.b:8080/x"),
    ("url", "http://a.b/X", "http://a.b/x"),
    ("url", "http://a.b/a%2Fb", "http://a.b/a/b"),
    ("url", "http://a.b/x?a=1&a=2", "http://a.b/x?a=1"),
    ("url", "http://a.b/", "http://evil.com/?u=http://a.b/"),
    ("url", "http://a.b/", "http://a.b@evil.com/"),
]
REFUSED = [
    ("string", [True, None, ["a"], {"a": 1}, 10**400, float("nan"), "a" * 200_001]),
    ("text", [None, ["a"], {"a": 1}, 10**400, float("nan"), "a" * 200_001]),
    (
        "number",
        [
            "",
            "five",
            "5%",
            "5 %",
            "3 items",
            "3k",
            "#",
            "#1.5",
            "#-1",
            "5²",
            "½",
            "12,5",
            "1,00",
            "1e3",
            "nan",
            "٣",
            "1_0",
            "5..",
            ".",
            "⑤",
            "5.²",
            "9" * 100,
        ],
    ),
    ("number", [True, False, None, [1], float("nan"), float("inf"), 10**400]),
    ("integer", [1.5, "1.5", True]),
    ("boolean", [1, 0, "1", "on", "t", "", ".", "yes?", "yes. no.", None, [True, False]]),
    ("currency", ["", "$", "free", "$1.2M", "about $12", "12.00-14.00", "$5 or $6", "5-", "-(5)", "5%", "5 apples"]),
    ("currency", ["1.000", "12 34", "1e3", "€5 USD", "€5 dollars", "5 doll", "US 5", True, None]),
    ("date", ["2024", "12", "may", "April 2024", "March 11", "Friday", "Friday April 2024", "04/05/24"]),
    ("date", ["Monday, March 5, 2024", "2024-03-05 Mon", "Mon Tue March 5 2024"]),
    ("date", ["today", "yesterday", "10:00", "2024-13-04", "Feb 30 2024", "", 20240405]),
    ("month", ["May 5", 0, 13, "13", True, None, ""]),
    ("url", ["/x", "shop.localhost", "javascript:1", "http://a:99999/", "http://[::1", "http:///x", 5]),
    ("null", ["", "null", "N/A", 0, False, []]),
]
CANONICAL = {
    "string": st.text(),
    "text": st.text(),
    "number": st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-(10**20), max_value=10**20),
    "integer": st.integers(-(10**30), 10**30),
    "boolean": st.sampled_from(["true", "false"]),
    "currency": st.decimals(places=2, min_value=-(10**12), max_value=10**12),
    "date": st.dates(min_value=date(100, 1, 1)),
    "month": st.integers(1, 12),
}


@pytest.mark.parametrize("kind, one, other", SAME)
def test_spellings_of_one_value(kind, one, other):
    assert same(kind, one, other)
    assert same(kind, other, one)


@pytest.mark.parametrize("kind, one, other", DIFFERENT)
def test_different_values(kind, one, other):
    assert not same(kind, one, other)
    assert not same(kind, other, one)


@pytest.mark.parametrize("kind, value", [(kind, value) for kind, values in REFUSED for value in values])
def test_what_is_no_spelling_is_refused(kind, value):
    with pytest.raises(NotOfType):
        TYPES[kind].read(value)


@pytest.mark.parametrize("kind", CANONICAL)
@given(data=st.data())
def test_a_value_matches_its_own_plain_spelling(kind, data):
    value = data.draw(CANONICAL[kind])
    assert same(kind, f"{value:f}" if isinstance(value, Decimal) else str(value), str(TYPES[kind].read(str(value))))


@pytest.mark.parametrize("kind", ["string", "text"])
@given(text=st.text())
def test_reading_a_text_twice_changes_nothing(kind, text):
    once = TYPES[kind].read(text)
    assert TYPES[kind].read(once) == once


@given(st.text(min_size=1).map(lambda path: f"http://a.b/{path}"))
def test_reading_a_url_twice_changes_nothing(url):
    try:
        once = TYPES["url"].read(url)
    except NotOfType:
        return
    assert TYPES["url"].read(once) == once


@given(st.decimals(places=2, min_value=-(10**9), max_value=10**9), st.sampled_from([Decimal("0.01"), Decimal("-0.01")]))
def test_a_cent_is_a_difference(amount, cent):
    assert not same("currency", f"${amount:,f}", f"{amount + cent:f} USD")


@given(st.dates(min_value=date(1000, 1, 1)))
def test_dates_in_words_and_in_iso(day):
    assert TYPES["date"].read(day.strftime("%B %d, ") + str(day.year)) == day
    assert TYPES["date"].read(day.strftime("%A, %B %d, ") + str(day.year)) == day


def test_a_date_does_not_depend_on_the_clock(monkeypatch):
    import dateutil.parser._parser as dateutil_parser

    class Never(dateutil_parser.datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            raise AssertionError("the clock was read")

    monkeypatch.setattr(dateutil_parser.datetime, "datetime", Never)
    with pytest.raises(NotOfType):
        TYPES["date"].read("April 2024")
    assert TYPES["date"].read("Apr 5, 2024") == date(2024, 4, 5)


@pytest.mark.parametrize("kind", TYPES)
def test_each_type_has_a_sound_expectation_that_equals_itself(kind):
    assert same(kind, EXPECTED[kind], EXPECTED[kind])


@pytest.mark.parametrize("kind", TYPES)
@unhurried
@given(value=JSON)
def test_reading_refuses_and_never_raises_otherwise(kind, value):
    try:
        assert same(kind, value, value)
    except NotOfType as refusal:
        assert str(refusal)


@unhurried
@given(st.text(), st.text())
def test_sameness_of_texts_is_symmetric(one, other):
    for kind in ("string", "text", "location-name", "address", "markdown", "string_list"):
        try:
            assert same(kind, one, other) == same(kind, other, one)
        except NotOfType:
            continue


def test_numbers_and_money_have_tolerances_only_on_request():
    assert not same("currency", 12, 12.09, Tolerances())
    assert same("currency", 12, 12.09, Tolerances(currency=Decimal("0.1")))
    assert not same("currency", "$12", "€12", Tolerances(currency=Decimal("0.1")))
    assert not same("number", 5, 5.01, Tolerances())
    assert same("number", 5, 5.01, Tolerances(number=Decimal("0.01")))


@pytest.mark.parametrize(
    "wrong", [{"duration_seconds": -1}, {"distance_relative": float("nan")}, {"location_name_similarity": 0}]
)
def test_a_tolerance_that_makes_no_sense_is_refused(wrong):
    with pytest.raises(ConfigError, match=next(iter(wrong))):
        Tolerances(**wrong)


def test_a_heavy_library_is_loaded_only_by_the_type_that_needs_it():
    code = "import sys, webassay.matching.compare as c; c.compare({'type': 'string'}, 'a', 'a'); print(*sys.modules)"
    heavy = {"pint", "geopy", "scourgify", "usaddress", "us", "markdown_it", "rapidfuzz"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert "webassay.matching.types" in done.stdout.split() and not heavy & {*done.stdout.split()}
