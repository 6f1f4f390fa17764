"""Reading HAR files: the fields that count, and an error that names the file for everything else."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.evidence.recording import entry
from webassay.errors import TrajectoryError
from webassay.evidence.har import broken_entry, decode_har, events_of, last_document, origin
from webassay.evidence.trace import read_trace


def write(path, entries):
    path.write_text(json.dumps({"log": {"version": "1.2", "creator": {"name": "x"}, "pages": [], "entries": entries}}))
    return path


def test_reads_what_judging_needs(tmp_path):
    post = entry(
        "http://shop.localhost/a", method="post", status=302, location="/b", cookie="x=1; sessionid=redacted:1a2b"
    )
    post["request"]["postData"] = {"mimeType": "application/x-www-form-urlencoded", "text": "a=1", "params": []}
    (event,) = read_trace(write(tmp_path / "network.har", [post]))
    assert (event.method, event.url, event.status) == ("POST", "http://shop.localhost/a", 302)
    assert event.location == "http://shop.localhost/b"
    assert event.sends_cookie("sessionid") and not event.sends_cookie("session")
    assert event.request.body is not None and event.request.body.text == "a=1"
    (same,) = events_of([post])
    assert (same.url, same.request.headers, same.request.body) == (event.url, event.request.headers, event.request.body)


def test_a_har_without_entries_is_no_events(tmp_path):
    assert read_trace(write(tmp_path / "network.har", [])) == ()


def test_a_missing_har_is_not_an_empty_one(tmp_path):
    with pytest.raises(TrajectoryError, match=r"no network\.har: the attempt is not evidence"):
        read_trace(tmp_path / "network.har")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"{}",
        b'{"log": {}}',
        b'{"log": {"entries": [{}]}}',
        b'{"log": {"entries": [{"request": {"method": "GET", "url": 5}}]}}',
        b'{"log": {"entries": [{"request": {"method": "GET", "url": "\xff"}}]}}',
        b'{"log": {"entries": [' + b'{"request": {"method": "GET", "url": "x"}},' * 3,
        b'{"log": {"entries": [], "pages": ' + b"[" * 200_000,
    ],
)
def test_a_broken_har_is_an_error_that_names_it(tmp_path, content):
    path = tmp_path / "network.har"
    path.write_bytes(content)
    with pytest.raises(TrajectoryError, match=str(path)):
        read_trace(path)


def test_a_folder_in_its_place_is_an_error_that_names_it(tmp_path):
    with pytest.raises(TrajectoryError, match=str(tmp_path)):
        read_trace(tmp_path)


@pytest.mark.parametrize(
    "entries", [[None], ["x"], [{"request": {}}], [{"request": {"method": "GET", "url": None}}], [5]]
)
def test_broken_entries_are_an_error(entries):
    with pytest.raises(TrajectoryError):
        events_of(entries)


@given(st.binary(max_size=200))
def test_any_bytes_are_refused(tmp_path_factory, content):
    path = tmp_path_factory.getbasetemp() / "fuzz.har"
    path.write_bytes(content)
    with pytest.raises(TrajectoryError):
        read_trace(path)


@pytest.mark.parametrize(
    "one, other, equal",
    [
        ("http://shop.localhost/a", "http://SHOP.localhost:80/b", True),
        ("https://a.b", "https://a.b:443", True),
        ("http://a.b", "https://a.b", False),
        ("http://a.b", "http://a.b:8080", False),
        ("http://a.b", "http://a.b.evil.com", False),
        ("http://a.b", "http://a.b@evil.com/", False),
        ("http://a.b", "http://evil.com/?u=http://a.b", False),
        ("http://a.b", "data:text/html,http://a.b", False),
        ("http://a.b", "http://[broken", False),
    ],
)
def test_origins_are_compared_by_their_parts(one, other, equal):
    assert (origin(one) == origin(other)) is equal


def test_the_browser_ends_at_the_last_answered_page():
    frame = entry("http://a.b/frame")
    frame["request"]["headers"].append({"name": "Sec-Fetch-Dest", "value": "iframe"})
    events = events_of(
        [
            entry("http://a.b/1"),
            entry("http://a.b/2", method="POST"),
            entry("http://a.b/api", kind="xhr"),
            entry("http://a.b/style.css", kind="stylesheet"),
            entry("http://a.b/never", status=-1),
            frame,
        ]
    )
    assert last_document(events) == 1
    assert last_document(()) is None


def test_recorders_without_resource_types_are_understood():
    page, call = entry("http://a.b/1"), entry("http://a.b/api")
    call["request"]["headers"] = [{"name": "sec-fetch-dest", "value": "empty"}]
    for one in (page, call):
        del one["_resourceType"]
    first, second = events_of([page, call])
    assert (first.is_document, first.is_script_call) == (True, False)
    assert (second.is_document, second.is_script_call) == (False, True)


@pytest.mark.parametrize(
    "header, sent",
    [
        ("sessionid=", False),
        ("sessionid", False),
        ("xsessionid=1", False),
        ("a=sessionid=1", False),
        ("a=1;sessionid=1", True),
    ],
)
def test_a_cookie_counts_by_name_and_with_a_value(header, sent):
    (event,) = events_of([entry("http://a.b/", cookie=header)])
    assert event.sends_cookie("sessionid") is sent


def test_a_cookie_of_the_cookies_list_counts_too():
    recorded = entry("http://a.b/")
    recorded["request"]["cookies"] = [{"name": "sessionid", "value": "redacted:1"}]
    (event,) = events_of([recorded])
    assert event.sends_cookie("sessionid")


def test_a_whole_har_is_its_entries():
    recorded = [entry("http://a.b/"), entry("http://a.b/1")]
    assert events_of({"log": {"entries": recorded}}) == events_of(recorded)
    for other in ({"entries": recorded}, {"log": []}, {"log": {"entries": 5}}):
        with pytest.raises(TrajectoryError, match=r"log\.entries"):
            events_of(other)


def test_a_broken_entry_is_named_by_its_number():
    recorded = [entry("http://a.b/"), {"request": {"method": "GET"}}]
    with pytest.raises(TrajectoryError, match=r"entry 1: .*`url`"):
        events_of(recorded)
    with pytest.raises(ValueError, match=r"entry 1: .*`url`"):
        decode_har(json.dumps({"log": {"entries": recorded}}).encode())


def test_headers_that_are_null_are_none_and_others_are_told_by_number():
    empty, broken = entry("http://a.b/"), entry("http://a.b/")
    empty["request"] |= {"headers": None, "cookies": None}
    broken["request"]["headers"] = [5]
    events = events_of([empty, broken])
    assert events[0].request.headers == () == events[0].request.cookies
    number, reason = broken_entry(events) or (None, "")
    assert number == 1 and "int" in reason
