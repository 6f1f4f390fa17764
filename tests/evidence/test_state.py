"""Probe rows before and after: whose fault a difference is, and that every cell counts."""

import json

import pytest

from webassay.errors import TrajectoryError
from webassay.evidence.changes import Change
from webassay.evidence.state import (
    Allowed,
    State,
    check_changed,
    check_recorded,
    check_seeded,
    check_side_effects,
    read_state,
    state_of,
)

BEFORE = ((1, "good", 4.0),)
AFTER = ((1, "good", 4.0), (2, "bad", None))
STATE = State({"reviews": BEFORE}, {"reviews": AFTER})


def after(*rows):
    return State({"reviews": BEFORE}, {"reviews": rows})


def test_the_expected_change():
    assert check_seeded("reviews", BEFORE, STATE).passed
    assert check_changed("reviews", AFTER, STATE).passed


def test_numbers_are_equal_by_value():
    assert check_changed("reviews", ((1.0, "good", 4), (2, "bad", None)), STATE).passed


@pytest.mark.parametrize(
    "rows, place",
    [
        (((1, "good", 4.0),), "[1]"),
        (((1, "good", 4.0), (2, "bad", None), (3, "more", 1.0)), "[2]"),
        (((1, "good", 4.5), (2, "bad", None)), "[0]"),
        (((1, "Good", 4.0), (2, "bad", None)), "[0]"),
        (((1, "good", 4.0), (2, "bad", 0)), "[1]"),
        (((1, "good", 4.0), (2, "bad", "")), "[1]"),
        (((1, "good", 4.0), ("2", "bad", None)), "[1]"),
        (((True, "good", 4.0), (2, "bad", None)), "[0]"),
        (((1, "good", 4.0), (2, "bad")), "[1]"),
        (((2, "bad", None), (1, "good", 4.0)), "[0]"),
        ((), "[0]"),
    ],
)
def test_any_other_row_fails_and_is_shown(rows, place):
    check = check_changed("reviews", AFTER, after(*rows))
    assert not check.passed
    assert check.evidence == f"state.json#after.reviews{place}" and place in check.reason


@pytest.mark.parametrize(
    "state, reason",
    [
        (None, "no state"),
        (State({}, {"reviews": AFTER}), "before"),
        (State({"reviews": BEFORE}, {}), "after"),
        (State({"reviews": AFTER}, {"reviews": AFTER}), "not in its seeded state"),
    ],
)
def test_what_the_harness_did_not_provide(state, reason):
    check = check_seeded("reviews", BEFORE, state)
    assert not check.passed and reason in check.reason


@pytest.mark.parametrize("state", [None, State({"reviews": BEFORE}, {})])
def test_no_rows_afterwards_is_no_pass(state):
    assert not check_changed("reviews", (), state).passed


def test_reads_the_recorded_file(tmp_path):
    path = tmp_path / "state.json"
    path.write_text(json.dumps({"before": {"reviews": BEFORE}, "after": {"reviews": AFTER}}))
    assert read_state(path) == STATE == state_of(json.loads(path.read_text()))


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", '{"before": {}}', '{"before": {"x": [1]}, "after": {}}', '{"before": {"x": [[{}]]}, "after": {}}'],
)
def test_a_broken_file_is_named(tmp_path, content):
    path = tmp_path / "state.json"
    path.write_text(content)
    with pytest.raises(TrajectoryError, match=str(path)):
        read_state(path)
    with pytest.raises(TrajectoryError):
        state_of({"before": {}})


def update(table, key, *columns):
    return Change(table, "update", key, dict.fromkeys(columns, 1), dict.fromkeys(columns, 2))


def insert(table, key):
    return Change(table, "insert", key, None, {"id": key})


MAY_ORDER = (
    Allowed("orders", "insert"),
    Allowed("lines", "insert", 2),
    Allowed("stock", "update", 1, ("free", "held")),
)


@pytest.mark.parametrize(
    "changes",
    [
        (),
        (insert("orders", 1),),
        (insert("orders", 1), insert("lines", 1), insert("lines", 2), update("stock", 4, "held")),
        (update("stock", 4, "held", "free"),),
    ],
)
def test_allowed_changes_are_no_side_effects(changes):
    assert check_side_effects(MAY_ORDER, changes).passed


@pytest.mark.parametrize(
    "changes, told",
    [
        ((insert("orders", 1), insert("orders", 2)), "1 side effect that the task does not allow: insert orders[2]"),
        ((insert("reviews", 1),), "insert reviews[1]"),
        ((update("stock", 4, "held", "price"),), "update stock[4] (held, price)"),
        ((update("stock", 4, "held"), update("stock", 5, "held")), "update stock[5] (held)"),
        ((Change("orders", "delete", 1, {"id": 1}, None),), "delete orders[1]"),
        (tuple(insert("x", key) for key in range(9)), "9 side effects"),
    ],
)
def test_everything_else_is_a_side_effect_and_listed(changes, told):
    check = check_side_effects(MAY_ORDER, changes)
    assert not check.passed and told in check.reason and check.evidence == "state.json#changes"
    assert check_side_effects((), changes).reason.startswith(str(len(changes)))


def test_a_wide_permission_is_kept_for_the_change_that_needs_it():
    allowed = (Allowed("stock", "update", 1, ("free", "held")), Allowed("stock", "update", 1, ("free",)))
    assert check_side_effects(allowed, (update("stock", 1, "free"), update("stock", 2, "free", "held"))).passed


@pytest.mark.parametrize("state, reason", [(None, "no state"), (STATE, "were not recorded")])
def test_changes_that_nobody_recorded_are_the_harness_fault(state, reason):
    check = check_recorded(state)
    assert not check.passed and reason in check.reason
    assert check_recorded(State({}, {}, ())).passed
