"""The one function of the original harness that needs no site: a forum post's own address, from the last page's."""

from urllib.parse import urlsplit

LAST_POST = "func:reddit_get_post_url('__last_url__')"
"""As tasks write it in place of a page's address."""
UNKNOWN = "needs a function of the original harness"
"""What is kept of a page that another function was to name."""


def is_unknown(url: str, locator: str) -> bool:
    """Whether it takes a function that is not known here."""
    return (url.startswith("func") and url != LAST_POST) or locator.startswith("func:")


def post_of(url: str) -> str:
    """`/f/<forum>/<id>/` of the last address, whatever came after; another page's address as it is."""
    parts = urlsplit(url)
    words = parts.path.split("/")
    if len(words) < 4 or words[1] != "f":
        return url
    return f"{parts.scheme}://{parts.netloc}/f/{words[2]}/{words[3]}/"
