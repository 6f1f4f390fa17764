"""The client against a server that behaves, misbehaves or is not there, over real HTTP."""

import json
import socket
from typing import Any

import pytest

from tests.llm.scripted import Said, completion, scripted
from webassay.errors import ConfigError, EnvironmentFault, ModelError, PromptTooLong
from webassay.llm.client import Client, Reply, client_for

ASKED = [{"role": "user", "content": "How many?"}]
KEY = "sk-very-secret-indeed"


def model(*endpoints: str, **settings: Any) -> dict[str, Any]:
    plain = {"name": "small", "temperature": None, "top_p": None, "max_tokens": None, "seed": None}
    return plain | {"endpoints": list(endpoints), "api_key_env": None, "timeout": 5.0, "retries": 0} | settings


def nowhere() -> str:
    """An endpoint at which nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}/v1"


def test_a_reply_has_text_usage_and_the_models_own_name() -> None:
    with scripted(completion("Three.")) as server:
        reply = Client(model(server.url)).ask(ASKED)
    usage = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
    assert reply == Reply("Three.", "scripted-1", usage, "stop", "set-up-1")
    assert server.requests == [{"model": "small", "messages": ASKED}], "what is not configured is not sent"


def test_sampling_parameters_are_sent_and_the_caller_may_ask_for_less() -> None:
    with scripted(completion("x")) as server:
        Client(model(server.url, temperature=0.0, seed=3, max_tokens=100)).ask(ASKED, max_tokens=5)
    sent = {key: value for key, value in server.requests[0].items() if key not in ("model", "messages")}
    assert sent == {"temperature": 0.0, "seed": 3, "max_tokens": 5}


@pytest.mark.parametrize(
    "said, reason",
    [
        (Said("<html>Welcome</html>", content_type="text/html"), "page or a text.*<html>Welcome"),
        (Said('{"id": "1", "choices": [{"mess'), "not JSON"),
        (Said("{}"), "no choices"),
        (Said('{"choices": []}'), "no choices"),
        (Said('{"choices": null}'), "no choices"),
        (Said('{"choices": "none"}'), "no message"),
        (Said('{"choices": [{}]}'), "no message"),
        (Said('{"choices": [{"message": {"content": ["a"]}}]}'), "no message"),
        (Said("[]"), "no choices"),
        (Said('{"error": {"message": "unknown model"}}', 404), "NotFoundError.*unknown model"),
        (Said('{"error": {"message": "overloaded"}}', 500), "InternalServerError"),
        (Said('{"error": {"message": "slow down"}}', 429), "RateLimitError"),
    ],
)
def test_an_answer_that_is_no_completion_is_the_endpoints_fault(said: Said, reason: str) -> None:
    with scripted(said) as server, pytest.raises(ModelError, match=f"model small.*{server.url}.*{reason}") as raised:
        Client(model(server.url)).ask(ASKED)
    assert isinstance(raised.value, EnvironmentFault)


@pytest.mark.parametrize(
    "message",
    [
        "This model's maximum context length is 8192 tokens.",
        "request (9000 tokens) exceeds the available context size (8192 tokens)",
    ],
)
def test_a_question_beyond_the_context_is_known_as_that_and_asked_nowhere_else(message: str) -> None:
    said = Said(json.dumps({"error": {"message": message}}), 400)
    with scripted(said) as server, scripted(completion("x")) as spare, pytest.raises(PromptTooLong, match="context"):
        Client(model(server.url, spare.url)).ask(ASKED)
    assert spare.requests == []


def test_a_model_that_says_nothing_has_answered() -> None:
    with scripted(completion(None)) as server:
        assert Client(model(server.url)).ask(ASKED).text == ""


def test_endpoints_are_tried_in_order() -> None:
    with scripted(Said("{}", 503)) as busy, scripted(completion("second")) as well, scripted(completion("x")) as spare:
        assert Client(model(nowhere(), busy.url, well.url, spare.url)).ask(ASKED).text == "second"
    assert (len(busy.requests), len(spare.requests)) == (1, 0)


def test_all_endpoints_that_failed_are_named() -> None:
    gone, silent = nowhere(), nowhere()
    with pytest.raises(ModelError, match=f"{gone}.*refused.*{silent}.*refused"):
        Client(model(gone, silent)).ask(ASKED)


def test_a_passing_failure_is_tried_again() -> None:
    said = iter([Said("{}", 500), completion("at last")])
    with scripted(lambda _: next(said)) as server:
        assert Client(model(server.url, retries=1)).ask(ASKED).text == "at last"


def test_the_key_comes_from_the_named_variable_and_is_in_no_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-another")
    refused = Said(f'{{"error": {{"message": "wrong key {KEY}"}}}}', 401)
    with scripted(refused) as server, pytest.raises(ModelError, match=r"wrong key \[key\]") as raised:
        Client(model(server.url, api_key_env="MY_KEY")).ask(ASKED)
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert KEY not in str(raised.value)


def test_no_key_of_the_environment_is_sent_unless_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY"):
        monkeypatch.setenv(variable, KEY)
    with scripted(completion("x")) as server:
        Client(model(server.url)).ask(ASKED)
    assert KEY not in str(server.headers)


def test_a_password_in_an_endpoint_is_not_shown() -> None:
    with pytest.raises(ModelError) as raised:
        Client(model(nowhere().replace("http://", f"http://ada:{KEY}@"))).ask(ASKED)
    assert KEY not in str(raised.value)


@pytest.mark.parametrize(
    "settings, advice",
    [({"api_key_env": "NO_SUCH_KEY"}, "NO_SUCH_KEY is not set"), ({"endpoints": []}, r"set model\.endpoints=")],
)
def test_what_is_missing_is_named_with_the_way_out(settings: dict[str, Any], advice: str) -> None:
    with pytest.raises(ConfigError, match=advice):
        Client(model("http://127.0.0.1:9/v1") | settings).ask(ASKED)


def test_there_is_no_client_for_no_model() -> None:
    assert client_for({"name": "none"}) is None
