"""Letters of the tables parts.yaml, charsets.yaml and automatic.yaml in corpus/."""

from pathlib import Path
from typing import Any

import yaml

from tests.adapters.letter.damage import FORM, USUAL
from tests.adapters.letter.sending import HEADER, letter, part, several
from tests.adapters.letter.writing import html, quoted

_CORPUS = Path(__file__).parent / "corpus"
_OTHER = FORM.replace("x3", "x1")
_BLOCKS = {"usual": USUAL[0], "other": USUAL[0] | {"jump": ["C4-D5 x1"]}}


def table(name: str) -> list[dict[str, Any]]:
    """The entries of one table."""
    found: list[dict[str, Any]] = yaml.safe_load((_CORPUS / f"{name}.yaml").read_text("utf-8"))
    return found


def filled(text: str) -> str:
    """The text with its block."""
    for name, form in {
        "{form}": FORM,
        "{other}": _OTHER,
        "{html}": html(FORM),
        "{quoted}": quoted(FORM),
    }.items():
        text = text.replace(name, form)
    return text


def expected(entry: dict[str, Any]) -> list[dict[str, Any]]:
    """The blocks that must be found."""
    blocks = entry.get("blocks", ["usual"])
    return [_BLOCKS[one] if isinstance(one, str) else one for one in blocks]


def built(one: dict[str, Any], depth: int = 0) -> bytes:
    """A part and all below it."""
    if "parts" in one:
        kind, _, more = one["kind"].removeprefix("multipart/").partition(";")
        inner = [built(child, depth + 1) for child in one["parts"]]
        whole = several(kind, *inner, boundary=f"----=_Part_{depth}")
        return whole.replace(b"\tboundary", f"\t{more.strip()};boundary".lstrip(";").encode(), 1)
    body = filled(one["body"]).encode(one.get("label", "utf-8"))
    kind = one.get("kind", "text/plain; charset=utf-8")
    return part(body, kind, one.get("as", "8bit"), filled(one.get("more", "")))


def in_charset(entry: dict[str, Any], encoding: str) -> bytes:
    """A letter with words in some charset, under some label."""
    body = f"{FORM}press:\n- {{to: all, text: '{entry['words']}'}}\n".encode(entry["codec"])
    return letter(part(body, f"text/plain; charset={entry['label']}", encoding))


def from_program(entry: dict[str, Any]) -> bytes:
    """A letter of automatic.yaml."""
    header = HEADER.partition("\n")[2]
    path = entry.get("path", "<ada@example.org>")
    if path is not None:
        header = f"Return-Path: {path}\n{header}"
    lines = header.split("\n")
    for name, field in (("subject", "Subject"), ("sender", "From")):
        if name in entry:
            at = next(n for n, line in enumerate(lines) if line.startswith(f"{field}:"))
            lines[at] = f"{field}: {entry[name]}"
    header = "\n".join(lines) + entry.get("headers", "")
    body = filled(entry.get("body", "Hello,\n\nI will look into it.\n"))
    return letter(part(body.encode(), entry.get("kind", "text/plain; charset=utf-8")), header)
