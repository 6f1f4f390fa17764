"""NetworkEventEvaluator: addresses by their parts, alternatives, patterns, and where the browser ended."""

from typing import Any

import msgspec
import pytest

from webassay.errors import ConfigError, JudgeError
from webassay.evidence.activity import sites_of
from webassay.evidence.har import events_of
from webassay.judges.network import NetworkEventEvaluator, check_event, render

SITES = sites_of(
    {
        "shop": {"urls": ["http://shop.localhost", "http://shop.example.org/"]},
        "shop_admin": {"urls": ["http://shop.localhost/admin/"]},
    }
)


def event(url: str, method: str = "GET", status: int = 200, kind: str = "document") -> dict[str, Any]:
    return {"request": {"method": method, "url": url}, "response": {"status": status}, "_resourceType": kind}


def passes(expected: dict[str, Any], recorded: list[dict[str, Any]], action: str = "mutate", **options: Any) -> bool:
    given = {"evaluator": "NetworkEventEvaluator", "expected": expected} | options
    evaluator = msgspec.convert(given, NetworkEventEvaluator)
    check = check_event("network.1", evaluator, events_of(recorded), SITES, action)
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


def test_any_request_of_the_trace_counts_but_with_its_own_method_and_status():
    recorded = [event("http://shop.localhost/a", "POST", 302), event("http://shop.localhost/b")]
    assert passes({"url": "__SHOP__/a", "http_method": "POST", "response_status": 302}, recorded)
    assert not passes({"url": "__SHOP__/a", "http_method": "POST"}, recorded)
    assert not passes({"url": "__SHOP__/a", "response_status": 302}, recorded)
    assert passes({"url": "__SHOP__/a", "http_method": "POST", "response_status": 302}, recorded, "navigate")


def test_a_navigation_must_be_the_last_page():
    target, other = event("http://shop.localhost/a"), event("http://shop.localhost/b")
    call = event("http://shop.localhost/api", kind="xhr")
    assert passes({"url": "__SHOP__/a"}, [other, target, call], "navigate")
    assert not passes({"url": "__SHOP__/a"}, [target, other], "navigate")
    assert passes({"url": "__SHOP__/a"}, [target, other], "retrieve")
    assert not passes({"url": "__SHOP__/api"}, [target, call], "navigate")
    assert not passes({"url": "__SHOP__/a"}, [], "navigate")


def test_what_must_not_be_requested():
    expected = {"url": "__SHOP__/a", "http_method": "POST"}
    assert passes(expected, [event("http://shop.localhost/a")], should_not_exist=True)
    assert not passes(expected, [event("http://shop.localhost/a", "POST", 500)], should_not_exist=True)


@pytest.mark.parametrize("url", ["not an address", "__SHOP__:port/", "^($", ["__SHOP__/", "/x"]])
def test_a_broken_expectation_is_the_task_s_fault(url):
    with pytest.raises(JudgeError, match=r"expected\.url"):
        passes({"url": url}, [])


def test_rendering_gives_each_address_once_and_names_a_missing_site():
    assert list(render("__SHOP__/a", SITES)) == ["http://shop.localhost/a", "http://shop.example.org/a"]
    assert list(render("no __init__ here", SITES)) == ["no __init__ here"]
    with pytest.raises(ConfigError, match="'wiki'"):
        list(render("__WIKI__/a", SITES))
