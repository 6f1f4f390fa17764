"""Bodies of requests and answers in a HAR: forms, JSON and multipart forms, decoded by what they say they are."""

import base64
import json
from collections.abc import Iterable
from email.message import Message
from email.parser import BytesFeedParser
from email.policy import HTTP
from typing import Any
from urllib.parse import parse_qs

from webassay.evidence.har import Body

FORM, JSON, MULTIPART = "application/x-www-form-urlencoded", "application/json", "multipart/form-data"

Fields = dict[str, list[str]]
"""All the values of each field, in the order sent."""


def decode_body(body: Body) -> Any:
    """A JSON document, or the fields of a form; None for what is neither, or broken.

    A field that was sent once is its value, one that was sent again is all of them. Some recorders leave the text out
    and list a form's fields as `params`.
    """
    mime_type, text = body.mime_type or "", plain_text(body)
    kind = mime_type.partition(";")[0].strip().lower()
    if kind == JSON or kind.endswith("+json"):
        return json_document(text)
    if kind not in (FORM, MULTIPART):
        return None
    if not text:
        fields: Fields | None = _fields((pair.name, pair.value) for pair in body.params)
    else:
        fields = form_fields(text) if kind == FORM else multipart_fields(mime_type, text)
    return {name: values[0] if len(values) == 1 else values for name, values in fields.items()} if fields else None


def plain_text(body: Body) -> str:
    if body.encoding != "base64" or not body.text:
        return body.text or ""
    try:
        return base64.b64decode(body.text, validate=True).decode()
    except ValueError:
        return ""


def form_fields(text: str) -> Fields:
    return parse_qs(text, keep_blank_values=True)


def json_document(text: str) -> Any:
    """None for what is no JSON, as for `null`."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def multipart_fields(mime_type: str, text: str) -> Fields | None:
    """Files count as fields that hold their text; None where the boundary does not fit the text."""
    parser = BytesFeedParser(policy=HTTP)
    try:
        parser.feed(f"Content-Type: {' '.join(mime_type.split())}\r\n\r\n".encode("utf-8", "replace"))
        parser.feed(text.encode("utf-8", "replace"))
        parts = parser.close().get_payload()
        if isinstance(parts, list):
            return _fields((name, _text(part)) for part in parts if (name := _name(part)))
        return None
    except (ValueError, IndexError, RecursionError, AttributeError):  # all seen from the parser on hostile headers
        return None


def _fields(pairs: Iterable[tuple[str, str]]) -> Fields:
    fields: Fields = {}
    for name, value in pairs:
        fields.setdefault(name, []).append(value)
    return fields


def _name(part: Any) -> str:
    name = part.get_param("name", header="content-disposition")
    return name if isinstance(name, str) else ""


def _text(part: Any) -> str:
    payload = part.get_payload(decode=True) if isinstance(part, Message) else b""
    return payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""
