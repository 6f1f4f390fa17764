"""The addresses of a task's sites: `__SITE__` rendered into them, and put back in their place."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any


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
    named = {str(name).strip("_").lower(): facts for name, facts in (environments or {}).items()}
    found = []
    for site in sites:
        facts = named.get(site) or {}
        urls = tuple(facts.get("urls") or ())
        if not urls:
            return None
        active = facts.get("active_url_idx")
        found.append(Address(site, urls, 0 if active is None else active))
    return Addresses(tuple(found))
