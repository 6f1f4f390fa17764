"""Verdicts: types multiply, every check is listed, and what is not known is not 0."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.judges.webarena.recorded import NOWHERE, SHOP, judged, task
from webassay.config.experiment import plan_experiment
from webassay.config.kinds import build_judge
from webassay.core.last_post import LAST_POST, UNKNOWN
from webassay.errors import ConfigError, JudgeError, TrajectoryError
from webassay.judges.webarena import WebArena

ORDERS = {
    "url": "__SHOP__/orders/",
    "locator": "",
    "required_contents": {"must_include": ["Mug & Cup", "£12 |OR| 12 £"]},
}
TITLE = {"url": "last", "locator": "document.title", "required_contents": {"exact_match": "Orders"}}


def page(check: dict[str, Any], content: str | None, error: str = "") -> dict[str, Any]:
    return {"url": check["url"], "locator": check["locator"], "content": content, "error": error}


def kept(*pages: dict[str, Any], final_url: str = f"{SHOP}/orders/?page=1") -> dict[str, Any]:
    return {"final_url": final_url, "pages": list(pages)}


@pytest.mark.parametrize(
    "references, answer, score",
    [
        ({"exact_match": "Yes"}, "yes", 1),
        ({"exact_match": "Yes"}, "yes, it is", 0),
        ({"must_include": ["0"]}, "10", 0),
        ({"must_include": ["0"]}, '{"action": "retrieve", "status": "SUCCESS", "results": [0]}', 1),
        ({"must_include": ["a", "0"]}, "a 10", 1),
        ({"must_include": ["Emma", "Oliver"]}, "emma", 0),
        ({"must_include": ["x"], "fuzzy_match": ["x"]}, "x", 0),
        ({"fuzzy_match": ["x"]}, "x", 0),
        ({"fuzzy_match": "N/A"}, "N/A", 1),
        ({"fuzzy_match": "N/A"}, '{"action": "mutate", "status": "NOT_FOUND_ERROR"}', 1),
        ({"fuzzy_match": "N/A"}, "there is none", 0),
        ({"exact_match": "__SHOP__/x"}, "http://shop.localhost/x", 1),
    ],
)
def test_strings(tmp_path: Path, references: dict[str, Any], answer: str, score: float) -> None:
    verdict = judged(tmp_path, task(reference_answers=references), answer)
    assert (verdict.score, bool(verdict.reason)) == (score, score == 0)
    assert len(verdict.assertions) == sum(len(value) if isinstance(value, list) else 1 for value in references.values())


@pytest.mark.parametrize("references", [{"fuzzy_match": ["x"]}, {"fuzzy_match": "N/A"}])
def test_without_a_model_similar_answers_count_as_0_and_say_so(tmp_path: Path, references: dict[str, Any]) -> None:
    verdict = judged(tmp_path, task(reference_answers=references), "much like it")
    assert verdict.score == 0 and "judge.fuzzy is none" in verdict.reason


@pytest.mark.parametrize(
    "pages, score, reason",
    [
        (kept(page(ORDERS, "<b>mug &amp; cup</b> 12 £"), page(TITLE, " orders ")), 1, ""),
        (kept(page(ORDERS, "<b>mug &amp; cup</b>"), page(TITLE, "Orders")), 0, "£12 |OR| 12 £"),
        (kept(page(ORDERS, "Mug & Cup £12"), page(TITLE, "", "TypeError")), 0, "is not 'Orders'"),
        (kept(page(ORDERS, None, "too large"), page(TITLE, "Orders")), 0, "too large"),
        (kept(page(ORDERS, "Mug & Cup £12"), page(TITLE, "Orders"), final_url=NOWHERE), 0, "stopped at about:blank"),
        (kept(page(ORDERS, "Mug & Cup £12")), None, "has no last document.title"),
        (kept(page(ORDERS, "nothing")), 0, "Mug & Cup"),
    ],
)
def test_pages_and_the_last_address(tmp_path: Path, pages: dict[str, Any], score: float | None, reason: str) -> None:
    verdict = judged(tmp_path, task(reference_url="__SHOP__/orders", program_html=[ORDERS, TITLE]), "", pages)
    assert verdict.score == score and reason in verdict.reason
    assert (verdict.status == "error") == (score is None)


def test_types_multiply_and_all_are_listed(tmp_path: Path) -> None:
    both = task(reference_answers={"exact_match": "3"}, program_html=[TITLE])
    verdict = judged(tmp_path, both, "4", kept(page(TITLE, "Basket")))
    assert [(one.name, one.passed) for one in verdict.assertions] == [
        ("string.exact_match", False),
        ("page.0.exact_match", False),
    ]
    assert (verdict.assertions[1].expected, verdict.assertions[1].actual) == ("Orders", "Basket")


@pytest.mark.parametrize(
    "url, locator", [("func:shopping_get_latest_order_url()", ""), ("last", "func:role(__page__, 'x')")]
)
def test_a_function_of_the_original_leaves_only_what_is_sure(tmp_path: Path, url: str, locator: str) -> None:
    check = {"url": url, "locator": locator, "required_contents": {"must_include": ["x"]}}
    pages = kept(page(check, None, "needs a function of the original harness"))
    undecided = judged(tmp_path / "a", task(program_html=[check]), "", pages)
    assert (undecided.score, undecided.attribution) == (None, "harness") and "needs a function" in undecided.reason
    assert judged(tmp_path / "b", task(program_html=[TITLE, check]), "", kept(page(TITLE, "x"))).score == 0


def test_the_page_of_the_last_post_is_judged_once_it_was_kept(tmp_path: Path) -> None:
    check = {"url": LAST_POST, "locator": "", "required_contents": {"must_include": ["Lovely"]}}
    whole = task(program_html=[check])
    assert judged(tmp_path / "a", whole, "", kept(page(check, "<p>Lovely</p>"))).score == 1
    assert judged(tmp_path / "b", whole, "", kept(page(check, "<p>Awful</p>"))).score == 0
    earlier = judged(tmp_path / "c", whole, "", kept(page(check, None, UNKNOWN)))
    assert (earlier.score, earlier.attribution) == (None, "harness"), "kept before the function was known"


def test_no_pages_where_they_are_needed_is_no_0(tmp_path: Path) -> None:
    with pytest.raises(JudgeError, match=r"pages\.json is missing.*run again"):
        judged(tmp_path / "a", task(reference_url="__SHOP__/"), "")
    with pytest.raises(TrajectoryError, match=r"pages\.json"):
        judged(tmp_path / "b", task(program_html=[TITLE]), "", {"final_url": 3})
    assert judged(tmp_path / "c", task(reference_answers={"exact_match": "x"}), "x").score == 1


@pytest.mark.parametrize(
    "checks, said",
    [
        ({"reference_url": "x", "url_note": "NEAR"}, "NEAR"),
        ({"reference_answers": {"regex": "x"}}, "regex"),
        ({"reference_answers": {"fuzzy_match": "None"}}, "None"),
        ({"reference_answers": {}, "eval_types": []}, "eval_types is empty"),
        ({"eval_types": ["url_match"]}, "nothing to compare"),
        ({"eval_types": ["smell"]}, "smell"),
        ({"program_html": [TITLE | {"required_contents": {}}]}, "exact_match or must_include"),
    ],
)
def test_a_check_that_the_harness_has_not_is_refused(tmp_path: Path, checks: dict[str, Any], said: str) -> None:
    with pytest.raises(JudgeError, match=said):
        judged(tmp_path, task(**checks), "", kept())


def test_a_task_of_another_form_is_refused_by_name(tmp_path: Path) -> None:
    from webassay.core.task import task_from_record

    fields = {"task_id": "t7", "intent": "", "sites": ["shop"], "intent_template_id": "t", "eval": []}
    with pytest.raises(JudgeError, match="t7: 0 WebArenaEvaluators"):
        judged(tmp_path, task_from_record(fields, "test"), "")


def test_the_configuration_builds_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    plain = plan_experiment("single", "system=oracle judge=webarena").runs[0]
    assert isinstance(build_judge(plain.config), WebArena)
    asked = "system=oracle judge=webarena judge.fuzzy=model judge.model={name:m,endpoints:[http://127.0.0.1:9/v1]}"
    first, second = (plan_experiment("single", f"{asked} judge.model.timeout={seconds}").runs[0] for seconds in (1, 2))
    assert isinstance(build_judge(first.config), WebArena)
    assert first.eval_hash == second.eval_hash != plain.eval_hash, json.dumps(first.identity["judge"])
    with pytest.raises(ConfigError, match="needs a model"):
        WebArena("model")
    with pytest.raises(ConfigError, match="known: none, model"):
        WebArena("perhaps")
