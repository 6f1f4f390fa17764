"""Text of others inside a question: fenced in by words that it cannot contain, so that it never speaks for itself.

The fence and the mark of a question are made from all that goes into it, pictures included, so a page would have to
contain a digest of itself to close its fence or to answer in the model's place; and the same question is the same text
every time, which is what lets stored replies be found again.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from webassay.core.digest import digest
from webassay.llm.pictures import Picture

LONGEST = 20_000
"""Of one text; what is cut out is told where it was."""


@dataclass(frozen=True)
class Frame:
    mark: str
    """To be repeated in the answer."""
    fence: str

    @classmethod
    def around(cls, purpose: str, texts: Sequence[str], pictures: Sequence[Picture] = ()) -> "Frame":
        """Of one question; `purpose` keeps questions about the same things apart."""
        seed = digest([purpose, list(texts), [shown.sha256 for shown in pictures]])
        joined = "\n".join(texts)
        for salt in range(100):
            mark, fence = (digest([seed, salt, word])[:16] for word in ("mark", "fence"))
            if mark not in joined and fence not in joined:
                return cls(mark, fence)
        raise AssertionError("no text holds a hundred digests of itself")

    def block(self, label: str, text: str) -> str:
        return f"[{label} {self.fence}]\n{shortened(text)}\n[end of {label} {self.fence}]"


def shortened(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    half = LONGEST // 2
    return f"{text[:half]}\n[… {len(text) - 2 * half} characters left out …]\n{text[-half:]}"
