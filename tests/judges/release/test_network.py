"""The release's view of a trace, faults included."""

from typing import Any

import pytest

from tests.judges.release.recorded import (
    ENVIRONMENTS,
    answer,
    entry,
    form,
    network_evaluator,
    response_evaluator,
    task,
)
from webassay.core.verdict import Verdict
from webassay.judges.release.rules import judge

SAVE = "http://shop.test/save"


def verdict(trace: Any, *evaluators: dict[str, Any], task_type: str = "MUTATE", **options: Any) -> Verdict:
    one = task(response_evaluator(task_type), *evaluators, **options)
    return judge(one, answer(task_type), trace, ENVIRONMENTS)


def post(text: str = "a=1", url: str = SAVE, **options: Any) -> dict[str, Any]:
    return entry(url, "POST", 302, headers={"accept": "*/*"}, postData=form(text), **options)


def posted(fields: dict[str, Any], **options: Any) -> dict[str, Any]:
    return network_evaluator(
        "__SHOP__/save", {"http_method": "POST", "response_status": 302, "post_data": fields}, **options
    )


@pytest.mark.parametrize(
    "url, outcome",
    [
        ("http://shop.test/a/B/?q=1", "success"),
        ("HTTP://SHOP.test:80/x/../A//b?q=1", "success"),
        ("http://shop.test/a/b?q=1&empty=", "success"),
        ("http://shop.test/a/b?q=1&q=9", "success"),  # the smallest value of q
        ("http://shop.test/a/b?q=1&q=0", "failure"),
        ("http://shop.test/a/b?q=1&x=1", "failure"),
        ("http://shop.test/a/b?q=1#here", "failure"),
        ("https://shop.test/a/b?q=1", "failure"),
        ("http://[shop.test/a/b", "error"),
    ],
)
def test_a_page_to_navigate_to(url: str, outcome: str) -> None:
    assert verdict([entry(url)], network_evaluator("__SHOP__/a/b?q=1"), task_type="NAVIGATE").status == outcome


def test_only_the_last_navigation_counts() -> None:
    right, wrong = entry("http://shop.test/a"), entry("http://shop.test/b", status=500)
    script = entry("http://shop.test/c", headers={"accept": "*/*"})
    page = network_evaluator("__SHOP__/a")
    assert verdict([wrong, right, script], page, task_type="NAVIGATE").status == "success"
    assert verdict([right, wrong], page, task_type="NAVIGATE").status == "failure"


def test_only_the_last_request_counts_unless_any_is_wanted() -> None:
    trace = [post("a=1"), post("a=2")]
    assert verdict(trace, posted({"a": "1"})).status == "failure"
    found = verdict(trace, posted({"a": "1"}, last_event_only=False))
    assert (found.status, found.assertions[1].evidence) == ("success", "network.har#0")


@pytest.mark.parametrize(
    "body, fields, outcome",
    [
        (form("a=1&a=2"), {"a": "1"}, "success"),
        (form("a=1&b=2"), {"a": "1", "b": None}, "failure"),
        (form("a=1"), {"a": "1", "b": None}, "success"),
        ({"mimeType": "application/json", "text": '{"a": [3, 1]}'}, {"a": "1"}, "success"),  # a list of guesses
        ({"mimeType": "application/json", "text": '{"a": 1}'}, {"a": "^\\d$"}, "success"),
        ({"mimeType": "application/json", "text": '[{"a": 1}]'}, {"a": "1"}, "failure"),
        ({"mimeType": "text/plain", "text": "a=1"}, {"a": "1"}, "failure"),
        ({"mimeType": "application/json", "text": '{"n": {"t": "x"}}'}, {"$.n.t": "X"}, "success"),
        ({"mimeType": "application/json", "text": '{"n": "{\\"t\\": 1}"}'}, {"$.n.t": "1"}, "success"),
        ({"mimeType": "application/json", "text": '{"l": {"x": 1}}'}, {"$.l[0].x": "1"}, "error"),
        (
            {"mimeType": "application/json", "text": '{"l": [{"n": "1", "v": 2}, {"n": 1.9, "v": 3}]}'},
            {"$.l[?(@.n == 1)].v": "3"},
            "success",
        ),
        ({"mimeType": "application/json", "text": '{"a": NaN}'}, {"a": None}, "success"),
        ({"mimeType": "application/json", "text": '{"a": 1, "x": ' + "[" * 300 + "]" * 300 + "}"}, {"a": "1"}, "error"),
        (form("a=1"), {"a": ["1"]}, "error"),  # the task's own fault
    ],
)
def test_fields_of_a_request(body: Any, fields: dict[str, Any], outcome: str) -> None:
    event = post()
    event["request"]["postData"] = body
    assert verdict([event], posted(fields)).status == outcome


def test_a_multipart_body_gives_the_last_value() -> None:
    part = '--B\r\nContent-Disposition: form-data; name="a"\r\n\r\n{}\r\n'
    event = post()
    event["request"]["postData"] = {
        "mimeType": "multipart/form-data; boundary=B",
        "text": part.format(1) + part.format(" 2 ") + "--B--\r\n",
    }
    assert verdict([event], posted({"a": "2"})).status == "success"
    assert verdict([event], posted({"a": "1"})).status == "failure"


@pytest.mark.parametrize("status, outcome", [("302", "success"), (302.0, "success"), (200, "failure"), (None, "error")])
def test_the_status_of_an_answer(status: Any, outcome: str) -> None:
    event = post()
    event["response"]["status"] = status
    assert verdict([event], posted({"a": "1"})).status == outcome


def test_the_method_is_found_in_any_case_and_compared_in_one() -> None:
    event = post()
    event["request"]["method"] = "post"
    assert verdict([event], posted({"a": "1"})).status == "failure"


def test_the_referer_counts_only_if_there_is_one() -> None:
    wanted = network_evaluator("__SHOP__/x", {"headers": {"referer": "__SHOP__/from?a=1"}})
    event = entry("http://shop.test/x", headers={"Referer": "http://shop.test/from?a=1"})
    other = entry("http://shop.test/x", headers={"Referer": "http://shop.test/elsewhere"})
    assert verdict([event, other], wanted).status == "success"
    assert verdict([event, entry("http://shop.test/x", headers={})], wanted).status == "failure"


def test_an_address_in_a_foreign_query_is_taken_for_the_site() -> None:
    wanted = network_evaluator("^.*__SHOP__.*$", {"query_params": {"u": ["__shop__/x"]}})
    assert verdict([entry("http://evil.test/__SHOP__/?u=http://shop.test/x")], wanted).status == "success"


def test_what_must_not_be_asked_for() -> None:
    wanted = posted({"a": "1"}, should_not_exist=True)
    assert verdict([entry("http://shop.test/")], wanted).status == "success"
    assert verdict([post("a=2")], wanted).status == "failure"


def test_a_second_address_of_a_site_is_the_site_too() -> None:
    wanted = network_evaluator("__GIT__/a")
    for url in ("http://git.test/a", "http://git.example/a"):
        assert verdict([entry(url)], wanted, sites=("git",)).status == "success"


def test_a_query_hidden_in_the_path() -> None:
    wanted = network_evaluator("__SHOP__/report/", {"query_params": {"a": ["1"]}}, decode_base64_query=True)
    assert verdict([entry("http://shop.test/report/YT0x")], wanted).status == "success"
    assert verdict([entry("http://shop.test/report/YT0y")], wanted).status == "failure"


def test_without_addresses_the_first_request_tells_them() -> None:
    one = task(response_evaluator("NAVIGATE"), network_evaluator("__SHOP__/a"))
    static = entry("http://cdn.test/x.css")
    assert judge(one, answer("NAVIGATE"), [static, entry("http://any.test/a")], None).status == "success"
    assert judge(one, answer("NAVIGATE"), [static], None).status == "error"


@pytest.mark.parametrize(
    "broken, outcome",
    [
        ({"request": {"url": "http://shop.test/x.css"}}, "success"),
        ({"request": {"url": "http://shop.test/x"}}, "error"),
        ({"request": {"method": "GET", "url": "http://shop.test/x", "headers": None}}, "success"),
        ({"request": {"method": "POST", "url": SAVE, "headers": None}}, "error"),
        ("text", "error"),
        ({}, "error"),
    ],
)
def test_a_broken_entry_matters_where_it_is_looked_into(broken: Any, outcome: str) -> None:
    assert verdict([post(), broken], posted({"a": "1"})).status == outcome
