"""The judge `verified`: ideal evidence passes, each single corruption of it fails, and nothing passes for free."""

import json
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from omegaconf import OmegaConf

from webassay.config.experiment import plan_experiment
from webassay.config.kinds import build_judge
from webassay.config.schema.judge import VerifiedJudge
from webassay.core.task import Task, task_from_record
from webassay.core.trajectory import Attempt, Event, FinalAnswer, Trajectory
from webassay.core.verdict import Verdict
from webassay.errors import ConfigError, JudgeError, TrajectoryError
from webassay.judges.paper import Rules
from webassay.judges.verified import Verified, evaluate, evaluate_file

SHOP = "http://shop.localhost:8000"
ENVIRONMENTS = {
    "shop": {"urls": [SHOP], "active_url_idx": 0, "login_path": "/accounts/login/", "session_cookie": "sessionid"},
    "forum": {"urls": ["http://forum.localhost:8000"]},
}
REVIEW = "/catalogue/book_1/reviews/add/"
BEFORE = [[1, "ok"]]
AFTER = [[1, "ok"], [5, "great"]]
NONE = {"type": "null"}


def array(**items: str) -> dict[str, Any]:
    return {"type": "array", "items": items}


MONEY = array(type="number", format="currency")


def event(
    url: str, method: str = "GET", status: int = 200, location: str = "", cookie: str = "sessionid=redacted:1"
) -> dict[str, Any]:
    headers = [{"name": "Cookie", "value": cookie}] if cookie else []
    return {
        "request": {"method": method, "url": url, "headers": headers},
        "response": {"status": status, "redirectURL": location},
        "_resourceType": "document",
    }


@dataclass(frozen=True)
class Case:
    """A task with evidence that passes it."""

    task: dict[str, Any]
    response: Any
    har: list[dict[str, Any]]
    state: dict[str, Any] | None = None

    def judged(self, **more: Any) -> Verdict:
        return evaluate(self.task, self.response, self.har, environments=ENVIRONMENTS, state=self.state, **more)


def task(evaluators: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {
        "task_id": 1,
        "intent": "…",
        "sites": ["shop"],
        "intent_template_id": 7,
        "eval": evaluators,
        "account": "ann",
    } | more


def answer(action: str, status: str = "SUCCESS", data: Any = None, schema: Any = NONE, **more: Any) -> dict[str, Any]:
    expected = {"task_type": action, "status": status, "retrieved_data": data}
    return {"evaluator": "AgentResponseEvaluator", "results_schema": schema, "expected": expected} | more


def network(url: Any, **expected: Any) -> dict[str, Any]:
    return {"evaluator": "NetworkEventEvaluator", "expected": {"url": url} | expected}


def changes_allowed(*entries: dict[str, Any]) -> dict[str, Any]:
    return {"evaluator": "ChangesEvaluator", "allowed": list(entries)}


RETRIEVE = Case(
    task([answer("retrieve", data=[12.5, 30], schema=MONEY)]),
    {"action": "retrieve", "status": "SUCCESS", "results": ["$30.00", "12.50 USD"], "error_details": None},
    [event(f"{SHOP}/"), event(f"{SHOP}/accounts/orders/")],
)
NAVIGATE = Case(
    task([answer("navigate"), network("__SHOP__/catalogue/category/x_3/")]),
    {"task_type": "NAVIGATE", "status": "SUCCESS", "retrieved_data": None},
    [event(f"{SHOP}/"), event(f"{SHOP}/catalogue/category/x_3/")],
)
MUTATE = Case(
    task(
        [
            answer("mutate"),
            network(f"__SHOP__{REVIEW}", http_method="POST", response_status=302),
            {"evaluator": "StateEvaluator", "probe": "reviews", "before": BEFORE, "after": AFTER},
        ]
    ),
    {"action": "mutate", "status": "SUCCESS", "results": None},
    [
        event(f"{SHOP}{REVIEW}"),
        event(f"{SHOP}{REVIEW}", "POST", 302, "/catalogue/book_1/"),
        event(f"{SHOP}/catalogue/book_1/"),
    ],
    {"before": {"reviews": BEFORE}, "after": {"reviews": AFTER}},
)
LIMITED = Case(
    task(
        [
            *MUTATE.task["eval"],
            changes_allowed({"table": "reviews", "op": "insert"}),
            {"evaluator": "WebArenaEvaluator", "eval_types": ["program_html"]},
        ]
    ),
    MUTATE.response,
    MUTATE.har,
    (MUTATE.state or {}) | {"changes": [{"table": "reviews", "op": "insert", "key": 2, "after": {"id": 2}}]},
)
NOT_FOUND = Case(
    task([answer("retrieve", "NOT_FOUND_ERROR", schema=MONEY)]),
    {"action": "retrieve", "status": "SEARCH_CRITERIA_NO_MATCH", "results": None},
    [event(f"{SHOP}/"), event(f"{SHOP}/search/?q=x")],
)
CASES = {"retrieve": RETRIEVE, "navigate": NAVIGATE, "mutate": MUTATE, "limited": LIMITED, "not_found": NOT_FOUND}


def changed(case: Case, path: str, value: Any) -> Case:
    """The case with one thing in it replaced: `har.1.response.status`."""
    case = deepcopy(case)
    *parents, last = path.split(".")
    place: Any = vars(case)
    for part in parents:
        place = place[int(part) if isinstance(place, list) else part]
    place[int(last) if isinstance(place, list) else last] = value
    return case


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_ideal_evidence_passes(case):
    verdict = case.judged()
    assert verdict.score == 1.0 and verdict.status == "success" and verdict.reason == ""
    assert verdict.attribution is None and verdict.assertions and all(check.passed for check in verdict.assertions)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_text_response_and_a_task_object_do_as_well(case):
    case = changed(changed(case, "response", json.dumps(case.response)), "task", task_from_record(case.task, "t"))
    assert isinstance(case.task, Task) and case.judged().score == 1.0


def test_assertions_stand_in_the_documented_order():
    names = [check.name for check in MUTATE.judged().assertions]
    response = ["response.schema", "response.action", "response.status", "response.results"]
    assert names == [*response, "network.1", "activity.shop", "session.shop", "state.reviews.before", "state.reviews"]


REDIRECTED = event(f"{SHOP}/o/", status=302, location="/accounts/login/?next=/o/")
CORRUPTIONS = [
    ("retrieve", "response.status", "UNKNOWN", "response.schema"),
    ("retrieve", "response.action", "mutate", "response.schema"),
    ("retrieve", "response.results", ["$30.00", "12.51 USD"], "response.results"),
    ("retrieve", "response.results", ["$30.00", "-12.50 USD"], "response.results"),
    ("retrieve", "response.results", ["$30.00", "12.50 EUR", "1"], "response.results"),
    ("retrieve", "response.results", ["$30.00"], "response.results"),
    ("retrieve", "response.results", ["$30.00", "30.00"], "response.results"),
    ("retrieve", "response.results", ["$30.00", True], "response.results"),
    ("retrieve", "response.results", [["$30.00", "12.50 USD"]], "response.results"),
    ("retrieve", "response.results", [[30, 12.5], [30, 12.5]], "response.results"),
    ("retrieve", "response.results", ["^.*$", "^.*$"], "response.results"),
    ("retrieve", "response.results", None, "response.schema"),
    ("retrieve", "response", {"action": "mutate", "status": "SUCCESS", "results": None}, "response.action"),
    ("retrieve", "response", {"action": "retrieve", "status": "UNKNOWN", "results": None}, "response.status"),
    ("retrieve", "har", [], "activity.shop"),
    ("retrieve", "har", [event("http://forum.localhost:8000/")], "activity.shop"),
    ("retrieve", "har", [event(f"http://evil.com/?{SHOP}")], "activity.shop"),
    ("retrieve", "har", [REDIRECTED], "activity.shop"),
    ("retrieve", "har", [event(f"{SHOP}/", cookie="")], "session.shop"),
    ("retrieve", "har", [event(f"{SHOP}/", cookie="csrftoken=1")], "session.shop"),
    ("retrieve", "har", [event(f"{SHOP}/", cookie=""), REDIRECTED], "session.shop"),
    ("navigate", "har.1.request.url", f"{SHOP}/catalogue/category/x_4/", "network.1"),
    ("navigate", "har.1.request.url", "http://forum.localhost:8000/catalogue/category/x_3/", "network.1"),
    ("navigate", "har.1.request.method", "POST", "network.1"),
    ("navigate", "har.1.response.status", 404, "network.1"),
    ("navigate", "har.1.response.status", 302, "network.1"),
    ("navigate", "har", [*NAVIGATE.har, event(f"{SHOP}/")], "network.1"),
    ("mutate", "har.1.request.method", "GET", "network.1"),
    ("mutate", "har.1.request.url", f"{SHOP}/catalogue/book_2/reviews/add/", "network.1"),
    ("mutate", "har.1.response.status", 200, "network.1"),
    ("mutate", "state.after.reviews", [[1, "ok"]], "state.reviews"),
    ("mutate", "state.after.reviews", [[1, "ok"], [4, "great"]], "state.reviews"),
    ("mutate", "state.after.reviews", [[1, "ok"], [5, "Great"]], "state.reviews"),
    ("mutate", "state.after.reviews", [[2, "ok"], [5, "great"]], "state.reviews"),
    ("mutate", "state.after.reviews", [[1, "ok"], [5, "great"], [5, "great"]], "state.reviews"),
    ("not_found", "response.status", "ACTION_NOT_ALLOWED", "response.status"),
    ("not_found", "response.action", "navigate", "response.action"),
    ("not_found", "har", [], "activity.shop"),
    ("not_found", "har", [event(f"{SHOP}/"), event(f"{SHOP}/#reviews")], "exploration"),
    ("not_found", "har", [event(f"{SHOP}/"), event(f"{SHOP}/search/", status=404)], "exploration"),
]


@pytest.mark.parametrize("name, path, value, assertion", CORRUPTIONS)
def test_each_single_corruption_fails_with_its_reason(name, path, value, assertion):
    verdict = changed(CASES[name], path, value).judged()
    failed = [check for check in verdict.assertions if not check.passed]
    assert (verdict.score, verdict.status, verdict.attribution) == (0.0, "failure", "agent")
    assert failed[0].name == assertion and verdict.reason == failed[0].reason != ""


def test_all_that_was_wrong_is_listed():
    case = changed(changed(changed(MUTATE, "response", "yes"), "har", []), "state.after.reviews", [])
    failed = [check.name for check in case.judged().assertions if not check.passed]
    response = ["response.schema", "response.action", "response.status", "response.results"]
    assert failed == [*response, "network.1", "activity.shop", "session.shop", "state.reviews"]


@pytest.mark.parametrize("said", ["yes", "no", "N/A", "0", "", "true", "<no_answer>", None, [], {}, 0])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
@pytest.mark.parametrize("visited", [False, True])
def test_naive_constants_score_nothing_and_are_parse_failures(said, case, visited):
    case = changed(case, "response", said)
    verdict = (case if visited else changed(case, "har", [])).judged()
    assert (verdict.score, verdict.status, verdict.parse_failure) == (0.0, "failure", True)


def test_not_found_without_a_visit_is_a_guess():
    verdict = changed(NOT_FOUND, "har", []).judged()
    assert verdict.score == 0.0 and "no request to shop" in verdict.reason and not verdict.parse_failure


@pytest.mark.parametrize("injected", ["^.*$", ["a", "b"], ["^.*$"], [["a"]], {"a": "^.*$"}])
@pytest.mark.parametrize("kind", ["string", "number", "integer", "boolean", "currency", "date", "month", "url"])
def test_patterns_and_lists_of_guesses_never_pass(injected, kind):
    expected = {"string": "a", "boolean": True, "date": "2024-04-05", "month": "May", "url": "__SHOP__/x"}.get(kind, 1)
    case = changed(RETRIEVE, "task", task([answer("retrieve", data=[expected], schema=array(type=kind))]))
    verdict = changed(case, "response.results", [injected]).judged()
    assert verdict.score == 0.0 and [c.name for c in verdict.assertions if not c.passed] == ["response.results"]


@pytest.mark.parametrize(
    "path, value, reason",
    [
        ("state", None, "no state was recorded"),
        ("state.before", {}, "no rows before"),
        ("state.after", {}, "no rows after"),
        ("state.before.reviews", [[1, "ok"], [9, "left over"]], "not in its seeded state"),
    ],
)
def test_a_site_that_was_not_as_seeded_is_not_the_agent_s_failure(path, value, reason):
    case = changed(MUTATE, path, value)
    for one in (case, changed(case, "response", "yes"), changed(case, "har", [])):
        verdict = one.judged()
        assert (verdict.score, verdict.status, verdict.attribution) == (None, "error", "harness")
        assert reason in verdict.reason and len(verdict.assertions) == 9


@pytest.mark.parametrize("environments", ["http://x", 5, {"shop": "http://x"}, {"shop": 5}, {"shop": {"urls": 5}}])
@pytest.mark.parametrize("profile", ["paper", "release"])
def test_malformed_environments_are_named(environments, profile):
    verdict = evaluate(RETRIEVE.task, RETRIEVE.response, RETRIEVE.har, environments=environments, profile=profile)
    assert (verdict.score, verdict.status, verdict.attribution) == (None, "error", "harness")
    assert verdict.reason.startswith("environments")


def test_no_trace_is_an_error_and_not_a_failure():
    verdict = changed(RETRIEVE, "har", None).judged()
    assert (verdict.score, verdict.status, verdict.attribution) == (None, "error", "harness")


def test_a_dead_site_is_whose_fault_the_failure_is():
    dead = changed(RETRIEVE, "har", [event(f"{SHOP}/", status=502), event(f"{SHOP}/", status=503)])
    for case in (dead, changed(dead, "response", {"action": "retrieve", "status": "UNKNOWN", "results": None})):
        verdict = case.judged()
        assert (verdict.score, verdict.attribution) == (0.0, "site") and "502, 503" in verdict.reason


def test_a_broken_entry_of_the_trace_is_named():
    case = changed(RETRIEVE, "har.1.request.headers", [5])
    verdict = changed(case, "har.0.response.status", 500).judged()
    assert (verdict.score, verdict.status, verdict.attribution) == (None, "error", "harness")
    assert verdict.reason.startswith("network.har#1: HAR entry: ")


def test_a_whole_har_does_as_well_as_its_entries():
    assert changed(RETRIEVE, "har", {"log": {"entries": RETRIEVE.har}}).judged().score == 1.0


def test_every_site_of_the_task_must_be_used():
    both = changed(RETRIEVE, "task.sites", ["shop", "forum"])
    assert "forum" in both.judged().reason
    assert changed(both, "har", [*RETRIEVE.har, event("http://forum.localhost:8000/")]).judged().score == 1.0


def test_without_an_account_no_session_is_asked_for():
    case = changed(changed(RETRIEVE, "task.account", None), "har", [event(f"{SHOP}/", cookie="")])
    assert case.judged().score == 1.0


def test_an_expected_address_is_rendered():
    schema = array(type="string", format="url")
    case = changed(RETRIEVE, "task", task([answer("retrieve", data=["__SHOP__/x?a=1&b=2"], schema=schema)]))
    assert changed(case, "response.results", [f"{SHOP}/x?b=2&a=1"]).judged().score == 1.0
    assert changed(case, "response.results", ["__SHOP__/x?a=1&b=2"]).judged().score == 0.0


def test_order_counts_where_the_task_says_so():
    case = changed(RETRIEVE, "task", task([answer("retrieve", data=[12.5, 30], schema=MONEY, ordered=True)]))
    assert case.judged().score == 0.0
    assert changed(case, "response.results", [12.5, 30]).judged().score == 1.0


@pytest.mark.parametrize(
    "evaluators, named",
    [
        ([answer("retrieve", data=["soon"], schema=array(format="duration"))], "duration"),
        ([answer("retrieve", "NOT_FOUND_ERROR", schema=array(format="smell"))], "smell"),
        ([answer("retrieve", data=["x"], schema=MONEY)], "currency"),
        ([answer("retrieve", data=[], schema=MONEY)], "non-empty"),
        ([answer("retrieve", "FAILED")], "FAILED"),
        ([answer("mutate", fuzzy=True)], "fuzzy"),
        ([answer("mutate"), network("__SHOP__/", colour="red")], "colour"),
        ([answer("mutate"), network("not an address")], "not an address"),
        ([answer("mutate"), {"evaluator": "HtmlEvaluator"}], "HtmlEvaluator"),
        ([answer("mutate"), {"evaluator": "StateEvaluator", "probe": "x", "before": [1], "after": []}], "before"),
        ([answer("mutate"), answer("mutate")], "2 AgentResponseEvaluators"),
        ([answer("mutate"), changes_allowed(), changes_allowed()], "2 ChangesEvaluators"),
        ([answer("mutate"), changes_allowed({"table": "x", "op": "upsert"})], "upsert"),
        ([{"evaluator": "WebArenaEvaluator", "eval_types": []}], "only a WebArenaEvaluator"),
        ([], "0 AgentResponseEvaluators"),
    ],
)
def test_what_this_judge_cannot_judge_is_named_and_never_scored(tmp_path, evaluators, named):
    case = changed(RETRIEVE, "task", task(evaluators))
    verdict = case.judged()
    assert (verdict.score, verdict.status, verdict.attribution) == (None, "error", "task") and named in verdict.reason
    with pytest.raises(JudgeError, match=named):
        Verified().judge(task_from_record(case.task, "t"), folder(tmp_path, case))


def test_a_side_effect_fails_the_task_and_is_listed():
    stray = {"table": "orders", "op": "delete", "key": 9, "before": {"id": 9}}
    verdict = changed(LIMITED, "state.changes", [*LIMITED.state["changes"], stray]).judged()
    assert (verdict.score, verdict.attribution) == (0.0, "agent")
    assert verdict.reason == "1 side effect that the task does not allow: delete orders[9]"
    assert [check.name for check in verdict.assertions if not check.passed] == ["state.side_effects"]


@pytest.mark.parametrize("state", [None, MUTATE.state, (MUTATE.state or {}) | {"changes": None}])
def test_without_a_comparison_of_the_database_there_is_no_score(state):
    verdict = changed(LIMITED, "state", state).judged()
    assert (verdict.score, verdict.status, verdict.attribution) == (None, "error", "harness")


@pytest.mark.parametrize("profile", ["verified", "", "Paper"])
def test_unknown_profiles_and_formats_name_the_known_ones(profile):
    with pytest.raises(ConfigError, match="paper, release"):
        RETRIEVE.judged(profile=profile)
    with pytest.raises(ConfigError, match="paper, release"):
        Verified(profile)
    with pytest.raises(ConfigError, match="har, playwright"):
        RETRIEVE.judged(trace_format="pcap")


@pytest.mark.parametrize(
    "rules",
    [
        {"errata": 2},
        {"tolerances": {"colour": 1}},
        {"tolerances": {"currency": -1}},
        {"exploration": {"pages": "many"}},
    ],
)
def test_a_mistake_in_the_rules_is_named(rules):
    with pytest.raises(ConfigError, match=r"judge verified|tolerances"):
        Verified("paper", **rules)


@pytest.mark.parametrize("environments", [None, {}, {"forum": ENVIRONMENTS["forum"]}])
def test_a_site_without_an_address_is_named(environments):
    verdict = evaluate(RETRIEVE.task, RETRIEVE.response, [], environments=environments)
    assert (verdict.score, verdict.attribution) == (None, "harness") and "'shop'" in verdict.reason


def test_playwright_s_shape_of_the_same_events_has_the_same_verdict():
    snapshots = [{"type": "resource-snapshot", "snapshot": one} for one in MUTATE.har]
    assert changed(MUTATE, "har", snapshots).judged(trace_format="playwright") == MUTATE.judged()


def test_what_can_be_guessed_needs_actions_too_where_they_are_known(tmp_path):
    judge, one = Verified(exploration={"tau": 0.5, "usual_actions": {"shop": 8}}), task_from_record(NOT_FOUND.task, "t")
    assert judge.judge(one, folder(tmp_path, NOT_FOUND, steps=4)).score == 1.0
    hasty = judge.judge(one, folder(tmp_path, NOT_FOUND, steps=3))
    assert hasty.score == 0.0 and "2 pages and 3 actions; at least 2 pages and 4 actions" in hasty.reason
    assert judge.judge(task_from_record(RETRIEVE.task, "t"), folder(tmp_path, RETRIEVE, steps=1)).score == 1.0


def test_a_site_that_fails_is_not_the_agent_s_fault():
    verdict = changed(MUTATE, "har.1.response.status", 503).judged()
    assert (verdict.score, verdict.attribution) == (0.0, "site")


def folder(tmp_path: Path, case: Case, steps: int = 9) -> Trajectory:
    (tmp_path / "network.har").write_text(json.dumps({"log": {"entries": case.har}}))
    if case.state is not None:
        (tmp_path / "state.json").write_text(json.dumps(case.state))
    attempt = Attempt(case.task["task_id"], "", 0, "answered", environments=ENVIRONMENTS)
    return Trajectory(tmp_path, (Event(action="click"),) * steps, FinalAnswer(json.dumps(case.response)), attempt)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_trajectory_on_disk_has_the_verdict_of_its_parts(tmp_path, case):
    trajectory = folder(tmp_path, case)
    assert Verified().judge(task_from_record(case.task, "t"), trajectory).score == case.judged().score == 1.0
    har = tmp_path / "network.har"
    assert evaluate_file(case.task, case.response, har, environments=ENVIRONMENTS, state=case.state) == case.judged()


@pytest.mark.parametrize("broken", ["network.har", "state.json"])
def test_broken_evidence_is_named_and_never_scored(tmp_path, broken):
    trajectory = folder(tmp_path, MUTATE)
    (tmp_path / broken).write_text("{")
    with pytest.raises(TrajectoryError, match=broken):
        Verified().judge(task_from_record(MUTATE.task, "t"), trajectory)


def test_a_missing_har_is_not_inactivity(tmp_path):
    trajectory = folder(tmp_path, MUTATE)
    (tmp_path / "network.har").unlink()
    with pytest.raises(TrajectoryError, match="not evidence"):
        Verified().judge(task_from_record(MUTATE.task, "t"), trajectory)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(), lambda inner: st.lists(inner, max_size=3), max_leaves=8
    )
)
def test_any_results_give_a_verdict_that_can_be_written(results):
    verdict = changed(RETRIEVE, "response.results", results).judged()
    assert verdict.score == 0.0
    assert msgspec.json.decode(msgspec.json.encode(verdict), type=Verdict).reason == verdict.reason


@pytest.mark.parametrize("said", ["\ud800", {"action": "\udfff"}, "x" * 2_000_000, float("nan"), 10**400, object()])
def test_hostile_answers_give_a_verdict_that_can_be_written(said):
    verdict = evaluate(RETRIEVE.task, said, RETRIEVE.har, environments=ENVIRONMENTS)
    assert verdict.score == 0.0 and verdict.parse_failure
    assert len(msgspec.json.encode(verdict)) < 10_000


def test_the_configured_judge_is_the_one_that_the_functions_use(tmp_path, monkeypatch):
    """Its rules stand in the schema, in the YAML file and in the judge; only what is said of sites differs."""
    monkeypatch.chdir(tmp_path)
    (plan,) = plan_experiment("single", ["system=oracle"]).runs
    configured = build_judge(plan.config).rules
    assert configured.exploration.usual_actions and not Rules().exploration.usual_actions
    of_sites = msgspec.structs.replace(configured.exploration, usual_actions={})
    assert msgspec.structs.replace(configured, exploration=of_sites) == Rules()
    schema = OmegaConf.to_container(OmegaConf.structured(VerifiedJudge))
    fields = {key: schema[key] for key in ("errata", "tolerances", "exploration")}
    assert msgspec.convert(fields, Rules) == Rules()
