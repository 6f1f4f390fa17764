"""The workflow, or any command, in a process of its own, in a folder of its own, and what it cost."""

import contextlib
import resource
import subprocess
import sys
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from webassay.config.experiment import CONFIG, plan_experiment
from webassay.config.paths import ExperimentPlan
from webassay.core.processes import child_environment, die_with_parent
from webassay.errors import WebassayError

SNAKEFILE = CONFIG.parent / "Snakefile"
EXPERIMENT = "chaos"
"""Any experiment of one run: the overrides replace its system."""
CORES = 2


@dataclass(frozen=True)
class Invocation:
    cpu: float
    """Seconds of the command and of all that it waited for."""
    wall: float
    output: str


@dataclass(frozen=True)
class Workplace:
    """A folder for Snakemake and the overrides it is always given there."""

    folder: Path
    overrides: str

    def plan(self) -> ExperimentPlan:
        with contextlib.chdir(self.folder):
            return plan_experiment(EXPERIMENT, self.overrides)

    def run(self, *targets: Path) -> Invocation:
        settings = ["--config", f"experiment={EXPERIMENT}", f"overrides={self.overrides}"]
        return snakemake(SNAKEFILE, self.folder, *map(str, targets), *settings)


def snakemake(snakefile: Path, folder: Path, *arguments: str) -> Invocation:
    """With the settings of `webassay run`, whichever workflow it is."""
    settings = ["--profile", str(CONFIG / "profiles" / "local"), "--cores", str(CORES)]
    command = [
        sys.executable,
        "-m",
        "snakemake",
        "-s",
        str(snakefile),
        "--directory",
        str(folder),
        *settings,
        *arguments,
    ]
    return invoke(command)


def invoke(command: Sequence[str], folder: Path | None = None, accepted: Collection[int] = (0,)) -> Invocation:
    """Any command; an exit status that is not accepted is an error with its last words."""
    began = time.perf_counter()
    with _children_cpu() as cpu:
        done = subprocess.run(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=child_environment(),
            preexec_fn=die_with_parent,
        )
    if done.returncode not in accepted:
        raise WebassayError(f"bench: {' '.join(command)} failed:\n" + "\n".join(done.stdout.splitlines()[-25:]))
    return Invocation(cpu[0], time.perf_counter() - began, done.stdout)


@contextlib.contextmanager
def _children_cpu() -> Iterator[list[float]]:
    """One number, there after the block: the CPU seconds of the children that ended in it."""
    seconds: list[float] = []
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    yield seconds
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
