"""The first page: who did how well before which judge, how sure that is, and how to make it again."""

import platform
import shlex
from collections.abc import Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from webassay.core.digest import code_provenance
from webassay.report.agents import Line
from webassay.report.experiment import Numbers
from webassay.report.sheet import FORMS, Sheet
from webassay.report.site.files import link
from webassay.report.site.leads import linked_rows
from webassay.report.site.pages import SiteRun
from webassay.report.site.plot import Plot, Point, differences, rates
from webassay.report.tables import shown_interval
from webassay.stats.success import Interval

HEADINGS = {
    "summary": "Runs and judges",
    "judges": "The same runs before each judge",
    "ensembles": "Agents that know nothing",
    "comparison": "Systems beside an anchor",
    "headline": "Means over repeats",
    "sites": "By site",
    "templates": "By template",
    "judge_pairs": "Judges beside each other",
    "judge_health": "How far judges can be relied on",
    "judge_cost": "What judging took",
    "failures": "How attempts failed",
    "usage": "Tokens, steps and time",
}
FOLDED = {"templates"}
PACKAGES = ("snakemake", "hydra-core", "playwright", "pandas", "scipy", "openai")


def index(numbers: Numbers, runs: Sequence[SiteRun], page: Path, given: Mapping[str, Any]) -> dict[str, Any]:
    """The template's values; while a run goes on, the page lies elsewhere and leads only to what is there."""
    experiment = numbers.experiment
    final = page.parent.parent == experiment.folder
    return {
        "name": experiment.name,
        "digest": experiment.digest[:8],
        "counts": counts(numbers, runs),
        "plots": [*_rates(numbers), *_differences(numbers)],
        "sections": [_section(sheet, numbers, page, final) for sheet in numbers.sheets.values()],
        "provenance": yaml.safe_dump(experiment.described(dict(given)), sort_keys=False, allow_unicode=True),
        "command": command(experiment.name, given.get("overrides")),
        "versions": versions(),
        "folder": experiment.folder.name,
        "files": [(name, link(path, page)) for name, path in _others(experiment.folder, final)],
    }


def counts(numbers: Numbers, runs: Sequence[SiteRun]) -> list[tuple[str, int]]:
    scores = numbers.scores
    return [
        ("runs", len(runs)),
        ("judges", len(numbers.experiment.judges)),
        ("tasks", len({(run.plan.parts[3], task.task_id) for run in runs for task in run.tasks})),
        ("attempts judged", int((scores["verification"] != "ungraded").sum())),
        ("not judged", int((scores["verification"] == "ungraded").sum())),
    ]


def command(name: str, overrides: Any) -> str:
    """What makes it again, in a checkout of the same version."""
    words = overrides.split() if isinstance(overrides, str) else [str(word) for word in overrides or ()]
    return shlex.join(["webassay", "run", f"experiment={name}", *words])


def versions() -> list[tuple[str, str]]:
    installed = [(name, metadata.version(name)) for name in PACKAGES]
    return [("webassay", code_provenance()), ("Python", platform.python_version()), *installed]


def _rates(numbers: Numbers) -> Iterator[Plot]:
    """One for each benchmark; a judge is a colour and a shape."""
    judges = numbers.experiment.judges
    table = numbers.summary
    for benchmark, rows in table.groupby("benchmark", sort=False):
        points = [_rate(row, numbers.labels[row["run"]], judges) for row in rows.to_dict("records")]
        yield rates(f"Success on {benchmark}", points, judges if len(judges) > 1 else [])


def _rate(row: Mapping[Any, Any], label: str, judges: list[str]) -> Point:
    interval = Interval(_number(row["macro_all"]), _number(row["macro_all_half_width"]), int(row["templates_all"]))
    return Point(
        label,
        None if interval.mean is None else 100 * interval.mean,
        None if interval.half_width is None else 100 * interval.half_width,
        shown_interval(interval),
        judges.index(row["judge"]),
    )


def _differences(numbers: Numbers) -> Iterator[Plot]:
    if "comparison" not in numbers.experiment.sheets:
        return
    for title, comparison in numbers.comparisons.items():
        if points := [_difference(line) for line in comparison.lines if line.beside]:
            yield differences(f"Paired differences to {comparison.anchor}: {title}", points)


def _difference(line: Line) -> Point:
    assert line.beside
    against = line.beside.against
    interval = against.interval
    return Point(
        line.agent,
        None if interval.mean is None else 100 * interval.mean,
        None if interval.half_width is None else 100 * interval.half_width,
        shown_interval(interval).replace("-", "−"),
        hollow=not (against.outperforms or against.falls_behind),
    )


def _section(sheet: Sheet, numbers: Numbers, page: Path, final: bool) -> dict[str, Any]:
    folder = numbers.experiment.folder
    files = [(form, folder / "tables" / f"{sheet.name}.{form}") for form in FORMS]
    return {
        "id": sheet.name,
        "title": HEADINGS[sheet.name],
        "columns": list(sheet.shown.columns),
        "rows": linked_rows(sheet, numbers),
        "note": sheet.note,
        "folded": sheet.name in FOLDED,
        "forms": {"CSV": sheet.csv(), "Markdown": sheet.markdown(), "LaTeX": sheet.latex()},
        "files": [(form, link(path, page)) for form, path in files if final or path.is_file()],
    }


def _others(folder: Path, final: bool) -> list[tuple[str, Path]]:
    """What lies beside the report: made with it, and by other rules on demand."""
    made = [folder / name for name in ("scores.csv", "experiment.yaml", "report.tex")]
    made = [path for path in made if final or path.is_file()]
    asked = [folder / name for name in ("analysis", "agreement", "judge_health", "subset")]
    return [(path.name, path) for path in [*made, *(path for path in asked if path.is_dir())]]


def _number(value: Any) -> float | None:
    return None if value is None or pd.isna(value) else float(value)
