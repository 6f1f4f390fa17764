"""Recordings as Playwright leaves them: 359 requests and 800 KB of a site's pages, made up and always the same.

Proportions are those of a shop's page (Magento): a document, then styles, scripts, pictures and fonts, then calls by
scripts; 14 request headers, 8 response headers, cookies, timings, and bodies of what is text. Static addresses are the
same in every recording of a site, as they are in life; all others carry the task's number.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import msgspec

ENTRIES = 359
SIZE = 800_000
NUMBER = "00000000"
"""Stands for the task's number while a recording is made; of the same length."""

PAGE = ["document", *["stylesheet"] * 3, *["script"] * 10, *["image"] * 5, *["font"], *["xhr"] * 3]
MIME_TYPES = {
    "document": "text/html; charset=UTF-8",
    "xhr": "application/json",
    "stylesheet": "text/css",
    "script": "application/javascript",
    "image": "image/png",
    "font": "font/woff2",
}
SUFFIXES = {"stylesheet": "css", "script": "js", "image": "png", "font": "woff2"}
WORDS = ("account", "cart", "catalog", "checkout", "customer", "filter", "item", "order", "price", "review", "view")
HTML = (
    '<li class="item product">\n  <a href="/some-product.html">A product</a> <b data-price="12.5">$12.50</b>\n</li>\n'
)
BROWSER = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
JSON = '{"id": 17, "name": "A product", "price": 12.5, "tags": ["new", "sale"]}, '


@dataclass(frozen=True)
class Request:
    """What was asked for, and how it was answered."""

    url: str
    method: str = "GET"
    status: int = 200
    kind: str = "xhr"
    headers: dict[str, str] = field(default_factory=dict)
    body: dict[str, str] | None = None
    """A HAR's postData."""


@dataclass(frozen=True)
class Recording:
    """The browsing that all tasks of a site share; a task's own requests follow the last page's document."""

    before: bytes
    after: bytes
    cookie: str

    def of_task(self, number: int, asked: Sequence[Request]) -> bytes:
        own = b"".join(msgspec.json.encode(_entry(request, self.cookie)) + b"," for request in asked)
        digits = f"{number:0{len(NUMBER)}}".encode()
        return b"".join((self.before, own, self.after)).replace(NUMBER.encode(), digits)


def record(bases: Sequence[str], session_cookies: Sequence[str], seed: int) -> Recording:
    """Pages of the sites by turns."""
    rng = random.Random(seed)
    cookie = "; ".join(f"{name}={rng.randbytes(13).hex()}" for name in (*session_cookies, "form_key"))
    requests = list(_browsing(bases, rng))
    entries = [_entry(request, cookie) for request in requests]
    _fill(entries, SIZE - len(msgspec.json.encode(entries)))
    last_page = max(number for number, request in enumerate(requests) if request.kind == "document") + 1
    first, rest = (b",".join(map(msgspec.json.encode, part)) for part in (entries[:last_page], entries[last_page:]))
    return Recording(_head() + first + b",", rest + b"]}}", cookie)


def _browsing(bases: Sequence[str], rng: random.Random) -> Iterator[Request]:
    page, base = "", ""
    pages = cycle(bases)
    for kind in islice(cycle(PAGE), ENTRIES):
        words = "/".join(rng.choices(WORDS, k=3))
        if kind == "document":
            base = next(pages).rstrip("/")
            page = f"{base}/{words}/{NUMBER}.html?p={rng.randrange(9)}"
        if kind in SUFFIXES:
            origin = "/".join(base.split("/")[:3])
            url = f"{origin}/static/version1681922234/frontend/luma/en_US/{words}/{rng.randrange(500)}.{SUFFIXES[kind]}"
        else:
            url = page if kind == "document" else f"{base}/{words}/load/?sections={rng.choice(WORDS)}&_={NUMBER}"
        yield Request(url, kind=kind, headers={"Referer": page or base})


def _entry(request: Request, cookie: str) -> dict[str, Any]:
    asked: dict[str, Any] = {
        "method": request.method,
        "url": request.url,
        "httpVersion": "HTTP/1.1",
        "cookies": [_pair(*part.split("=", 1)) for part in cookie.split("; ")],
        "headers": _request_headers(request, cookie),
        "queryString": [_pair(*part) for part in parse_qsl(urlsplit(request.url).query)],
        "headersSize": 912,
        "bodySize": len(request.body["text"]) if request.body else 0,
    }
    return {
        "startedDateTime": "2026-03-01T09:28:21.353Z",
        "time": 12.345,
        "request": asked | ({"postData": request.body} if request.body else {}),
        "response": _response(request),
        "cache": {},
        "timings": {"dns": 0.004, "connect": 0.161, "ssl": -1, "send": 0, "wait": 8.97, "receive": 3.21},
        "pageref": "page@1f6c2a9e",
        "serverIPAddress": "127.0.0.1",
        "_serverPort": 80,
        "_securityDetails": {},
        "_resourceType": request.kind,
    }


def _request_headers(request: Request, cookie: str) -> list[dict[str, str]]:
    is_page = request.kind == "document"
    headers = {
        "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" if is_page else "*/*",
        "Accept-Encoding": "gzip, deflate, br, zstd",
        "Accept-Language": "en-GB",
        "Connection": "keep-alive",
        "Cookie": cookie,
        "Host": urlsplit(request.url).netloc,
        "Referer": request.url,
        "Sec-Fetch-Dest": "document"
        if is_page
        else request.kind.replace("xhr", "empty").replace("stylesheet", "style"),
        "Sec-Fetch-Mode": "navigate" if is_page else "cors",
        "Sec-Fetch-Site": "same-origin",
        "Sec-Fetch-User" if is_page else "X-Requested-With": "?1" if is_page else "XMLHttpRequest",
        "User-Agent": BROWSER,
        "sec-ch-ua": '"Chromium";v="140", "Not=A?Brand";v="24"',
        "sec-ch-ua-mobile": "?0",
    }
    return [_pair(*header) for header in (headers | request.headers).items()]


def _response(request: Request) -> dict[str, Any]:
    mime_type = MIME_TYPES[request.kind]
    headers = {
        "Cache-Control": "max-age=0, must-revalidate, no-cache, no-store",
        "Connection": "keep-alive",
        "Content-Encoding": "gzip",
        "Content-Type": mime_type,
        "Date": "Sun, 01 Mar 2026 09:28:21 GMT",
        "Server": "nginx/1.22.1",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "SAMEORIGIN",
    }
    return {
        "status": request.status,
        "statusText": "OK",
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": [_pair(*header) for header in headers.items()],
        "content": {"size": 4711, "mimeType": mime_type, "compression": 0},
        "headersSize": 341,
        "bodySize": 1234,
        "redirectURL": "/" if 300 <= request.status < 400 else "",
        "_transferSize": 1575,
    }


def _fill(entries: Sequence[dict[str, Any]], lack: int) -> None:
    """Bodies of what is text, until the recording has its size."""
    texts = [entry for entry in entries if entry["_resourceType"] in ("document", "xhr")]
    for entry in texts:
        sample = HTML if entry["_resourceType"] == "document" else JSON
        times = lack // len(texts) // len(msgspec.json.encode(sample))
        entry["response"]["content"]["text"] = (
            sample * times if sample is HTML else f"[{(sample * times).rstrip(', ')}]"
        )


def _head() -> bytes:
    tools = '"creator":{"name":"Playwright","version":"1.65.0"},"browser":{"name":"chromium","version":"140.0"}'
    return f'{{"log":{{"version":"1.2",{tools},"pages":[],"entries":['.encode()


def _pair(name: str, value: str) -> dict[str, str]:
    return {"name": name, "value": value}
