"""The harness's comparison of the page where the agent stopped with the one where it should have."""

from collections import defaultdict
from urllib.parse import parse_qs, urlsplit

from webassay.judges.webarena.strings import OR


def is_at(url: str, reference: str, rule: str) -> bool:
    """`EXACT`: one of the references, but for slashes at the end; else what `_holds` says."""
    references = [one.rstrip("/") for one in reference.split(OR)]
    url = url.rstrip("/")
    return url in references if rule == "EXACT" else _holds(url, references)


def _holds(url: str, references: list[str]) -> bool:
    """`GOLD in PRED`: host and path of one reference are part of the URL, and its query has, for every parameter that
    some reference names, a value that some reference gives; whether it is the same one is not asked."""
    place, query = _parts(url)
    wanted: dict[str, set[str]] = defaultdict(set)
    places = []
    for reference in references:
        reference_place, reference_query = _parts(reference)
        places.append(reference_place)
        for key, values in reference_query.items():
            wanted[key] |= set(values)
    return any(one in place for one in places) and all(
        values & set(query.get(key, ())) for key, values in wanted.items()
    )


def _parts(url: str) -> tuple[str, dict[str, list[str]]]:
    parts = urlsplit(url)
    return (parts.netloc + parts.path).rstrip("/"), parse_qs(parts.query)
