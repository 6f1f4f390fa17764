"""A claim as a trajectory on disk, pages drawn as screenshots; what is there already stays."""

import io
import os
import shutil
import tempfile
from pathlib import Path

from webassay.core.answer import FinalAnswer
from webassay.core.events import EventLog
from webassay.core.files import write_bytes
from webassay.core.trajectory import Attempt, write_end
from webassay.judges.health.claims import SHOP, Claim, Page
from webassay.judges.lifecycle import Case

SIZE = (800, 450)
LINE = 30
LETTERS = 70
"""Of a line, before it is broken."""
START = 1_760_000_000.0
"""The same moment for all, since judges are told the day of a run and stored replies are found by what was told."""


def made(claim: Claim, folder: Path) -> Case:
    """Written beside and renamed: a killed process leaves no half of it."""
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        beside.chmod(0o755)
        _write(claim, beside)
        try:
            os.rename(beside, folder)
        except OSError:  # somebody else was first
            shutil.rmtree(beside)
    return Case(claim.task, folder, folder / "scores")


def _write(claim: Claim, folder: Path) -> None:
    log = EventLog(folder)
    for page, step in zip(claim.pages, claim.steps, strict=True):
        arguments = {"action": step.action, "element": step.element, "thoughts": step.thought, "fact": step.note}
        given = {key: value for key, value in arguments.items() if value}
        log.write(message=step.thought, url=SHOP + page.path, action=step.action, arguments=given)
    log.close()
    names = tuple(f"screenshot_{number}.png" for number in range(1, len(claim.pages) + 1))
    for name, page in zip(names, claim.pages, strict=True):
        write_bytes(folder / name, drawn(page))
    task = claim.task
    attempt = Attempt(task.task_id, task.execution_digest, 0, "answered")
    answer = FinalAnswer(claim.answer, screenshots=names)
    write_end(folder, answer, attempt, START, START + 30)


def drawn(page: Page) -> bytes:
    """A plain page: its address, its title, its lines."""
    from PIL import Image, ImageDraw, ImageFont  # most shards have no controls to draw

    image = Image.new("RGB", SIZE, "white")
    canvas = ImageDraw.Draw(image)
    canvas.rectangle((0, 0, SIZE[0], LINE + 6), fill="#dde1e7")
    canvas.text((12, 8), SHOP + page.path, fill="#333333", font=ImageFont.load_default(16))
    canvas.text((24, 56), page.title, fill="black", font=ImageFont.load_default(26))
    for number, line in enumerate(_broken(page.lines)):
        canvas.text((24, 106 + number * LINE), line, fill="black", font=ImageFont.load_default(18))
    stream = io.BytesIO()
    image.save(stream, "PNG")
    return stream.getvalue()


def _broken(lines: tuple[str, ...]) -> list[str]:
    return [line[start : start + LETTERS] for line in lines for start in range(0, max(1, len(line)), LETTERS)]
