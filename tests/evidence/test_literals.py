"""A secret is found however it is written, and nothing else is."""

import html
import json
import time
from base64 import b64encode, urlsafe_b64encode
from urllib.parse import quote, quote_plus

import pytest

from webassay.evidence.literals import Literal

SECRETS = [
    "p&ss'w<rd/123+é",
    'open "sesame" canary&1=2',
    "canary.token+with/signs==9",
    "plain-secret",
    "tab\tand\\back😀",
]


def component(text: str) -> str:
    """As encodeURIComponent does."""
    return quote(text, safe="!'()*-._~")


def numbered(text: str) -> str:
    return "".join(char if char.isalnum() else f"&#{ord(char)};" for char in text)


def in_script(text: str) -> str:
    """As Django and others put it into a page's script."""
    escaped = {char: f"\\u{ord(char):04X}" for char in "<>&'"} | {"/": "\\/"}
    return json.dumps(text)[1:-1].translate(str.maketrans(escaped))


def packed(text: str, before: str = "") -> str:
    return b64encode((before + text).encode()).decode()


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize(
    "write",
    [
        str,
        html.escape,
        lambda text: html.escape(html.escape(text)),
        numbered,
        json.dumps,
        lambda text: json.dumps(text, ensure_ascii=False),
        lambda text: json.dumps(json.dumps({"a": text})),
        lambda text: json.dumps(json.dumps(json.dumps(text))),
        in_script,
        quote,
        quote_plus,
        component,
        lambda text: component(text).lower(),
        lambda text: component(component(text)),
        lambda text: component(json.dumps(text)),
        lambda text: html.escape(json.dumps(text)),
        packed,
        lambda text: packed(text, "u:"),
        lambda text: packed(text, "user:"),
        lambda text: component(packed(text)),
        lambda text: packed(json.dumps({"password": text})),
        lambda text: urlsafe_b64encode(text.encode()).decode(),
    ],
)
def test_it_is_found_in_every_spelling(secret: str, write) -> None:  # type: ignore[no-untyped-def]
    text = f"before {write(secret)} after"
    found = Literal(secret)
    said = found.replace(text, "GONE")
    assert "GONE" in said and len(said) <= len("before GONE after") + 42, said
    assert said.startswith("before ") and said.endswith(" after")
    assert found.occurs(text.encode()) and found.replace_bytes(text.encode(), b"GONE").decode() == said
    assert found.occurs(json.dumps({"text": text}).encode())


@pytest.mark.parametrize("text", ["pass'w<rd/123", "p&ss'w<rd/1234é", "amp;ss rd 123", "cCZzc3", ""])
def test_what_only_looks_like_it_stays(text: str) -> None:
    assert Literal(SECRETS[0]).replace(text, "GONE") == text


@pytest.mark.parametrize("piece", ["\\", "%25", "&amp;", "&#0000", "\\u0026", "p&", "p"])
@pytest.mark.parametrize("secret", [SECRETS[0], "&&rd", '"rd', "\\\\rd"])
def test_a_page_cannot_make_the_search_endless(piece: str, secret: str) -> None:
    began = time.monotonic()
    Literal(secret).replace(piece * (500_000 // len(piece)) + "rd" + "123", "GONE")
    assert time.monotonic() - began < 20
