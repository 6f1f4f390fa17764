"""The least that any judge of recordings must do: what was asked for, and whether it was answered."""

from pathlib import Path

import msgspec


class Request(msgspec.Struct, frozen=True, gc=False):
    method: str
    url: str


class Answer(msgspec.Struct, frozen=True, gc=False):
    status: int


class Entry(msgspec.Struct, frozen=True, gc=False):
    request: Request
    response: Answer
    kind: str = msgspec.field(name="_resourceType")


class Log(msgspec.Struct, frozen=True, gc=False):
    entries: tuple[Entry, ...]


class Har(msgspec.Struct, frozen=True, gc=False):
    log: Log


_DECODER = msgspec.json.Decoder(Har)


def decode(path: Path) -> tuple[Entry, ...]:
    return _DECODER.decode(path.read_bytes()).log.entries
