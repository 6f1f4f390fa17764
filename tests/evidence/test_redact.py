"""Nothing secret reaches the evidence, and what a judge needs does."""

import json
from typing import Any

import pytest

from webassay.evidence.redact import Redactor, secrets_of

SECRET = 'pässword "1"/x'


def har(**request: Any) -> bytes:
    response = {"headers": [{"name": "Set-Cookie", "value": "sessionid=abcdefgh; Path=/; HttpOnly\nb=cdefghij"}],
                "content": {"mimeType": "text/html", "text": f"you said {SECRET}, session abcdefgh"}}  # fmt: skip
    entry = {"request": {"headers": [], "method": "POST", "url": "http://x/"} | request, "response": response}
    return json.dumps({"log": {"entries": [entry]}}).encode()


@pytest.fixture
def redactor() -> Redactor:
    return Redactor([SECRET], salt=b"salt")


def test_a_secret_goes_in_every_spelling(redactor: Redactor) -> None:
    spellings = {"json": SECRET, "form": "p%C3%A4ssword+%221%22%2Fx", "url": "p%C3%A4ssword%20%221%22%2Fx"}
    text = redactor.har(har(postData={"text": json.dumps(spellings)})).decode()
    assert "ssword" not in text
    assert text.count(redactor.token(SECRET)) >= 4


def test_cookies_keep_name_and_identity_but_not_value(redactor: Redactor) -> None:
    redactor.add(["abcdefgh"])
    sent = [
        {"name": "Cookie", "value": "sessionid=abcdefgh; b=cdefghij"},
        {"name": "Authorization", "value": "Bearer t"},
    ]
    entry = json.loads(redactor.har(har(headers=sent)))["log"]["entries"][0]
    cookie, authorization = (header["value"] for header in entry["request"]["headers"])
    given = entry["response"]["headers"][0]["value"]
    assert cookie.split(";")[0] == given.split(";")[0] == f"sessionid={redactor.token('abcdefgh')}"
    assert "; Path=/; HttpOnly\n" in given
    assert authorization == redactor.token("Bearer t")
    assert "abcdefgh" not in json.dumps(entry)


def test_a_password_typed_into_a_form_is_learnt_from_it(redactor: Redactor) -> None:
    form = {"params": [{"name": "new-password", "value": "hunter2hunter2"}], "text": "new-password=hunter2hunter2"}
    assert b"hunter2" not in redactor.har(har(postData=form))


def test_bodies_of_static_files_are_left_out(redactor: Redactor) -> None:
    content = json.loads(har())
    content["log"]["entries"][0]["response"]["content"] = {
        "mimeType": "image/png",
        "text": "aaaa",
        "encoding": "base64",
    }
    kept = json.loads(redactor.har(json.dumps(content).encode()))["log"]["entries"][0]["response"]["content"]
    assert kept == {"mimeType": "image/png"}


def test_secrets_are_found_by_name() -> None:
    fields = {"login-password": "long-enough", "username": "somebody@example.com"}
    environ = {"OPENAI_API_KEY": "sk-123456789", "HOME": "/home/somebody", "X_TOKEN": "short"}
    assert secrets_of(fields, environ) == ["long-enough", "sk-123456789"]
