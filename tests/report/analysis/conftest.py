"""One run with a trajectory of each kind, small enough to count by hand."""

from pathlib import Path

import pytest

from tests.report.analysis.folders import fara, gpt_solver, line, make, step


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Allowed 10 rounds; judged by j: `right` 1, `wrong` 0, `long` 0, the others by nobody."""
    traj = tmp_path / "run" / "traj"
    ours = [step(0, "visit_url"), step(4, "left_click"), step(6, "terminate", answer="42")]
    tokens = {"prompt_tokens": 100, "completion_tokens": 10}
    make(traj / "right", ours, seconds=10, scores={"j": 1}, usage={"A": tokens}, attempt=1)
    make(traj / "right" / "attempts" / "0", aborted=True, core=line("ERROR", "aborted: the browser died"))
    both = {"A": {"prompt_tokens": 300, "completion_tokens": 30}, "B": {"prompt_tokens": 40, "completion_tokens": 4}}
    make(traj / "wrong", fara(1, "web_search") + fara(2, "terminate"), seconds=20, scores={"j": 0}, usage=both)
    clicks = [step(second, "left_click") for second in range(10)]
    log = line("ERROR", "Captcha timed out: 60 s")
    make(traj / "long", clicks, "<no_answer>", seconds=2000, scores={"j": 0}, core=log)
    died = line("ERROR", "aborted: the browser died")
    make(traj / "aborted", ours[:1], "<no_answer>", aborted=True, seconds=5, core=died, attempt=0)
    (make(traj / "broken") / "web_surfer.log").write_text("{")
    make(traj / "declined", gpt_solver(["click"] * 3 + ["stop_execution"]), "I can't help with that.")
    return tmp_path / "run"
