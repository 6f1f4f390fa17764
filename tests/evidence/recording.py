"""HAR entries as Chromium records them, one call each."""

from typing import Any


def entry(url: str, *, method: str = "GET", status: int = 200, **more: Any) -> dict[str, Any]:
    """`kind`, `cookie` and `location` say what asked, what it carried and where the answer leads."""
    headers = [{"name": "Accept", "value": "text/html,*/*;q=0.8"}]
    if "cookie" in more:
        headers.append({"name": "Cookie", "value": more["cookie"]})
    location = more.get("location", "")
    return {
        "startedDateTime": "2026-11-18T09:28:21.353Z",
        "time": 3.9,
        "request": {"method": method, "url": url, "httpVersion": "http/1.1", "headers": headers, "queryString": []},
        "response": {
            "status": status,
            "headers": [{"name": "Location", "value": location}] if location else [],
            "content": {"size": 28, "mimeType": "text/html", "text": "<h1>"},
            "redirectURL": location,
        },
        "cache": {},
        "_resourceType": more.get("kind", "document"),
    }
