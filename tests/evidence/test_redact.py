"""Nothing secret reaches the evidence, what a judge needs does, and no page can rewrite it."""

import json
from typing import Any

import pytest

from webassay.evidence.redact import Redactor

SECRET = 'pässword "1"/x'
SESSION = "abcdefghijklmnop"


def har(**request: Any) -> bytes:
    cookies = {"name": "Set-Cookie", "value": f"sessionid={SESSION}; Path=/; HttpOnly\nb=cdefghij"}
    body = {"mimeType": "text/html", "text": f"you said {SECRET}, session {SESSION}"}
    response = {"headers": [cookies], "content": body}
    entry = {"request": {"headers": [], "method": "POST", "url": "http://x/"} | request, "response": response}
    return json.dumps({"log": {"entries": [entry]}}).encode()


def form(text: str, mime: str = "application/x-www-form-urlencoded") -> dict[str, Any]:
    pairs = [pair.partition("=") for pair in text.split("&")] if "json" not in mime else []
    return {"mimeType": mime, "text": text, "params": [{"name": name, "value": value} for name, _, value in pairs]}


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


def test_cookies_keep_name_and_identity_but_not_value(redactor: Redactor) -> None:
    sent = [
        {"name": "Cookie", "value": f"sessionid={SESSION}; b=cdefghij"},
        {"name": "Authorization", "value": "Bearer t"},
    ]
    entry = entry_of(redactor.har(har(headers=sent), ["sessionid"]))
    cookie, authorization = (header["value"] for header in entry["request"]["headers"])
    given = entry["response"]["headers"][0]["value"]
    assert cookie.split(";")[0] == given.split(";")[0] == f"sessionid={redactor.token(SESSION)}"
    assert "; Path=/; HttpOnly\n" in given
    assert authorization == redactor.token("Bearer t")
    assert SESSION not in json.dumps(entry)


@pytest.mark.parametrize(
    "body",
    [
        form("user=ada&new-password=a1&stars=4"),
        form('{"user": "ada", "new": {"password": "a1"}, "stars": 4}', "application/json"),
    ],
)
def test_a_password_typed_into_a_form_goes_however_short_it_is(redactor: Redactor, body: dict[str, Any]) -> None:
    kept = entry_of(redactor.har(har(postData=body)))["request"]["postData"]
    assert "a1" not in json.dumps(kept)
    assert "ada" in kept["text"] and "4" in kept["text"]


@pytest.mark.parametrize("chosen", ["request", '"request"', "response", "/addresses/delete", "before", "http://x/"])
def test_a_page_cannot_rewrite_the_evidence_by_its_choice_of_values(redactor: Redactor, chosen: str) -> None:
    """Cookies of any name and fields of any address that a page or an agent makes up."""
    sent = [{"name": "Cookie", "value": f"sessionid={chosen}; x={chosen}"}]
    url = f"http://x/?token={chosen}"
    entry = entry_of(redactor.har(har(headers=sent, url=url, postData=form(f"password={chosen}")), ["sessionid"]))
    assert set(entry) == {"request", "response"} and entry["request"]["url"] == url
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
