"""Activity on the task's own site, and a session that is one."""

import base64

import pytest

from tests.evidence.recording import entry
from webassay.errors import ConfigError
from webassay.evidence.activity import check_activity, check_session, pages_seen, session_sites
from webassay.evidence.har import events_of
from webassay.evidence.site import sites_of

SHOP = "http://shop.localhost:8000"
ENVIRONMENTS = {
    "shop": {"urls": [SHOP], "active_url_idx": 0, "login_path": "/accounts/login/", "session_cookie": "sessionid"},
    "forum": {"urls": ["http://forum.localhost:8000"], "accounts": {"ann": {}}},
}
SITE = sites_of(ENVIRONMENTS)["shop"]
COOKIE = "csrftoken=redacted:9; sessionid=redacted:1a2b3c4d"


@pytest.mark.parametrize(
    "recorded",
    [
        entry(f"{SHOP}/"),
        entry(f"{SHOP}/basket/", status=304),
        entry(f"{SHOP}/", status=302, location="/catalogue/"),
        entry(f"{SHOP}/accounts/login/", method="POST", status=302, location="/accounts/"),
        entry(f"{SHOP}/api/", kind="fetch"),
        entry("HTTP://SHOP.LOCALHOST:8000/"),
    ],
)
def test_active(recorded):
    check = check_activity(SITE, events_of([entry("http://other.localhost/"), recorded]))
    assert check.passed and check.evidence == "network.har#1" and check.name == "activity.shop"


@pytest.mark.parametrize(
    "recorded, reason",
    [
        ([], "the trace is empty"),
        ([entry("http://example.com/")], "example.com"),
        ([entry("http://forum.localhost:8000/")], "forum.localhost"),
        ([entry("http://shop.localhost/")], "no request to shop"),
        ([entry("https://shop.localhost:8000/")], "no request to shop"),
        ([entry(f"http://evil.com/?u={SHOP}/")], "evil.com"),
        ([entry(f"{SHOP}@evil.com/")], "no request to shop"),
        ([entry(f"{SHOP}/static/x.png", kind="image")], "no request to shop"),
        ([entry(f"{SHOP}/", status=500)], "500"),
        ([entry(f"{SHOP}/", status=-1)], "-1"),
        ([entry(f"{SHOP}/orders/", status=302, location="/accounts/login/?next=/orders/")], "login page"),
        ([entry(f"{SHOP}/orders/", status=302, location=f"{SHOP}/accounts/login")], "login page"),
        ([entry(f"{SHOP}/accounts/login/")], "login page"),
        ([entry(f"{SHOP}/accounts/login/?next=/", method="POST")], "login page"),
    ],
)
def test_inactive(recorded, reason):
    check = check_activity(SITE, events_of(recorded))
    assert not check.passed and reason in check.reason


def test_a_session():
    check = check_session(SITE, events_of([entry(f"{SHOP}/"), entry(f"{SHOP}/orders/", cookie=COOKIE)]))
    assert check.passed and check.evidence == "network.har#1"


@pytest.mark.parametrize(
    "recorded, reason",
    [
        ([], "session cookie 'sessionid'"),
        ([entry(f"{SHOP}/")], "session cookie 'sessionid'"),
        ([entry(f"{SHOP}/", cookie="csrftoken=1")], "session cookie 'sessionid'"),
        ([entry("http://forum.localhost:8000/", cookie=COOKIE)], "session cookie 'sessionid'"),
        ([entry(f"{SHOP}/orders/", cookie=COOKIE, status=302, location="/accounts/login/")], "login page"),
        ([entry(f"{SHOP}/orders/", cookie=COOKIE, status=403)], "403"),
    ],
)
def test_no_session(recorded, reason):
    check = check_session(SITE, events_of(recorded))
    assert not check.passed and reason in check.reason


def test_a_second_address_of_the_site_counts():
    site = sites_of({"shop": {"urls": [SHOP, "http://shop.example.org"], "active_url_idx": 0}})["shop"]
    assert check_activity(site, events_of([entry("http://shop.example.org/")])).passed


def test_without_a_login_path_every_redirect_counts():
    site = sites_of({"shop": {"urls": [SHOP]}})["shop"]
    assert check_activity(site, events_of([entry(f"{SHOP}/", status=302, location="/accounts/login/")])).passed


@pytest.mark.parametrize(
    "facts, named",
    [
        ({}, "urls"),
        ({"urls": []}, "active_url_idx"),
        ({"urls": [SHOP], "active_url_idx": 1}, "active_url_idx"),
        ({"urls": SHOP}, "urls"),
        ({"urls": ["shop.localhost"]}, "shop.localhost"),
        ("http://x", "shop"),
    ],
)
def test_broken_environments_are_named(facts, named):
    with pytest.raises(ConfigError, match=named):
        sites_of({"shop": facts})


def test_sessions_are_asked_of_sites_that_can_show_one():
    sites = sites_of(ENVIRONMENTS)
    assert session_sites(None, sites.values()) == []
    assert session_sites("ann", sites.values()) == [SITE]
    with pytest.raises(ConfigError, match="session_cookie"):
        session_sites("ann", [sites["forum"]])


def test_a_site_that_needs_a_login_is_asked_for_a_session_and_says_how_to_waive_it() -> None:
    (site,) = sites_of({"shop": ENVIRONMENTS["shop"] | {"login_required": True}}).values()
    assert session_sites(None, [site]) == [site] and session_sites(None, [SITE]) == []
    stripped, other = events_of([entry(f"{SHOP}/")]), events_of([entry(f"{SHOP}/", cookie="other=1")])
    assert "environment.sites.shop.login_required=false" in check_session(site, stripped).reason
    assert "login_required" not in check_session(site, other).reason and not check_session(site, other).passed


def test_the_login_page_is_known_with_what_is_added_to_it() -> None:
    added = f"{SHOP}/accounts/login/referer/aHR0cDov/"
    assert not check_activity(SITE, events_of([entry(f"{SHOP}/", status=302, location=added), entry(added)])).passed
    (admin,) = sites_of({"admin": {"urls": [f"{SHOP}/admin"], "login_path": "/admin"}}).values()
    assert check_activity(admin, events_of([entry(f"{SHOP}/admin/orders")])).passed
    assert not check_activity(admin, events_of([entry(f"{SHOP}/admin/")])).passed
    (gitlab,) = sites_of({"gitlab": {"urls": [SHOP]}}).values()
    assert not check_activity(gitlab, events_of([entry(f"{SHOP}/users/sign_in")])).passed


def test_the_pages_of_a_back_office_are_not_those_of_the_shop() -> None:
    sites = sites_of({"shop": {"urls": [SHOP]}, "admin": {"urls": [f"{SHOP}/admin"]}})
    events = events_of([entry(f"{SHOP}/catalogue/")])
    assert check_activity(sites["shop"], events).passed and not check_activity(sites["admin"], events).passed
    assert check_activity(sites["admin"], events_of([entry(f"{SHOP}/admin/orders/")])).passed
    assert not check_activity(sites["admin"], events_of([entry(f"{SHOP}/administration/")])).passed


FORM = '<form><input name="login[username]"><input type=password name="login[password]"></form>'
ADMIN = sites_of({"__SHOPPING_ADMIN__": {"urls": [f"{SHOP}/admin"], "session_cookie": "admin"}})["shopping_admin"]


def shown(url, text, encoding=None):
    recorded = entry(url, cookie="admin=1")
    recorded["response"]["content"] |= {"text": text} | ({"encoding": encoding} if encoding else {})
    return recorded


@pytest.mark.parametrize(
    "text, known",
    [
        (FORM, False),
        (FORM.replace('"', "'"), False),
        (base64.b64encode(FORM.encode()).decode(), False),
        ("<p>Set name=login[username] in the settings</p>", True),
        ("<a>Sign Out</a>", True),
        ("", True),
    ],
)
def test_the_login_form_is_the_login_page_at_any_address(text, known):
    """Magento's back office answers whoever is not logged in with its form, and status 200."""
    encoding = "base64" if text and "<" not in text else None
    events = events_of([shown(f"{SHOP}/admin/sales/order/", text, encoding)] * 2)
    for check in (check_activity(ADMIN, events), check_session(ADMIN, events)):
        assert check.passed is known and (known or "login page" in check.reason)
    assert pages_seen([ADMIN], events, 9) == int(known)


def test_the_start_page_of_the_back_office_is_a_page() -> None:
    assert check_activity(ADMIN, events_of([entry(f"{SHOP}/admin")])).passed
    sent_on = entry(f"{SHOP}/admin", status=302, location="/admin/admin/dashboard/")
    assert check_activity(ADMIN, events_of([sent_on])).passed
    sent_back = entry(f"{SHOP}/admin/sales/order/", status=302, location="/admin/admin/")
    assert not check_activity(ADMIN, events_of([sent_back])).passed


@pytest.mark.parametrize("statuses, fault", [((502, 503), "site"), ((502, 404), None), ((), None)])
def test_a_site_that_is_down_is_not_the_agent_s_failure(statuses, fault):
    check = check_activity(SITE, events_of([entry(f"{SHOP}/{status}", status=status) for status in statuses]))
    assert not check.passed and check.fault == fault


def test_sites_are_named_in_either_spelling() -> None:
    assert list(sites_of({"__SHOP__": {"urls": [SHOP]}, "FORUM": {"urls": [SHOP]}})) == ["shop", "forum"]
    with pytest.raises(ConfigError, match="shop is given twice"):
        sites_of({"__SHOP__": {"urls": [SHOP]}, "shop": {"urls": [SHOP]}})


def asked_of(url, referer="", kind="xhr", **more):
    call = entry(url, kind=kind, **more)
    call["response"]["content"]["mimeType"] = "application/json"
    call["request"]["headers"].append({"name": "Referer", "value": referer})
    return call


@pytest.mark.parametrize(
    "call, pages",
    [
        (asked_of("http://routes.localhost/route/v1/foot/1,2;3,4", f"{SHOP}/"), 2),
        (asked_of("http://routes.localhost/search?q=x", f"{SHOP}/", kind="fetch"), 2),
        (asked_of("http://routes.localhost/search?q=x", "http://routes.localhost/"), 1),
        (asked_of("http://routes.localhost/search?q=x"), 1),
        (asked_of("http://routes.localhost/search?q=x", f"{SHOP}/", status=500), 1),
        (asked_of("http://routes.localhost/search?q=x", f"{SHOP}/", method="POST"), 1),
        (asked_of("http://routes.localhost/x.png", f"{SHOP}/", kind="image"), 1),
        (asked_of(f"{SHOP}/section/load", f"{SHOP}/"), 1),  # a start page asks for such things by itself
    ],
)
def test_a_service_that_a_page_of_the_site_asked_is_a_further_place(call, pages):
    assert pages_seen([SITE], events_of([entry(f"{SHOP}/"), call]), 9) == pages


def test_pages_are_counted_once_each() -> None:
    fragment = entry(f"{SHOP}/reviews/", kind="xhr")
    call = entry(f"{SHOP}/api/", kind="xhr")
    call["response"]["content"]["mimeType"] = "application/json"
    seen = [
        entry(f"{SHOP}/"),
        entry(f"{SHOP}/#top"),
        entry(f"{SHOP}/b", status=404),
        call,
        entry("http://example.com/"),
    ]
    assert pages_seen([SITE], events_of(seen), 9) == 1
    assert pages_seen([SITE], events_of([*seen, fragment, entry(f"{SHOP}/c")]), 9) == 3


def test_one_visit_is_one_page_whatever_its_redirects_and_queries() -> None:
    visit = [entry(f"{SHOP}/", status=302, location="/home/"), entry(f"{SHOP}/home/"), entry(f"{SHOP}/home?x=1")]
    assert pages_seen([SITE], events_of(visit), 9) == 1


EMMA, OLIVER = "emma.lopez@example.com", "oliver.reed@example.com"
KNOWN = sites_of({"shop": ENVIRONMENTS["shop"] | {"user_header": "X-Site-User", "user": EMMA}})["shop"]


def answered_to(user, url=f"{SHOP}/orders/", **more):
    recorded = entry(url, **{"cookie": COOKIE} | more)
    if user:
        recorded["response"]["headers"].append({"name": "x-site-user", "value": user})
    return recorded


@pytest.mark.parametrize(
    "recorded",
    [
        [answered_to(EMMA)],
        [answered_to(None, cookie=""), answered_to(EMMA), answered_to(None)],
        [answered_to(EMMA, f"{SHOP}/api/", kind="fetch")],
        [answered_to(OLIVER, "http://forum.localhost:8000/"), answered_to(EMMA)],
    ],
)
def test_a_session_of_the_user_by_the_sites_own_word(recorded):
    check = check_session(KNOWN, events_of(recorded))
    assert check.passed and check.name == "session.shop" and check.evidence


@pytest.mark.parametrize(
    "recorded, reason",
    [
        ([], "no valid session on shop: no request to shop: the trace is empty"),
        ([answered_to(EMMA, "http://example.com/")], "only example.com"),
        ([entry(f"{SHOP}/")], "no request to shop carries the session cookie 'sessionid'"),
        (
            [answered_to(None)],
            "a session cookie 'sessionid' was sent, but shop knew nobody by it (anonymous or expired)",
        ),
        ([answered_to(None), answered_to(EMMA, status=403)], "anonymous or expired"),
        ([answered_to(EMMA, status=302, location="/accounts/login/")], "login page"),
        ([answered_to(EMMA, f"{SHOP}/x.png", kind="image")], "no request to shop"),
        ([answered_to(OLIVER)], f"the session on shop is of {OLIVER}, expected {EMMA}"),
        ([answered_to(EMMA), answered_to(OLIVER)], f"the session on shop is of {OLIVER}"),
        ([answered_to(EMMA), answered_to(OLIVER, kind="ping", method="POST", status=500)], f"of {OLIVER}"),
    ],
)
def test_a_session_of_nobody_or_of_somebody_else(recorded, reason):
    check = check_session(KNOWN, events_of(recorded))
    assert not check.passed and reason in check.reason


def test_where_the_site_tells_users_a_session_is_asked_for_whoever_is_named() -> None:
    assert session_sites(None, [KNOWN]) == [KNOWN]
    header_only = sites_of({"shop": ENVIRONMENTS["shop"] | {"user_header": "X-Site-User", "user": None}})["shop"]
    assert session_sites(None, [header_only]) == []
    assert check_session(header_only, events_of([answered_to(None)])).passed, "without a user the cookie counts"
