"""Pictures in messages: known by their sha256, and read and encoded only when a model is really asked."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webassay.core.screenshots import JPEG, PNG, WEBP

LARGEST = 32 * 2**20
NOT_SHOWN = "(a picture that you cannot be shown)"
KINDS = ((PNG, "image/png"), (JPEG, "image/jpeg"), (WEBP, "image/webp"))
ENDS = {"image/png": b"IEND\xaeB`\x82", "image/jpeg": b"\xff\xd9"}
AFTER = 1024
"""Bytes that cameras and programs put behind a picture's end."""


@dataclass(frozen=True)
class Picture:
    path: Path
    media_type: str
    sha256: str

    @property
    def url(self) -> str:
        return f"data:{self.media_type};base64,{base64.b64encode(self.path.read_bytes()).decode()}"


def picture(path: Path) -> Picture | None:
    """None for what is no picture by its first bytes, is cut short, cannot be read, or is too large for any endpoint.

    One that no endpoint takes would keep all others of its trajectory from being judged.
    """
    try:
        content = path.read_bytes() if path.stat().st_size <= LARGEST else b""
    except OSError:
        return None
    media_type = next((kind for magic, kind in KINDS if content.startswith(magic)), None)
    if media_type is None or not _is_whole(content, media_type):
        return None
    return Picture(path, media_type, hashlib.sha256(content).hexdigest())


def _is_whole(content: bytes, media_type: str) -> bool:
    if media_type in ENDS:
        return ENDS[media_type] in content[-AFTER:]
    told = int.from_bytes(content[4:8], "little") + 8  # RIFF tells its length at the start
    return content[8:12] == b"WEBP" and told <= len(content)


def picture_part(shown: Picture) -> dict[str, Any]:
    """As a part of a message; `detail: high` is what published judges ask for."""
    return {"type": "image_url", "image_url": {"url": shown, "detail": "high"}}


def without_pictures(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """For models that know words only: in place of each picture it is told that there was one."""
    told = {"type": "text", "text": NOT_SHOWN}
    return [
        {**message, "content": [told if part["type"] == "image_url" else part for part in message["content"]]}
        if isinstance(message["content"], list)
        else dict(message)
        for message in messages
    ]


def digested(value: Any) -> Any:
    """The same messages with digests in place of pictures."""
    return _replaced(value, lambda shown: f"sha256:{shown.sha256}")


def encoded(value: Any) -> Any:
    """The same messages as they are sent."""
    return _replaced(value, lambda shown: shown.url)


def _replaced(value: Any, how: Any) -> Any:
    """Half of a surrogate pair can neither be sent nor written: it reads as '?'."""
    if isinstance(value, Picture):
        return how(value)
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, Mapping):
        return {key: _replaced(part, how) for key, part in value.items()}
    return [_replaced(part, how) for part in value] if isinstance(value, list | tuple) else value
