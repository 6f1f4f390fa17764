"""What tests of judges that ask models share: a trajectory with pictures, and a server that answers in their form."""

import json
import re
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.llm.scripted import Said, completion
from webassay.core.task import Task
from webassay.core.trajectory import Attempt, Event, FinalAnswer, Trajectory

IMAGES = {"most": 100, "keep": "last"}
TASK = Task("t7", "Find the cheapest tent.", ("shop",), "tents", ())
MARK = re.compile(r'"mark": "([0-9a-f]{16})"')


def png(shade: int) -> bytes:
    """A picture of one pixel."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", 1, 1, 16, 0, 0, 0, 0)
    pixel = zlib.compress(b"\0" + struct.pack(">H", shade))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixel) + chunk(b"IEND", b"")


def trajectory(
    folder: Path, screenshots: int = 3, answer: str = "The Ridgeway, 129.00", unreadable: tuple[int, ...] = ()
) -> Trajectory:
    """As many steps as screenshots, the last of which ends the run."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"screenshot_{number}.png" for number in range(1, screenshots + 1)]
    for number, path in enumerate(paths, 1):
        path.write_bytes(b"<html>" if number in unreadable else png(number))
    names = ["left_click"] * (screenshots - 1) + ["terminate"]
    steps = tuple(
        Event(
            url="http://shop.localhost/tents?page=2",
            action=name,
            arguments={"action": name, "thoughts": f"thought {n}"},
        )
        for n, name in enumerate(names, 1)
    )
    attempt = Attempt(TASK.task_id, TASK.execution_digest, 0, "answered")
    return Trajectory(folder, steps, FinalAnswer(answer), attempt, tuple(paths))


def texts(request: dict[str, Any]) -> str:
    """All that a question says, pictures left out."""
    said = []
    for message in request["messages"]:
        content = message["content"]
        said += [content] if isinstance(content, str) else [part["text"] for part in content if part["type"] == "text"]
    return "\n".join(said)


def pictures(request: dict[str, Any]) -> int:
    return sum(
        part["type"] == "image_url"
        for message in request["messages"]
        if not isinstance(message["content"], str)
        for part in message["content"]
    )


def mark_of(request: dict[str, Any]) -> str:
    """The mark that the question asks for; the last, since a repeated question repeats its form."""
    return MARK.findall(texts(request))[-1]


def answering(how: Callable[[str, dict[str, Any]], dict[str, Any] | str]) -> Callable[[dict[str, Any]], Said]:
    """A server's answers: an object gets the question's mark, a text is said as it is."""

    def answer(request: dict[str, Any]) -> Said:
        said = how(texts(request), request)
        return completion(said if isinstance(said, str) else json.dumps({"mark": mark_of(request), **said}))

    return answer


def node(folder: Path, *endpoints: str, mode: str = "record", **settings: Any) -> dict[str, Any]:
    """The fields that every judge with a model has."""
    model = {"name": "small", "temperature": 0.0, "top_p": None, "max_tokens": None, "seed": None}
    runtime = {"endpoints": list(endpoints), "api_key_env": None, "timeout": 10.0, "retries": 0}
    return {
        "model": model | runtime,
        "llm": {"mode": mode, "folder": str(folder / "llm"), "parallel": 4},
        "images": {"most": 30, "keep": "last"},
    } | settings
