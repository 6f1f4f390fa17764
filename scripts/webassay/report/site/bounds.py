"""How much of one trajectory's evidence is on its page, whatever its size: the rest is in the files that it links."""

from typing import Any

from webassay.report.site.files import encoded, shown

MOST_BYTES = 4_000_000
"""Of one page's data; a browser opens that at once."""
TIGHTER = (2000, 200, 20)
WHOLE = ("href", "src", "slug", "path")
"""What leads somewhere is never cut."""
CUT_SHORT = "Long texts are cut short on this page; all of them are in the files."


def bounded(data: dict[str, Any]) -> dict[str, Any]:
    """All texts shorter, again and again, until the page is small enough."""
    for most in TIGHTER:
        if len(encoded(data)) <= MOST_BYTES:
            break
        told = [problem for problem in data["problems"] if problem != CUT_SHORT]
        data = _cut(data, most) | {"task": data["task"], "problems": [*told, CUT_SHORT]}
    return data


def _cut(value: Any, most: int) -> Any:
    if isinstance(value, str):
        return shown(value, most)
    if isinstance(value, dict):
        return {key: each if key in WHOLE else _cut(each, most) for key, each in value.items()}
    return [_cut(each, most) for each in value] if isinstance(value, list) else value
