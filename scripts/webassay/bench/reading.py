"""What it costs to read many trajectories and count what is in them, beside decoding the same files and no more."""

import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from webassay.bench.table import Row, compared, measured
from webassay.core.answer import FinalAnswer
from webassay.core.events import EventLog
from webassay.core.files import write_json
from webassay.core.folders import trajectory_folders
from webassay.core.processes import child_environment
from webassay.core.screenshots import PNG
from webassay.core.trajectory import Attempt, Trajectory, write_end

GOAL, GOAL_GROWTH = 2.0, 1.2
STEPS = 12
VARIETY = 100
"""Different trajectories; more are links to these, which cost a reader the same."""


def reading_rows(folder: Path, count: int, passes: int) -> Iterator[Row]:
    root = write_many(folder, count)
    pairs = [(_cpu(read_all, root) / count, _cpu(decode_all, root) / count) for _ in range(passes)]
    what = f"{count} trajectories of {STEPS} steps read and counted / json.loads of the same files; CPU a trajectory"
    yield compared(what, "ms", [(1000 * ours, 1000 * reference) for ours, reference in pairs], GOAL)
    few, all_of_them = _peak(root / "0"), _peak(root)
    what = f"peak memory of reading {count} trajectories, as a multiple of that for a tenth"
    yield measured(what, "×", [all_of_them / few], GOAL_GROWTH)


def write_many(folder: Path, count: int) -> Path:
    """Ten folders of equal size."""
    rng, root = random.Random(0), folder / "trajectories"
    models = [write_one(folder / "models" / f"t{n}", rng) for n in range(min(VARIETY, count))]
    for n in range(count):
        home = root / str(n % 10) / f"t{n}"
        (home / "scores").mkdir(parents=True)
        for path in models[n % len(models)].rglob("*.*"):
            (home / path.relative_to(models[n % len(models)])).hardlink_to(path)
    return root


def write_one(home: Path, rng: random.Random) -> Path:
    """As long as those of webeval's agent, which writes each thought three times."""
    (home / "scores").mkdir(parents=True)
    log = EventLog(home)
    for step in range(STEPS):
        thought = "".join(rng.choices("abcdefgh ", k=300))
        arguments = {"action": "left_click", "coordinate": [step, step], "thoughts": thought}
        message = f"Thought #{step}: {thought}\n{thought}"
        log.write(message=message, url="http://shop.localhost/", action="computer_use", arguments=arguments)
    log.close()
    frames = tuple(f"screenshot{n}.png" for n in range(STEPS + 1))
    for frame in frames:
        (home / frame).write_bytes(PNG)
    write_end(home, FinalAnswer("x" * 200, screenshots=frames), Attempt("t", "d" * 64, 0, "answered"), 0.0, 1.0)
    write_json(home / "scores" / "gpt_eval.json", {"score": 1.0, "gpt_response_text": "y" * 500})
    return home


def read_all(root: Path) -> tuple[int, float]:
    """Steps, and the sum of scores."""
    steps, passed = 0, 0.0
    for folder in trajectory_folders(root):
        trajectory = Trajectory.from_folder(folder)
        steps += len(trajectory.steps) if trajectory.times else 0
        passed += trajectory.score or 0.0
    return steps, passed


def decode_all(root: Path) -> tuple[int, float]:
    steps, passed = 0, 0.0
    for log in root.glob("*/*/web_surfer.log"):
        with log.open() as lines:
            steps += sum(json.loads(line)["action"] is not None for line in lines)
        for name in ("attempt.json", "t_final_answer.json", "times.json"):
            json.loads((log.parent / name).read_text())
        passed += json.loads((log.parent / "scores" / "gpt_eval.json").read_text())["score"]
    return steps, passed


def _cpu(work: Callable[[Path], object], root: Path) -> float:
    started = time.process_time()
    work(root)
    return time.process_time() - started


def _peak(root: Path) -> float:
    """In a process of its own, since a peak only grows."""
    words = [sys.executable, "-m", "webassay.bench.reading", str(root)]
    done = subprocess.run(words, capture_output=True, text=True, check=True, env=child_environment())
    return float(done.stdout)


if __name__ == "__main__":
    read_all(Path(sys.argv[1]))
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
