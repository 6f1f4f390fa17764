"""What the model is sent at each round, by webeval's rule for old pictures."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from webassay.systems.websurfer.pictures import data_url

Message = Mapping[str, Any]


@dataclass
class Turn:
    text: str
    picture: Path
    reply: str | None = None


@dataclass
class Conversation:
    """All that the model ever said stays; of what it was shown the task, and the newest turns."""

    system: str
    size: tuple[int, int]
    """Of pictures, in the model's pixels."""
    most_pictures: int
    turns: list[Turn] = field(default_factory=list)

    def show(self, text: str, picture: Path) -> None:
        self.turns.append(Turn(text, picture))

    def hear(self, reply: str) -> None:
        self.turns[-1].reply = reply

    @property
    def messages(self) -> list[Message]:
        """An older turn goes with its picture; only of the first, which has the task, the text remains."""
        sent: list[Message] = [{"role": "system", "content": self.system}]
        newest = len(self.turns) - self.most_pictures
        for number, turn in enumerate(self.turns):
            words = {"type": "text", "text": turn.text}
            if number >= newest:
                picture = {"type": "image_url", "image_url": {"url": data_url(turn.picture, self.size)}}
                sent.append({"role": "user", "content": [picture, words]})
            elif number == 0:
                sent.append({"role": "user", "content": [words]})
            if turn.reply is not None:
                sent.append({"role": "assistant", "content": turn.reply})
        return sent


def shown_url(url: str, most: int) -> str:
    """Without its query, and not too long."""
    plain = url.partition("?")[0]
    return plain if len(plain) <= most else plain[:most] + " ..."
