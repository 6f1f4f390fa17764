"""Trajectories that somebody, or a broken disk, has written into: read, or refused by name, and never touched."""

import random
import shutil
from pathlib import Path

import pytest

from tests.core.test_generations import ECHOVERSE, FARA, FARA_TEXT_ONLY, SOLVER, make
from webassay.core.trajectory import Trajectory, evidence_digest
from webassay.errors import TrajectoryError

FEW, MANY = 500, 50_000
SIZES = [pytest.param(FEW, id="few"), pytest.param(MANY, id="many", marks=pytest.mark.slow)]
GENERATIONS = (FARA, FARA_TEXT_ONLY, SOLVER, ECHOVERSE)
PIECES = (
    b"", b"\n", b"\r", b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"null", b"NaN", b"-1e999", b"1" * 5000, b"[" * 3000,
    b'{"a":' * 3000,
    b'"action": 7, ', b'"arguments": [1], ', b'"screenshots": ["../../etc/passwd"], ', b'"is_aborted": "yes", ',
    b'"token_usage": {"a": 5}, ', b'"token_usage": {"a": {"prompt_tokens": true}}, ',
    b"\\ud800", b"with arguments {", b"Thought #1:", b"\nAction #", b"}" * 50, b'"', b",",
)  # fmt: skip


def mutated(content: bytes, rng: random.Random) -> bytes:
    for _ in range(rng.randint(1, 4)):
        start = rng.randint(0, len(content))
        end = min(len(content), start + rng.choice([0, 0, 1, 5, 50, 5000]))
        content = content[:start] + rng.choice(PIECES) + content[end:]
    return content


@pytest.mark.parametrize("count", SIZES)
def test_hostile_trajectories(tmp_path: Path, count: int) -> None:
    rng = random.Random(20261118)
    folder = tmp_path / "t"
    answer = {"final_answer": "x", "screenshots": ["screenshot_1.png"], "token_usage": {"a": {"prompt_tokens": 1}}}
    for number in range(count):
        if number % 50 == 0:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder, GENERATIONS[number // 50 % len(GENERATIONS)], answer, "screenshot_1.png")
            (folder / "times.json").write_text('{"start_time": 1.0, "end_time": 2.0, "duration": 1.0}')
            (folder / "scores").mkdir()
            (folder / "scores" / "gpt_eval.json").write_text('{"score": 1.0, "gpt_response_text": "x"}')
            whole = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        target = rng.choice(list(whole))
        target.write_bytes(mutated(whole[target], rng))
        _read(folder)
        target.write_bytes(whole[target])


def _read(folder: Path) -> None:
    before = evidence_digest(folder)
    try:
        found = Trajectory.from_folder(folder)
    except TrajectoryError as error:
        assert str(folder) in str(error)
        found = Trajectory.from_folder(folder, strict=False)
        assert found.problems
    assert all(path.parent == folder for path in found.screenshots)
    assert len(found.actions) == len(found.thoughts) == len(found.steps)
    assert found.outcome in ("answered", "over_budget", "aborted")
    assert found.score is None or isinstance(found.score, float)
    assert found.times is None or found.times.duration is not None
    assert isinstance(found.answer.usage, dict) and evidence_digest(folder) == before
