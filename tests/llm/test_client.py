"""The client against a server that behaves, misbehaves or is not there, over real HTTP."""

import json
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from tests.llm.scripted import Said, completion, message, response, scripted
from webassay.core.answer import Usage, added
from webassay.core.processes import child_environment
from webassay.errors import ConfigError, EnvironmentFault, ModelError, PromptTooLong
from webassay.llm import endpoint
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
        (Said('{"choices": {"a": 1}}'), "shape: KeyError"),
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
    with scripted(refused) as server, pytest.raises(ConfigError, match=r"wrong key \[key\].*variable MY_KEY") as raised:
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
    [
        ({"api_key_env": "NO_SUCH_KEY"}, "NO_SUCH_KEY is not set"),
        ({"endpoints": []}, r"set model\.endpoints="),
        ({"endpoints": ["http://127.0.0.1:9/v1", "http://[bad/v1"]}, r"number 2 of model\.endpoints is no address"),
        ({"endpoints": ["http://127.0.0.1:99999/v1"]}, "is no address"),
        ({"endpoints": ["http://host:abc/v1"]}, "is no address"),
        ({"endpoints": ["host:8000/v1"]}, r"should look like http://host:port/v1"),
        ({"endpoints": [{"url": "http://a/v1", "key": "x"}]}, "unknown key key; known are url, api_key_env"),
        ({"endpoints": ["http://a/v1", "http://b/v1"], "api_key_env": "PATH"}, "is for a; say which key b gets"),
        ({"sampling": {"stream": True}}, r"model\.sampling\.stream cannot be set"),
    ],
)
def test_what_is_missing_is_named_with_the_way_out(settings: dict[str, Any], advice: str) -> None:
    with pytest.raises(ConfigError, match=advice):
        Client(model("http://127.0.0.1:9/v1") | settings).ask(ASKED)


def test_there_is_no_client_for_no_model() -> None:
    assert client_for({"name": "none"}) is None


RESPONSES = {"api": "responses"}
PARTS = [{"type": "text", "text": "See"}, {"type": "image_url", "image_url": {"url": "data:x", "detail": "high"}}]


def test_the_responses_api_takes_the_same_messages_and_gives_the_same_reply() -> None:
    messages = [{"role": "system", "content": "Be brief"}, {"role": "user", "content": PARTS}]
    with scripted(response({"type": "reasoning", "id": "r", "summary": []}, message("Three."))) as server:
        reply = Client(model(server.url, temperature=0.5, seed=1, max_tokens=9, **RESPONSES)).ask(messages)
    counts = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10, "reasoning_tokens": 1, "cached_tokens": 2}
    assert reply == Reply("Three.", "scripted-1", counts, "stop", "")
    sent = server.requests[0]
    image = {"type": "input_image", "image_url": "data:x", "detail": "high"}
    assert sent["input"] == [messages[0], {"role": "user", "content": [{"type": "input_text", "text": "See"}, image]}]
    assert (sent["temperature"], sent["max_output_tokens"], "seed" in sent) == (0.5, 9, False)
    assert server.paths == ["/v1/responses"]


@pytest.mark.parametrize(
    "said, reason",
    [
        (Said("<html>Welcome</html>", content_type="text/html"), "page or a text.*<html>Welcome"),
        (Said('{"id": "1", "output": [{"mess'), "not JSON"),
        (Said("{}"), "no output"),
        (Said('{"output": []}'), "no output"),
        (Said('{"output": "none"}'), "no output"),
        (Said('{"output": ["text"]}'), "no output"),
        (Said("[]"), "no response"),
        (response({"type": "message", "content": 3}), "shape: TypeError"),
        (response(message("x"), incomplete_details="x"), "shape: AttributeError"),
        (response(error={"code": "server_error", "message": "it fell over"}), "it fell over"),
        (Said('{"error": {"message": "slow down"}}', 429), "RateLimitError"),
    ],
)
def test_what_is_no_response_is_the_endpoints_fault_too(said: Said, reason: str) -> None:
    with scripted(said) as server, pytest.raises(ModelError, match=f"model small.*{server.url}.*{reason}"):
        Client(model(server.url, **RESPONSES)).ask(ASKED)


def test_a_response_that_was_cut_off_says_so() -> None:
    cut = response(message("Thr"), status="incomplete", incomplete_details={"reason": "max_output_tokens"})
    with scripted(cut) as server:
        assert Client(model(server.url, **RESPONSES)).ask(ASKED).finish_reason == "length"


def test_an_unknown_api_is_named() -> None:
    with pytest.raises(ConfigError, match=r"model\.api=telnet: unknown; known are chat, responses"):
        Client(model(nowhere(), api="telnet")).ask(ASKED)


@pytest.mark.parametrize("api", ["chat", "responses"])
def test_a_form_is_sent_to_those_alone_who_keep_to_it(api: str) -> None:
    form = {"type": "object"}
    with scripted(lambda _: completion("x") if api == "chat" else response(message("x"))) as server:
        for structured in (False, True):
            Client(model(server.url, api=api, structured=structured)).ask(ASKED, form=form)
    plain, formed = (json.dumps(request) for request in server.requests)
    assert "json_schema" not in plain and '"schema": {"type": "object"}' in formed


@pytest.mark.parametrize("garbled", [Said('{"choices": [{"mess'), Said('{"choices": []}'), Said("{}", 500)])
def test_what_may_be_better_the_next_time_is_asked_again(garbled: Said) -> None:
    said = iter([garbled, completion("at last")])
    with scripted(lambda _: next(said)) as server:
        client = Client(model(server.url, retries=1))
        assert client.ask(ASKED).text == "at last"
    assert len(server.requests) == 2 and client.waited > 0


@pytest.mark.parametrize(
    "said",
    [
        Said('{"error": {"message": "who are you"}}', 401),
        Said('{"error": {"message": "you are broke", "code": "insufficient_quota"}}', 429),
        Said("<html>", content_type="text/html"),
    ],
)
def test_what_will_not_change_is_asked_once(said: Said) -> None:
    with scripted(said) as server, pytest.raises((ModelError, ConfigError)):
        Client(model(server.url, retries=3)).ask(ASKED)
    assert len(server.requests) == 1


def test_an_endpoint_is_given_the_time_that_it_asks_for() -> None:
    said = iter([Said("{}", 429, headers={"Retry-After": "0.7"}), completion("now")])
    with scripted(lambda _: next(said)) as server:
        client, began = Client(model(server.url, retries=1)), time.monotonic()
        client.ask(ASKED)
    assert 0.7 <= client.waited <= time.monotonic() - began < 3


def test_an_endpoint_that_failed_comes_last_for_a_while_and_is_never_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    health = {"first": 500, "second": 200}
    first, second = (
        lambda _, name=name: completion(name) if health[name] == 200 else Said("{}", health[name]) for name in health
    )
    with scripted(first) as one, scripted(second) as two:
        client = Client(model(one.url, two.url))
        assert [client.ask(ASKED).text for _ in range(3)] == ["second"] * 3
        assert len(one.requests) == 1, "not asked in vain each time"
        health.update(first=200, second=500)
        assert client.ask(ASKED).text == "first", "but asked when nobody else answers"
        health.update(second=200)
        assert client.ask(ASKED).text == "first"
        health.update(first=500)
        assert client.ask(ASKED).text == "second"
        monkeypatch.setattr(endpoint.time, "monotonic", lambda now=time.monotonic: now() + endpoint.REST_SECONDS)
        health.update(first=200)
        assert client.ask(ASKED).text == "first"


def test_a_key_may_be_in_a_file_that_nobody_else_can_read(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text(f"{KEY}\n")
    with scripted(completion("x")) as server:
        file.chmod(0o644)
        with pytest.raises(ConfigError, match=r"others may read the key in .*chmod 600"):
            Client(model(server.url, api_key_file=str(file))).ask(ASKED)
        file.chmod(0o600)
        Client(model(server.url, api_key_file=str(file))).ask(ASKED)
        assert server.headers[0]["authorization"] == f"Bearer {KEY}"
        file.write_text("two words")
        with pytest.raises(ConfigError, match="should hold the key and nothing else"):
            Client(model(server.url, api_key_file=str(file))).ask(ASKED)
    with pytest.raises(ConfigError, match="cannot be read"):
        Client(model(server.url, api_key_file=str(tmp_path / "gone"))).ask(ASKED)


def test_what_a_call_cost_is_counted_where_prices_are_given() -> None:
    counts = {"prompt_tokens": 1000, "completion_tokens": 100, "cached_tokens": 400}
    once = added(None, counts, {"prompt": 2.0, "completion": 10.0, "cached": 0.5})
    assert once.cost == pytest.approx((600 * 2 + 400 * 0.5 + 100 * 10) / 1e6)
    twice = added(once, counts, {"prompt": 2.0, "completion": 10.0, "cached": None})
    assert twice.cost == pytest.approx(once.cost + (1000 * 2 + 100 * 10) / 1e6) and twice.num_calls == 2
    assert added(None, counts) == Usage(1000, 100), "not 0: unknown"


def limited(tmp_path: Path, url: str, **limits: int) -> dict[str, Any]:
    return model(url, limits={"file": str(tmp_path / "rates" / "rates.sqlite3")} | limits)


ASKER = """
import json, sys
from webassay.llm.client import Client
client = Client(json.loads(sys.argv[1]))
for _ in range(int(sys.argv[2])):
    client.ask([{"role": "user", "content": "x"}])
"""


def test_requests_a_minute_are_those_of_all_processes(tmp_path: Path) -> None:
    with scripted(completion("x")) as server:
        node = json.dumps(limited(tmp_path, server.url, requests_per_minute=5))
        command = [sys.executable, "-c", ASKER, node, "3"]
        askers = [subprocess.Popen(command, env=child_environment()) for _ in range(2)]
        deadline = time.monotonic() + 30
        while len(server.requests) < 5 and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(1.5)
        left = [asker.poll() is None for asker in askers]
        for asker in askers:
            asker.kill()
            asker.wait()
    assert len(server.requests) == 5 and any(left), "the sixth waits for the minute to end"


def test_the_next_question_pays_for_the_tokens_of_those_before(tmp_path: Path) -> None:
    with scripted(completion("x")) as server:
        client = Client(limited(tmp_path, server.url, tokens_per_minute=25))
        asker = threading.Thread(target=lambda: [client.ask(ASKED) for _ in range(9)], daemon=True)
        asker.start()
        asker.join(1.5)
        assert asker.is_alive() and len(server.requests) == 3, "10, 20, and with 30 the minute's are spent"


def test_so_many_at_a_time_and_no_more(tmp_path: Path) -> None:
    now, most = [0], [0]

    def slow(_: Any) -> Said:
        now[0] += 1
        most[0] = max(most[0], now[0])
        time.sleep(0.1)
        now[0] -= 1
        return completion("x")

    with scripted(slow) as server:
        client = Client(limited(tmp_path, server.url, concurrent=2))
        askers = [threading.Thread(target=client.ask, args=(ASKED,)) for _ in range(6)]
        for asker in askers:
            asker.start()
        for asker in askers:
            asker.join()
    assert most == [2] and len(server.requests) == 6


def test_half_a_surrogate_pair_that_a_page_has_shown_is_no_fault_of_the_endpoint() -> None:
    with scripted(lambda _: completion("Seen.")) as server:
        asked = [{"role": "user", "content": "a page named \ud83d"}]
        assert Client(model(server.url)).ask(asked).text == "Seen."
    assert server.requests[0]["messages"][0]["content"] == "a page named ?"


def test_each_endpoint_gets_its_own_key_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FIRST_KEY", "sk-first-key-1")
    (tmp_path / "key").write_text("sk-second-key-2")
    (tmp_path / "key").chmod(0o600)
    broken = Said("{}", 500)
    with scripted(broken) as one, scripted(broken) as two, scripted(completion("x")) as three:
        second = {"url": two.url, "api_key_file": str(tmp_path / "key")}
        node = model(one.url, second, {"url": three.url, "api_key_env": None}, api_key_env="FIRST_KEY")
        assert Client(node).ask(ASKED).text == "x"
    sent = [server.headers[0]["authorization"].removeprefix("Bearer ") for server in (one, two, three)]
    assert sent == ["sk-first-key-1", "sk-second-key-2", endpoint.NO_KEY]
    assert endpoint.known_keys(node) == ["sk-first-key-1", "sk-second-key-2"]


def test_a_busy_endpoint_is_left_for_an_idle_one_at_once() -> None:
    with scripted(Said("{}", 429, headers={"Retry-After": "90"})) as busy, scripted(completion("idle")) as idle:
        client = Client(model(busy.url, idle.url, retries=3))
        assert [client.ask(ASKED).text for _ in range(2)] == ["idle", "idle"]
    assert len(busy.requests) == 1 and client.waited < 30


IN_AN_HOUR = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 3600))


@pytest.mark.parametrize(
    "headers, least, most",
    [
        ({"Retry-After": IN_AN_HOUR}, 120, 120),
        ({"Retry-After": "Thu, 01 Jan 1970 00:00:00 GMT"}, 0, 0),
        ({"Retry-After": "100000"}, 120, 120),
        ({"Retry-After": "nan"}, 0, 0),
        ({"Retry-After": "-5"}, 0, 0),
        ({"Retry-After": "soon"}, 0, 0),
        ({"Retry-After": "9", "Retry-After-Ms": "1500"}, 1.5, 1.5),
    ],
)
def test_the_wait_that_is_asked_for_is_read_in_all_its_forms(
    headers: dict[str, str], least: float, most: float
) -> None:
    with scripted(Said("{}", 429, headers=headers)) as server:
        asked = endpoint.endpoints_of(model(server.url))[0]
        with pytest.raises(endpoint.Passing) as raised:
            asked.ask(put)
    assert least <= raised.value.wait <= most


def put(openai: Any) -> Any:
    return openai.chat.completions.create(model="x", messages=ASKED)


@pytest.mark.parametrize("status", [401, 403])
def test_a_key_that_nobody_takes_stops_the_run_and_is_named(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    with scripted(Said('{"error": {"message": "no"}}', status)) as server:
        with pytest.raises(ConfigError, match=r"no endpoint takes its key.*environment variable MY_KEY"):
            Client(model(server.url, api_key_env="MY_KEY")).ask(ASKED)
        with pytest.raises(ConfigError, match=r"is sent no key; name one by model\.api_key_env"):
            Client(model(server.url)).ask(ASKED)
        with pytest.raises(ModelError):
            Client(model(server.url, nowhere())).ask(ASKED)


def test_a_question_that_is_forbidden_after_others_were_not_stops_no_run() -> None:
    said = iter([completion("x"), Said("a firewall's page", 403, "text/html")])
    with scripted(lambda _: next(said)) as server:
        client = Client(model(server.url))
        client.ask(ASKED)
        with pytest.raises(ModelError, match="PermissionDenied"):
            client.ask(ASKED)


POLICIES = [
    {"code": "content_filter", "message": "The response was filtered"},
    {"message": "Invalid prompt: your prompt was flagged as potentially violating our usage policy."},
    {"message": "triggering Azure OpenAI's content management policy"},
]


@pytest.mark.parametrize("api", ["chat", "responses"])
@pytest.mark.parametrize("error", POLICIES)
def test_a_question_that_a_service_declines_is_answered_by_nothing(error: dict[str, str], api: str) -> None:
    with scripted(Said(json.dumps({"error": error}), 400)) as server, scripted(completion("x")) as spare:
        reply = Client(model(server.url, spare.url, api=api, retries=2)).ask(ASKED)
    assert (reply.text, reply.finish_reason) == ("", "content_filter")
    assert (len(server.requests), spare.requests) == (1, [])


@pytest.mark.parametrize("reason, told", [("max_output_tokens", "length"), ("content_filter", "content_filter")])
def test_a_response_cut_off_before_its_first_word_is_an_empty_answer(reason: str, told: str) -> None:
    with scripted(response(status="incomplete", incomplete_details={"reason": reason})) as server:
        reply = Client(model(server.url, **RESPONSES)).ask(ASKED)
    assert (reply.text, reply.finish_reason) == ("", told)


def test_tools_are_sent_and_a_call_that_the_server_took_out_is_put_back_into_the_text() -> None:
    said = json.loads(completion("I see it.").body)
    function = {"name": "computer_use", "arguments": '{"action": "terminate"}'}
    broken = {"name": "computer_use", "arguments": '{"action'}
    said["choices"][0]["message"]["tool_calls"] = [
        {"id": str(number), "type": "function", "function": one} for number, one in enumerate([function, broken])
    ]
    tool = {"type": "function", "function": {"name": "computer_use", "parameters": {"type": "object"}}}
    with scripted(Said(json.dumps(said))) as server:
        text = Client(model(server.url)).ask(ASKED, tools=[tool]).text
    assert server.requests[0]["tools"] == [tool]
    call = '<tool_call>\n{"name": "computer_use", "arguments": {"action": "terminate"}}\n</tool_call>'
    assert text.startswith(f"I see it.\n{call}\n<tool_call>") and '"{\\"action"' in text


@pytest.mark.parametrize("api", ["chat", "responses"])
def test_what_else_a_model_is_to_be_told_is_sent_as_it_is(api: str) -> None:
    more = {"max_completion_tokens": 9, "reasoning_effort": "low", "top_k": 3}
    with scripted(completion("x") if api == "chat" else response(message("x"))) as server:
        Client(model(server.url, api=api, sampling=more)).ask(ASKED)
    assert more.items() <= server.requests[0].items()


def test_counts_below_nothing_are_nothing() -> None:
    said = json.loads(completion("x").body)
    said["usage"]["prompt_tokens"] = -1_000_000
    with scripted(Said(json.dumps(said))) as server:
        assert Client(model(server.url)).ask(ASKED).usage["prompt_tokens"] == 0


@pytest.mark.parametrize("per_minute", [500, 1500, 1999, 2500])
def test_a_debt_larger_than_a_minutes_tokens_is_paid_over_several(tmp_path: Path, per_minute: int) -> None:
    with scripted(completion("x")) as server:
        client = Client(limited(tmp_path, server.url, tokens_per_minute=per_minute))
        client._rates.cost(2 * per_minute)
        asker = threading.Thread(target=client.ask, args=(ASKED,), daemon=True)
        asker.start()
        asker.join(1.5)
        assert asker.is_alive() and server.requests == []
