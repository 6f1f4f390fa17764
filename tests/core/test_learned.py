"""Whoever starts threads that decode has msgspec read all types before."""

import re
from dataclasses import dataclass

import msgspec

from tests.conftest import REPO
from webassay.core.learned import learn_types

PACKAGE = REPO / "scripts" / "webassay"
STARTS = re.compile(r"threading\.Thread\(|ThreadPoolExecutor\(")
DECODING_ALONE = {
    "bench/model_bound.py",  # its threads answer requests with what they were given
    "core/processes.py",  # waits for a process
    "report/site/live.py",  # the only one that reads; its server hands out files
    "sites/miniweb/control.py",  # plain values
}


def test_all_types_are_read_and_what_they_hold() -> None:
    @dataclass
    class Part:
        number: int

    class Base(msgspec.Struct):
        pass

    class Whole(Base):
        parts: list[Part]

    assert not hasattr(Part, "__msgspec_cache__")
    learn_types()
    assert hasattr(Part, "__msgspec_cache__"), "msgspec keeps there what it has read of a dataclass"


def test_whoever_starts_threads_has_them_read() -> None:
    starting = {path for path in PACKAGE.rglob("*.py") if STARTS.search(path.read_text())}
    unread = {str(path.relative_to(PACKAGE)) for path in starting if "learn_types()" not in path.read_text()}
    assert unread == DECODING_ALONE
