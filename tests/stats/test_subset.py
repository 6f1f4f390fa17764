"""Selection by rule: ranking, ties, caps, eligibility, what is appended, and the checksum of the release's form."""

from dataclasses import asdict, replace
from pathlib import Path

import msgspec
import numpy as np
import pandas as pd
import pytest

from tests.stats.pools import SETTINGS, simulated
from webassay.benchmarks.webarena_verified_hard import read_subset
from webassay.config.schema.analysis import Subset as Node
from webassay.core.files import write_json
from webassay.errors import ConfigError
from webassay.stats.subset import Caps, Subset, category_table, select, settings_of, subset_of

CAPS = SETTINGS.caps


def table(*rows: tuple[str, str, float, float], attempts: int = 8) -> pd.DataFrame:
    """task_id, category, p̂, π."""
    frame = pd.DataFrame(rows, columns=["task_id", "category", "p_hat", "pi"])
    return frame.assign(site="shop", template=frame["category"], attempts=attempts)


def taken(found: pd.DataFrame) -> list[str]:
    return found.loc[found["selected"], "task_id"].tolist()


def test_the_defaults_are_the_paper_s() -> None:
    assert Caps(0.20, 3, 2, 0.85, 4) == CAPS
    assert SETTINGS.ablations == (Caps(0.25, 4, 2, 0.85, 4), Caps(0.30, 5, 3, 0.80, 4))
    assert (SETTINGS.budget, SETTINGS.min_successes, SETTINGS.bootstrap) == (30, 30, 500)
    assert (SETTINGS.category_bootstrap, SETTINGS.category_confidence) == (2000, 0.9)


def test_the_most_surely_hard_come_first_then_the_hardest_then_the_lowest_number() -> None:
    rows = [
        ("10", "c", 0.3, 0.5),
        ("9", "c", 0.3, 0.5),
        ("8", "c", 0.2, 0.5),
        ("7", "c", 0.1, 0.4),
        ("6", "c", 0.9, 0.9),
    ]
    assert taken(select(table(*rows), CAPS)) == ["9", "8", "6"]


def test_the_cap_is_the_only_limit_and_each_category_has_its_own() -> None:
    rows = [(str(n), "c", 0.7, 0.0) for n in range(5)] + [(str(n), "d", 0.7, 0.0) for n in range(5, 7)]
    assert taken(select(table(*rows), CAPS)) == ["0", "1", "2", "5", "6"]


@pytest.mark.parametrize("median, count", [(0.849, 3), (0.85, 2)])
def test_a_category_is_very_easy_from_the_threshold_on(median: float, count: int) -> None:
    rows = [("0", "c", 0.1, 0.9), ("1", "c", median, 0.0), ("2", "c", 0.99, 0.0)]
    assert len(taken(select(table(*rows), CAPS))) == count


def test_the_same_category_on_two_sites_is_two() -> None:
    rows = table(*[(str(n), "c", 0.1, 0.9) for n in range(8)])
    rows["site"] = ["shop"] * 4 + ["forum"] * 4
    assert taken(select(rows, CAPS)) == ["0", "1", "2", "4", "5", "6"]


def test_tasks_that_few_agents_tried_are_not_taken_but_count_in_their_category() -> None:
    rows = table(("0", "c", 0.1, 0.9), ("1", "c", 0.95, 0.0), ("2", "c", 0.95, 0.0))
    rows["attempts"] = [3, 4, 4]
    found = select(rows, CAPS)
    assert taken(found) == ["1", "2"]
    assert found["very_easy"].all()


def test_no_eligible_task_is_an_error_with_the_way_out() -> None:
    with pytest.raises(ConfigError, match=r"by 4 agents \(at most by 2\).*min_agents=2"):
        select(table(("0", "c", 0.1, 0.9), attempts=2), CAPS)


@pytest.mark.parametrize("seed", range(3))
def test_whatever_the_numbers_no_cap_is_passed_and_no_room_is_left(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = [(str(n), str(rng.integers(9)), float(p), float(q)) for n, (p, q) in enumerate(rng.random((80, 2)).round(1))]
    found = select(table(*rows).sample(frac=1, random_state=seed), CAPS)
    for _, part in found.groupby("category"):
        cap = CAPS.cap_easy if part["very_easy"].iloc[0] else CAPS.cap
        assert part["selected"].sum() == min(cap, len(part))
        left = part.loc[~part["selected"], "pi"]
        assert left.empty or part.loc[part["selected"], "pi"].min() >= left.max()


def test_tasks_over_several_sites_are_appended_whole() -> None:
    _, pool = simulated(2, tasks=20)
    pool = replace(pool, several_sites=("700", "71"))
    selected = select(pool.tasks.assign(attempts=8, p_hat=0.1, pi=0.9), CAPS)
    subset = subset_of(selected, pool, "mine")
    assert {"700", "71"} < set(subset.task_ids)
    assert len(subset.task_ids) == selected["selected"].sum() + 2
    assert list(subset.task_ids) == sorted(subset.task_ids, key=int)


def test_the_file_reads_as_the_release_s_do(tmp_path: Path) -> None:
    path = tmp_path / "subset.json"
    write_json(path, Subset("mine", ("9", "10")).record())
    assert read_subset(path).task_ids == (9, 10)
    assert Subset("mine", ("9", "ten")).record()["task_ids"] == ["9", "ten"]
    assert Subset("mine", ("07",)).record()["task_ids"] == ["07"]


def test_a_category_of_one_task_has_no_interval() -> None:
    rows = table(("0", "c", 0.1, 0.9), ("1", "d", 0.2, 0.9), ("2", "d", 0.4, 0.9))
    found = category_table(select(rows, CAPS), 200, 0.9, np.random.default_rng(0))
    assert found["low"].isna().tolist() == [True, False]
    assert found.loc[1, ["low", "median_p_hat", "high"]].tolist() == pytest.approx([0.2, 0.3, 0.4])


@pytest.mark.parametrize(
    "change, key",
    [
        ({"bins": [2, 5]}, "bins"),
        ({"bins": [1, 5, 5]}, "bins"),
        ({"bins": [1, 40]}, "bins"),
        ({"budget": 0}, "budget"),
        ({"bootstrap": 1}, "bootstrap"),
        ({"category_confidence": 1.0}, "category_confidence"),
        ({"seed": -1}, "seed"),
        ({"caps": {**asdict(Node())["caps"], "tau_hard": 0.0}}, "caps.tau_hard"),
        ({"caps": {**asdict(Node())["caps"], "min_agents": 0}}, "caps.min_agents"),
        ({"ablations": [{**asdict(Node())["caps"], "cap": 0}]}, "ablations.cap"),
    ],
)
def test_settings_that_make_no_sense_are_named(change: dict[str, object], key: str) -> None:
    with pytest.raises(ConfigError, match=f"analysis.subset.*{key}"):
        settings_of(asdict(Node()) | change)


def test_settings_are_those_of_the_configuration_s_schema() -> None:
    assert msgspec.to_builtins(settings_of(asdict(Node()))).keys() == asdict(Node()).keys()
