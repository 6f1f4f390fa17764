"""What every stage script does besides its work: find its plan, end with Snakemake, tell trouble in one line."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from webassay.config.experiment import plan_experiment
from webassay.config.paths import ExperimentPlan
from webassay.core.processes import follow_supervisor
from webassay.errors import WebassayError, mended_by_user


@contextmanager
def stage(job: Any) -> Iterator[ExperimentPlan]:
    """`job` is Snakemake's object of a `script:` rule; an error a user can mend is told without a traceback."""
    follow_supervisor()
    try:
        yield plan_experiment(job.config.get("experiment"), job.config.get("overrides"))
    except (WebassayError, OSError) as error:
        told = mended_by_user(error) if isinstance(error, OSError) else str(error)
        if not told:
            raise
        message = f"webassay: {job.rule}: {told}"
        print(message, file=sys.stderr)
        with suppress(OSError), Path(job.log[0]).open("a") as log:  # on a full disk there is no log
            print(message, file=log)
        sys.exit(1)
