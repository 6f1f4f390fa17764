"""Finding trajectories in whatever somebody points at."""

import os
from pathlib import Path

import pytest

from tests.report.analysis.folders import make
from webassay.errors import ConfigError, WebassayError
from webassay.report.analysis.places import WEBEVAL_ROUNDS, places_under, short_names


def found(*paths: Path, **asked: int | str) -> list[tuple[str, str]]:
    return [(place.folder.name, Path(place.run).name) for place in places_under(list(map(str, paths)), **asked)]  # type: ignore[arg-type]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run of webassay, with an attempt in progress and one set aside."""
    home = tmp_path / "runs" / "sys" / "0"
    make(home / "traj" / "b")
    make(home / "traj" / "a")
    make(home / "traj" / "a" / "attempts" / "0")
    (home / "traj" / "empty").mkdir()
    make(home / "running" / "a")
    make(home / "superseded" / "a" / "1234")
    (home / "traj" / "verify_report.jsonl").touch()
    return home


WHOLE = [("a", "0"), ("b", "0"), ("empty", "0")]


@pytest.mark.parametrize("asked", [".", "traj", "..", "../..", "traj/.."])
def test_a_run_is_found_from_wherever_one_points(run: Path, asked: str) -> None:
    assert found(run / asked) == WHOLE


def test_from_inside_too(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(run / "traj")
    assert found(Path(".")) == WHOLE


def test_one_trajectory_and_folders_without_traj(tmp_path: Path) -> None:
    make(tmp_path / "mine" / "t1")
    make(tmp_path / "mine" / "t2")
    (tmp_path / "mine" / "notes").mkdir()
    assert found(tmp_path / "mine") == [("t1", "mine"), ("t2", "mine")]
    assert found(tmp_path / "mine" / "t2") == [("t2", "mine")]


def test_what_is_named_twice_counts_once(run: Path) -> None:
    (run.parent / "latest").symlink_to(run)
    (run / "traj" / "c").symlink_to(run / "traj")
    assert found(run, run.parent, run / "traj" / "a", run) == WHOLE


def test_an_empty_tree_has_none_and_a_missing_one_is_an_error(tmp_path: Path) -> None:
    assert found(tmp_path) == []
    with pytest.raises(WebassayError, match="no such folder"):
        found(tmp_path / "gone")


def test_rounds_are_those_of_the_run(run: Path) -> None:
    assert {place.max_rounds for place in places_under([str(run)])} == {WEBEVAL_ROUNDS}
    (run / "run.yaml").write_text("system: {max_rounds: 30}")
    assert {place.max_rounds for place in places_under([str(run)])} == {30}
    assert {place.max_rounds for place in places_under([str(run)], max_rounds=7)} == {7}


@pytest.mark.parametrize("text", ["", "[]", "system: 3", "system: {max_rounds: many}", "a: [", "!!python/object:x {}"])
def test_a_run_that_does_not_say_is_asked_for(run: Path, text: str) -> None:
    (run / "run.yaml").write_text(text)
    with pytest.raises(ConfigError, match="--max-rounds"):
        found(run)


@pytest.mark.parametrize(
    "runs, names",
    [
        (["r/a/m/0"], ["r/a/m/0"]),
        (["r/a/m/0", "r/b/m/0"], ["a", "b"]),
        (["r/a/m/0", "r/a/m/1", "r/b/m/0"], ["a/0", "a/1", "b/0"]),
        (["r/a", "r/b/c"], ["a", os.path.join("b", "c")]),
        ([], []),
    ],
)
def test_names_say_what_differs(runs: list[str], names: list[str]) -> None:
    assert list(short_names(runs).values()) == names
