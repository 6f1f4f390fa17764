"""The model in the box: real weights behind a real server, the same bytes again, and nothing left behind."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import psutil
import pytest

from tests.conftest import REPO
from tests.weights import MODEL, PLAIN, embedded, weights
from webassay.core.processes import child_environment
from webassay.errors import ModelError, PromptTooLong
from webassay.llm.client import client_for

ASKED = [{"role": "user", "content": "Name a fruit."}]
FORM = {
    "type": "object",
    "properties": {"fruit": {"type": "string", "maxLength": 12}, "sweet": {"type": "boolean"}},
    "required": ["fruit", "sweet"],
    "additionalProperties": False,
}


def test_the_same_question_has_the_same_answer_also_from_another_server() -> None:
    replies = []
    for _ in range(2):
        with embedded(max_tokens=6) as client:
            replies += [client.ask(ASKED), client.ask(ASKED)]
    first = replies[0]
    assert first.text and replies == [first] * 4
    assert first.usage["completion_tokens"] <= 6
    assert first.model == MODEL["name"] and first.fingerprint.startswith("xllamacpp 2")


def test_a_reply_keeps_to_the_form_that_is_asked_for_and_a_question_to_the_context() -> None:
    with embedded(max_tokens=40, context=512) as client:
        assert json.loads(client.ask(ASKED, form=FORM).text).keys() == {"fruit", "sweet"}
        with pytest.raises(PromptTooLong, match="context"):
            client.ask([{"role": "user", "content": "apple " * 1000}])


def test_who_has_not_the_key_is_not_answered() -> None:
    with embedded(max_tokens=1) as client:
        client.ask(ASKED)
        url = client._servers[0].url
        assert url.startswith("http://127.0.0.1:")
        refused = httpx.post(f"{url}/chat/completions", json={"messages": ASKED}, trust_env=False)
    assert refused.status_code == 401
    with pytest.raises(httpx.ConnectError):
        httpx.get(url, trust_env=False)


def test_weights_that_are_missing_or_broken_are_named(tmp_path: Path) -> None:
    client = client_for(MODEL | PLAIN, tmp_path)
    assert client is not None
    with pytest.raises(ModelError, match=rf"{MODEL['file']} is missing; remove .* to fetch it again"):
        client.ask(ASKED)
    weights()
    (tmp_path / MODEL["file"]).write_bytes(b"GGUF no")
    with pytest.raises(ModelError, match="does not start"):
        client.ask(ASKED)


ASKER = """
import sys, time
from pathlib import Path
from tests.weights import MODEL, PLAIN
from webassay.llm.client import client_for
client = client_for(MODEL | PLAIN | {"max_tokens": 1}, Path(sys.argv[1]))
client.ask([{"role": "user", "content": "Hello"}])
print(client._server._process.pid, flush=True)
time.sleep(600)
"""


def test_the_server_ends_with_whoever_asked_even_if_that_is_killed() -> None:
    asker = subprocess.Popen(
        [sys.executable, "-c", ASKER, str(weights())], stdout=subprocess.PIPE, env=child_environment(), cwd=REPO
    )
    assert asker.stdout is not None
    with asker.stdout as told:
        server = psutil.Process(int(told.readline()))
    os.kill(asker.pid, signal.SIGKILL)
    asker.wait()
    until = time.monotonic() + 10
    while server.is_running() and server.status() != psutil.STATUS_ZOMBIE and time.monotonic() < until:
        time.sleep(0.05)
    assert not server.is_running() or server.status() == psutil.STATUS_ZOMBIE
