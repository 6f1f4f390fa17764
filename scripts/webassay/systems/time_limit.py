"""The wall clock of a task, for systems that never come back to act."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import greenlet

from webassay.systems.session import Session

AGAIN_SECONDS = 0.5


@contextmanager
def time_limit(session: Session) -> Iterator[None]:
    """Raise OverBudget in the system's own code when its time is up.

    Never inside Playwright, whose event loop runs in another greenlet of this thread and would be left broken: its
    calls have time-outs of their own, so the alarm only has to ring again.
    """

    def ring(_signal: int, _frame: FrameType | None) -> None:
        if greenlet.getcurrent() is own:
            session.check_clock()
        signal.setitimer(signal.ITIMER_REAL, AGAIN_SECONDS)

    own = greenlet.getcurrent()
    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(session.seconds_left, 0.001) + 0.01)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
