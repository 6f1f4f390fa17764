"""Tables 13 and 16: answers without a look at any page, before the original harness and before the verified one."""

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from webassay.core.task import Task
from webassay.judges.verified import evaluate
from webassay.judges.webarena import Pages, PageText, WebArena
from webassay.judges.webarena.answer import plain_answer
from webassay.judges.webarena.checks import checks_of
from webassay.judges.webarena.strings import clean
from webassay.report.paper.group import Group
from webassay.report.paper.inputs import Inputs
from webassay.report.sheet import Sheet
from webassay.systems.naive import Constant, Echo, Numbers, Random

NOWHERE = "about:blank"
NAIVE: dict[str, tuple[Constant | Echo | Numbers | Random, str]] = {
    "empty": (Constant(""), "no answer"),
    "no": (Constant("No"), "“No”"),
    "yes": (Constant("Yes"), "“Yes”"),
    "yes_no": (Constant("Yes/No"), "“Yes/No”"),
    "na": (Constant("N/A", "NOT_FOUND_ERROR"), "“N/A”; in structured form, not found"),
    "zero": (Constant("0"), "“0”"),
    "numbers_only": (Numbers(), "the numbers of the question, else “0”"),
    "echo_intent": (Echo(), "the question"),
    "random": (Random(), "a truth value, a number or some words, by lot (seed 0; the paper does not say how)"),
}
UNION = "any of them"


@dataclass(frozen=True)
class Naive:
    """What answers without a look pass."""

    passed: Mapping[str, frozenset[str]]
    """Agent -> tasks, under the original harness."""
    undecided: frozenset[str]
    """Tasks whose page checks call a function of the original harness on the live site."""
    verified: Mapping[str, frozenset[str]]
    """Agent -> tasks, under the profile `paper`; of those that pass something under the original."""

    @property
    def union(self) -> frozenset[str]:
        return frozenset().union(*(ids for name, ids in self.passed.items() if name != "random"))


def judge_naive(inputs: Inputs) -> Naive:
    passed, undecided = {}, set()
    for name, (system, _) in NAIVE.items():
        scores = {task.task_id: _original(task, system) for task in inputs.original}
        passed[name] = frozenset(id for id, score in scores.items() if score == 1)
        undecided |= {id for id, score in scores.items() if score is None}
    worth_judging = {name: NAIVE[name][0] for name, ids in passed.items() if ids}
    verified = {
        name: frozenset(task.task_id for task in inputs.verified if _verified(task, system) == 1)
        for name, system in worth_judging.items()
    }
    return Naive(passed, frozenset(undecided), verified)


def _original(task: Task, system: Constant | Echo | Numbers | Random) -> float | None:
    checks = checks_of(task)
    answer = clean(plain_answer(_answer(task, system)))
    return WebArena().verdict(task, checks, checks, answer, _unread(task)).score


def _verified(task: Task, system: Constant | Echo | Numbers | Random) -> float | None:
    environments = {site: {"urls": [f"http://{site}.example"]} for site in task.sites}
    return evaluate(task, _answer(task, system), [], environments=environments).score


def _answer(task: Task, system: Constant | Echo | Numbers | Random) -> str:
    return system.solve(task, None)  # type: ignore[arg-type]  # they look at no session


def _unread(task: Task) -> Pages:
    """What is left of an agent that opened no page."""
    pages = tuple(PageText(each.url, each.locator, each.prep_actions, error="not visited") for each in task.pages)
    return Pages(NOWHERE, pages)


def naive_tables(inputs: Inputs, naive: Naive) -> Group:
    return Group((_passed(inputs, naive), _listed(inputs)), _facts(inputs, naive))


def _passed(inputs: Inputs, naive: Naive) -> Sheet:
    rows = [
        {
            "agent": name,
            "passed": len(ids),
            "of": len(inputs.original),
            "passed_hard": len(ids & inputs.hard),
            "of_hard": len(inputs.hard),
            "passed_verified": len(naive.verified[name]) if name in naive.verified else None,
        }
        for name, ids in [*naive.passed.items(), *inputs.from_memory.items(), (UNION, naive.union)]
    ]
    rows[-1]["passed_verified"] = len(frozenset().union(*naive.verified.values()))
    data = pd.DataFrame(rows).astype({"passed_verified": "Int64"})
    shown = pd.DataFrame(
        {
            "agent": [row["agent"] for row in rows],
            "original": [_share(row["passed"], row["of"]) for row in rows],
            "original, hard": [_share(row["passed_hard"], row["of_hard"]) for row in rows],
            "verified": ["" if row["passed_verified"] is None else str(row["passed_verified"]) for row in rows],
        }
    )
    note = (
        f"Tasks passed of {len(inputs.original)} and of the {len(inputs.hard)} hard ones; no language model judges, so "
        f"none finds an answer similar. {len(naive.undecided)} tasks are undecided and not counted as passed: their "
        "checks need the live site. “Any of them” leaves out random and models. Verified: the profile paper, without "
        "any request; of agents that pass something under the original."
    )
    return Sheet("table_13", "Table 13: agents that know nothing", data, shown, note)


def _listed(inputs: Inputs) -> Sheet:
    rows = [{"agent": name, "answers": what} for name, (_, what) in NAIVE.items()]
    rows += [{"agent": name, "answers": "what its model remembers"} for name in inputs.from_memory]
    data = pd.DataFrame([*rows, {"agent": "gpt5_contamination", "answers": "what GPT-5 remembers (not run here)"}])
    note = "None of them opens a page. The last needs a model: system=knowledge_only."
    return Sheet("table_16", "Table 16: the agents that know nothing", data, data.copy(), note)


def _facts(inputs: Inputs, naive: Naive) -> dict[str, float]:
    facts: dict[str, float] = {f"naive.{name}": len(ids) for name, ids in naive.passed.items() if name != "random"}
    facts |= {f"naive.{name}.hard": len(ids & inputs.hard) for name, ids in naive.passed.items() if name != "random"}
    facts |= {"naive.union": len(naive.union), "naive.union.hard": len(naive.union & inputs.hard)}
    return facts | {"naive.verified": len(frozenset().union(*naive.verified.values()))}


def _share(passed: object, of: object) -> str:
    return f"{passed} ({100 * int(str(passed)) / int(str(of)):.1f} %)"
