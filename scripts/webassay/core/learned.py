"""Types that threads decode at once.

msgspec reads a type's fields when it first decodes one. Where two threads do that at the same moment, it can crash the
process (msgspec 0.22: about one start in a hundred), so whoever starts threads has all types read before.
"""

from contextlib import suppress

import msgspec


def learn_types() -> None:
    """Of all modules that are loaded."""
    waiting = [msgspec.Struct]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        with suppress(TypeError):  # a type that cannot be decoded, by nobody
            msgspec.json.Decoder(kind)
