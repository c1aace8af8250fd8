"""The pages on which orders are chosen: one for each kind, with the data behind its address's #.

A browser keeps that part of an address for itself, so that no server sees the key in it.
"""

import re
import zlib
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from json import dumps
from typing import Any, Final, Protocol

from adjudicator.adapters.render.text_layout import format_instant
from adjudicator.core.document import Document, encode

FOLDER: Final = "orders"
"""Of the templates, and of the pages on a site."""
_LONGEST: Final = 6_000
"""The most signs behind the #; some mail programs cut longer links."""
_CSS_SPACES: Final = re.compile(r"\s*([{};,])\s*|(?<=:)\s+")
_JOINED: Final = (";", "{", ",", "(", "[")
_ENVELOPE: Final = ("game", "step", "key", "after")


class TemplatePrinter(Protocol):
    """What renders templates (adapters/render/printer.py)."""

    def text(self, name: str, document: Mapping[str, Any], game: str) -> str:
        """Render a template as it stands."""

    def page(self, name: str, document: Mapping[str, Any], game: str) -> str:
        """Render a page."""

    def list_names(self, folder: str, ending: str) -> Sequence[str]:
        """List the templates of a folder whose names end so."""


def list_pages(printer: TemplatePrinter) -> list[str]:
    """List the kinds whose orders can be chosen on a page: each has a script of its own."""
    kinds = [name.removesuffix(".js") for name in printer.list_names(FOLDER, ".js")]
    return [kind for kind in kinds if kind != "page"]


def render_order_page(printer: TemplatePrinter, kind: str, data: Document | None = None) -> bytes:
    """Render the page of a kind; with data it is one reader's own, and complete without a link."""
    around = {"folder": FOLDER}
    script = _strip("".join(printer.text(f"{one}.js", around, FOLDER) for one in (kind, "page")))
    style = _CSS_SPACES.sub(r"\1", printer.text("page.css", {"script": script}, FOLDER))
    facts = {
        "style": style,
        "style_hash": _hash(style),
        "script": script,
        "script_hash": _hash(script),
        # nothing in the data may end the element that they stand in
        "data": dumps(data, sort_keys=True).replace("<", "\\u003c") if data else "",
    }
    return printer.page("page.html", facts, FOLDER).encode()


def _strip(script: str) -> str:
    """Strip what only readers of templates need, a tenth of the page: comments, indents, lines.

    A line is joined to the next where its end says that it goes on or that a statement is over.
    """
    lines = (line.strip() for line in script.splitlines())
    code = (line for line in lines if line and not line.startswith("//"))
    return "".join(one if one.endswith(_JOINED) and "//" not in one else f"{one}\n" for one in code)


def _hash(content: str) -> str:
    """Make the word by which the page's policy admits a script or a style."""
    return f"sha256-{b64encode(sha256(content.encode()).digest()).decode()}"


def collect_page_data(document: Mapping[str, Any], address: str, subject: str) -> Document | None:
    """Collect what the page needs of a letter; None for one whose form offers no choices."""
    form, due = document.get("form") or {}, document.get("due")
    if not due or not form.get("choices") or not form["envelope"].get("key"):
        return None
    by = format_instant(due["deadline"], due["zone"]) if due["deadline"] else ""
    return {
        **document["game"],
        "game": document["game"]["id"],
        "seat": document["seat"],
        "what": due["what"],
        "until": f"Due by {by}." if by else "",
        "standing": document.get("standing", ""),
        "address": address,
        "subject": subject,
        "envelope": {key: form["envelope"][key] for key in _ENVELOPE},
        "form": due["form"],
        "orders": form["orders"],
        **({"ahead": form["ahead"]} if form.get("ahead") else {}),
        "choices": form["choices"],
        "position": {key: document["position"][key] for key in form["choices"].get("position", ())},
    }


def link_order_page(document: Mapping[str, Any], site: str, address: str, subject: str) -> str:
    """Make the address of a page with what it needs; empty without a site, or if it is too long."""
    data = collect_page_data(document, address, subject) if site else None
    if data is None:
        return ""
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    content = squeezer.compress(encode(data)) + squeezer.flush()
    fragment = urlsafe_b64encode(content).decode().rstrip("=")
    return f"{site}/{FOLDER}/{data['kind']}.html#{fragment}" if len(fragment) <= _LONGEST else ""
