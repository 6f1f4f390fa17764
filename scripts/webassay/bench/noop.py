"""What it costs to find that nothing has to be done."""

from webassay.bench.table import Row, compared
from webassay.bench.workflow import Workplace, snakemake
from webassay.core.files import write_text
from webassay.errors import WebassayError

GOAL = 2.0
ONE_RULE = 'rule one:\n    output: "one.txt"\n    shell: "touch {output}"\n'


def noop_row(place: Workplace, tasks: int, runs: int, repeats: int) -> Row:
    one = place.folder / "one" / "Snakefile"
    write_text(one, ONE_RULE)
    snakemake(one, one.parent)
    pairs = [(_nothing(place), snakemake(one, one.parent).cpu) for _ in range(repeats)]
    return compared(f"no-op of {runs} × {tasks} tasks / of one rule; CPU", "s", pairs, GOAL)


def _nothing(place: Workplace) -> float:
    done = place.run()
    if "Nothing to be done" not in done.output:
        raise WebassayError(f"bench: the workflow in {place.folder} was not up to date; the measurement is void")
    return done.cpu
