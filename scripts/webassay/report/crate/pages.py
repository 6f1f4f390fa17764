"""The report of a bundle, made from what the bundle holds: it shows nothing else, and leads to nothing else."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from webassay.config.paths import RESULTS, ExperimentPlan
from webassay.report.crate.files import Source
from webassay.report.site.build import build_site
from webassay.report.tables import experiment_scores


@contextmanager
def report_of(
    files: Mapping[str, Source], plan: ExperimentPlan, given: Mapping[str, Any], beside: Path
) -> Iterator[dict[str, Source]]:
    """Its files by their names in the bundle, for as long as the block runs; `beside` is where there is room."""
    beside.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".webassay-", dir=beside) as folder:
        place = Path(folder)
        for name, source in files.items():
            if Path(name).parts[0] == RESULTS.name:
                _lay(source, place / name)
        with contextlib.chdir(place):
            build_site(plan, experiment_scores(plan), plan.folder / "report", given)
        pages = (path for path in sorted((place / plan.folder / "report").rglob("*")) if path.is_file())
        yield {path.relative_to(place).as_posix(): path for path in pages}


def _lay(source: Source, target: Path) -> None:
    """The same file under another name where the disk can do that."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(source, bytes):
        target.write_bytes(source)
        return
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
