"""The last error of a `core.log`, and what kind of error it is.

Kinds are webeval's: an error of the browser goes by the last exception of its traceback (without its module), one of a
task by its message without the `[Execution …]` in front, the rest by what stands before the first colon. Our own
runner's last line says `aborted: …` or `over_budget: …`; there the kind reaches to the next colon.
"""

import re
from pathlib import Path

MOST = 64 * 2**20
"""Bytes at a log's end that are read; an older error is not its last."""
LONGEST = 120

_LINE = re.compile(rb"^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d[,.]\d{1,6} \[([A-Z]+)\] [^\n]*? - ", re.MULTILINE)
_EXECUTION = re.compile(r"\[Execution [^\]]*\]\s*")
_EXCEPTION = re.compile(r"(?:\w+\.)*(\w*(?:Error|Exception|Interrupt|Exit|Fault)(?::.*)?)")
_LABELS = ("Error parsing thoughts and action", "Invalid action text")
_BROWSER = "Web surfing error"
_TASK = "Error running task"
_ENDINGS = ("aborted", "over_budget")


def last_error(path: Path) -> str | None:
    """The kind of the last `[ERROR]`; None where there is none, or no log."""
    try:
        log = _tail(path) if path.is_file() else b""
    except OSError as error:
        return f"core.log cannot be read: {error.strerror}"
    message = _last_message(log)
    return None if message is None else kind_of(message.decode("utf-8", "replace"))


def kind_of(message: str) -> str:
    """Of a message with the lines that follow it."""
    first, *rest = message.strip().splitlines() or [""]
    return one_line(_kind(_EXECUTION.sub("", first, count=1), rest)) or "error without a message"


def one_line(text: str) -> str:
    """Printable and short, whatever a log or a page put into it."""
    printable = "".join(letter if letter.isprintable() else " " for letter in text[: 4 * LONGEST])
    line = " ".join(printable.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


def _kind(first: str, rest: list[str]) -> str:
    for label in _LABELS:
        if first.startswith(label):
            return label
    if first.startswith(_BROWSER):
        exceptions = [found[1] for line in rest if (found := _EXCEPTION.fullmatch(line))]
        return f"{_BROWSER}: {exceptions[-1]}" if exceptions else _BROWSER
    if _TASK in first:
        return first
    ending, _, why = first.partition(": ")
    return f"{ending}: {why.partition(':')[0]}" if ending in _ENDINGS and why else first.partition(":")[0]


def _tail(path: Path) -> bytes:
    with path.open("rb") as stream:
        stream.seek(max(0, path.stat().st_size - MOST))
        return stream.read(MOST)


def _last_message(log: bytes) -> bytes | None:
    begin, end = -1, None
    for line in _LINE.finditer(log):
        if begin >= 0 and end is None:
            end = line.start()
        if line[1] == b"ERROR":
            begin, end = line.end(), None
    return log[begin:end] if begin >= 0 else None
