"""Conventions of reading labels: what counts as success, what a missing verdict is, who is compared with whom."""

from dataclasses import replace

import pytest

from webassay.errors import LabelsError
from webassay.stats.labels import Kind, Label
from webassay.stats.ratings import NONE, Convention, Ratings, read_ratings


def labels(**raters: str) -> list[Label]:
    """A letter for each item: s(uccess), f(ailure), x (not executable), - (no row), blank (an empty label)."""
    words = {"s": "success", "f": "failure", "x": "not executable", " ": ""}
    return [
        Label(f"t{at}", name, words.get(letter, letter), kind(name), where=f"labels.csv, {name} {at}")
        for name, letters in raters.items()
        for at, letter in enumerate(letters)
        if letter != "-"
    ]


def kind(name: str) -> Kind:
    return "human" if name.startswith("human") else "judge"


def read(convention: Convention, **raters: str) -> Ratings:
    (found,) = read_ratings(labels(**raters), convention)
    return found


PUBLISHED = Convention(failure=("failure", "not executable"), missing="failure")


def test_a_judge_s_missing_verdict_is_dropped_or_a_failure_and_people_s_stay_unknown() -> None:
    given = {"human": "sss-", "judge": "s- f"}
    assert read(Convention(), **given).codes.tolist() == [[1, 1], [1, NONE], [1, NONE], [NONE, 0]]
    filled = read(PUBLISHED, **given)
    assert filled.codes.tolist() == [[1, 1], [1, 0], [1, 0], [NONE, 0]]
    assert filled.given.tolist() == [[True, True], [True, False], [True, False], [False, True]]


def test_what_was_not_executable_is_failure_or_no_label_as_is_said() -> None:
    given = {"judge": "sff", "human": "sxf"}
    assert read(PUBLISHED, **given).codes[:, 1].tolist() == [1, 0, 0]
    assert read(Convention(excluded=("not executable",)), **given).codes[:, 1].tolist() == [1, NONE, 0]
    with pytest.raises(LabelsError, match=r"labels.csv, human 1: unknown label 'not executable'.*\.excluded"):
        read(Convention(), **given)


def test_people_are_the_second_of_a_pair_and_a_consensus_never_meets_its_members() -> None:
    found = read(Convention(), one="sf", human="ss", two="ff", human2="fs")
    names = [rater.name for rater in found.raters]
    assert names[-1] == "consensus of 2 judges" and found.codes[:, -1].tolist() == [NONE, 0]
    assert [(names[a], names[b]) for a, b in found.pairs()] == [
        ("one", "human"), ("two", "human"), ("consensus of 2 judges", "human"),
        ("one", "human2"), ("two", "human2"), ("consensus of 2 judges", "human2"),
        ("one", "two"), ("human", "human2"),
    ]  # fmt: skip


@pytest.mark.parametrize("raters", [{"one": "sf", "two": "ff"}, {"one": "sf", "human": "ff"}])
def test_no_consensus_without_two_judges_and_people(raters: dict[str, str]) -> None:
    assert not any(rater.derived for rater in read(Convention(), **raters).raters)


def test_labels_may_be_categories() -> None:
    found = read(Convention(success=()), ada="abc", bo="acc")
    assert found.values == ("a", "b", "c") and not found.binary
    assert found.codes.tolist() == [[0, 0], [1, 2], [2, 2]]


def test_each_category_is_a_question_of_its_own() -> None:
    both = [replace_category(label, name) for name in ("a", "b") for label in labels(ada="sf", bo="ss")]
    assert [part.category for part in read_ratings(both, Convention())] == ["a", "b"]


def replace_category(label: Label, category: str) -> Label:
    return Label(label.item, label.rater, label.label, label.kind, category)


def test_an_item_s_cluster_and_strata_hold_for_all_its_rows() -> None:
    rows = [
        Label("t1", "one", "success", cluster="c", strata={"stratum": "easy"}),
        Label("t2", "one", "success", cluster="c"),
        Label("t3", "one", "success"),
        *(Label(f"t{at}", "two", "success") for at in (1, 2, 3)),
    ]
    (found,) = read_ratings(rows, Convention())
    assert found.clusters[0] == found.clusters[1] != found.clusters[2]
    assert found.strata["stratum"].tolist() == ["easy", "", ""]


@pytest.mark.parametrize(
    "convention, raters, message",
    [
        (Convention(), {"one": "sf"}, "one is the only rater"),
        (Convention(success=()), {"ada": "aa", "bo": "aa"}, "every label is a"),
    ],
)
def test_one_rater_or_one_category_cannot_agree(convention: Convention, raters: dict[str, str], message: str) -> None:
    with pytest.raises(LabelsError, match=f"labels.csv, .*{message}"):
        read(convention, **raters)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"failure": ("success",)}, "'success' is in two of"),
        ({"missing": "guess"}, "known are drop, failure"),
        ({"success": (), "missing": "failure"}, "needs labels of success"),
    ],
)
def test_a_convention_that_contradicts_itself_is_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(LabelsError, match=message):
        replace(Convention(), **change)  # type: ignore[arg-type]
