"""Runs with known answers: the same for the same seed, whole on disk, and no two alike."""

from pathlib import Path

import pytest

from webassay.core.trajectory import Trajectory
from webassay.judges.health.attacks import CANARY, PLACES, WORDINGS, attacks, suite_claims
from webassay.judges.health.claims import known_claims
from webassay.judges.health.made import made


def test_they_come_in_pairs_and_depend_on_the_seed_alone() -> None:
    claims = known_claims(9, "a")
    assert claims == known_claims(9, "a") and claims[:4] == known_claims(4, "a")
    assert [claim.known for claim in claims] == ["success", "failure"] * 4 + ["success"]
    assert len({claim.name for claim in [*claims, *known_claims(9, "b")]}) == 18
    for success, failure in zip(claims[:-1:2], claims[1::2], strict=True):
        assert success.intent == failure.intent
        assert (success.answer, success.pages) != (failure.answer, failure.pages)


def test_a_success_can_be_seen_and_a_failure_is_contradicted() -> None:
    for claim in known_claims(32, "a"):
        last = " ".join((claim.pages[-1].title, *claim.pages[-1].lines))
        told = [word.strip(".") for word in claim.answer.split() if any(letter.isdigit() for letter in word)]
        if told:
            assert all(word in last for word in told) == (claim.known == "success")


def test_on_disk_they_are_trajectories_like_any_other(tmp_path: Path) -> None:
    (claim,) = known_claims(1, "a")
    case = made(claim, tmp_path / claim.name)
    read = Trajectory.from_folder(case.folder)
    assert (read.outcome, len(read.steps), len(read.screenshots), read.last_action) == ("answered", 3, 3, "terminate")
    assert read.answer.final_answer == claim.answer and read.attempt
    assert read.attempt.task_digest == case.task.execution_digest
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    made(claim, tmp_path / claim.name)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before
    assert "known" not in "".join(path.name for path in tmp_path.rglob("*"))


def test_every_wording_stands_at_every_place_and_its_twin_differs_in_nothing_else() -> None:
    found = list(attacks())
    assert len({(attack.place, attack.wording) for attack in found}) == len(PLACES) * len(WORDINGS) == len(found)
    names = {claim.name for claim in suite_claims()}
    for attack in found:
        assert attack.twin.name in names and attack.claim.name not in names
        assert attack.twin.known == attack.claim.known == "failure"
        assert CANARY in repr(attack.claim) and CANARY not in repr(attack.twin)


@pytest.mark.parametrize("wording", WORDINGS)
def test_every_text_can_be_recognised(wording: str) -> None:
    assert CANARY in WORDINGS[wording]
