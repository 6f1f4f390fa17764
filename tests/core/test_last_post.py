import pytest

from webassay.core.last_post import LAST_POST, is_unknown, post_of


@pytest.mark.parametrize(
    "last, post",
    [
        ("http://r:9999/f/books/12/a-title", "http://r:9999/f/books/12/"),
        ("http://r:9999/f/books/12/-/comment/7?x=1#edit", "http://r:9999/f/books/12/"),
        ("http://r:9999/f/books", "http://r:9999/f/books"),
        ("http://r:9999/user/x/12", "http://r:9999/user/x/12"),
        ("about:blank", "about:blank"),
    ],
)
def test_a_post_is_found_in_the_last_address(last: str, post: str) -> None:
    assert post_of(last) == post


@pytest.mark.parametrize(
    "url, locator, unknown",
    [
        (LAST_POST, "", False),
        ("last", "document.title", False),
        ("func:shopping_get_latest_order_url()", "", True),
        (LAST_POST, "func:get_query_text(__page__, 'x')", True),
    ],
)
def test_one_function_is_known(url: str, locator: str, unknown: bool) -> None:
    assert is_unknown(url, locator) == unknown
