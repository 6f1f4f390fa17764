"""Whose a state is: what honest applications do in odd ways, and what forgers do."""

import base64
import hashlib
import json
from typing import Any

import pytest

from webassay.evidence.writes import Heard, Sender, account_for, doubtful, forged, state_digest

SITE = {"url": "http://a.localhost", "own_writes": ["PUT /api/state"], "state_path": "/api/state"}
CODE = "function save() { fetch('/api/state') }"
SEED, ONE, TWO = '{"n": 0}', '{"n": 1}', '{"n": 2}'
APP = "http://a.localhost/js/app.js"


def entry(
    method: str, path: str, status: int = 200, body: str | None = None, text: str | None = "{}", kind: str = "json"
) -> dict[str, Any]:
    content = {"mimeType": kind} | ({} if text is None else {"text": text})
    sent = {} if body is None else {"postData": {"mimeType": "application/json", "text": body}}
    return {
        "startedDateTime": "2026-11-18T09:28:21.353Z",
        "time": 3,
        "pageref": "page@1",
        "request": {"method": method, "url": f"http://a.localhost{path}"} | sent,
        "response": {"status": status, "content": content},
    }


def put(body: str) -> dict[str, Any]:
    return entry("PUT", "/api/state", body=body)


def sender(body: str, source: str = CODE, address: str = APP) -> Sender:
    sha256 = hashlib.sha256(source.encode()).hexdigest()
    return Sender("PUT", "http://a.localhost/api/state", body, "script", (address,), address, source, sha256)


def gone(body: str, source: str = CODE, address: str = APP) -> Sender:
    """Of a page that had gone before it could be asked for the text."""
    told = sender(body, source, address)
    return Sender(*(told.method, told.url, told.body, told.initiator, told.scripts, address, "", told.sha256))


JS = entry("GET", "/js/app.js", text=CODE, kind="text/javascript")
CACHED = entry("GET", "/js/app.js", status=304, text="", kind="text/javascript")
OCTETS = entry("GET", "/js/app.js", text=CODE, kind="application/octet-stream")
ENCODED = entry("GET", "/js/app.js", text=base64.b64encode(CODE.encode()).decode(), kind="application/octet-stream")
ENCODED["response"]["content"]["encoding"] = "base64"
HANDLER = 'fetch("/api/state")'
PAGE = entry("GET", "/", text='<button onclick="fetch(&quot;/api/state&quot;)">', kind="text/html; charset=utf-8")
INLINE = entry("GET", "/", text=f"<script>\r\n{HANDLER}\r\n</script>", kind="text/html")
HALF = '{"s":"\\ud83d"}'
ROOT = "http://a.localhost/#top"


@pytest.mark.parametrize(
    "entries, senders, final",
    [
        ([JS, put(ONE)], [sender(ONE)], ONE),
        ([JS, put(ONE), entry("GET", "/api/state", text=None)], [sender(ONE)], ONE),
        ([JS, put(ONE)], [gone(ONE)], ONE),
        ([OCTETS, put(ONE)], [sender(ONE)], ONE),
        ([ENCODED, put(ONE)], [gone(ONE)], ONE),
        ([CACHED, put(ONE)], [sender(ONE)], ONE),
        ([put(ONE)], [gone(ONE)], ONE),
        ([PAGE, put(ONE)], [sender(ONE, HANDLER, ROOT)], ONE),
        ([PAGE, put(ONE)], [gone(ONE, HANDLER, ROOT)], ONE),
        ([INLINE, put(ONE)], [gone(ONE, f"\n{HANDLER}\n", ROOT)], ONE),
        ([JS, put(HALF)], [sender(HALF)], '{"s": "\\ud83d"}'),
    ],
    ids=["plain", "read cut off", "page gone", "other type", "encoded", "304", "not recorded", "handler",
         "handler gone", "inline gone", "half a pair"],
)  # fmt: skip
def test_an_application_may_send_its_state_in_any_of_these_ways(
    entries: list[dict[str, Any]], senders: list[Sender], final: str
) -> None:
    found = account_for(
        json.dumps({"log": {"entries": entries}}).encode(), Heard(tuple(senders)), SITE, SEED.encode(), final.encode(),
        True, {"/js/app.js": CODE}.get,
    )  # fmt: skip
    assert (forged(found), doubtful(found)) == ("", "")


FORGERY = f"{HANDLER} // forged"
STATE = entry("GET", "/api/state", text=json.dumps({"typed": FORGERY}))


@pytest.mark.parametrize(
    "senders, doubt",
    [
        ([], False),
        ([sender(ONE, FORGERY)], False),
        ([sender(ONE, FORGERY, "")], False),
        ([sender(ONE, FORGERY, "http://b.localhost/js/app.js")], False),
        ([sender(ONE, FORGERY, "http://a.localhost/api/state")], False),
        ([gone(ONE, FORGERY)], True),
        ([sender(ONE), sender(ONE, FORGERY)], False),
    ],
)
def test_what_the_site_never_served_has_forged_the_state_or_cannot_be_told(senders: list[Sender], doubt: bool) -> None:
    log = {"entries": [JS, STATE, put(ONE)]}
    found = account_for(json.dumps({"log": log}).encode(), Heard(tuple(senders)), SITE, SEED.encode(), b"{}", False)
    assert (bool(forged(found)), bool(doubtful(found))) == (not doubt, doubt)


@pytest.mark.parametrize("since, doubt", [(0.0, False), (2e9, True)])
def test_of_a_page_that_has_just_opened_nobody_can_tell(since: float, doubt: bool) -> None:
    log = {"pages": [{"id": "page@0"}, {"id": "page@1"}], "entries": [JS, put(TWO)]}
    heard = Heard((), (0.0, since))
    found = account_for(json.dumps({"log": log}).encode(), heard, SITE, SEED.encode(), TWO.encode(), True)
    assert (bool(forged(found)), bool(doubtful(found))) == (not doubt, doubt)


def test_a_state_is_compared_by_its_value() -> None:
    assert state_digest('{"s": "\\ud83d", "n": 1}') == state_digest('{"n":1,"s":"\\ud83d"}')
    assert state_digest("not JSON") != state_digest("nor this")
