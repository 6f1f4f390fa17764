"""What a verdict may rest on of a site's configuration."""

from collections.abc import Mapping
from typing import Any

READINESS = ("url", "ready_path", "ready_text")


def site_facts(site: Mapping[str, Any]) -> dict[str, Any]:
    """In webarena-verified's shape, with all that is known of logins; how to see whether it is up is not of it."""
    kept = {key: value for key, value in site.items() if key not in READINESS and value is not None}
    return {"urls": [site["url"]], "active_url_idx": 0} | kept
