"""Secrets leave the evidence before it reaches its place: by field, and by literal value."""

import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote, quote_plus

import msgspec

SECRET_NAME = re.compile(r"passw|secret|token|api.?key|authorization|credential", re.IGNORECASE)
SECRET_HEADERS = {"authorization", "proxy-authorization", "x-api-key"}
COOKIE_HEADERS = {"cookie", "set-cookie"}
UNSEEN_BODIES = re.compile(r"^(image|font|audio|video)/|^text/css|javascript")


def secrets_of(fields: Mapping[str, str], environ: Mapping[str, str] = os.environ) -> list[str]:
    """Values that must appear nowhere: password-like fields of an account and keys in the environment."""
    named = [*fields.items(), *environ.items()]
    return [value for name, value in named if SECRET_NAME.search(name) and len(value) >= 8]


class Redactor:
    """Replaces a secret by a token that is the same for the same value, so that sessions can still be told apart."""

    def __init__(self, secrets: Iterable[str], salt: bytes) -> None:
        self._salt = salt
        self._literals = {form: self.token(secret) for secret in secrets for form in _spellings(secret)}

    def token(self, value: str) -> str:
        return "redacted:" + hashlib.sha256(self._salt + value.encode("utf-8", "replace")).hexdigest()[:8]

    def add(self, secrets: Iterable[str]) -> None:
        """Values learnt during the run, such as session cookies."""
        self._literals |= {
            form: self.token(secret) for secret in secrets if len(secret) >= 8 for form in _spellings(secret)
        }

    def text(self, text: str) -> str:
        for literal, token in self._literals.items():
            text = text.replace(literal, token)
        return text

    def value(self, value: Any) -> Any:
        """The same for every string inside a JSON value."""
        return msgspec.json.decode(self.text(msgspec.json.encode(value).decode()))

    def har(self, content: bytes) -> bytes:
        """A HAR without credentials, cookie values and the bodies of static files."""
        har = msgspec.json.decode(content)
        for entry in har["log"]["entries"]:
            for side in (entry["request"], entry["response"]):
                self._headers(side)
            self._form(entry["request"])
            body = entry["response"].get("content", {})
            if UNSEEN_BODIES.search(body.get("mimeType", "")):
                body.pop("text", None)
                body.pop("encoding", None)
        return self.text(msgspec.json.encode(har).decode()).encode()

    def _headers(self, side: dict[str, Any]) -> None:
        for header in side.get("headers", ()):
            name = header["name"].lower()
            if name in COOKIE_HEADERS:
                header["value"] = self._cookies(header["value"])
            elif name in SECRET_HEADERS or SECRET_NAME.search(name):
                header["value"] = self.token(header["value"])
        for cookie in side.get("cookies", ()):
            cookie["value"] = self.token(cookie["value"])

    def _cookies(self, text: str) -> str:
        """`name=value` pairs keep their names; attributes such as Path and HttpOnly stay."""
        plain = {"path", "domain", "expires", "max-age", "samesite", "priority"}
        lines = []
        for line in text.split("\n"):
            pairs = [pair.partition("=") for pair in line.split(";")]
            lines.append(
                ";".join(
                    name + equals + (self.token(value) if equals and name.strip().lower() not in plain else value)
                    for name, equals, value in pairs
                )
            )
        return "\n".join(lines)

    def _form(self, request: dict[str, Any]) -> None:
        body = request.get("postData") or {}
        named = [*body.get("params", ()), *request.get("queryString", ())]
        self.add(item["value"] for item in named if SECRET_NAME.search(item.get("name", "")) and item.get("value"))


def _spellings(secret: str) -> list[str]:
    """Plain, as JSON writes it, as forms and addresses encode it, and any of these within JSON; longest first."""
    plain = {secret, *_in_json(secret), quote(secret, safe=""), quote_plus(secret)}
    return sorted(plain.union(*map(_in_json, plain)), key=len, reverse=True)


def _in_json(text: str) -> set[str]:
    return {json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]}
