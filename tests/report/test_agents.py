"""Agents side by side: the anchor, coverage, and what cannot be said of too little."""

import pandas as pd
import pytest

from tests.stats.outcomes import attempts
from webassay.errors import ConfigError
from webassay.report.agents import Comparison, compare, compare_each
from webassay.report.agents_table import comparison_data, comparison_shown, comparisons_note
from webassay.report.drawing import save
from webassay.report.figures import exploration_figure, paired_figure

TASKS = [(f"{template}{task}", template) for template in "abcdef" for task in range(2)]
IDS = [task for task, _ in TASKS]


def agent(*scores: float | None) -> pd.DataFrame:
    """The scores in turn, over and over."""
    return attempts([(task, template, scores[n % len(scores)]) for n, (task, template) in enumerate(TASKS)])


def shown(comparison: Comparison) -> pd.DataFrame:
    table = comparison_shown(comparison).set_index("agent")
    assert not table.map(lambda cell: "nan" in str(cell).lower() or "None" in str(cell)).any(axis=None)
    return table


def test_a_single_agent_has_rates_and_no_comparison() -> None:
    found = compare({"only": agent(1, 0, 0)}, IDS, 0.95)
    assert list(shown(found).columns) == ["coverage", "success %", "template-macro", "site-macro"]
    assert shown(found).loc["only", "site-macro"] == "33.3 ± n/a (S=1)"


def test_missing_tasks_are_seen_and_the_one_with_most_attempts_is_the_anchor() -> None:
    less = agent(1)[lambda rows: rows["template"] < "c"]
    found = compare({"less": less, "whole": agent(0, 1)}, IDS, 0.95)
    assert found.anchor == "whole"
    assert shown(found).loc["less", "coverage"] == "4/12"
    assert shown(found).loc["less", "− anchor"] == "50.0 ± n/a (T=2)"
    assert "where all of T=2 are 0 or all 100" in comparisons_note([found])
    assert "difference that all templates share has no spread" in comparisons_note([found])
    assert pd.isna(comparison_data(found)["matched_half_width"]).all()


def test_different_tasks_cannot_be_compared() -> None:
    rows = agent(1, 0)
    found = compare({"x": rows[rows["template"] < "c"], "y": rows[rows["template"] >= "c"]}, IDS, 0.95)
    assert shown(found).loc["x", "− anchor"] == "n/a (no common template)"
    assert shown(found).loc["x", "McNemar"] == "n/a"


def test_one_template_gives_no_interval() -> None:
    one = attempts([("1", "a", 1), ("2", "a", 0)])
    found = compare({"x": one, "y": one.assign(score=0.0)}, ["1", "2"], 0.95)
    table = shown(found)
    assert table.loc["x", "template-macro"] == "50.0 ± n/a (T=1)"
    assert table.loc["y", "− anchor"] == "−50.0 ± n/a (T=1)" and table.loc["y", "p (Holm)"] == "n/a"


@pytest.mark.parametrize("score, rate", [(0, "0.0 ± 0.0"), (1, "100.0 ± 0.0")])
def test_all_equal_outcomes_say_how_little_that_says(score: float, rate: str) -> None:
    found = compare({"x": agent(score), "y": agent(score)}, IDS, 0.95)
    assert shown(found).loc["x", "template-macro"].startswith(rate)
    assert (shown(found).loc["y", "p (Holm)"], shown(found).loc["y", "detectable"]) == ("n/a", "n/a")
    assert "where all of T=6 are 0 or all 100, the true rate may still be 49.9 points away" in comparisons_note([found])


def test_a_flat_rate_between_the_ends_has_no_bound() -> None:
    note = comparisons_note([compare({"x": agent(1, 0)}, IDS, 0.95)])
    assert "all templates agree" in note and "points away" not in note


def test_agents_of_other_tasks_have_a_difference_over_common_tasks_beside_it() -> None:
    first = agent(1)[lambda rows: rows["task_id"].str[1] == "0"]
    data = comparison_data(compare({"whole": agent(0, 1), "first": first}, IDS, 0.95)).set_index("agent")
    assert data.loc["first", ["difference", "matched_difference", "matched_templates"]].tolist() == [0.5, 1.0, 6]


def test_an_agent_that_nobody_could_judge_has_no_rate() -> None:
    table = shown(compare({"x": agent(1, 0), "y": agent(None)}, IDS, 0.95))
    assert table.loc["y", ["coverage", "success %", "template-macro"]].tolist() == ["0/12", "n/a", "n/a"]


def test_runs_are_counted_in_the_coverage() -> None:
    twice = pd.concat([agent(1, 0), agent(0, 1).assign(run_id="1")])
    assert shown(compare({"x": twice}, IDS, 0.95)).loc["x", "coverage"] == "24/24 (2 runs)"


def test_an_anchor_is_named_or_refused() -> None:
    groups = {"first": {"x": agent(1), "y": agent(0, 1)}, "second": {"x": agent(1)}}
    expected = dict.fromkeys(groups, IDS)
    found = compare_each(groups, expected, 0.95, "y")
    assert (found["first"].anchor, found["second"].anchor) == ("y", "x")
    with pytest.raises(ConfigError, match=r"analysis\.anchor=z: no such agent; there are x, y"):
        compare_each(groups, expected, 0.95, "z")


def test_counts_stay_whole_numbers_beside_empty_cells() -> None:
    found = comparison_data(compare({"x": agent(1, 0), "y": agent(0, 0, 1)}, IDS, 0.95))
    assert found.to_csv().count(",12,") == 3 and ",6," in found.to_csv()  # attempted, expected, common tasks; templates


def test_figures_have_the_same_bytes_each_time(tmp_path: object) -> None:
    found = {"tasks, judge": compare({"x_$": agent(1, 0), "y": agent(0, 0, 1), "z": agent(0)}, IDS, 0.95)}
    steps = agent(1, 0).assign(ratio=1.5, kind="achievable")
    written = []
    for folder in (tmp_path / "a", tmp_path / "b"):  # type: ignore[operator]
        save(paired_figure(found), folder, "paired")
        save(exploration_figure({"x": steps, "y": steps.head(0)}), folder, "exploration")
        written.append({path.name: path.read_bytes() for path in sorted(folder.iterdir())})
    assert written[0] == written[1] and set(written[0]) == {
        "paired.pdf",
        "paired.png",
        "exploration.pdf",
        "exploration.png",
    }


def test_figures_with_nothing_to_draw_say_so() -> None:
    alone = {"tasks, judge": compare({"x": agent(1)}, IDS, 0.95)}
    assert "no difference to draw" in paired_figure(alone).axes[0].texts[0].get_text()
    assert "num_steps" in exploration_figure({}).axes[0].texts[0].get_text()
