"""Recordings on disk: HAR files, zipped HARs, Playwright traces."""

import lzma
import re
import stat
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec.structs import replace

from webassay.errors import TrajectoryError
from webassay.evidence.har import Body, NetworkEvent, decode_har, decode_playwright

MAX_BYTES = 1 << 30
MAX_ATTACHED = 1 << 26
"""All bodies that lie beside a recording, together: what was posted is small, and hostile archives are not."""
SAMPLE = 20
"""Requests that tell whether a HAR has its bodies beside it: a recorder puts all of them there, or none."""
NETWORK = "trace.network"
BOM = b"\xef\xbb\xbf"
_ATTACHMENT = re.compile(r"(?:resources/)?[A-Za-z0-9_-]+(?:\.[A-Za-z0-9]+)?")
_UNREADABLE = (ValueError, KeyError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error, lzma.LZMAError)

Read = Callable[[str, int], bytes]
"""A file of the recording by its name, of at most so many bytes."""


def read_trace(path: Path) -> tuple[NetworkEvent, ...]:
    """All events in the order recorded; a file that is missing or broken is an error, never 'no events'.

    `.har` and `.json` hold a HAR, or the lines of a Playwright trace; a `.zip` holds one HAR or `trace.network`; a
    folder holds `trace.network`.
    """
    try:
        if path.is_dir():
            return _with_bodies(decode_playwright(_read(path / NETWORK, MAX_BYTES)), _beside(path))
        if path.suffix == ".zip":
            return _zipped(path)
        return _plain(_read(path, MAX_BYTES), _beside(path.parent))
    except FileNotFoundError as error:
        missing = Path(error.filename)
        raise TrajectoryError(f"{missing.parent}: no {missing.name}: the attempt is not evidence") from None
    except OSError as error:
        raise TrajectoryError(f"{path}: cannot be read ({error.strerror or error})") from None
    except RecursionError:
        raise TrajectoryError(f"{path}: not a HAR (nested too deeply)") from None
    except MemoryError:
        raise TrajectoryError(f"{path}: too large to be judged here") from None
    except _UNREADABLE as error:
        raise TrajectoryError(f"{path}: not a HAR ({str(error)[:200]})") from None


def _read(path: Path, most: int) -> bytes:
    found = path.stat()
    if found.st_size > most:
        raise TrajectoryError(f"{path}: larger than {most >> 20} MiB, too large to be judged")
    if not stat.S_ISREG(found.st_mode):
        raise TrajectoryError(f"{path}: not a file")
    return path.read_bytes()


def _beside(folder: Path) -> Read:
    return lambda name, most: _read(folder / name, most)


def _plain(content: bytes, read: Read) -> tuple[NetworkEvent, ...]:
    if content.lstrip().startswith(b'{"type"'):
        return decode_playwright(content)
    events = decode_har(content.removeprefix(BOM))
    return _with_bodies(events, read) if any(map(_is_attached, events[:SAMPLE])) else events


def _is_attached(event: NetworkEvent) -> bool:
    return any(body is not None and body.file is not None for body in (event.request.body, event.response.body))


def _zipped(path: Path) -> tuple[NetworkEvent, ...]:
    """Nothing is unpacked; members are read by name, and no more than the bound of each."""
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()

        def read(name: str, most: int = MAX_BYTES) -> bytes:
            if archive.getinfo(name).file_size > most:
                raise TrajectoryError(f"{path}: {name} is larger than {most >> 20} MiB, too large to be judged")
            return archive.read(name)

        if traces := [name for name in names if name.endswith(NETWORK) and "/" not in name]:
            content = b"\n".join(read(name, MAX_BYTES // len(traces)) for name in sorted(traces, key=_in_order))
            return _with_bodies(decode_playwright(content), read)
        hars = [name for name in names if name.endswith(".har") and "/" not in name]
        if len(hars) != 1:
            raise TrajectoryError(f"{path}: {len(hars)} HAR files and no {NETWORK} in it, expected one of either")
        return _with_bodies(decode_har(read(hars[0])), read)


def _in_order(name: str) -> tuple[int, str]:
    """`2-trace.network` comes before `10-trace.network`."""
    return len(name), name


def _with_bodies(events: tuple[NetworkEvent, ...], read: Read) -> tuple[NetworkEvent, ...]:
    """Bodies that lie in files of their own: what was posted, and answers that a judge could read."""
    attached = _Attached(read)
    return tuple(_with_body(event, attached) for event in events)


def _with_body(event: NetworkEvent, attached: "_Attached") -> NetworkEvent:
    posted, answered = event.request.body, event.response.body
    if posted and (found := attached.body(posted)):
        event = replace(event, request=replace(event.request, raw_body=found))
    if answered and "json" in (answered.mime_type or "") and (found := attached.body(answered)):
        event = replace(event, response=replace(event.response, raw_body=found))
    return event


class _Attached:
    """Reads each file once, and all of them together up to a bound."""

    def __init__(self, read: Read) -> None:
        self._read, self._left = read, MAX_ATTACHED
        self._known: dict[tuple[str, str | None], msgspec.Raw | None] = {}

    def body(self, body: Body) -> msgspec.Raw | None:
        """Older traces name a file by its digest alone; a name that leads out of the recording is not followed."""
        name = body.file or (f"resources/{body.sha1}" if body.sha1 else "")
        if body.text or not _ATTACHMENT.fullmatch(name):
            return None
        key = name, body.mime_type
        if key not in self._known:
            self._known[key] = self._body(name, body.mime_type)
        return self._known[key]

    def _body(self, name: str, mime_type: str | None) -> msgspec.Raw | None:
        try:
            content = self._read(name, self._left)
        except (KeyError, OSError):  # a trace without its resources is judged by what it has
            return None
        self._left -= len(content)
        return msgspec.Raw(msgspec.json.encode(Body(mime_type, content.decode("utf-8", "replace"))))
