"""`webassay run`: Snakemake with checked overrides, a live view of the tasks, and the table at the end."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from rich.console import Console
from rich.live import Live
from rich.markdown import Markdown
from rich.table import Table

from webassay.config.experiment import CONFIG, plan_experiment
from webassay.config.kinds import build_judge, build_system
from webassay.config.paths import ExperimentPlan, RunPlan
from webassay.core.files import read_json, require_space
from webassay.core.processes import child_environment
from webassay.errors import WebassayError


def run_experiment(name: str | None, overrides: Sequence[str], *, cores: str, dry_run: bool, plain: bool) -> int:
    """Snakemake's exit status; a typo is told before it starts."""
    require_space(Path.cwd())
    plan = plan_experiment(name, overrides)
    for each in plan.runs:
        build_system(each.config), build_judge(each.config)  # a mistake in either is told before anything starts
    command = _command(plan, overrides, cores, dry_run) + ([] if plain else ["--quiet", "rules", "host", "reason"])
    for run in plan.by_run.values():
        shutil.rmtree(run.folder / "progress", ignore_errors=True)  # of a run that was killed
    console = Console()
    if plain or dry_run or not console.is_terminal:
        status = subprocess.run(command, env=child_environment()).returncode
    else:
        status = _watched(command, plan, console)
    if status == 0 and not dry_run:
        _show(plan, console)
    return status


def _command(plan: ExperimentPlan, overrides: Sequence[str], cores: str, dry_run: bool) -> list[str]:
    snakemake = [sys.executable, "-m", "snakemake", "--snakefile", str(CONFIG.parent / "Snakefile")]
    settings = ["--profile", str(CONFIG / "profiles" / "local"), "--cores", cores]
    settings += ["--dry-run"] if dry_run else []
    listed = json.dumps(list(overrides))  # YAML to Snakemake, whatever the words hold
    return [*snakemake, *settings, "--config", f"experiment={plan.name}", f"overrides={listed}"]


def _watched(command: list[str], plan: ExperimentPlan, console: Console) -> int:
    """Snakemake's own words go to a file and are shown only if it fails."""
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, env=child_environment())
        try:
            with Live(_view(plan), console=console, refresh_per_second=4, transient=True) as live:
                while process.poll() is None:
                    live.update(_view(plan))
                    time.sleep(0.25)
        except KeyboardInterrupt:
            process.wait()
            raise
        if process.returncode:
            console.print(_trouble(output), markup=False, highlight=False)
        return process.returncode


def _trouble(output: IO[str]) -> str:
    """Our own messages where there are any, else the end of what Snakemake said."""
    output.seek(0)
    lines = output.read().splitlines()
    ours = list(dict.fromkeys(line for line in lines if line.startswith("webassay: ")))
    return "\n".join(ours or lines[-25:])


def _view(plan: ExperimentPlan) -> Table:
    table = Table(title=plan.name, title_justify="left")
    for column in ("run", "stage", "done", "running", "aborted", "tasks/min", "left"):
        table.add_column(column, justify="left" if column in ("run", "stage", "running") else "right", overflow="fold")
    for run in plan.by_run.values():
        for row in progress_rows(run) or [[_finished(run, plan), "", "", "", "", ""]]:
            table.add_row(_label(run), *row)
    return table


def _label(run: RunPlan) -> str:
    columns = run.columns
    return " ".join([columns["system"], columns["model"], columns["benchmark"], columns["run_id"]]).replace(
        " none ", " "
    )


def progress_rows(run: RunPlan) -> list[list[str]]:
    rows = []
    for path in sorted((run.folder / "progress").glob("*.json")):
        try:
            state = read_json(path)
        except (OSError, WebassayError):
            continue  # it ended between the listing and the reading
        rate = state["done"] / max(state["elapsed"], 0.1)
        left = f"{(state['expected'] - state['done']) / rate:.0f} s" if rate else "…"
        rows.append(
            [
                path.stem.partition("-")[0],
                f"{state['done']}/{state['expected']}",
                " ".join(state["running"]),
                str(state["aborted"]),
                f"{60 * rate:.1f}" if rate else "…",
                left,
            ]
        )
    return rows


def _finished(run: RunPlan, plan: ExperimentPlan) -> str:
    judged = [each for each in plan.runs if each.run == run.run]
    if all(each.scores.is_file() for each in judged):
        return "judged"
    done = all((run.folder / "settled" / f"{shard}.json").is_file() for shard in plan.shards)
    return "executed" if done else "waiting"


def _show(plan: ExperimentPlan, console: Console) -> None:
    for name in plan.headlines:
        text = (plan.folder / "tables" / f"{name}.md").read_text()
        console.print(Markdown(text)) if console.is_terminal else print(text)
    print(f"All of it: {_relative(plan.folder)}")


def _relative(path: Path) -> str:
    return os.path.relpath(path)
