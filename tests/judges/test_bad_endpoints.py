"""Whatever an endpoint does to one trajectory: it stays ungraded with a reason, the others are judged, and next time
only it is."""

from pathlib import Path
from typing import Any

import pytest

from tests.judges.asked import answering, node, texts
from tests.judges.rubric.verifier import judge as rubric
from tests.judges.test_webjudge import judge as webjudge
from tests.judges.test_webvoyager import judge as webvoyager
from tests.llm.scripted import Said, completion, scripted
from webassay.judges.health.claims import known_claims
from webassay.judges.health.made import made
from webassay.judges.lifecycle import JUDGE_ERROR, Case, Court, Judgement
from webassay.judges.verify.crowd import judge_all

FAILURE = {"verdict": "failure", "evidence": [], "reason": "Not there."}
CLAIMS = known_claims(6, "endpoints")[::2]
VICTIM = CLAIMS[1]
PASSING = {
    "a page with status 200": Said("<html>Welcome</html>", content_type="text/html"),
    "broken JSON": Said('{"id": "1", "choices": [{"mess'),
    "no choices": Said('{"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": []}'),
    "a wrong key": Said('{"error": {"message": "Incorrect API key"}}', 401),
    "a rate limit": Said('{"error": {"message": "slow down"}}', 429),
    "a server that fails": Said("{}", 500),
    "a question too long": Said('{"error": {"message": "maximum context length"}}', 400),
}
FINAL = {
    "empty": completion(""),
    "refusal": completion("I'm sorry, but I can't help with that."),
    "truncated": completion('{"mark": "', "length"),
    "parse_failure": completion("I would click on the first result."),
}
"""What the model itself said: asking again is somebody's decision, not ours."""


def judged(folder: Path, built: Any) -> dict[str, Judgement]:
    cases: list[Case] = [made(claim, folder / claim.name) for claim in CLAIMS]
    court = Court(built, "judge-1", {"name": "judge"})
    return {case.task.task_id: row for case, row, _, _ in judge_all(cases, court, 3)}


def bad_for_one(said: Said) -> Any:
    fine = answering(lambda *_: FAILURE)
    return lambda request: said if VICTIM.intent in texts(request) else fine(request)


@pytest.mark.parametrize("how", PASSING)
def test_what_may_pass_is_judged_again_and_the_run_goes_on(tmp_path: Path, how: str) -> None:
    with scripted(bad_for_one(PASSING[how])) as server:
        rows = judged(tmp_path, webvoyager(tmp_path, server.url))
        row = rows.pop(VICTIM.name)
        assert (row.verification, row.score) == ("ungraded", None) and row.reason.startswith(JUDGE_ERROR)
        assert {other.score for other in rows.values()} == {0.0}
        asked = len(server.requests)
        server.answer = answering(lambda *_: FAILURE)
        assert judged(tmp_path, webvoyager(tmp_path, server.url))[VICTIM.name].score == 0.0
        assert len(server.requests) == asked + 1


@pytest.mark.parametrize("category", FINAL)
def test_what_the_model_said_stands_as_no_verdict(tmp_path: Path, category: str) -> None:
    with scripted(bad_for_one(FINAL[category])) as server:
        rows = judged(tmp_path, webvoyager(tmp_path, server.url))
        row = rows.pop(VICTIM.name)
        assert (row.verification, row.score) == ("ungraded", None)
        assert row.reason.startswith(f"abstained: {category}") and {other.score for other in rows.values()} == {0.0}
        asked = len(server.requests)
        assert judged(tmp_path, webvoyager(tmp_path, server.url))[VICTIM.name] == row and len(server.requests) == asked


@pytest.mark.parametrize("make", [webvoyager, webjudge, rubric])
def test_a_wrong_key_is_told_without_the_key(tmp_path: Path, make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_KEY", "sk-secret-1")
    with scripted(Said('{"error": {"message": "wrong key sk-secret-1"}}', 401)) as server:
        nodes = node(tmp_path, server.url)
        nodes["model"]["api_key_env"] = "JUDGE_KEY"
        rows = judged(tmp_path, make(tmp_path, **nodes))
    assert all(row.score is None and "wrong key [key]" in row.reason for row in rows.values())
    assert not any(b"sk-secret-1" in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
