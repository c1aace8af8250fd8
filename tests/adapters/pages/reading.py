"""Pages as those read them who find every fault: a parser by the book, a screen reader's walk."""

import itertools
import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import cast
from xml.etree.ElementTree import Element

from html5lib import HTMLParser

MOST = 100 * 1024
"""What mail programs show of a page before they cut it."""
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_FOREIGN = ("script", "link", "iframe", "form", "input", "svg", "object", "embed", "video", "base")


@lru_cache(maxsize=64)
def parsed(page: str) -> Element:
    """The page's root; any fault in the writing is an error."""
    parser = HTMLParser(strict=True, namespaceHTMLElements=False)
    return cast("Element", parser.parse(page))


def faults(page: str) -> list[str]:
    """Everything about a page that is not as a letter's page must be."""
    root = parsed(page)
    return [
        *_frame(page, root),
        *_headings(root),
        *(fault for table in root.iter("table") for fault in _table(table)),
        *(fault for element in root.iter() for fault in _element(element)),
    ]


def _frame(page: str, root: Element) -> Iterator[str]:
    if len(page.encode()) > MOST:
        yield f"{len(page.encode())} bytes are too many"
    if root.get("lang") != "en":
        yield "the page does not say in which language it is"
    title = root.find("head/title")
    if title is None or not (title.text or "").strip():
        yield "the page has no title"
    names = {meta.get("name") for meta in root.iter("meta")}
    if not {"viewport", "color-scheme"} <= names:
        yield "the page does not say which screens it is for"
    style = "".join(one.text or "" for one in root.iter("style"))
    if len(style) > 8000:
        yield "Gmail throws away style sheets this long"
    if re.search(r"url\(|@import|expression\(", page):
        yield "something is fetched from elsewhere"


def _headings(root: Element) -> Iterator[str]:
    levels = [int(one.tag[1]) for one in root.iter() if one.tag in _HEADINGS]
    if levels.count(1) != 1 or levels[0] != 1:
        yield f"one main heading comes first, not {levels}"
    for before, after in itertools.pairwise(levels):
        if after > before + 1:
            yield f"a heading of level {after} follows one of level {before}"
    for one in root.iter():
        if one.tag in _HEADINGS and not said(one).strip():
            yield f"an empty {one.tag}"


def _table(table: Element) -> Iterator[str]:
    if table.get("role") == "presentation" or table.get("class") == "board":
        return  # for the looks only; the board is inside what is called a picture
    if table.find("caption") is None:
        yield "a table without a caption"
    heads = table.findall("thead/tr/th")
    if not heads or any(one.get("scope") != "col" for one in heads):
        yield "a table whose columns have no names"
    for row in table.findall("tbody/tr"):
        if row[0].tag != "th" or row[0].get("scope") != "row" or len(row) != len(heads):
            yield "a table with a row that has no name, or too few cells"


def _element(element: Element) -> Iterator[str]:
    tag, given = element.tag, element.attrib
    if not isinstance(tag, str):  # a comment
        return
    if tag in _FOREIGN:
        yield f"<{tag}> is nothing for a mail"
    for name in given:
        if name.startswith("on") or name == "srcset":
            yield f'{name}="…" is nothing for a mail'
    if tag == "a" and not given.get("href", "").startswith("mailto:"):
        yield "a link that is not to write a letter"
    if tag == "img" and (not given.get("alt") or re.match(r"https?:|//", given.get("src", ""))):
        yield "a picture from elsewhere, or without words"


def said(element: Element) -> str:
    """What is to be read in it on a wide screen, in order."""
    return " ".join("".join(_texts(element)).split())


_INLINE = ("span", "b", "strong", "em", "code", "a", "i", "wbr")


def _texts(element: Element) -> Iterator[str]:
    if not isinstance(element.tag, str) or hidden(element):
        return
    gap = "" if element.tag in _INLINE else "\n" if element.tag == "br" else " "
    yield gap
    yield element.text or ""
    for child in element:
        yield from _texts(child)
        yield child.tail or ""
    yield gap


def hidden(element: Element) -> bool:
    """Not shown on a wide screen."""
    style = element.get("style", "").replace(" ", "")
    return element.tag in ("head", "style", "title") or "display:none" in style


def body(page: str) -> str:
    """Everything that is to be read on a page."""
    found = parsed(page).find("body")
    assert found is not None
    return said(found)


def words(text: str) -> set[str]:
    """Words and numbers, however they are written."""
    return {one.casefold() for one in re.findall(r"[^\W\d_]+|\d+", text)}


def numbers(text: str) -> list[str]:
    """Every number, as often as it stands there."""
    return sorted(re.findall(r"\d+", text))


def same_facts(text: str, page: str, subject: str = "") -> list[str]:
    """What a letter's text says and its page does not, or the other way round.

    Some pages have as their heading what only the subject of their text says. A table needs
    nothing "in words": on a page it is a table for those who listen, too.
    """
    shown = body(page)
    text = text.replace("In words:", "")
    told = []
    missing = sorted(words(text) - words(shown))
    if missing:
        told.append(f"only in the text: {missing}")
    here, there = Counter(numbers(text)), Counter(numbers(shown))
    if lost := here - there:
        told.append(f"numbers only in the text: {dict(lost)}")
    if more := there - here - Counter(numbers(subject)):
        told.append(f"numbers only on the page: {dict(more)}")
    return told
