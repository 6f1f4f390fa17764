"""What tests of bundles make and change."""

import hashlib
import json
from pathlib import Path

OVERRIDES = (
    "system=imported system.path=runs system.name=fara benchmark=file benchmark.path=tasks.jsonl benchmark.name=mine "
    "environment=webarena judge=webarena,webvoyager judge.model.name=scripted"
)
MANIFEST = "manifest-sha256.txt"


def har(cookie: str = "redacted:0a1b2c3d", body: str = "") -> bytes:
    """One request, with a session's cookie."""
    sent = {"mimeType": "application/x-www-form-urlencoded", "text": body}
    headers = [{"name": "Cookie", "value": f"id={cookie}"}]
    request = {"method": "POST", "url": "http://localhost:7770/", "headers": headers, "postData": sent}
    return json.dumps({"log": {"entries": [{"request": request, "response": {"status": 200}}]}}).encode()


def flip(path: Path, at: int = -1) -> None:
    """One bit of one byte, by default in the middle."""
    content = bytearray(path.read_bytes())
    content[at if at >= 0 else len(content) // 2] ^= 1
    path.write_bytes(bytes(content))


def list_anew(bundle: Path) -> None:
    """A manifest that fits, as whoever tampers carefully would write."""
    names = sorted(path.relative_to(bundle).as_posix() for path in bundle.rglob("*") if path.is_file())
    digests = {name: hashlib.sha256((bundle / name).read_bytes()).hexdigest() for name in names if name != MANIFEST}
    (bundle / MANIFEST).write_text("".join(f"{sha256}  {name}\n" for name, sha256 in digests.items()))


def replan(bundle: Path, *keys: str | int, value: object) -> None:
    """Another value in its plan, and a manifest that fits."""
    path = bundle / "plan.json"
    plan = json.loads(path.read_text())
    node = plan
    for key in keys[:-1]:
        node = node[key]
    node[keys[-1]] = value
    path.write_text(json.dumps(plan))
    list_anew(bundle)


def rewrite(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
