"""`webassay score` as a user runs it: a folder of logs, exit status, files."""

import json
import os
import signal
import sys
import textwrap
import time
import zipfile
from pathlib import Path

import pandas as pd
import pytest

from tests.benchmarks.offline_logs import PAGES, RIGHT, WRONG, har, make_logs, put, right_answer
from tests.conftest import Done, Workspace
from tests.released import released

ALL = (*RIGHT, *WRONG)


@pytest.fixture
def logs(workspace: Workspace) -> Path:
    return make_logs(workspace.folder / "logs")


def score(workspace: Workspace, *words: str, tasks: str = ",".join(ALL)) -> Done:
    chosen = ("--tasks", tasks) if tasks else ()
    return workspace.webassay("score", "logs", "--dataset", str(released() / "webarena-verified.json"), *chosen, *words)


def table(folder: Path) -> pd.DataFrame:
    return pd.read_csv(folder / "scores.csv", dtype={"task_id": str, "template": str}).set_index("task_id")


def times(folder: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def ledger_lines(workspace: Workspace) -> int:
    return sum(path.read_bytes().count(b"\n") for path in workspace.folder.glob("results/scores/*/ledger.jsonl"))


def test_a_folder_of_logs_becomes_scores(workspace: Workspace, logs: Path) -> None:
    done = score(workspace)
    assert done.status == 0, done.output
    rows = table(logs)
    assert list(rows.index) == ["0", "1", "132", "133"]
    assert dict(rows["score"]) == {"0": 1.0, "1": 0.0, "132": 1.0, "133": 1.0}
    assert rows.loc["1", "status"] == "failure" and rows.loc["1", "attribution"] == "agent"
    assert "Sprite" in rows.loc["1", "reason"]
    assert set(rows["evaluator"].str.partition("-")[0]) == {"verified_paper"}
    assert "75.0 (n=4)" in done.output and "gitlab" in done.output and "(T=2)" in done.output


def test_the_release_s_own_files_are_written(workspace: Workspace, logs: Path) -> None:
    score(workspace)
    result = json.loads((logs / "1" / "eval_result.json").read_text())
    assert [result[key] for key in ("task_id", "intent_template_id", "sites", "task_revision", "status", "score")] == [
        1, 279, ["shopping_admin"], 2, "failure", 0.0,
    ]  # fmt: skip
    first = result["evaluators_results"][0]
    assert first["evaluator_name"] == "AgentResponseEvaluator" and first["status"] == "failure"
    assert first["assertions"][0]["assertion_msgs"]
    assert result["webarena_verified_data_checksum"].startswith("d6527566")
    summary = json.loads((logs / "eval_results.json").read_text())["summary"]
    assert summary["overall"] == {
        "total": 4, "success_count": 3, "failure_count": 1, "error_count": 0, "failed_or_error_count": 1,
    }  # fmt: skip
    assert summary["per_site"]["gitlab"]["success_task_ids"] == [132, 133]
    assert summary["per_site"]["shopping_admin"]["failed_task_ids"] == [1]


def test_a_second_run_does_nothing_and_says_so(workspace: Workspace, logs: Path) -> None:
    first = score(workspace)
    before = times(logs)
    second = score(workspace)
    assert times(logs) == before
    assert "judged 4 now, 0 stood already" in first.output
    assert "nothing to do, 4 stood already" in second.output and second.status == 0


@pytest.mark.parametrize("touched", ["132/network.har", "132/agent_response.json"])
def test_a_changed_input_is_judged_again_alone(workspace: Workspace, logs: Path, touched: str) -> None:
    score(workspace)
    before = times(logs)
    os.utime(logs / touched)
    assert "judged 1 now, 3 stood already" in score(workspace).output
    changed = {Path(path).parent.name for path, at in times(logs).items() if before[path] != at}
    assert changed == {"132"}


def test_a_deleted_or_truncated_result_is_made_again(workspace: Workspace, logs: Path) -> None:
    score(workspace)
    (logs / "0" / "eval_result.json").unlink()
    (logs / "1" / "eval_result.json").write_text("")
    assert "judged 2 now, 2 stood already" in score(workspace).output
    assert json.loads((logs / "1" / "eval_result.json").read_text())["score"] == 0.0


def test_redo_another_address_and_a_cut_ledger_judge_again(workspace: Workspace, logs: Path) -> None:
    score(workspace)
    assert "judged 4 now" in score(workspace, "--redo").output
    moved = score(workspace, "environment.sites.gitlab.url=https://git.example")
    assert "judged 4 now" in moved.output and table(logs).loc["132", "score"] == 0.0
    assert "none of 2 traces has an answered request to gitlab at https://git.example" in moved.output
    score(workspace)
    (ledger,) = workspace.folder.glob("results/scores/logs-*/ledger.jsonl")
    ledger.write_bytes(ledger.read_bytes()[:-20])
    assert "judged 1 now, 3 stood already" in score(workspace).output
    assert "nothing to do" in score(workspace).output


def test_the_number_of_jobs_leaves_no_trace(workspace: Workspace, logs: Path) -> None:
    put(logs, "134", b"\xff\xfe", b"{")
    for jobs in ("1", "2"):
        assert score(workspace, "--jobs", jobs, "--out", f"out{jobs}", tasks="0-10,132-134").status == 1
    one, two = (workspace.folder / name for name in ("out1", "out2"))
    assert (one / "scores.csv").read_bytes() == (two / "scores.csv").read_bytes()
    assert (one / "134" / "eval_result.json").read_bytes() == (two / "134" / "eval_result.json").read_bytes()


def test_missing_tasks_are_counted_and_never_zero(workspace: Workspace, logs: Path) -> None:
    put(logs, "2", right_answer("2"), None)
    put(logs, "3", None, har(PAGES["shopping_admin"]))
    done = score(workspace, tasks="0-4")
    rows = table(logs)
    assert done.status == 1
    assert list(rows["status"]) == ["success", "failure", "missing", "missing", "missing"]
    assert rows["score"].notna().sum() == 2
    assert "missing, no folder (1): 4" in done.output
    assert "missing, no readable agent_response.json (1): 3" in done.output
    assert "50.0 (n=2)" in done.output and "20.0 (n=5)" in done.output
    assert json.loads((logs / "eval_results.json").read_text())["summary"]["overall"]["total"] == 2


def test_a_part_leaves_the_rows_of_all_others_that_stand(workspace: Workspace, logs: Path) -> None:
    score(workspace)
    before = (logs / "scores.csv").read_bytes(), (logs / "eval_results.json").read_bytes()
    for words in (("--tasks", "0"), ("--sites", "gitlab"), ("--tasks", "1", "--redo")):
        done = score(workspace, *words, tasks="")
        assert "| all tasks | 4" not in done.output
    assert "judged 1 now, 0 stood already" in done.output
    assert before == ((logs / "scores.csv").read_bytes(), (logs / "eval_results.json").read_bytes())
    os.utime(logs / "132" / "network.har")  # its verdict is of another trace
    done = score(workspace, tasks="0")
    assert list(table(logs).index) == ["0", "1", "133"]
    (paper,) = set(table(logs)["evaluator"])
    assert f"no longer in scores.csv, verdicts of {paper} (1): 132; their files or sites'" in done.output
    done = score(workspace, "--profile", "release", tasks="0")
    assert list(table(logs).index) == ["0"]
    assert f"no longer in scores.csv, verdicts of {paper} (3): 1, 132-133; --out keeps both" in done.output


def test_an_error_before_judging_leaves_no_older_result_in_its_place(workspace: Workspace, logs: Path) -> None:
    score(workspace)
    (logs / "132" / "run_config.json").write_text("{")
    (logs / "133" / "network.har").unlink()
    done = score(workspace)
    assert done.status == 1 and "nothing to do, 2 stood already" in done.output
    result = json.loads((logs / "132" / "eval_result.json").read_text())
    assert result["status"] == "error" and "run_config.json" in result["error_msg"]
    (logs / "132" / "run_config.json").unlink()
    assert "judged 1 now, 2 stood already" in score(workspace).output
    assert table(logs).loc["132", "score"] == 1.0


def test_a_folder_that_is_no_task_is_named_and_ignored(workspace: Workspace, logs: Path) -> None:
    put(logs, "9000", {}, {})
    (logs / "screenshots").mkdir()
    done = score(workspace)
    assert done.status == 0 and "ignored, no tasks of webarena_verified: 9000" in done.output
    assert not (logs / "9000" / "eval_result.json").exists()


def test_all_tasks_of_the_benchmark_are_asked_for_by_default(workspace: Workspace, logs: Path) -> None:
    done = score(workspace, tasks="")
    assert done.status == 1 and len(table(logs)) == 812
    assert "missing, no folder (808): 2-131, 134-811" in done.output
    part = score(workspace, "--sites", "gitlab", tasks="")
    assert "nothing to do, 2 stood already" in part.output and "shopping" not in part.output
    assert dict(table(logs)["sites"].value_counts()) == {"gitlab": 180, "shopping_admin": 2}


def test_a_list_of_tasks_from_a_file_and_a_type_by_override(workspace: Workspace, logs: Path) -> None:
    (workspace.folder / "ids").write_text("0  # first\n132-133, 1\n")
    assert score(workspace, tasks="@ids").status == 0
    assert len(table(logs)) == 4
    done = score(workspace, "benchmark.select.types=[mutate]")
    assert done.status == 2 and "leaves no task" in done.output


def test_addresses_in_the_release_s_form(workspace: Workspace, logs: Path) -> None:
    put(logs, "132", right_answer("132"), har("https://git.example/byteblaze"))
    places = {"__GITLAB__": {"urls": ["http://localhost:8023", "https://git.example"], "active_url_idx": 1},
              "shopping_admin": {"urls": ["http://localhost:7780/admin"]}}  # fmt: skip
    (workspace.folder / "config.json").write_text(json.dumps({"environments": places}))
    assert score(workspace, "--config", "config.json").status == 0
    assert dict(table(logs)["score"]) == {"0": 1.0, "1": 0.0, "132": 1.0, "133": 1.0}


def test_a_task_s_own_run_config_says_where_its_sites_were(workspace: Workspace, logs: Path) -> None:
    put(logs, "132", right_answer("132"), har("https://git.example/byteblaze"))
    own = {"environments": {"__GITLAB__": {"urls": ["https://git.example"]}}}
    (logs / "132" / "run_config.json").write_text(json.dumps(own))
    assert score(workspace).status == 0
    assert dict(table(logs)["score"]) == {"0": 1.0, "1": 0.0, "132": 1.0, "133": 1.0}


def test_the_profile_release_needs_no_addresses_and_no_visit(workspace: Workspace, logs: Path) -> None:
    put(logs, "132", right_answer("132"), har("https://elsewhere.example/"))
    assert score(workspace).status == 0 and table(logs).loc["132", "score"] == 0.0
    done = score(workspace, "--profile", "release")
    assert done.status == 0 and "judged 4 now" in done.output
    assert dict(table(logs)["score"]) == {"0": 1.0, "1": 0.0, "132": 1.0, "133": 1.0}
    assert json.loads((logs / "132" / "eval_result.json").read_text())["webarena_verified_version"] == "1.2.3"
    assert "judged 4 now" in score(workspace).output


@pytest.mark.parametrize("name, member", [("network.har.zip", "network.har"), ("trace.zip", "trace.network")])
def test_zipped_traces(workspace: Workspace, logs: Path, name: str, member: str) -> None:
    recorded = har(PAGES["gitlab"])
    events = [{"type": "resource-snapshot", "snapshot": event} for event in recorded["log"]["entries"]]
    lines = "".join(json.dumps(event) + "\n" for event in events)
    (logs / "132" / "network.har").unlink()
    with zipfile.ZipFile(logs / "132" / name, "w") as archive:
        archive.writestr(member, json.dumps(recorded) if member.endswith("har") else lines)
    assert score(workspace).status == 0
    assert table(logs).loc["132", "score"] == 1.0


@pytest.mark.parametrize(
    "words, message",
    [
        (["nowhere"], "nowhere: there is no such folder of logs"),
        (["logs", "--tasks", "812,7-9,x"], "--tasks: 812, x is not in the benchmark, which has 0-811"),
        (["logs", "--tasks", "9-1"], "not a range of tasks"),
        (["logs", "--tasks", "@nofile"], "nofile"),
        (
            ["logs", "--sites", "shop"],
            "--sites: shop is not in the benchmark, which has gitlab, map, reddit",
        ),
        (["logs", "--benchmark", "webarena_verifed"], "did you mean webarena_verified?"),
        (["logs", "--benchmark", "miniweb"], "its tasks are made from a site"),
        (["logs", "--profile", "lenient"], "profile='lenient' is not known"),
        (["logs", "--config", "nofile.json"], "nofile.json: cannot be read"),
        (["logs", "--config", "broken.json"], "not a configuration of webarena-verified"),
        (["logs", "--config", "outside.json"], "must be the name of a file"),
        (["logs", "--dataset", "nofile.json"], "there is no file nofile.json"),
        (["logs", "--jobs", "0"], "--jobs 0: at least 1"),
        (["."], "score it from another folder"),
        (["logs", "--out", "/proc/nowhere"], "--out /proc/nowhere"),
        (["logs", "judge.profil=paper"], "did you mean judge.profile?"),
        (["logs", "judge.profile=paper,release"], "a sweep"),
        (["logs", "--taks", "1"], "webassay score: error: unrecognized arguments: --taks 1"),
        ([], "the following arguments are required: LOGS_DIR\n"),
    ],
)
def test_a_mistake_is_named_in_one_line_and_ends_with_2(workspace: Workspace, words: list[str], message: str) -> None:
    (workspace.folder / "logs").mkdir()
    (workspace.folder / "broken.json").write_text('{"environments": [1]}')
    (workspace.folder / "outside.json").write_text('{"trace_file_name": "../network.har"}')
    given = (
        [] if {"--dataset", "--benchmark"} & set(words) else ["--dataset", str(released() / "webarena-verified.json")]
    )
    done = workspace.webassay("score", *words, *given)
    assert done.status == 2, done.output
    assert message in done.output and "Traceback" not in done.output


def test_the_original_benchmark_has_another_judge(workspace: Workspace, logs: Path) -> None:
    done = workspace.webassay(
        "score", "logs", "--benchmark", "webarena", "--dataset", str(released() / "test.raw.json")
    )
    assert done.status == 2 and "expect no structured response" in done.output


DEATH = """
import os, sys, time
def hook(event, arguments):
    if event == "open" and str(arguments[0]).endswith({trace!r}):
        {then}
sys.addaudithook(hook)
"""


def haunted(workspace: Workspace, monkeypatch: pytest.MonkeyPatch, trace: str, then: str) -> None:
    """Whatever process opens that trace meets its fate; the command itself never opens one, or it would too."""
    folder = workspace.folder / "haunted"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(textwrap.dedent(DEATH).format(trace=trace, then=then))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]))


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_worker_that_dies_loses_one_task(
    workspace: Workspace, logs: Path, monkeypatch: pytest.MonkeyPatch, jobs: str
) -> None:
    with monkeypatch.context() as patch:
        haunted(workspace, patch, "132/network.har", "os.kill(os.getpid(), 9)")
        done = score(workspace, "--jobs", jobs)
    assert done.status == 1
    rows = table(logs)
    assert list(rows["status"]) == ["success", "failure", "error", "success"]
    assert "error, task 132: judge_error: its worker was killed (signal 9)" in done.output
    assert json.loads((logs / "132" / "eval_result.json").read_text())["status"] == "error"
    again = score(workspace)
    assert again.status == 0 and "judged 1 now, 3 stood already" in again.output


def test_ctrl_c_leaves_what_is_finished(workspace: Workspace, logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        haunted(workspace, patch, "133/network.har", "time.sleep(600)")
        dataset = str(released() / "webarena-verified.json")
        words = ("score", "logs", "--jobs", "1", "--tasks", ",".join(ALL), "--dataset", dataset)
        process = workspace.start(sys.executable, "-m", "webassay.cli", *words)
        until(lambda: ledger_lines(workspace) == 3)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
    until(lambda: not workspace.processes())
    assert "judged 1 now, 3 stood already" in score(workspace).output


def test_killed_outright_it_leaves_no_process_and_loses_nothing(
    workspace: Workspace, logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        haunted(workspace, patch, "133/network.har", "time.sleep(600)")
        dataset = str(released() / "webarena-verified.json")
        words = ("score", "logs", "--jobs", "2", "--tasks", ",".join(ALL), "--dataset", dataset)
        process = workspace.start(sys.executable, "-m", "webassay.cli", *words)
        until(lambda: ledger_lines(workspace) == 3)
        process.kill()
        process.wait()
    until(lambda: not workspace.processes())
    assert "judged 1 now, 3 stood already" in score(workspace).output


def until(condition, seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.05)


def test_two_at_a_time_do_not_meet(workspace: Workspace, logs: Path) -> None:
    import fcntl

    score(workspace)
    (lock,) = workspace.folder.glob("results/scores/logs-*/lock")
    with lock.open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        done = score(workspace)
    assert done.status == 2 and "another process holds this lock" in done.output


def test_help_needs_neither_hydra_nor_pandas_nor_snakemake(workspace: Workspace) -> None:
    code = (
        "import sys; from webassay.cli import main\n"
        "try: main(['score', '--help'])\n"
        "except SystemExit: pass\n"
        "print('LOADED', {'hydra', 'pandas', 'rich', 'snakemake', 'msgspec'} & set(sys.modules))"
    )
    assert "LOADED set()" in workspace.run(sys.executable, "-c", code).output


def test_scoring_never_imports_snakemake(workspace: Workspace, logs: Path) -> None:
    dataset = str(released() / "webarena-verified.json")
    code = (
        "import sys; from webassay.cli import main\n"
        f"print('STATUS', main(['score', 'logs', '--tasks', '0', '--dataset', {dataset!r}]))\n"
        "print('LOADED', {'snakemake', 'playwright', 'django', 'openai'} & set(sys.modules))"
    )
    output = workspace.run(sys.executable, "-c", code).output
    assert "STATUS 0" in output and "LOADED set()" in output
