"""The rulebook of a kind as a page: every rule has its anchor, so that events can point to it."""

import re
from collections.abc import Iterable, Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token

from adjudicator.adapters.games.rulebook import is_chapter_of

_NUMBER = re.compile(r"\*\*([A-Z]+-[0-9]+[a-z]?)\*\*")


def make_rules_page(text: str, kind: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Render the rulebook as HTML for this kind, with the anchor and heading of each chapter.

    Text in the book that looks like HTML stays text.
    """
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = list(_select_kind(markdown.parse(text), kind))
    _set_anchors(tokens)
    chapters = tuple(_number_chapters(tokens))
    html = str(markdown.renderer.render(tokens, markdown.options, {}))
    # arrow keys scroll lines wider than a phone, too; <pre> in the book itself is escaped
    return html.replace("<pre>", '<pre tabindex="0">'), chapters


def _number_chapters(tokens: list[Token]) -> Iterator[tuple[str, str]]:
    for at, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h2":
            name = tokens[at + 1].content.replace("`", "")
            anchor = f"chapter-{at}"
            token.attrSet("id", anchor)
            yield anchor, name


def _select_kind(tokens: Iterable[Token], kind: str) -> Iterator[Token]:
    """Drop the first heading, which the page has itself, and the chapters of other kinds."""
    all_tokens = list(tokens)
    is_own, title = True, False
    for at, token in enumerate(all_tokens):
        if token.type == "heading_open":
            is_own = is_chapter_of(all_tokens[at + 1].content, kind)
            title = token.tag == "h1"
        if is_own and not title:
            yield token
        if token.type == "heading_close":
            title = False


def _set_anchors(tokens: list[Token]) -> None:
    for at, token in enumerate(tokens):
        if token.type == "list_item_open":
            inline = next((one for one in tokens[at : at + 3] if one.type == "inline"), None)
            number = _NUMBER.match(inline.content) if inline else None
            if number:
                token.attrSet("id", number[1])
                token.attrSet("class", "rule-text")
        elif token.type == "table_open":
            token.attrSet("class", "data")
        elif token.type == "th_open":
            token.attrSet("scope", "col")
