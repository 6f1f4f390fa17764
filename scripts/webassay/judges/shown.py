"""Which screenshots a model is shown, and which it is not."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from webassay.core.trajectory import Trajectory
from webassay.errors import ConfigError
from webassay.llm.pictures import Picture, picture, picture_part

KEEP = ("first", "last")


@dataclass(frozen=True)
class Shot:
    """A screenshot of a trajectory, by its place from 1."""

    number: int
    picture: Picture


@dataclass(frozen=True)
class Screenshots:
    shots: tuple[Shot, ...]
    dropped: tuple[int, ...] = ()
    """Readable, and left out by the policy."""
    unreadable: tuple[int, ...] = ()

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(shot.number for shot in self.shots)

    @property
    def pictures(self) -> tuple[Picture, ...]:
        return tuple(shot.picture for shot in self.shots)

    def told(self) -> str:
        """`screenshots 3-5; left out 1-2; unreadable 6`."""
        words = (("screenshots", self.numbers), ("left out", self.dropped), ("unreadable", self.unreadable))
        return "; ".join(f"{word} {_ranges(numbers)}" for word, numbers in words if numbers) or "no screenshot"

    def only(self, numbers: Iterable[int]) -> "Screenshots":
        wanted = set(numbers)
        kept = tuple(shot for shot in self.shots if shot.number in wanted)
        gone = tuple(number for number in self.numbers if number not in wanted)
        return Screenshots(kept, tuple(sorted((*self.dropped, *gone))), self.unreadable)

    def within(self, policy: Mapping[str, Any]) -> "Screenshots":
        most = policy["most"]
        chosen = self.numbers[:most] if policy["keep"] == "first" else self.numbers[max(0, len(self.shots) - most) :]
        return self.only(chosen)


def screenshots_of(trajectory: Trajectory) -> Screenshots:
    """All of them; the same frame twice stays twice, since each stands for a step."""
    found = {number: picture(path) for number, path in enumerate(trajectory.screenshots, 1)}
    shots = tuple(Shot(number, shown) for number, shown in found.items() if shown)
    return Screenshots(shots, unreadable=tuple(number for number, shown in found.items() if shown is None))


def check_images(policy: Mapping[str, Any]) -> None:
    if policy["most"] < 1 or policy["keep"] not in KEEP:
        raise ConfigError(f"judge.images={dict(policy)}: most must be at least 1, and keep {' or '.join(KEEP)}")


def labelled(shown: Screenshots) -> list[dict[str, Any]]:
    """Parts of a message: each picture after its number."""
    return [
        part
        for shot in shown.shots
        for part in ({"type": "text", "text": f"Screenshot {shot.number}:"}, picture_part(shot.picture))
    ]


def _ranges(numbers: Sequence[int]) -> str:
    """`1-3, 7`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
