"""Whatever a model says, a judge comes to a verdict or to none; it never breaks."""

from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.judges.asked import TASK, answering, node, trajectory
from tests.judges.rubric.verifier import FORMS, Verifier, task
from tests.judges.rubric.verifier import judge as rubric
from tests.judges.test_webjudge import judge as webjudge
from tests.judges.test_webvoyager import judge as webvoyager
from tests.llm.scripted import scripted
from webassay.core.verdict import Verdict

KEYS = st.sampled_from(["verdict", "evidence", "reason", "score", "key_points", "items", "scores", "findings", "notes"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda deeper: st.lists(deeper, max_size=3) | st.dictionaries(KEYS | st.text(max_size=5), deeper, max_size=3),
    max_leaves=8,
)
SAID = st.one_of(st.text(max_size=50), st.dictionaries(KEYS, VALUES, max_size=4))
MANY = settings(max_examples=25, deadline=None)


def is_honest(verdict: Verdict) -> bool:
    return (verdict.score is None) == (verdict.status == "error") and (verdict.status == "success") == (
        verdict.score == 1
    )


def test_judges_of_few_questions(tmp_path: Path) -> None:
    """`live`, so that each example is asked anew; one client for all, since making one takes longer than asking."""
    seen, said = trajectory(tmp_path / "t7", 2), list[Any]()
    with scripted(answering(lambda *_: said.pop())) as server:
        built = [make(tmp_path, **node(tmp_path, server.url, mode="live"), votes=3) for make in (webvoyager, webjudge)]

        @MANY
        @given(st.lists(SAID, min_size=9, max_size=9))
        def tried(replies: list[Any]) -> None:
            for judge in built:
                said[:] = replies
                assert is_honest(judge.judge(TASK, seen))

        tried()


def test_the_universal_verifier(tmp_path: Path) -> None:
    seen, verifier = trajectory(tmp_path / "t7", 2), Verifier()
    with scripted(answering(verifier)) as server:
        judge = rubric(tmp_path, **node(tmp_path, server.url, mode="live"), attempts=1)

        @MANY
        @given(st.sampled_from(sorted(FORMS)), SAID)
        def tried(step: str, said: Any) -> None:
            verifier.changed = {step: said}
            refusal = {"refusal": True} if step == "refusal" else {}
            assert is_honest(judge.judge(task(None, **refusal), seen))

        tried()
