"""The release's own file for one task."""

import json

from tests.judges.release.recorded import ENVIRONMENTS, answer, entry, network_evaluator, response_evaluator, task
from webassay.judges.release.eval_result import eval_result
from webassay.judges.release.rules import results

TASK = task(response_evaluator("RETRIEVE", ["1 h 30 min"], {"format": "duration"}), network_evaluator("__SHOP__/a?b=1"))


def test_a_result_has_the_keys_and_forms_of_the_release() -> None:
    found = results(TASK, answer("RETRIEVE", ["2 days"]), [entry("http://shop.test/a?b=2")], ENVIRONMENTS)
    record = eval_result(TASK, found, data_checksum="d6")
    assert json.loads(json.dumps(record)) == record
    assert {key: record[key] for key in ("task_id", "intent_template_id", "sites", "status", "score")} == {
        "task_id": 7,
        "intent_template_id": 3,
        "sites": ["shop"],
        "status": "failure",
        "score": 0.0,
    }
    assert "error_msg" not in record
    assert record["webarena_verified_version"] == "1.2.3"
    assert (record["webarena_verified_evaluator_checksum"], record["webarena_verified_data_checksum"]) == (None, "d6")
    response, network = record["evaluators_results"]
    assert response["expected"]["retrieved_data"] == ["PT1H30M"]
    assert response["actual_normalized"]["retrieved_data"] == ["P2D"]
    assert response["assertions"][0]["assertion_name"] == "retrieved_data_array_values_mismatch"
    assert network["expected"]["url"] == {"base_url": "__SHOP__/a", "query_params": {"b": ["1"]}}
    assert network["actual"][0]["post_data"] is None
    assert network["assertions"][0]["assertion_name"] == "missing_navigation_event"
    assert (response["should_not_exist"], network["should_not_exist"]) == (None, False)


def test_errors_have_the_score_0_and_say_why() -> None:
    broken = results(TASK, answer("RETRIEVE") | {"status": None}, [entry("http://shop.test/a?b=1")], ENVIRONMENTS)
    record = eval_result(TASK, broken)
    assert (record["status"], record["score"]) == ("error", 0.0)
    assert [one["status"] for one in record["evaluators_results"]] == ["error", "success"]
    assert "strip" in record["evaluators_results"][0]["error_msg"]
    missing = eval_result(TASK, results(TASK, answer("RETRIEVE"), None, ENVIRONMENTS))
    assert (missing["evaluators_results"], missing["error_msg"]) == ([], "no network trace")
