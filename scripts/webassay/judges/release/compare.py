"""Structures compared as the release does: objects by their keys, arrays by the first fit or by position."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from webassay.judges.release.schema import plain
from webassay.judges.release.values import equal

MAX_SHOWN = 300


@dataclass(frozen=True)
class Mismatch:
    name: str
    """The release's own name for it: where, and what."""
    message: str


@dataclass(frozen=True)
class Comparison:
    ordered: bool = False
    extra_keys: bool = False
    """The actual object may have keys that are not expected."""
    unread: frozenset[str] = frozenset()
    """Keys that must be there, whatever their value."""

    def mismatches(self, expected: Any, actual: Any, path: str, seen: set[int] | None = None) -> list[Mismatch]:
        seen = set() if seen is None else seen
        if isinstance(actual, Mapping | list | tuple):
            if id(actual) in seen:  # so it sees two empty arrays, which Python keeps as one object
                raise ValueError(f"{path}: a circular reference")
            seen.add(id(actual))
        if expected is None or actual is None:
            return [] if expected is actual else [_mismatch(f"{path}_none_mismatch", expected, actual)]
        if isinstance(expected, Mapping):
            return self._objects(expected, actual, path, seen)
        if isinstance(expected, list | tuple):
            return self._arrays(expected, actual, path, seen)
        return [] if equal(expected, actual) else [_mismatch(f"{path}_mismatch", expected, actual)]

    def _objects(self, expected: Mapping[str, Any], actual: Any, path: str, seen: set[int]) -> list[Mismatch]:
        if not isinstance(actual, Mapping):
            return [Mismatch(f"{path}_invalid_format", f"an object is expected, not {type(actual).__name__}")]
        if not expected:
            raise ValueError(f"{path}: the expected object has no keys")
        missing, extra = expected.keys() - actual.keys(), actual.keys() - expected.keys()
        found = []
        if missing or (extra and not self.extra_keys):
            message = f"missing keys {sorted(missing)}, extra keys {[] if self.extra_keys else sorted(extra)}"
            found.append(Mismatch(f"{path}_keys_mismatch", message))
        for key in sorted((expected.keys() & actual.keys()) - self.unread):
            found += self.mismatches(expected[key], actual[key], f"{path}.{key}", seen)
        return found

    def _arrays(self, expected: Any, actual: Any, path: str, seen: set[int]) -> list[Mismatch]:
        if not isinstance(actual, list | tuple):
            return [Mismatch(f"{path}_invalid_format", f"an array is expected, not {type(actual).__name__}")]
        if self.ordered:
            return self._by_position(expected, actual, path, seen)
        left = self._after_first_fit(expected, actual, path, seen)
        if left == (0, 0):
            return []
        missing, extra = left
        counts = f"{missing} of {len(expected)} expected items missing, {extra} extra: "
        return [Mismatch(f"{path}_array_values_mismatch", counts + _shown_arrays(expected, actual))]

    def _by_position(self, expected: Any, actual: Any, path: str, seen: set[int]) -> list[Mismatch]:
        found = []
        for number, (want, have) in enumerate(zip(expected, actual, strict=False)):
            found += self.mismatches(want, have, f"{path}[{number}]", seen)
        if len(expected) != len(actual):
            message = f"{len(actual)} items, expected {len(expected)}: " + _shown_arrays(expected, actual)
            found.append(Mismatch(f"{path}_array_values_mismatch", message))
        return found

    def _after_first_fit(self, expected: Any, actual: Any, path: str, seen: set[int]) -> tuple[int, int]:
        """Each expected item takes the first free one that fits, though another may need it more."""
        free = list(range(len(actual)))
        missing = 0
        for number, want in enumerate(expected):
            for candidate in free:
                tried = set(seen)
                if not self.mismatches(want, actual[candidate], f"{path}[{number}]", tried):
                    seen |= tried
                    free.remove(candidate)
                    break
            else:
                missing += 1
        return missing, len(free)


def _mismatch(name: str, expected: Any, actual: Any) -> Mismatch:
    return Mismatch(name, f"expected {_shown(expected)}, got {_shown(actual)}")


def _shown_arrays(expected: Any, actual: Any) -> str:
    want, have = (", ".join(str(plain(one)) for one in array) for array in (expected, actual))
    return f"expected [{_shown(want)}], got [{_shown(have)}]"


def _shown(value: Any) -> str:
    text = str(value)
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
