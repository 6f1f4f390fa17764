"""`webassay bundle` and `webassay reproduce`: what they say, and their exit status."""

import sys
from pathlib import Path

from webassay.errors import BundleError
from webassay.report.crate.contents import asked_for, contents, find_experiment, finished, plan_of, withheld
from webassay.report.crate.files import METADATA, size_of, write_bundle
from webassay.report.crate.metadata import metadata
from webassay.report.crate.pages import report_of
from webassay.report.crate.reproduce import Reproduced, reproduce
from webassay.report.crate.secrets import redacted

LISTED = 40


def bundle_and_show(experiment: str | None, out: Path | None, left_out: frozenset[str], licence: str | None) -> int:
    folder = find_experiment(experiment)
    done = finished(plan_of(folder))
    target = out or Path(f"{folder.name}.zip")
    kept = contents(done, left_out)
    with report_of(kept, done.plan, asked_for(folder), target.parent) as pages:
        files = redacted(kept | pages, done.plan, withheld(done, left_out))
        files[METADATA] = metadata(files, done, licence)
        fresh = write_bundle(files, target)
        size = sum(size_of(source) for source in files.values()) / 2**20
    without = f", without {' and '.join(sorted(left_out))}" if left_out else ""
    print(f"{folder}: {len(files) + 1} files, {size:.1f} MB, {len(done.judged)} scores{without}")
    print(f"{target}" if fresh else f"{target} is this very bundle already")
    return 0


def reproduce_and_show(bundle: Path, dest: Path | None) -> int:
    target = dest or Path(f"{bundle.name.removesuffix('.zip')}-again")
    try:
        done = reproduce(bundle, target)
    except BundleError as error:
        raise BundleError(f"{bundle}: {error}") from None
    for problem in done.problems[:LISTED]:
        print(f"differs: {problem}")
    if len(done.problems) > LISTED:
        print(f"differs: and {len(done.problems) - LISTED} more")
    if done.tables:
        _show(done, target)
    else:
        print(f"{bundle} was changed after it was made; nothing of it was used", file=sys.stderr)
    return 1 if done.problems else 0


def _show(done: Reproduced, target: Path) -> None:
    for said in done.taken:
        print(f"taken over: {said}")
    for said in done.notes:
        print(f"drawn otherwise: {said}")
    equal = "not all byte-equal" if done.problems else "byte-equal"
    print(
        f"{done.tables} tables and files of scores {equal}, {done.judged} scores judged again, "
        f"{done.replies} stored replies used, 0 model calls: {target}"
    )
