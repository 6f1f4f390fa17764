"""The judge `verified`: deterministic, from a structured response, network evidence and backend state.

One way in, two profiles. `paper`, the default, does what the WebArena Verified paper says (judges/paper.py). `release`
gives the verdicts of webarena-verified 1.2.3, fault for fault, for comparison with published numbers (judges/release/).
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from webassay.core.task import Task, task_from_record
from webassay.core.trajectory import Trajectory
from webassay.core.verdict import Attribution, Verdict
from webassay.errors import ConfigError, JudgeError, TaskError, TrajectoryError, WebassayError
from webassay.evidence.har import events_of
from webassay.evidence.site import sites_of
from webassay.evidence.state import State, read_state, state_of
from webassay.evidence.trace import read_trace
from webassay.judges import paper
from webassay.judges.paper import Evidence, Rules
from webassay.judges.release import rules as release

VERSION = 3
PROFILES = ("paper", "release")
TRACE_FORMATS = ("har", "playwright")


class Verified:
    """The judge of a run: `errata`, `tolerances` and `exploration` are those of the profile `paper`."""

    def __init__(
        self,
        profile: str = "paper",
        errata: bool = True,
        tolerances: Mapping[str, Any] | None = None,
        exploration: Mapping[str, Any] | None = None,
    ) -> None:
        _check_choice("profile", profile, PROFILES)
        self.profile = profile
        given = {"errata": errata, "tolerances": tolerances or {}, "exploration": exploration or {}}
        try:
            self.rules = msgspec.convert(given, Rules)
        except msgspec.ValidationError as error:
            raise ConfigError(f"judge verified: {error}") from None

    def judge(self, task: Task, trajectory: Trajectory) -> Verdict:
        """What is wrong with the task or the evidence is raised, so that it is noticed and not counted."""
        response, trace = trajectory.answer.final_answer, trajectory.trace
        if self.profile == "release":
            return release.judge_file(task, response, trace, trajectory.environments)
        recorded = trajectory.folder / "state.json"
        state = read_state(recorded) if recorded.exists() else None
        steps = len(trajectory.steps) if trajectory.actions_known else None
        evidence = Evidence(read_trace(trace), sites_of(trajectory.environments), state, steps)
        return paper.judge(task, response, evidence, self.rules)


def evaluate(
    task: Task | dict[str, Any],
    response: Any,
    har: Sequence[Any] | Mapping[str, Any] | None,
    *,
    environments: Mapping[str, Any] | None,
    trace_format: str = "har",
    profile: str = "paper",
    state: State | dict[str, Any] | None = None,
    rules: Rules | None = None,
) -> Verdict:
    """Judge a HAR or its entries, decoded or as NetworkEvents; none at all is status `error`, an empty one is evidence.

    Whatever is wrong with what was given, the answer is a verdict: status `error`, score None, and the reason.
    """
    _check_choice("profile", profile, PROFILES)
    _check_choice("trace_format", trace_format, TRACE_FORMATS)
    try:
        task = task if isinstance(task, Task) else task_from_record(task, "task")
        if profile == "release":
            return release.judge(task, response, har, environments)
        if har is None:
            raise TrajectoryError("no network trace: the attempt is not evidence")
        evidence = Evidence(events_of(har, trace_format), sites_of(environments), state_of(state))
        return paper.judge(task, response, evidence, rules or Rules())
    except WebassayError as error:
        return unjudged(error)


def evaluate_file(
    task: Task | dict[str, Any],
    response: Any,
    path: Path,
    *,
    environments: Mapping[str, Any] | None,
    profile: str = "paper",
    state: State | dict[str, Any] | None = None,
    rules: Rules | None = None,
) -> Verdict:
    """The same for a recording on disk: a HAR, a zipped one, a Playwright trace."""
    _check_choice("profile", profile, PROFILES)
    try:
        task = task if isinstance(task, Task) else task_from_record(task, "task")
        if profile == "release":
            return release.judge_file(task, response, Path(path), environments)
        evidence = Evidence(read_trace(Path(path)), sites_of(environments), state_of(state))
        return paper.judge(task, response, evidence, rules or Rules())
    except WebassayError as error:
        return unjudged(error)


def unjudged(error: WebassayError) -> Verdict:
    """No verdict could be reached: the task's definition is at fault, or what was recorded or configured."""
    attribution: Attribution = "task" if isinstance(error, JudgeError | TaskError) else "harness"
    return Verdict(None, "error", str(error), attribution=attribution)


def _check_choice(key: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise ConfigError(f"{key}={value!r} is not known to the judge verified; known: {', '.join(known)}")
