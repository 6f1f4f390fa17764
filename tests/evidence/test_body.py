"""Bodies of requests: what a browser sends, and what recorders leave of it."""

import pytest

from webassay.evidence.body import decode_body
from webassay.evidence.har import Body, Pair

BOUNDARY = "----WebKitFormBoundaryA1"
PARTS = (
    f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="title"\r\n\r\nTwo\r\nlines\r\n'
    f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="tag"\r\n\r\na\r\n'
    f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="tag"\r\n\r\nb\r\n'
    f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="x.txt"\r\nContent-Type: text/plain\r\n\r\n'
    f"ü\r\n--{BOUNDARY}--\r\n"
)


def test_a_form_keeps_every_value_also_blank_ones() -> None:
    fields = decode_body(Body("application/x-www-form-urlencoded; charset=UTF-8", "a=1&a=2&b=&c=x%20y+z"))
    assert fields == {"a": ["1", "2"], "b": "", "c": "x y z"}


def test_a_multipart_form_keeps_lines_repeated_names_and_files() -> None:
    fields = decode_body(Body(f"multipart/form-data; boundary={BOUNDARY}", PARTS))
    assert fields == {"title": "Two\r\nlines", "tag": ["a", "b"], "file": "ü"}


def test_a_recorder_may_list_the_fields_instead() -> None:
    params = (Pair("a", "1"), Pair("a", "2"))
    assert decode_body(Body("multipart/form-data; boundary=x", "", params)) == {"a": ["1", "2"]}


@pytest.mark.parametrize("mime_type", ["application/json", "Application/JSON; charset=utf-8", "application/hal+json"])
def test_json_by_its_type(mime_type: str) -> None:
    assert decode_body(Body(mime_type, '{"a": [1]}')) == {"a": [1]}


@pytest.mark.parametrize(
    "mime_type, text",
    [
        ("application/json", '{"a": '),
        ("application/json", "[" * 100_000),
        ("text/plain", "a=1"),
        ("", "a=1"),
        ("multipart/form-data", PARTS),
        ("multipart/form-data; boundary=" + "(" * 5000, PARTS),
        (
            f"multipart/form-data; boundary={BOUNDARY}",
            f"--{BOUNDARY}\r\nContent-Disposition: ; 0*\r\n\r\nx\r\n--{BOUNDARY}--",
        ),
        ("multipart/form-data; boundary=another", PARTS),
        ("application/x-www-form-urlencoded", ""),
    ],
)
def test_what_cannot_be_read_is_no_body(mime_type: str, text: str) -> None:
    assert not decode_body(Body(mime_type, text))


def test_a_body_that_is_no_text_in_the_recording_is_decoded() -> None:
    assert decode_body(Body("application/json", "eyJhIjogMX0=", encoding="base64")) == {"a": 1}
    assert decode_body(Body("application/json", "not base64", encoding="base64")) is None
