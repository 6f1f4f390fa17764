"""Markdown, compared as it is read: headings, items, paragraphs and links in their order, whatever marks make them.

Case, the level of a heading and the depth of an item count; list markers, blank lines, line breaks within a paragraph,
underlined or `#` headings and emphasis do not.
"""

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from webassay.matching.string import one_spaced, plain
from webassay.matching.value import NotOfType, ValueType, bounded_text

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MAX_MARKDOWN = 50_000
_LISTS = {"bullet_list_open": "item", "ordered_list_open": "numbered item"}

Block = tuple[str, int, str]
"""What it is, its level or depth, and its text."""


def read_markdown(raw: Any) -> tuple[Block, ...]:
    text = plain(bounded_text(raw, "Markdown", MAX_MARKDOWN))
    try:
        return tuple(_blocks(_parser().parse(text)))
    except RecursionError:
        raise NotOfType("the text is nested too deeply") from None


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark")


def _blocks(tokens: "list[Token]") -> Iterator[Block]:
    lists: list[str] = []
    kind, level = "paragraph", 0
    for token in tokens:
        if token.type in _LISTS:
            lists.append(_LISTS[token.type])
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            lists.pop()
        elif token.type == "list_item_open":
            kind, level = lists[-1], len(lists)
        elif token.type == "heading_open":
            kind, level = "heading", int(token.tag[1:])
        elif token.type == "blockquote_open":
            yield "quote", len(lists), ""
        elif token.type == "inline":
            yield kind, level, one_spaced("".join(_inline(token.children or [])))
            kind, level = "paragraph", len(lists)
        elif token.type in ("fence", "code_block", "html_block"):
            yield token.type.replace("code_block", "fence"), len(lists), token.content.strip("\n")


def _inline(tokens: "list[Token]") -> Iterator[str]:
    """The words, and where links and pictures lead."""
    for token in tokens:
        if token.type == "link_open":
            yield "["
        elif token.type == "link_close":
            yield "]"
        elif token.type in ("softbreak", "hardbreak"):
            yield " "
        elif token.type == "image":
            yield f"![{token.content}]({token.attrGet('src')})"
        else:
            yield token.content
        if token.type == "link_open":
            yield f"({token.attrGet('href')}) "


MARKDOWN = ValueType("markdown", read_markdown)
