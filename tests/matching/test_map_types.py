"""What maps tell: durations, distances, coordinates, names of places and addresses."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.matching.reading import same, unhurried
from webassay.matching.compare import compare
from webassay.matching.tolerance import Tolerances
from webassay.matching.types import TYPES
from webassay.matching.value import NotOfType

SHOP = {"name": "Fuku Tea", "house_number": "3716", "street": "Forbes Avenue", "city": "Pittsburgh"}
FUKU = SHOP | {"state": "Pennsylvania", "postcode": "15213"}
PALACE = {"street": "Am Hofgraben 4", "city": "Munich", "state": "Bavaria", "postcode": "80539", "country": "Germany"}
AIRPORT = {"name": "Pittsburgh International Airport", "state": "Pennsylvania", "postcode": "15231"}

SAME: dict[str, list[tuple[Any, Any]]] = {
    "duration": [
        ("7min", "00:07:00"),
        ("7min", "7 minutes"),
        ("7min", "420 seconds"),
        ("7min", "PT7M"),
        ("1h 30min", "1:30 hours"),
        ("1h 30min", "1.5 h"),
        ("1h 30min", "1 hr. 30 mins."),
        ("1h 30min", "1 hour and 30 minutes"),
        ("1h 30min", "1 HOUR, 30 MINUTES"),
        ("90 s", "1:30 min"),
        ("2 days, 03:04:05", "51:04:05"),
        ("24 h", "P1D"),
    ],
    "distance": [
        ("1.7km", "1,700 m"),
        ("1.7km", "1.7 Kilometres"),
        ("1.7km", "1.7KM"),
        ("1.7km", "1 km 700 m"),
        ("1.2km", "1 km and 200 metres"),
        ("2 km", "2 kms"),
        ("3 ft", "1 yd"),
        ("1 mi", "1.609344 km"),
        ("914km", "914 km."),
    ],
    "coordinates": [
        ("40.4, -79.9", {"latitude": "40.4", "longitude": "-79.9"}),
        ("40.4, -79.9", {"Lng": -79.9, "LAT": 40.4}),
        ("40.4, -79.9", [40.4, -79.9]),
        ("40.4, -79.9", "(40.4, -79.9)"),
        ("40.4, -79.9", "40.4N 79.9W"),
        ("40.4, -79.9", "N 40.4°, W 79.9°"),
        ("40.4, -79.9", "40° 24′ N, 79° 54′ 0″ W"),
        ("0, 180", "0, -180"),
    ],
    "location-name": [
        ("De Fer Coffee & Tea", "de fer coffee and tea"),
        ("El Gallo de Oro", "Oro, El Gallo de"),
        ("The exchange", "The Exchange, Pittsburgh"),
        ("The exchange", "The Exchange, 4400 Forbes Avenue, Pittsburgh"),
        ("Harvard University", "Harvard University, Cambridge, MA 02138"),
        ("Harvard University", "Harvard University, Kirkland Street, Cambridge, Massachusetts, 02138, United States"),
    ],
    "address": [
        ("123 Main St., Apt. 4B, Springfield, IL 62701", "123 Main Street Apt 4B, Springfield, Illinois 62701"),
        ("117 South Bouquet Street, Pittsburgh, PA 15213", "117 S. Bouquet St Pittsburgh Pennsylvania 15213-3405"),
        ("1 Main St, Washington, DC 20001", "1 Main Street, Washington, District of Columbia 20001, USA"),
        ("1 Main St Suite 5, Kansas City, MO", "1 main st ste 5, kansas city, missouri, United States"),
        ("10 Downing Street, London", "10 Downing Street London"),
        (FUKU, FUKU | {"state": "PA", "street": "Forbes Ave", "postcode": 15213}),
        (FUKU | {"house_number": ""}, FUKU | {"house_number": None}),
        (FUKU | {"country": "United States"}, FUKU | {"country": "USA"}),
        (FUKU, "Fuku Tea, 3716 Forbes Ave, Pittsburgh, PA 15213"),
        (PALACE, "Am Hofgraben 4, Munich, Bavaria, 80539, Germany"),
    ],
}
DIFFERENT: dict[str, list[tuple[Any, Any]]] = {
    "duration": [("7min", "8min"), ("7min", "7h"), ("1h 30min", "1:30 min"), ("PT1M", "PT1H")],
    "distance": [("1.7km", "1.7 mi"), ("748m", "748 ft"), ("1 Mm", "1 mm"), ("2 km", "2 m")],
    "coordinates": [
        ("40.4, -79.9", "-79.9, 40.4"),
        ("40.4, -79.9", "40.4, 79.9"),
        ("40.4, -79.9", "40.4N 79.9E"),
        ("40.4, -79.9", "40.401, -79.9"),
    ],
    "location-name": [
        ("Harvard University", "Howard University"),
        ("Harvard University", "Harvard"),
        ("Harvard University", "Harvard University Library"),
        ("Harvard University", "Harvard Harvard University"),
        ("Harvard University", "Yale University, Harvard University"),
        ("Harvard University", "Harvard University, Yale University, Princeton University"),
        ("Harvard University", "Harvard University, or Yale University"),
        ("Harvard University", "Harvard University, Yale University"),
        ("The exchange", "The exchange, De Fer Coffee and Tea"),
        ("Harvard University", "Harvard University or Yale University"),
        ("Pittsburgh", "Carnegie Mellon University, Pittsburgh"),
    ],
    "address": [
        ("123 Main St, Springfield, IL 62701", "123 Main St, Springfield, IN 62701"),
        ("123 Main St, Springfield, IL 62701", "124 Main St, Springfield, IL 62701"),
        ("123 Main St, Springfield, IL 62701", "123 Main Ave, Springfield, IL 62701"),
        ("123 Main St, Springfield, IL 62701", "123 Main St, Springfield, IL"),
        ("123 Main St, Springfield, IL 62701", "123 Main St or 125 Oak Ave, Springfield, IL 62701"),
        ("123 Main St, Springfield, IL 62701-1111", "123 Main St, Springfield, IL 62701-2222"),
        ("10 Downing Street, London", "11 Downing Street, London"),
        (FUKU, SHOP | {"state": "PA"}),
        (FUKU, FUKU | {"country": "USA"}),
        (FUKU, FUKU | {"name": "Starbucks"}),
        (FUKU, FUKU | {"postcode": "15214"}),
        (FUKU, "3716 Forbes Ave, Pittsburgh, PA 15213"),
        (PALACE, "Am Hofgraben 4, Munich, Germany"),
        (PALACE, "Am Hofgraben 4, Munich, Hesse, 80539, Germany"),
    ],
}
REFUSED: list[tuple[str, list[Any]]] = [
    ("duration", ["1:30", "0:07", "90", 90, 1.5, True, None, "", "-5 min", "5-7 min", "about 5 min", "^.*$", ["7min"]]),
    ("duration", ["5 min or 7 min", "5 min 7 min", "1h1h", "1 month", "1:93:00", "nan min", "٧ min", "7² min"]),
    ("duration", ["P1M", "PT", "P", "-PT5M", f"PT{'9' * 50}H"]),
    ("distance", ["5", 5, True, None, "", "km", "-5 km", "110k", "5 kg", "5 km/h", "1 m^2", "3 blocks", ["1.7km"]]),
    ("distance", ["1.7km (1.05 mi)", "1 km 2 km", "700 m, 748 m", "2 km or 3 km", "^.*$", "5² m"]),
    ("distance", ["10**9**9 m", "1e3 m", "nan m"]),
    ("coordinates", ["40.4", "91, 0", "0, 181", "40.4, -79.9, 100", "-40.4N 79.9W", "40.4E 79.9N", "40,4; -79,9", ""]),
    ("coordinates", ["40°61'N 0°E", 5, None, [], [1], [1, 2, 3], [True, 1], [[1, 2], 3], [10**400, 1]]),
    ("coordinates", [{"lat": 1}, {"lat": 1, "latitude": 2}, {"lat": 1, "lon": 2, "x": 3}, {1: 1, "lon": 2}]),
    ("coordinates", [{"lat": "^.*$", "lon": 1}, {"lat": [1, 2], "lon": 1}]),
    ("location-name", ["", "...", 5, None, True, ["Harvard University"], {"name": "a"}, "a" * 301]),
    (
        "address",
        ["", ",", 5, None, [], {}, {"street": "Main", "planet": "Earth"}, {"name": ["a"]}, {1: "a"}, "a " * 201],
    ),
]


def pairs(table: dict[str, list[tuple[Any, Any]]]) -> list[tuple[str, Any, Any]]:
    return [(kind, one, other) for kind, rows in table.items() for one, other in rows]


@pytest.mark.parametrize("kind, one, other", pairs(SAME))
def test_spellings_of_one_value(kind: str, one: Any, other: Any) -> None:
    assert same(kind, one, other)
    assert compare({"format": kind}, one, other).equal


@pytest.mark.parametrize("kind, one, other", pairs(DIFFERENT))
def test_different_values(kind: str, one: Any, other: Any) -> None:
    assert not same(kind, one, other)
    assert not same(kind, other, one)


@pytest.mark.parametrize("kind, value", [(kind, value) for kind, values in REFUSED for value in values])
def test_what_is_no_spelling_is_refused(kind: str, value: Any) -> None:
    with pytest.raises(NotOfType):
        TYPES[kind].read(value)


@pytest.mark.parametrize(
    "kind, expected, within, beyond",
    [
        ("duration", "7min", ["6min", "8min", "8:00 min"], ["5min", "9min", "8:01 min"]),
        ("duration", "1min", ["2min"], ["3min", "4min"]),
        ("duration", "5h 47min", ["5h 41min", "5h 53min"], ["5h 40min", "5h 55min"]),
        ("distance", "748m", ["750m", "0.74 km", "758m"], ["759m", "0.7 km", "0.8 km"]),
        ("distance", "914km", ["905km", "923km"], ["900km", "930km"]),
        ("coordinates", "40.4424191, -79.9397388", ["40.4424, -79.9397"], ["40.442, -79.94", "40.4426, -79.9397"]),
    ],
)
def test_default_tolerances(kind: str, expected: str, within: list[str], beyond: list[str]) -> None:
    assert [one for one in within if not same(kind, expected, one, Tolerances())] == []
    assert [one for one in beyond if same(kind, expected, one, Tolerances())] == []


def test_names_by_similarity_and_without_suffix_only_on_request() -> None:
    lenient = Tolerances(location_name_similarity=0.8)
    assert same("location-name", "Harvard University", "Harvard Univercity", lenient)
    assert not same("location-name", "Harvard University", "Harvard Univercity")
    assert not same("location-name", "Harvard University", "Boston College", lenient)
    strict = Tolerances(location_name_suffix=False)
    assert not same("location-name", "The exchange", "The exchange, Pittsburgh", strict)


@pytest.mark.parametrize(
    "actual, equal",
    [
        (
            "Fuku Tea, 3716, Forbes Avenue, Central Oakland, Pittsburgh, Allegheny County, Pennsylvania, 15213, USA",
            True,
        ),
        ("Fuku Tea, 3716 Forbes Avenue, Cleveland, Pennsylvania 15213", False),
        ("Fuku Tea, 3716 Forbes Avenue, Pittsburgh, 417 South Craig Street, PA 15213", False),
        ("Fuku Tea, 3716 Forbes Avenue, Pittsburgh or Cleveland, PA 15213", False),
        ("Fuku Tea", False),
    ],
)
def test_a_map_s_own_line_for_an_expected_object(actual: str, equal: bool) -> None:
    schema = {"type": "object", "title": "full_address", "properties": {key: {"type": "string"} for key in FUKU}}
    assert compare(schema, FUKU, actual).equal is equal


def test_an_object_titled_as_an_address_is_one() -> None:
    schema = {"type": "object", "title": "full_address", "properties": {key: {"type": "string"} for key in AIRPORT}}
    assert compare(schema, AIRPORT, AIRPORT | {"state": "PA"}).equal
    assert not compare(schema, AIRPORT, AIRPORT | {"state": "NY"}).equal
    assert not compare(schema, AIRPORT, {"name": AIRPORT["name"], "postcode": "15231"}).equal


def test_a_comparison_word_by_word_says_so() -> None:
    foreign = compare({"format": "address"}, "10 Downing Street, London", "12 Downing Street, London")
    assert "word by word" in foreign.reason
    domestic = compare({"format": "address"}, "1 Main St, Troy, NY", "2 Main St, Troy, NY")
    assert domestic.reason and "word by word" not in domestic.reason


@given(st.integers(0, 99 * 3600))
def test_a_duration_on_the_clock_and_in_words(seconds: int) -> None:
    hours, minutes, rest = seconds // 3600, seconds // 60 % 60, seconds % 60
    assert same("duration", f"{hours:02}:{minutes:02}:{rest:02}", f"{hours}h {minutes} min {rest} sec")
    assert same("duration", f"PT{hours}H{minutes}M{rest}S", f"{seconds} seconds")


@given(st.floats(-90, 90), st.floats(-180, 180))
def test_coordinates_however_they_are_wrapped(latitude: float, longitude: float) -> None:
    pair = [round(latitude, 6), round(longitude, 6)]
    north, east = ("N" if pair[0] >= 0 else "S"), ("E" if pair[1] >= 0 else "W")
    for other in (
        {"lat": pair[0], "lon": pair[1]},
        f"{pair[0]:.6f}, {pair[1]:.6f}",
        f"{abs(pair[0]):.6f}{north} {abs(pair[1]):.6f}{east}",
    ):
        assert same("coordinates", pair, other)


@unhurried
@given(st.floats(0.001, 1e6), st.floats(0.001, 1e6))
def test_tolerance_is_symmetric(one: float, other: float) -> None:
    tolerances = Tolerances()
    for kind, unit in (("duration", "s"), ("distance", "m")):
        spellings = f"{one:.3f} {unit}", f"{other:.3f} {unit}"
        assert same(kind, *spellings, tolerances) == same(kind, *reversed(spellings), tolerances)
