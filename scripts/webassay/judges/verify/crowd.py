"""Many trajectories before one judge, side by side.

Threads, since a model judge waits for its endpoint; the deterministic ones need a millisecond each, and processes
in `webassay score`.
"""

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

from webassay.core.learned import learn_types
from webassay.judges.lifecycle import Case, Court, Judgement, judge_case

Judged = tuple[Case, Judgement, bool, float]
"""The case, its judgement, whether it stood already, and the seconds that it took."""


def judge_all(cases: Sequence[Case], court: Court, workers: int) -> Iterator[Judged]:
    """As they end; an error or Ctrl-C stops all that has not begun."""
    learn_types()
    with ThreadPoolExecutor(workers, thread_name_prefix="judge") as pool:
        waiting = [pool.submit(_judged, case, court) for case in cases]
        try:
            for future in as_completed(waiting):
                yield future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _judged(case: Case, court: Court) -> Judged:
    started = time.monotonic()
    judgement, kept = judge_case(case, court)
    return case, judgement, kept, time.monotonic() - started
