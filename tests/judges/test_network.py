"""NetworkEventEvaluator: addresses by their parts, alternatives, patterns, and where the browser ended."""

import base64
import json
from typing import Any

import msgspec
import pytest

from webassay.errors import ConfigError, JudgeError, TrajectoryError
from webassay.evidence.har import events_of
from webassay.evidence.site import sites_of
from webassay.judges.address import render
from webassay.judges.evaluators import NetworkEventEvaluator
from webassay.judges.network import check_events
from webassay.matching.pattern import limited_time, literal
from webassay.matching.tolerance import Tolerances

SITES = sites_of(
    {
        "shop": {"urls": ["http://shop.localhost", "http://shop.example.org/"], "login_path": "/login"},
        "shop_admin": {"urls": ["http://shop.localhost/admin/"]},
    }
)


FORM = "application/x-www-form-urlencoded; charset=UTF-8"


def event(url: str, method: str = "GET", status: int = 200, kind: str = "document") -> dict[str, Any]:
    return {"request": {"method": method, "url": url}, "response": {"status": status}, "_resourceType": kind}


def passes(expected: dict[str, Any], recorded: list[dict[str, Any]], action: str = "mutate", **options: Any) -> bool:
    given = {"evaluator": "NetworkEventEvaluator", "expected": expected} | options
    evaluator = msgspec.convert(given, NetworkEventEvaluator)
    (check,) = check_events([evaluator], events_of(recorded), SITES, action, Tolerances())
    assert check.passed is not bool(check.reason)
    return check.passed


@pytest.mark.parametrize(
    "url, actual, same",
    [
        ("__SHOP__/a", "http://shop.localhost/a", True),
        ("__SHOP__/a", "http://shop.localhost:80/a#top", True),
        ("__SHOP__/a", "http://shop.example.org/a", True),
        ("__SHOP__", "http://shop.localhost/", True),
        ("__SHOP_ADMIN__/a", "http://shop.localhost/admin/a", True),
        ("__SHOP__/a?x=1&y=2", "http://shop.localhost/a?y=2&x=1", True),
        ("__SHOP__/a?x=1", "http://shop.localhost/a?x=1&x=2", False),
        ("__SHOP__/a", "http://shop.localhost/a?x=1", False),
        ("__SHOP__/a", "http://shop.localhost/A", False),
        ("__SHOP__/a", "https://shop.localhost/a", False),
        ("__SHOP__/a", "http://evil.com/?u=http://shop.localhost/a", False),
        ("__SHOP__/a", "http://shop.localhost@evil.com/a", False),
        ("__SHOP__/a", "data:text/plain,x", False),
        (["__SHOP__/a", "__SHOP__/b"], "http://shop.localhost/b", True),
        (["__SHOP__/a", "__SHOP__/b"], "http://shop.localhost/c", False),
        ("^__SHOP__/a/\\d+/$", "http://shop.localhost/a/12/", True),
        ("^__SHOP__/a/\\d+/$", "http://shopXlocalhost/a/12/", False),
        ("^__SHOP__/a/\\d+/$", "http://shop.localhost/a/12/b", False),
    ],
)
def test_addresses(url, actual, same):
    assert passes({"url": url}, [event(actual)]) is same


def test_a_request_counts_with_its_own_method_and_status():
    recorded = [event("http://shop.localhost/a", "POST", 302), event("http://shop.localhost/b")]
    assert passes({"url": "__SHOP__/a", "http_method": "POST", "response_status": 302}, recorded)
    assert not passes({"url": "__SHOP__/a", "http_method": "POST"}, recorded)
    assert not passes({"url": "__SHOP__/a", "response_status": 302}, recorded)
    assert passes({"url": "__SHOP__/a", "http_method": "POST", "response_status": 302}, recorded, "navigate")


def test_a_navigation_must_be_the_last_page():
    target, other = event("http://shop.localhost/a"), event("http://shop.localhost/b")
    call = event("http://shop.localhost/api/rows", kind="xhr")
    assert passes({"url": "__SHOP__/a"}, [other, target, call], "navigate")
    assert not passes({"url": "__SHOP__/a"}, [target, other], "navigate")
    assert passes({"url": "__SHOP__/a"}, [target, other], "retrieve")
    assert passes(
        {"url": "__SHOP__/api/rows"}, [target, call], "navigate"
    )  # a map, or a filtered table, moves by script
    assert not passes({"url": "__SHOP__/api/rows"}, [call, target], "navigate")
    assert not passes({"url": "__SHOP__/a"}, [], "navigate")


def by_script(url: str, *headers: str, mime: str = "text/html") -> dict[str, Any]:
    call = event(url, kind="fetch")
    call["request"]["headers"] = [{"name": name, "value": "1"} for name in headers]
    call["response"]["content"] = {"mimeType": mime}
    return call


@pytest.mark.parametrize(
    "call, moved",
    [
        (by_script("http://shop.localhost/a"), False),
        (by_script("http://shop.localhost/a", mime="application/json"), False),
        (by_script("http://shop.localhost/a", "X-Requested-With"), True),
        (by_script("http://shop.localhost/a", "X-Requested-With", mime="application/json"), False),
        (by_script("http://shop.localhost/a", "X-Turbo-Request-Id"), True),
        (by_script("http://shop.localhost/a", "X-Turbo-Request-Id", "X-Sec-Purpose"), False),
    ],
)
@pytest.mark.parametrize("anywhere", [False, True])
def test_what_a_script_fetched_is_not_where_the_browser_is(call, moved, anywhere):
    """Unless it took the page's place, as libraries do that load pages by script."""
    recorded = [event("http://shop.localhost/"), call]
    assert passes({"url": "__SHOP__/a"}, recorded, "navigate", last_event_only=not anywhere) is moved
    assert passes({"url": "__SHOP__/a"}, recorded, "mutate")


@pytest.mark.parametrize(
    "url", ["^.*/route/v1/foot/.*$", "^__SHOP__/mui/index/render/.*$", "__SHOP__/mui/index/render"]
)
def test_where_a_service_is_expected_a_script_asks_it(url):
    called = by_script("http://shop.localhost/mui/index/render/?x=1", mime="application/json")
    if "route" in url:
        called = by_script("http://shop.localhost:5002/route/v1/foot/1,2;3,4", mime="application/json")
    expected = {"url": url} if url.startswith("^") else {"url": url, "query_params": {"x": ["1"]}}
    assert passes(expected, [event("http://shop.localhost/"), called], "navigate", ignored_query_params=["x"])


def test_what_must_not_be_requested():
    expected = {"url": "__SHOP__/a", "http_method": "POST"}
    assert passes(expected, [event("http://shop.localhost/a")], should_not_exist=True)
    assert not passes(expected, [event("http://shop.localhost/a", "POST", 500)], should_not_exist=True)
    assert not passes(expected, [event("http://shop.localhost/a?x=1", "POST", 302)], should_not_exist=True)


@pytest.mark.parametrize("url", ["not an address", "__SHOP__:port/", "^($", ["__SHOP__/", "/x"]])
def test_a_broken_expectation_is_the_task_s_fault(url):
    with pytest.raises(JudgeError, match=r"expected\.url"):
        passes({"url": url}, [])


def test_rendering_gives_each_address_once_and_names_a_missing_site():
    assert list(render("__SHOP__/a", SITES)) == ["http://shop.localhost/a", "http://shop.example.org/a"]
    assert list(render("no __init__ here", SITES)) == ["no __init__ here"]
    with pytest.raises(ConfigError, match="'wiki'"):
        list(render("__WIKI__/a", SITES))


def post(data: Any, status: int = 302, url: str = "http://shop.localhost/a", **more: Any) -> dict[str, Any]:
    """A form, or JSON where `data` is no text."""
    kind, text = (FORM, data) if isinstance(data, str) else ("application/json", json.dumps(data))
    sent = event(url, "POST", status)
    sent["request"]["postData"] = {"mimeType": kind, "text": text}
    sent["request"]["headers"] = [{"name": name, "value": value} for name, value in more.pop("headers", {}).items()]
    sent["response"] |= more
    return sent


def posts(expected: Any, *recorded: dict[str, Any], **options: Any) -> bool:
    wanted = {"url": "__SHOP__/a", "http_method": "POST", "response_status": 302, "post_data": expected}
    return passes(wanted, list(recorded), **options)


def test_the_last_request_that_took_effect_decides():
    good, bad, refused = post("x=1"), post("x=2"), post("x=2", status=500)
    assert posts({"x": 1}, bad, good) and posts({"x": 1}, good, refused)
    assert not posts({"x": 1}, good, bad) and not posts({"x": 1}, refused)
    assert posts({"x": 1}, good, bad, last_event_only=False)
    shown_again = post("x=2", status=200)  # a form that was not taken, where a redirect was expected
    assert posts({"x": 1}, good, shown_again)


def test_parameters_that_the_task_names_tell_what_is_written_to():
    first, second = post("x=1", url="http://shop.localhost/a?id=1"), post("x=2", url="http://shop.localhost/a?id=2")
    wanted = {"url": "__SHOP__/a?id=1", "http_method": "POST", "response_status": 302, "post_data": {"x": 1}}
    assert passes(wanted, [first, second])
    junk = post("x=2", url="http://shop.localhost/a?id=1&junk=1")
    assert not passes(wanted, [first, junk])
    assert not posts({"x": 1}, post("x=1"), post("x=2", url="http://shop.localhost/a?junk=1"))


def test_several_requests_to_one_address_are_those_and_no_others():
    def verdicts(*recorded: dict[str, Any]) -> list[bool]:
        expected = [
            {"url": "__SHOP__/a", "http_method": "POST", "response_status": 302, "post_data": {"x": n}} for n in (1, 2)
        ]
        given = [{"evaluator": "NetworkEventEvaluator", "expected": one, "last_event_only": False} for one in expected]
        evaluators = msgspec.convert(given, list[NetworkEventEvaluator])
        return [one.passed for one in check_events(evaluators, events_of(recorded), SITES, "mutate", Tolerances())]

    assert verdicts(post("x=1"), post("x=2")) == [True, True]
    assert verdicts(post("x=1")) == [True, False]
    assert verdicts(*(post(f"x={n}") for n in range(9))) == [False, False]


@pytest.mark.parametrize(
    "expected, sent, same",
    [
        ({"x": 30}, "x=30", True),
        ({"x": 30}, {"x": 30}, True),
        ({"x": 30}, {"x": True}, False),
        ({"x": "10043"}, {"x": 10043}, True),
        ({"x": "a b"}, "x=A+b&y=2", True),
        ({"x": "^a.*$"}, "x=abc", True),
        ({"x": "abc"}, "x=^a.*$", False),
        ({"x": ["a", "b"]}, "x=b", True),
        ({"x": "a"}, {"x": ["a", "b"]}, False),
        ({"x": "a"}, "x=a&x=b", False),
        ({"x": None}, "y=1", True),
        ({"x": None}, "x=&y=1", True),
        ({"x": None}, "x=1", False),
        ({"x": "1"}, "y=1", False),
        ({"x": "1"}, "not a form", False),
        ({"x": "__SHOP__/p"}, "x=http%3A%2F%2Fshop.localhost%2Fp", True),
        ({"x": "__SHOP__/p"}, "x=http%3A%2F%2Fevil.com%2Fp", False),
        ({"$.a.b[0].c": 1}, {"a": {"b": [{"c": 1}]}}, True),
        ({"$.a.b[0].c": 1}, {"a": {"b": [{"c": 2}]}}, False),
        ({"$.a.b": 1}, {"a": '{"b": 1}'}, True),
        ({"$.^file_(path|name)$": "x"}, {"file_name": "x"}, True),
        ({"$.^file_(path|name)$": "x"}, {"other": "x"}, False),
    ],
)
def test_posted_fields(expected, sent, same):
    assert posts(expected, post(sent)) is same


def test_posted_fields_have_the_type_that_the_task_gives_them():
    schema = {"type": "object", "properties": {"price": {"type": "number", "format": "currency"}}}
    assert posts({"price": 47.0}, post("price=%2447.00"), post_data_schema=schema)
    assert not posts({"price": 47.0}, post("price=47.01"), post_data_schema=schema)
    ids = {"type": "object", "properties": {"ids": {"type": "array", "items": {"type": "number"}}}}
    assert posts({"ids": [1, 2]}, post({"ids": [2, 1]}), post_data_schema=ids)
    assert posts({"ids": [1]}, post("ids=1"), post_data_schema=ids)
    assert not posts({"ids": [1, 2]}, post({"ids": [1]}), post_data_schema=ids)
    assert posts({"form_key": "x", "y": 1}, post("y=1"), ignored_post_data_params_patterns=["^form_key$"])


@pytest.mark.parametrize("text", ["price=%2447.50&secret=5&title=A", "price=x&title=" + "A" * 9999])
def test_a_verdict_tells_what_was_compared(text):
    """Of the request that decided: the fields that the task names, as sent and as read, and no others."""
    wanted = {"url": "__SHOP__/a", "http_method": "POST", "response_status": 302, "query_params": {"id": ["2"]}}
    schema = {"type": "object", "properties": {"price": {"type": "number", "format": "currency"}}}
    given = {"expected": wanted | {"post_data": {"price": 47.5, "title": "A", "other": None}}}
    evaluator = msgspec.convert(
        given | {"evaluator": "NetworkEventEvaluator", "post_data_schema": schema}, NetworkEventEvaluator
    )
    recorded = events_of([post(text, url="http://shop.localhost/a?id=2")])
    (check,) = check_events([evaluator], recorded, SITES, "mutate", Tolerances())
    (told,) = check.actual
    assert told["query"] == {"id": ["2"]} and told["post_data"].keys() == {"price", "title", "other"}
    if check.passed:
        assert told["post_data"] == {"price": "$47.50", "title": "A", "other": None}
        assert str(check.normalized[0]["price"]) == "47.50 USD"
    assert len(json.dumps(told)) < 1000


def test_a_redirect_to_the_login_page_saved_nothing():
    assert posts({"x": 1}, post("x=1", redirectURL="/b"))
    assert not posts({"x": 1}, post("x=1", redirectURL="/login?back=/a"))


ADMIN = sites_of({"shopping_admin": {"urls": ["http://shop.localhost/admin"]}})


@pytest.mark.parametrize(
    "location, saved",
    [
        ("/admin", False),
        ("/admin/", False),
        ("/admin/admin", False),
        ("/admin/admin/", False),
        ("/admin/auth/login/key/abc/", False),
        ("http://shop.localhost/admin/admin/auth/login/", False),
        ("/admin/catalog/product/index/", True),
        ("/admin/admin/dashboard/", True),
        ("http://elsewhere.localhost/admin", True),
    ],
)
def test_the_back_office_s_start_page_is_where_it_asks_for_a_login(location, saved):
    """Environments in webarena-verified's form name no login page, and Magento's has no address of its own."""
    wanted = {"url": "__SHOPPING_ADMIN__/save", "http_method": "POST", "response_status": 302}
    evaluator = msgspec.convert({"evaluator": "NetworkEventEvaluator", "expected": wanted}, NetworkEventEvaluator)
    sent = event("http://shop.localhost/admin/save", "POST", 302)
    sent["response"]["redirectURL"] = location
    (check,) = check_events([evaluator], events_of([sent]), ADMIN, "mutate", Tolerances())
    assert check.passed is saved


@pytest.mark.parametrize(
    "query, same",
    [
        ("q=Blue", True),
        ("q=blue&page=2&sort=asc", True),
        ("q=blue&empty=", True),
        ("q=blue&x=1", False),
        ("q=blue&q=red", False),
        ("q=red", False),
        ("", False),
    ],
)
def test_queries(query, same):
    expected = {"url": "__SHOP__/search", "query_params": {"q": ["blue"]}}
    recorded = [event(f"http://shop.localhost/search/?{query}")]
    assert passes(expected, recorded, ignored_query_params=["page"], ignored_query_params_patterns=["^SORT"]) is same


def test_a_query_encoded_in_the_path():
    encoded = base64.urlsafe_b64encode(b"from=02/1/2023&to=02/28/2023").decode().rstrip("=")
    schema = {"type": "array", "items": {"type": "string", "format": "date"}}
    options: dict[str, Any] = {
        "decode_base64_query": True,
        "query_params_schema": {"type": "object", "properties": {"from": schema, "to": schema}},
    }
    expected = {"url": "__SHOP__/filter", "query_params": {"from": ["2023-02-01"], "to": ["2/28/2023"]}}
    assert passes(expected, [event(f"http://shop.localhost/filter/{encoded}/")], **options)
    assert not passes(expected, [event("http://shop.localhost/filter/")], **options)


def test_headers_cookies_and_answers():
    wanted = {"url": "__SHOP__/a", "http_method": "POST", "response_status": 302}
    came = post("x=1", headers={"REFERER": "http://shop.localhost/page?tab=1", "Cookie": "mode=foot; x=1"})
    assert passes(wanted | {"headers": {"referer": "__SHOP__/page?tab=1", "Cookie": "^.*mode=foot.*$"}}, [came])
    assert not passes(wanted | {"headers": {"referer": "__SHOP__/page?tab=2"}}, [came])
    assert not passes(wanted | {"headers": {"referer": "__SHOP__/other"}}, [came])
    assert not passes(wanted | {"headers": {"Cookie": "^.*mode=car.*$"}}, [came])
    answered = post("x=1", content={"mimeType": "application/json", "text": '{"n": 2, "l": [{"name": "A"}]}'})
    assert passes(wanted | {"response_content": {"n": 2, "$.l[0].name": "A"}}, [answered])
    assert not passes(wanted | {"response_content": {"n": 3}}, [answered])
    told = post("x=1", cookies=[{"name": "messages", "value": "tea%20has%20been%20added"}])
    assert passes(wanted | {"response_cookies": {"messages": "^.*tea.* added$"}}, [told])
    assert not passes(wanted | {"response_cookies": {"messages": "^.*milk.*$"}}, [told])


def test_each_alternative_has_a_query_of_its_own():
    urls = ["__SHOP__/a?x=1", "__SHOP__/b?y=2"]
    assert passes({"url": urls}, [event("http://shop.localhost/b?y=2")])
    assert not passes({"url": urls}, [event("http://shop.localhost/a?y=2")])


@pytest.mark.parametrize(
    "expected, method, status, same",
    [
        (200, "GET", 304, True),
        (200, "POST", 304, False),
        (302, "POST", 303, True),
        (-1, "POST", 0, True),
        (200, "GET", 0, False),
    ],
)
def test_statuses_that_say_the_same(expected, method, status, same):
    wanted = {"url": "__SHOP__/a", "http_method": method, "response_status": expected}
    assert passes(wanted, [event("http://shop.localhost/a", method, status)]) is same


def test_what_the_recorder_left_out_is_not_the_agent_s_omission():
    sent = post("")
    sent["request"] |= {"bodySize": 12}
    with pytest.raises(TrajectoryError, match="has not what was posted"):
        posts({"x": 1}, sent)
    sent["request"] |= {"bodySize": 0}
    assert not posts({"x": 1}, sent)


@pytest.mark.parametrize(
    "broken",
    [
        {"post_data": {"x": "^($"}},
        {"post_data": {"$.^($": "x"}},
        {"post_data": {"$.[": "x"}},
        {"post_data": {"x": []}},
        {"headers": {"Cookie": "^($"}},
        {"query_params": {"x": ["^($"]}},
        {"response_cookies": {"x": "^($"}},
        {"post_data": {"x": "abc"}, "post_data_schema": {"properties": {"x": {"format": "currency"}}}},
        {"post_data": {"x": "abc"}, "post_data_schema": {"properties": {"x": {"type": "smell"}}}},
        {"post_data": {"x": "abc"}, "post_data_schema": {"properties": {"x": {"type": "array"}}}},
        {"post_data": {"x": "abc"}, "post_data_schema": {"properties": [1]}},
        {"post_data": {"x": "abc"}, "ignored_post_data_params_patterns": ["("]},
        {"ignored_query_params_patterns": ["("]},
    ],
)
@pytest.mark.parametrize("recorded", [[], [event("http://shop.localhost/a", "POST", 302)]])
def test_what_is_wrong_with_a_task_is_told_whatever_was_recorded(broken, recorded):
    fields = {"post_data", "headers", "query_params", "response_cookies"}
    expected = {key: value for key, value in broken.items() if key in fields}
    options = {key: value for key, value in broken.items() if key not in fields}
    with pytest.raises(JudgeError):
        passes({"url": "__SHOP__/a", "http_method": "POST", "response_status": 302} | expected, recorded, **options)


@pytest.mark.parametrize("hostile", ["9" * 5000, "[" * 5000, '{"a":' * 5000])
def test_json_within_json_that_is_none_is_a_mismatch(hostile):
    assert not posts({"$.a.b": 1}, post({"x": hostile}))
    assert not posts({"$.a.b": 1}, post(f"x={hostile}"))


def test_a_picture_is_no_act_of_the_agent_s():
    assert not passes({"url": "__SHOP__/a"}, [event("http://shop.localhost/a", kind="image")])


@pytest.mark.parametrize(
    "pattern, piece",
    [
        ("^http://shop\\.localhost/a/longest/\\d+/b$", "longest"),
        ("^.*/route/v1/.*/1\\.5,2;3,4.*$", "1.5,2;3,4"),
        ("^http://shop\\.localhost/(a|b)[cd]$", ""),
        ("^shop|other$", ""),
        ("^.*/(?i:x)/ab?$", "a"),
        ("(?i)^.*/abc$", ""),
        ("^.*/ab(?i)c$", ""),
    ],
)
def test_what_every_address_of_a_pattern_holds(pattern, piece):
    assert literal(pattern) == piece


def test_a_trace_cannot_keep_patterns_busy_for_ever():
    url = "http://shop.localhost/3494709;-71" + "/route/v1/-68.2177005,44.3494709;" * 240
    recorded = [event(f"{url}{number}", kind="xhr") for number in range(2000)]
    with limited_time(), pytest.raises(TrajectoryError, match="found no end"):
        passes({"url": "^.*/route/v1/.*/-68.2177005,44.3494709;-71.0579762,42.3603713.*$"}, recorded)
    aside = [event(f"http://shop.localhost/{number}?{'x' * 8000}", kind="xhr") for number in range(2000)]
    with limited_time():
        assert not passes({"url": "^.*/route/v1/.*/-68.2177005,44.3494709;-71.0579762,42.3603713.*$"}, aside)
