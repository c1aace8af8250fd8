"""Undoing what mail programs do to characters: only what cannot have been meant is put right."""

import re

_SPACES = dict.fromkeys((0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000), " ")
_NOTHING = dict.fromkeys(
    (
        *(sign for sign in range(0x20) if sign not in (0x09, 0x0A)),
        *(sign for sign in range(0x7F, 0xA0) if sign != 0x85),
        *(0xAD, 0x034F, 0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF, 0xFFFC),
        *range(0x202A, 0x202F),
        *range(0x2061, 0x2070),
        *range(0xFFF9, 0xFFFC),
        0xFFFE,
        0xFFFF,
    )
)
_ENDS = {0x85: "\n", 0x2028: "\n", 0x2029: "\n"}
_WIDE = {
    **{sign: chr(sign - 0xFEE0) for sign in range(0xFF10, 0xFF1A)},
    **{sign: chr(sign - 0xFEE0) for sign in range(0xFF21, 0xFF3B)},
    **{sign: chr(sign - 0xFEE0) for sign in range(0xFF41, 0xFF5B)},
    **{sign: chr(sign - 0xFEE0) for sign in (0xFF03, 0xFF3B, 0xFF3D, 0xFF3F, 0xFF5B, 0xFF5D)},
}
_SIGNS = {**_SPACES, **_NOTHING, **_ENDS, **_WIDE}
_DASH = "[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]"
_TOUCHING = re.compile(rf"(?<=\S){_DASH}|{_DASH}(?=\S)")
_LEADING = re.compile(rf"^([ \t>|]{{0,40}}){_DASH}(?= |$)", re.MULTILINE)
_BETWEEN = re.compile(rf"(?<=\d) {_DASH} (?=[A-Za-z]\d)")
_QUOTES = {
    **dict.fromkeys((0x201C, 0x201D, 0x201E, 0x201F, 0x2033, 0xFF02), '"'),
    **dict.fromkeys((0x2018, 0x2019, 0x201A, 0x201B, 0x2032, 0xFF07), "'"),
}
_GUILLEMETS = re.compile("\u00ab {0,2}|(?<! ) {0,2}\u00bb")
_WIDE_COLON = re.compile(
    r"(?<![A-Za-z0-9_])(\"?[A-Za-z_][A-Za-z0-9_]{0,40}\"?) {0,2}[\uff1a\ufe55\ufe13] {0,2}"
)
_BULLET = re.compile(r"( {0,40})[*\u2022\u00b7\u25e6\u25aa\u25ab\u2023\u25cf\u25cb\u2043\uf0b7] +")
_JOINERS = re.compile("(?<=[!-~])[\u200c\u200d]{1,9}|[\u200c\u200d]{1,9}(?=[ -~])")
"""Joiners of signs; among other letters and in pictures of people they have a meaning."""
_LEAD = re.compile(r"[ \t-]{1,200}")
_DECORATED = re.compile(r"( {0,40})[*_]{1,2}([A-Za-z_ ]{1,40}?)(?::[*_]{1,2}|[*_]{1,2}:)(?= |$)")
_LINKED = re.compile(r"<(?:mailto:|https?://)[^<>\s]{1,300}>")


def mend_characters(text: str) -> str:
    """The text without what only looks like signs: spaces of all kinds, dashes, hidden marks.

    A dash between two words of somebody's prose stays one.
    """
    plain = _JOINERS.sub("", text.translate(_SIGNS))
    return _BETWEEN.sub(" - ", _LEADING.sub(r"\1-", _TOUCHING.sub("-", plain)))


def mend_line(text: str) -> str:
    """One line of a block, `signs` taken care of: tabs, bullets, colons, stars around keys."""
    if "\t" in text:
        lead = _LEAD.match(text)
        end = lead.end() if lead else 0
        text = text[:end].expandtabs(4) + text[end:].replace("\t", " ")
    text = _WIDE_COLON.sub(r"\1: ", text)
    text = _BULLET.sub(r"\1- ", text, count=1) if _BULLET.match(text) else text
    text = _DECORATED.sub(r"\1\2:", text, count=1) if _DECORATED.match(text) else text
    if "<" in text:
        text = _LINKED.sub("", text)
    return text.rstrip()


def straighten_quotes(text: str) -> str:
    """With typewriter quotation marks."""
    return _GUILLEMETS.sub('"', text.translate(_QUOTES))


_LEANING = re.compile(
    r"^ {1,3}(?=(?:game|step|key|after|ready|preview|clear|vote)\b ?:)",
    re.IGNORECASE | re.MULTILINE,
)


def align_envelope(text: str) -> str:
    """With the envelope's keys at the left margin, where a program has pushed some away from it."""
    return _LEANING.sub("", text)
