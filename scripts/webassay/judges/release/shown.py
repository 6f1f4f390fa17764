"""Values as reports show them: JSON that any reader takes, whatever the agent sent."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from webassay.judges.release.urls import Url
from webassay.judges.release.values import Value

MAX_BITS = 64


def shown(value: Any) -> Any:
    if isinstance(value, str):
        return value if value.isascii() else value.encode(errors="backslashreplace").decode()
    if isinstance(value, Value):
        return shown(value.first)
    if isinstance(value, Url):
        return {"base_url": shown(value.base), "query_params": shown(value.query)}
    if isinstance(value, Mapping):
        return {shown(str(name)): shown(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [shown(one) for one in value]
    if isinstance(value, timedelta):
        return _iso_duration(value)
    if isinstance(value, int) and value.bit_length() >= MAX_BITS:
        return f"an integer of {value.bit_length()} bits"
    return value if value is None or isinstance(value, bool | int | float) else str(value)


def _iso_duration(value: timedelta) -> str:
    """`-P1DT2H30M5.5S`, without the parts that are 0."""
    sign, value = ("-", -value) if value < timedelta() else ("", value)
    minutes, seconds = divmod(value.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    exact = f"{seconds + value.microseconds / 1e6:.6f}".rstrip("0").rstrip(".")
    clock = "".join(f"{part}{unit}" for part, unit in ((hours, "H"), (minutes, "M"), (exact, "S")) if float(part))
    days = f"{value.days}D" if value.days else ""
    return f"{sign}P{days}{'T' + clock if clock else ''}" if days or clock else "PT0S"
