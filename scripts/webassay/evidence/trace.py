"""Recordings on disk: HAR files, zipped HARs, Playwright traces."""

import re
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec.structs import replace

from webassay.errors import TrajectoryError
from webassay.evidence.har import Body, NetworkEvent, decode_har, decode_playwright

MAX_BYTES = 1 << 30
NETWORK = "trace.network"
_ATTACHMENT = re.compile(r"(?:resources/)?[A-Za-z0-9_-]+(?:\.[A-Za-z0-9]+)?")

Open = Callable[[str], bytes]
"""A file beside the recording, by name."""


def read_trace(path: Path) -> tuple[NetworkEvent, ...]:
    """All events in the order recorded; a file that is missing or broken is an error, never 'no events'.

    `.har` and `.json` hold a HAR, or the lines of a Playwright trace; a `.zip` holds one HAR or `trace.network`; a
    folder holds `trace.network`.
    """
    try:
        if path.is_dir():
            return _trace(_bounded(path / NETWORK).read_bytes(), lambda name: (path / name).read_bytes())
        if path.suffix == ".zip":
            return _zipped(_bounded(path))
        return _plain(_bounded(path).read_bytes())
    except FileNotFoundError as error:
        missing = Path(error.filename)
        raise TrajectoryError(f"{missing.parent}: no {missing.name}: the attempt is not evidence") from None
    except OSError as error:
        raise TrajectoryError(f"{path}: cannot be read ({error.strerror or error})") from None
    except RecursionError:
        raise TrajectoryError(f"{path}: not a HAR (nested too deeply)") from None
    except (ValueError, KeyError, zipfile.BadZipFile, zlib.error, NotImplementedError) as error:
        raise TrajectoryError(f"{path}: not a HAR ({str(error)[:200]})") from None


def _bounded(path: Path) -> Path:
    if path.stat().st_size > MAX_BYTES:
        raise TrajectoryError(f"{path}: larger than {MAX_BYTES >> 30} GiB, too large to be judged")
    return path


def _plain(content: bytes) -> tuple[NetworkEvent, ...]:
    if content.lstrip().startswith(b'{"type"'):
        return decode_playwright(content)
    return decode_har(content)


def _zipped(path: Path) -> tuple[NetworkEvent, ...]:
    """Nothing is unpacked; members are read by name, and no more than the bound of each."""
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()

        def read(name: str) -> bytes:
            if archive.getinfo(name).file_size > MAX_BYTES:
                raise TrajectoryError(f"{path}: {name} is larger than {MAX_BYTES >> 30} GiB, too large to be judged")
            return archive.read(name)

        if traces := sorted(name for name in names if name.endswith(NETWORK) and "/" not in name):
            return tuple(event for name in traces for event in _trace(read(name), read))
        hars = [name for name in names if name.endswith(".har") and "/" not in name]
        if len(hars) != 1:
            raise TrajectoryError(f"{path}: {len(hars)} HAR files and no {NETWORK} in it, expected one of either")
        return _with_bodies(decode_har(read(hars[0])), read)


def _trace(content: bytes, read: Open) -> tuple[NetworkEvent, ...]:
    return _with_bodies(decode_playwright(content), read)


def _with_bodies(events: tuple[NetworkEvent, ...], read: Open) -> tuple[NetworkEvent, ...]:
    """Bodies that lie in files of their own: what was posted, and answers that a judge could read."""
    return tuple(_with_body(event, read) for event in events)


def _with_body(event: NetworkEvent, read: Open) -> NetworkEvent:
    posted, answered = event.request.body, event.response.body
    if posted and (found := _attached(posted, read)):
        event = replace(event, request=replace(event.request, raw_body=found))
    if answered and "json" in answered.mime_type and (found := _attached(answered, read)):
        event = replace(event, response=replace(event.response, raw_body=found))
    return event


def _attached(body: Body, read: Open) -> msgspec.Raw | None:
    """Older traces name a file by its digest alone; a name that leads out of the recording is not followed."""
    name = body.file or (f"resources/{body.sha1}" if body.sha1 else "")
    if body.text or not _ATTACHMENT.fullmatch(name):
        return None
    try:
        return msgspec.Raw(msgspec.json.encode(Body(body.mime_type, read(name).decode("utf-8", "replace"))))
    except (KeyError, OSError):  # a trace without its resources is judged by what it has
        return None
