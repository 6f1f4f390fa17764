"""Votes: drawn until the majority is sure, counted by a share that draws none."""

from hypothesis import given
from hypothesis import strategies as st

from webassay.judges.voting import Opinion, decide, draw

VOTES = st.lists(st.sampled_from([True, False, None]), min_size=1, max_size=9)


def opinions(values: list[bool | None]) -> list[Opinion]:
    return [Opinion(value, f"abstained: empty: {n}" if value is None else "", str(n)) for n, value in enumerate(values)]


@given(VOTES)
def test_stopping_early_never_turns_a_majority(values: list[bool | None]) -> None:
    every = opinions(values)
    drawn = draw(len(values), lambda number: every[number])
    assert drawn == every[: len(drawn)]
    rest = len(values) - len(drawn)
    lead = sum(one.success is True for one in every) - sum(one.success is False for one in every)
    if rest:
        early = sum(one.success is True for one in drawn) - sum(one.success is False for one in drawn)
        assert abs(early) > rest and (lead > 0) == (early > 0)


@given(VOTES, st.sampled_from([0.5, 0.6, 0.9]))
def test_a_verdict_has_its_share_and_abstentions_agree_with_nobody(values: list[bool | None], agreement: float) -> None:
    final = decide(opinions(values), agreement)
    if final.success is None:
        assert final.reason.startswith("abstained: ")
        assert max(values.count(True), values.count(False)) <= agreement * len(values) or (
            values.count(True) == values.count(False)
        )
    else:
        assert values.count(final.success) > agreement * len(values)
