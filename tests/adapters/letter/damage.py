"""Letters of the table corpus/damage.yaml: one block, damaged, in every way in which it travels."""

from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from typing import Any

import yaml

from tests.adapters.letter import sending
from tests.adapters.letter.manners import MANNERS
from tests.adapters.letter.sending import FLOWED, PLAIN, letter, page, part

_TABLE = Path(__file__).parent / "corpus" / "damage.yaml"
FORM = "game: ember\nstep: 12-jump\nkey: 7f3k-q2mx\nafter: 2\njump:\n- C4-D5 x3\n"
USUAL = [
    {
        "game": "ember",
        "step": "12-jump",
        "key": "7f3k-q2mx",
        "after": "2",
        "jump": ["C4-D5 x3"],
    }
]


def entries() -> list[dict[str, Any]]:
    """The table, forms filled in."""
    found: list[dict[str, Any]] = yaml.safe_load(_TABLE.read_text("utf-8"))
    return [
        {"blocks": USUAL} | one | {"text": one["text"].replace("{form}", FORM)} for one in found
    ]


def sent(entry: dict[str, Any]) -> Iterator[tuple[str, bytes]]:
    """The letter in every way."""
    text = entry["text"]
    for name, way in PLAIN.items():
        yield name, way(text)
    if entry.get("html", True):
        for name, way in FLOWED.items():
            yield name, way(text)
        for name, layout in _LAYOUTS.items():
            yield f"html, {name}", letter(page(f"<html><body>{layout(text)}</body></html>"))
        for name in ("gmail", "apple", "outlook", "outlook-web", "thunderbird"):
            html = MANNERS[name](text.rstrip("\n").split("\n"), [], [], [])
            yield f"html of {name}", letter(page(html, "base64"))
    yield from _quoted(text)
    yield from _in_old_charsets(text)


def _quoted(text: str) -> Iterator[tuple[str, bytes]]:
    for mark in ("> ", ">", "> > ", ">> ", ">>> "):
        body = "".join(f"{mark}{line}".rstrip(" ") + "\n" for line in text.split("\n"))
        whole = f"See below.\n\nOn Tue, Nov 3, 2026 at 8:00 PM Ember wrote:\n{body}\nAda\n"
        yield f"quoted by {mark}", letter(sending.text(whole, "quoted-printable"))


def _in_old_charsets(text: str) -> Iterator[tuple[str, bytes]]:
    """Windows' own signs under right and wrong labels; UTF-8's own are left to the others."""
    try:
        body = text.encode("cp1252")
    except UnicodeEncodeError:
        return
    for label in ("windows-1252", "iso-8859-1", "us-ascii", "utf-8", "x-unknown", '""'):
        kind = f"text/plain; charset={label}"
        yield f"cp1252 called {label}", letter(part(body, kind, "quoted-printable"))


def _lines(text: str) -> list[str]:
    return [
        "&nbsp;" * (len(line) - len(line.lstrip(" "))) + escape(line.lstrip(" "), quote=False)
        for line in text.rstrip("\n").split("\n")
    ]


def _each(begin: str, end: str, empty: str = "<br>") -> Callable[[str], str]:
    return lambda text: "".join(f"{begin}{line or empty}{end}" for line in _lines(text))


_LAYOUTS: dict[str, Callable[[str], str]] = {
    "br": lambda text: "<br>".join(_lines(text)),
    "br with line ends": lambda text: "<br />\r\n".join(_lines(text)),
    "div": _each("<div>", "</div>"),
    "div, indented source": _each("\n   <div>\n      ", "\n   </div>\n"),
    "p": _each("<p>", "</p>", "&nbsp;"),
    "p never closed": _each("<p>", "\n", "&nbsp;"),
    "span in div": _each('<div><span style="color:black"><font>', "</font></span></div>"),
    "rows of a table": lambda text: (
        "<table><tbody>"
        + "".join(f"<tr><td>{line or '&nbsp;'}</td></tr>" for line in _lines(text))
        + "</tbody></table>"
    ),
    "pre": lambda text: f"<pre>{escape(text, quote=False)}</pre>",
    "pre-wrap": lambda text: (
        f'<div style="white-space: pre-wrap">{escape(text, quote=False)}</div>'
    ),
    "entities": lambda text: "<br>".join(
        "".join(sign if sign.isalnum() and sign < "\x7f" else f"&#{ord(sign)};" for sign in line)
        for line in text.rstrip("\n").replace("  ", "\xa0\xa0").split("\n")
    ),
    "blockquote": lambda text: (
        "<p>See below.</p><p>Ember wrote:</p><blockquote type=cite>"
        + "<br>".join(_lines(text))
        + "</blockquote>"
    ),
}
