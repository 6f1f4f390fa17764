"""A trajectory's screenshots: those that the answer lists, or else those in the folder; never one outside of it."""

import os
import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from webassay.core.answer import FinalAnswer

PNG, JPEG, WEBP = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"RIFF"
_PLAIN = re.compile(r"\w[\w.-]*", re.ASCII)
_FRAME = re.compile(r"screenshot_?(\d{1,9})(_post|_pre)?\.(?:png|jpe?g|webp)")


def screenshot_paths(
    folder: Path, answer: FinalAnswer, entries: Iterable[os.DirEntry[str]], problems: list[str] | None = None
) -> tuple[Path, ...]:
    """In order; a name that leads out of the folder is a ValueError, or one of the `problems`."""
    links = {entry.name for entry in entries if entry.is_symlink()}
    listed = answer.screenshots or frames_in(entry.name for entry in entries if not _repeats(folder, entry))
    found = []
    for given in listed:
        try:
            name = _inside(folder, given, answer.is_rel_paths)
            if name in links or "/" in name:
                _require_inside(folder, name)
            found.append(folder / name)
        except (ValueError, OSError) as error:
            if problems is None:
                raise
            problems.append(f"{folder}: {error}")
    return tuple(found)


def frames_in(names: Iterable[str]) -> list[str]:
    """`screenshot0.png`, `screenshot_1.png`, …, by number; of pairs before and after an action those after it.

    Of several forms the one with the most frames: one plain picture beside ten pairs is not the run.
    """
    names = set(names)
    frames = (match for name in names if (match := _FRAME.fullmatch(name)) and _copied(match) not in names)
    found = sorted((int(match[1]), match[2] or "", match[0]) for match in frames)
    forms = ([name for _, given, name in found if given == form] for form in ("", "_post", "_pre"))
    return max(forms, key=len)


def _copied(frame: re.Match[str]) -> str | None:
    """What `screenshot_2.png` is a second name of, where there is a `screenshot1.png`: _repeats() without the link."""
    return f"screenshot{int(frame[1]) - 1}.png" if frame[0] == f"screenshot_{frame[1]}.png" else None


def is_picture(path: Path) -> bool:
    """By its first bytes: PNG, JPEG or WebP, whatever it is called."""
    with path.open("rb") as stream:
        return stream.read(12).startswith((PNG, JPEG, WEBP))


def unseen(paths: Iterable[Path]) -> tuple[str, ...]:
    """The names of those that nobody can look at: missing, or no pictures."""
    return tuple(path.name for path in paths if not _is_shown(path))


def _is_shown(path: Path) -> bool:
    try:
        return is_picture(path)
    except OSError:
        return False


def _inside(folder: Path, name: str, relative: bool) -> str:
    """An absolute path is of the machine that made the run: here counts what follows the folder's name, or its end."""
    if _PLAIN.fullmatch(name):
        return name
    path = PurePosixPath(name.replace("\\", "/"))
    if not relative or path.is_absolute() or re.match(r"[A-Za-z]:", name):
        above = [number for number, part in enumerate(path.parts[:-1]) if part == folder.name]
        path = PurePosixPath(*path.parts[above[-1] + 1 :]) if above else PurePosixPath(path.name)
    if ".." in path.parts or not path.parts or "\0" in name:
        raise ValueError(f"screenshot {name!r} leads out of the folder")
    return str(path)


def _require_inside(folder: Path, name: str) -> None:
    if not (folder / name).resolve().is_relative_to(folder.resolve()):
        raise ValueError(f"screenshot {name!r} is a link that leads out of the folder")


def _repeats(folder: Path, entry: os.DirEntry[str]) -> bool:
    """webeval's evaluators link `screenshot_2.png` to `screenshot1.png`: the same frame under a second name."""
    return entry.is_symlink() and (folder / entry.name).resolve().parent == folder.resolve()
