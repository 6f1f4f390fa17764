"""The addresses of a task's sites: `__SITE__` rendered into them, and put back in their place."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from webassay.errors import ConfigError


class _Facts(msgspec.Struct):
    """Of a site, as webarena-verified's configuration has them."""

    urls: tuple[str, ...] | None = None
    active_url_idx: int | None = None


@dataclass(frozen=True)
class Address:
    site: str
    urls: tuple[str, ...]
    active: int | None = 0

    @property
    def placeholder(self) -> str:
        return f"__{self.site.upper()}__"

    def render(self, text: str) -> str:
        if not text.startswith(self.placeholder):
            return text
        if self.active is None or not 0 <= self.active < len(self.urls):
            raise ValueError(f"active_url_idx {self.active} of {self.site}, which has {len(self.urls)} urls")
        return text.replace(self.placeholder, self.urls[self.active])

    def derender(self, text: str) -> str | None:
        """Wherever the address stands in the text, also in the query of another site."""
        found = next((url for url in self.urls if url in text), None)
        return None if found is None else text.replace(found.rstrip("/"), self.placeholder)


@dataclass(frozen=True)
class Addresses:
    """Of the task's sites only, in the task's order."""

    of_sites: tuple[Address, ...]

    @cached_property
    def _longest_first(self) -> tuple[Address, ...]:
        return tuple(sorted(self.of_sites, key=lambda one: max(map(len, one.urls)), reverse=True))

    def render(self, text: str, *, strict: bool) -> str:
        for address in self.of_sites:
            rendered = address.render(text)
            if rendered != text:
                return rendered
        if strict:
            raise ValueError(f"{text!r} begins with none of {[one.placeholder for one in self.of_sites]}")
        return text

    def derender(self, text: str, *, strict: bool = False) -> str:
        for address in self._longest_first:
            derendered = address.derender(text)
            if derendered is not None:
                return derendered
        if strict:
            raise ValueError(f"{text!r} is on none of the sites {[one.site for one in self.of_sites]}")
        return text


def configured_addresses(sites: Iterable[str], environments: Mapping[str, Any] | None) -> Addresses | None:
    """None if any of the sites has no address: the release then guesses them all from the trace."""
    if not isinstance(environments or {}, Mapping):
        raise ConfigError(f"environments: {type(environments).__name__} given, expected a site's facts by its name")
    named = {str(name).strip("_").lower(): facts for name, facts in (environments or {}).items()}
    found = []
    for site in sites:
        try:
            facts = msgspec.convert(named.get(site) or {}, _Facts)
        except msgspec.ValidationError as error:
            raise ConfigError(f"environments.{site}: {error}") from None
        if not facts.urls:
            return None
        active = facts.active_url_idx
        found.append(Address(site, facts.urls, 0 if active is None else active))
    return Addresses(tuple(found))
