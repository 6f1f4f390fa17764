"""Nothing secret reaches the evidence, what a judge needs does, and no page can rewrite it."""

import json
import time
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from webassay.evidence.redact import Redactor, Unredacted

SECRET = 'pässword "1"/x'
SESSION = "abcdefghijklmnop"


def har(**request: Any) -> bytes:
    cookies = {"name": "Set-Cookie", "value": f"sessionid={SESSION}; Path=/; HttpOnly\nb=cdefghij"}
    body = {"mimeType": "text/html", "text": f"you said {SECRET}, session {SESSION}"}
    response = {"headers": [cookies], "content": body}
    entry = {"request": {"headers": [], "method": "POST", "url": "http://x/"} | request, "response": response}
    return json.dumps({"log": {"entries": [entry]}}).encode()


def form(text: str, mime: str = "application/x-www-form-urlencoded") -> dict[str, Any]:
    pairs = [pair.partition("=") for pair in text.split("&")] if not text.startswith("{") else []
    return {"mimeType": mime, "text": text, "params": [{"name": name, "value": value} for name, _, value in pairs]}


def parts(mime: str) -> dict[str, Any]:
    fields = [("user", "ada"), ("password", "a1"), ('api_key"; filename="key.txt', "a1\r\na1"), ("stars", "4")]
    text = "".join(
        f'----WebKit7\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in fields
    )
    return {"mimeType": mime, "text": f"{text}----WebKit7--\r\n", "params": []}


@pytest.fixture
def redactor() -> Redactor:
    return Redactor([SECRET], salt=b"salt")


def entry_of(content: bytes) -> dict[str, Any]:
    return dict(json.loads(content)["log"]["entries"][0])


def test_a_secret_goes_in_every_spelling(redactor: Redactor) -> None:
    spellings = {"json": SECRET, "form": "p%C3%A4ssword+%221%22%2Fx", "url": "p%C3%A4ssword%20%221%22%2Fx"}
    text = redactor.har(har(postData={"mimeType": "text/plain", "text": json.dumps(spellings)})).decode()
    assert "ssword" not in text
    assert text.count(redactor.token(SECRET)) >= 4


def test_the_longer_of_two_secrets_goes_first() -> None:
    redactor = Redactor(["canary-key-1", "canary-key-1-long-secret"], salt=b"salt")
    redactor.add(["canary-key-1-long"])
    said = "canary-key-1-long-secret, canary-key-1-long, canary-key-1"
    tokens = [redactor.token(secret) for secret in said.split(", ")]
    assert redactor.text(said) == ", ".join(tokens) == redactor.content(said.encode()).decode()


def test_an_address_in_a_log_loses_its_fields() -> None:
    redactor = Redactor([SECRET], salt=b"salt")
    line = {"said": [f"GET http://x/?access_token=abc&page=2 with {SECRET} 200", "/a?pin=1", 'href="/b?q=1"']}
    told = redactor.logged(line)["said"]
    assert told[0] == f"GET http://x/?access_token={redactor.token('abc')}&page=2 with {redactor.token(SECRET)} 200"
    assert told[1:] == [f"/a?pin={redactor.token('1')}", 'href="/b?q=1"'] and redactor.logged(told) == told


def test_cookies_keep_name_and_identity_but_not_value(redactor: Redactor) -> None:
    sent = [
        {"name": "Cookie", "value": f"sessionid={SESSION}; b=cdefghij"},
        {"name": "Authorization", "value": "Bearer t"},
        {"name": "X-Auth", "value": "abcdefgh"},
    ]
    entry = entry_of(redactor.har(har(headers=sent), ["sessionid"]))
    cookie, authorization, auth = (header["value"] for header in entry["request"]["headers"])
    given = entry["response"]["headers"][0]["value"]
    assert cookie.split(";")[0] == given.split(";")[0] == f"sessionid={redactor.token(SESSION)}"
    assert "; Path=/; HttpOnly\n" in given
    assert (authorization, auth) == (redactor.token("Bearer t"), redactor.token("abcdefgh"))
    assert SESSION not in json.dumps(entry)


def test_what_was_never_redacted_is_counted(redactor: Redactor) -> None:
    cookies = [{"name": "Cookie", "value": f"sessionid={SESSION}; lang=en"}, {"name": "X-Api-Key", "value": "k"}]
    sent = har(url="http://x/?token=t", headers=cookies, postData=form("user=ada&password=a1"))
    for content, count in ((sent, 7), (redactor.har(sent, ["sessionid"], ["lang"]), 0)):
        found = Unredacted()
        found.har(content, public_cookies=["lang"])
        assert len(found.values) == count


@pytest.mark.parametrize(
    "body",
    [
        form("user=ada&new-password=a1&stars=4"),
        *(form(f"user=ada&{name}=a1&stars=4") for name in ("pwd", "user[pass]", "pin", "otp", "auth", "jwt")),
        form("user=ada&password=a1&stars=4", "text/plain;charset=UTF-8"),
        form('{"user": "ada", "new": {"password": "a1"}, "stars": 4}', "application/json"),
        form('{"user": "ada", "new": {"password": "a1"}, "stars": 4, "pin": true}', "text/plain;charset=UTF-8"),
        parts("multipart/form-data; boundary=--WebKit7"),
        parts('multipart/form-data; boundary="--WebKit7"'),
        parts("multipart/form-data"),
    ],
)
def test_a_password_typed_into_a_form_goes_however_short_it_is(redactor: Redactor, body: dict[str, Any]) -> None:
    kept = entry_of(redactor.har(har(postData=body)))["request"]["postData"]
    assert "a1" not in json.dumps(kept)
    assert "ada" in kept["text"] and "4" in kept["text"]


@pytest.mark.parametrize("kind", ["application/json; charset=utf-8", "application/vnd.api+json", "text/plain"])
def test_a_token_that_an_interface_gives_goes(redactor: Redactor, kind: str) -> None:
    content = json.loads(har())
    content["log"]["entries"][0]["response"]["content"] = {
        "mimeType": kind,
        "text": '{"user": "ada", "access_token": "a1", "expires": 3.0}',
    }
    text = entry_of(redactor.har(json.dumps(content).encode()))["response"]["content"]["text"]
    assert json.loads(text) == {"user": "ada", "access_token": redactor.token("a1"), "expires": 3.0}


def test_json_without_a_secret_stays_as_it_is(redactor: Redactor) -> None:
    content, text = json.loads(har()), '{"a":1.50, "a": [ "\\u00e9" ], "requires_auth": true}'
    content["log"]["entries"][0]["response"]["content"] = {"mimeType": "application/json", "text": text}
    assert entry_of(redactor.har(json.dumps(content).encode()))["response"]["content"]["text"] == text


@pytest.mark.parametrize("number", ["", "42"])
def test_a_password_in_a_frame_goes(redactor: Redactor, number: str) -> None:
    content = json.loads(har())
    frames = [number + '["login", {"user": "ada", "password": "a1"}]', "42 is the answer, a1"]
    messages = [{"type": "send", "opcode": 1, "data": frame} for frame in frames]
    content["log"]["entries"][0]["_webSocketMessages"] = messages
    first, second = entry_of(redactor.har(json.dumps(content).encode()))["_webSocketMessages"]
    assert first["data"] == f'{number}["login", {{"user": "ada", "password": "{redactor.token("a1")}"}}]'
    assert second["data"] == frames[1]


@pytest.mark.parametrize("chosen", ["request", '"request"', "response", "/addresses/delete", "before", "http://x/"])
def test_a_page_cannot_rewrite_the_evidence_by_its_choice_of_values(redactor: Redactor, chosen: str) -> None:
    """Cookies of any name and fields of any address that a page or an agent makes up."""
    sent = [{"name": "Cookie", "value": f"sessionid={chosen}; x={chosen}"}]
    url = f"http://x/{chosen}?q={chosen}&token="
    entry = entry_of(
        redactor.har(har(headers=sent, url=url + chosen, postData=form(f"password={chosen}")), ["sessionid"])
    )
    assert set(entry) == {"request", "response"} and entry["request"]["url"] == url + redactor.token(chosen)
    assert redactor.value({"before": [[chosen]]}) == {"before": [[chosen]]}


def test_bodies_of_static_files_are_left_out(redactor: Redactor) -> None:
    content = json.loads(har())
    picture = {"mimeType": "image/png", "text": "aaaa", "encoding": "base64"}
    content["log"]["entries"][0]["response"]["content"] = picture
    assert entry_of(redactor.har(json.dumps(content).encode()))["response"]["content"] == {"mimeType": "image/png"}


def test_a_public_cookie_keeps_its_value_and_no_other_does(redactor: Redactor) -> None:
    sent = [{"name": "Cookie", "value": f"sessionid={SESSION}; mode=foot; other=walk"}]
    content = har(headers=sent, cookies=[{"name": "mode", "value": "foot"}, {"name": "other", "value": "walk"}])
    request = entry_of(redactor.har(content, ["sessionid"], {"mode"}))["request"]
    assert "mode=foot" in request["headers"][0]["value"] and "walk" not in json.dumps(request)
    assert request["cookies"][0]["value"] == "foot" and SESSION not in json.dumps(request)


def test_what_is_not_secret_in_a_multipart_form_stays_as_it_is(redactor: Redactor) -> None:
    body = parts("multipart/form-data; boundary=--WebKit7")
    kept = entry_of(redactor.har(har(postData=body)))["request"]["postData"]["text"]
    assert kept == body["text"].replace("a1\r\na1", redactor.token("a1\r\na1")).replace("a1", redactor.token("a1"))
    body["text"] = body["text"].replace("password", "form_key").replace("api_key", "key")
    assert entry_of(redactor.har(har(postData=body)))["request"]["postData"]["text"] == body["text"]


@pytest.mark.parametrize(
    "url",
    [
        "http://x/api?page=2&private_token=g%2Bz%201&sort=up#top",
        "http://x/api?private_token=g%2Bz+1",
        "http://x/?page=2;private%5Ftoken=g%2Bz+1",
        "http://x/#access_token=g%2Bz+1&state=4",
        "http://x/go?to=/a?token=g%2Bz+1&page=2",
    ],
)
def test_a_secret_in_an_address_goes_and_the_address_stays_one(redactor: Redactor, url: str) -> None:
    content = json.loads(har(url=url, headers=[{"name": "Referer", "value": url}, {"name": ":path", "value": url}]))
    request, response = (content["log"]["entries"][0][side] for side in ("request", "response"))
    request["queryString"] = [{"name": "private_token", "value": "g+z 1"}, {"name": "page", "value": "2"}]
    response["headers"] += [{"name": "Location", "value": url}, {"name": "Link", "value": f'<{url}>; rel="next"'}]
    response["redirectURL"] = url
    entry = entry_of(redactor.har(json.dumps(content).encode()))
    told, token = entry["request"]["url"], redactor.token("g+z 1")
    assert "g%2Bz" not in json.dumps(entry) and "g+z" not in json.dumps(entry)
    assert [pair["value"] for pair in entry["request"]["queryString"]] == [token, "2"]
    assert [header["value"] for header in entry["request"]["headers"]] == [told, told]
    assert [header["value"] for header in entry["response"]["headers"][1:]] == [told, f'<{told}>; rel="next"']
    assert entry["response"]["redirectURL"] == told and told.count(token) == 1
    before, after = urlsplit(url), urlsplit(told)
    assert (after.scheme, after.netloc, after.path) == (before.scheme, before.netloc, before.path)
    assert [name for name, _ in parse_qsl(after.query)] == [name for name, _ in parse_qsl(before.query)]
    assert told.isascii() and not set(told) & set(' "<>') and redactor.url(told).count("redacted:") == 1


@pytest.mark.parametrize("url", ["http://x/", "http://x/token=1/passwords?q=token&page=2#secret", "", "?", "?=&;=#="])
def test_an_address_without_a_secret_stays_as_it_is(redactor: Redactor, url: str) -> None:
    assert redactor.url(url) == url


def test_an_endless_address_takes_no_endless_time(redactor: Redactor) -> None:
    began = time.monotonic()
    for piece in ("token", "?token=", "?a=", ";token"):
        redactor.url("http://x/?" + piece * 300_000)
    assert time.monotonic() - began < 20


def test_who_was_logged_in_stays_readable(redactor: Redactor) -> None:
    recorded = json.loads(har())
    recorded["log"]["entries"][0]["response"]["headers"].append({"name": "X-Site-User", "value": "ada@example.com"})
    entry = entry_of(redactor.har(json.dumps(recorded).encode(), ["sessionid"]))
    assert entry["response"]["headers"][-1]["value"] == "ada@example.com"


def test_rows_of_a_database_lose_what_their_columns_call_a_secret(redactor: Redactor) -> None:
    row = {"id": 3, "password": "pbkdf2$1", "secret_key": None, "note": f"I said {SECRET}"}
    (found,) = redactor.record([{"table": "auth_user", "before": None, "after": row}])
    assert found["after"] == row | {"password": redactor.token("pbkdf2$1"), "note": f"I said {redactor.token(SECRET)}"}
    assert found["before"] is None and redactor.record(None) is None
