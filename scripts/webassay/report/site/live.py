"""`webassay view`: the report of an experiment that may still be going on, made again as tasks end."""

import os
import sys
import tempfile
import threading
import time
import webbrowser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pandas as pd
import yaml

from webassay.config.experiment import plan_experiment, started
from webassay.config.paths import RESULTS, ExperimentPlan, RunPlan
from webassay.core.digest import file_digest
from webassay.core.files import read_json
from webassay.core.folders import TRAJECTORIES
from webassay.errors import NOT_OURS, WebassayError
from webassay.judges.lifecycle import read_sidecar
from webassay.report.live import progress_rows
from webassay.report.site.build import build_site
from webassay.report.site.files import put
from webassay.report.site.server import serve
from webassay.report.tables import join_scores, named_judges, typed_scores

EVERY = 2.0
"""Seconds between two looks, and at least four times as long as one takes."""
VIEWS = RESULTS / ".cache" / "view"


def view(folder: str, *, port: int, browse: bool, once: bool = False) -> int:
    """Serves until it is stopped; `once` makes the pages and says where they are."""
    asked = _asked(_results(Path(folder)))
    experiment = plan_experiment(asked["experiment"], asked["overrides"])
    site = _place(experiment)
    _build(experiment, asked, site)
    if once:
        print(site.absolute() / "index.html")
        return 0
    threading.Thread(target=_keep_up, args=(experiment, asked, site), daemon=True).start()
    with serve(RESULTS, port) as server:
        url = f"http://127.0.0.1:{server.server_port}/{site.relative_to(RESULTS)}/index.html"
        print(f"{experiment.folder.name}: {url} (Ctrl-C ends it)", flush=True)
        if browse:
            webbrowser.open(url)
        server.serve_forever()
    return 0


def _place(experiment: ExperimentPlan) -> Path:
    """Of the pages. Where results may not be written, these are mirrored by links in a temporary folder."""
    site = VIEWS / experiment.folder.name
    try:
        site.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=site):
            return site
    except OSError as error:
        if error.errno not in NOT_OURS:
            raise
    mirror = Path(tempfile.mkdtemp(prefix="webassay-view-"))
    (mirror / site).mkdir(parents=True)
    for name in (RESULTS / "runs", RESULTS / "experiments"):
        (mirror / name).symlink_to(name.resolve())
    print(f"{RESULTS.resolve()} may not be written: the pages are in {mirror / site}", file=sys.stderr)
    os.chdir(mirror)
    return site


def _results(folder: Path) -> Path:
    """The experiment's folder that is meant, or the results; paths of plans begin in the folder above `results`."""
    inside = next((each for each in (folder.resolve(), *folder.resolve().parents) if each.name == RESULTS.name), None)
    if inside is None or not folder.is_dir():
        raise WebassayError(f"{folder}: not a results folder; name `results`, or one in results/experiments/")
    asked = folder.resolve()
    os.chdir(inside.parent)
    return RESULTS / asked.relative_to(inside)


def _asked(folder: Path) -> dict[str, Any]:
    """Experiment and overrides: of the experiment that is named, or of the one that was started last."""
    if (folder / "experiment.yaml").is_file():
        return dict(yaml.safe_load((folder / "experiment.yaml").read_text()))
    if folder != RESULTS:
        raise WebassayError(f"{folder}: no experiment.yaml in it; name results, or a folder in results/experiments/")
    if (last := started()) is None:
        raise WebassayError("no experiment was started here yet; see `webassay run --help`")
    return dict(read_json(last))


def _keep_up(experiment: ExperimentPlan, asked: Mapping[str, Any], site: Path) -> None:
    while True:
        before = time.monotonic()
        try:
            _build(experiment, asked, site)
        except (OSError, ValueError, RecursionError, WebassayError) as error:  # a run that is being deleted
            print(f"webassay: view: {error}", flush=True)
        time.sleep(max(EVERY, 4 * (time.monotonic() - before)))


def _build(experiment: ExperimentPlan, asked: Mapping[str, Any], site: Path) -> None:
    scores = pd.concat([_scores(plan) for plan in experiment.runs], ignore_index=True)
    going = [[label, *row] for label, row in _going_on(experiment)]
    build_site(experiment, named_judges(experiment, typed_scores(scores)), site, asked, going)
    made = (site / "data.js", site / "index.html")
    put(site / "stamp.txt", "".join(map(file_digest, made)).encode())


def _going_on(experiment: ExperimentPlan) -> list[tuple[str, list[str]]]:
    runs = experiment.by_run.values()
    return [(run.columns["system"], row) for run in runs for row in progress_rows(run)]


def _scores(plan: RunPlan) -> pd.DataFrame:
    """Of a run that is done its file, else the verdicts that there are."""
    if plan.scores.is_file():
        return join_scores([plan.scores])
    folders = sorted((plan.folder / TRAJECTORIES).glob("*/scores"))
    kept = [sidecar.judgement for folder in folders if (sidecar := read_sidecar(folder, plan.eval_hash))]
    return pd.DataFrame([plan.columns | msgspec.to_builtins(judgement) for judgement in kept])
