"""The text of a part, line by line: as its reader sees it, characters mended, quotations measured.

Only what cannot have been meant is put right.
"""

import re
from collections.abc import Sequence

from msgspec import Struct

from adjudicator.adapters.mail.inbound.html.html_text import ShownText, read_html
from adjudicator.adapters.mail.inbound.parts import MailPart
from adjudicator.adapters.mail.inbound.phrases import HEADER_NAMES, SENDERS, WROTE

_PAGE = ("<!doctype html", "<html")


def read_plain_text(part: MailPart, *, stuffed: bool = True) -> ShownText:
    """Read the text of a part line by line, marking quotations."""
    # some programs call their HTML plain text
    if part.kind == "text/html" or part.text[:200].lstrip().lower().startswith(_PAGE):
        return read_html(part.text)
    if is_flowed(part):
        delete = part.parameters.get("delsp", "").lower() == "yes"
        return ShownText(unflow_lines(part.text, delete_space=delete, stuffed=stuffed))
    return ShownText(part.text)


def is_flowed(part: MailPart) -> bool:
    """Whether its program wrapped the lines and marked where (RFC 3676)."""
    return part.kind != "text/html" and part.parameters.get("format", "").lower() == "flowed"


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
DASH = "[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]"
_TOUCHING = re.compile(rf"(?<=\S){DASH}|{DASH}(?=\S)")
_LEADING = re.compile(rf"^([ \t>|]{{0,40}}){DASH}(?= |$)", re.MULTILINE)
_BETWEEN = re.compile(rf"(?<=\d) {DASH} (?=[A-Za-z]\d)")
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
    """Replace lookalike characters: special spaces, dashes and hidden marks.

    A dash between two words of prose is kept.
    """
    plain = text.translate(_SIGNS)
    if plain.isascii():  # as most letters are: neither joiners nor dashes of another kind
        return plain
    plain = _JOINERS.sub("", plain)
    return _BETWEEN.sub(" - ", _LEADING.sub(r"\1-", _TOUCHING.sub("-", plain)))


def mend_line(text: str) -> str:
    """Clean up one line of a block after its characters: tabs, bullets, colons, starred keys."""
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
    """Replace curly quotation marks with straight ones."""
    return _GUILLEMETS.sub('"', text.translate(_QUOTES))


_LEANING = re.compile(
    r"^ {1,3}(?=(?:game|step|key|after|ready|preview|clear|vote)\b ?:)",
    re.IGNORECASE | re.MULTILINE,
)


def align_envelope(text: str) -> str:
    """Move the envelope's keys to the left margin if a program has indented some of them."""
    return _LEANING.sub("", text)


MOST_LINES = 40_000
_MARK = re.compile(r"[ \t]?(?:[A-Za-z]{0,3}[>\uff1e\u203a\u00bb]|\|(?=[ |]|$))")
_DEEPEST = 20
_OUR_TITLE = re.compile(
    r"(?:RECEIPT|NOTICE|ANSWER|REMINDER|REPORT|PRESS) \d{1,6} to [\w-]{1,40}"
    r", game [a-z0-9][\w.-]{0,60}(?:, .{1,80}|\s{2,}.{1,80})?"
    r"|[A-Z0-9][A-Z0-9_.-]{0,60}, .{1,60} \(.{2,40}\)\s{2,}Report \d{1,6} to [\w-]{1,40}"
)
"""The first line of a letter of ours, whatever language stands above a copy of it."""
_DASHED = re.compile(
    r"(-{2,60}|={3,60}|\*{3,60}) ?[^\s*=-][^*=]{1,200}?(?:-{2,60}|={3,60}|\*{3,60})"
)
_FIELD = re.compile(r"[*_ >]{0,4}([^\W\d_][\w .'-]{0,30}?) ?[*_]{0,2} ?[:\uff1a][*_]{0,2}(?: |$)")
_ADDRESSED = re.compile(r"<[^<>]{0,100}@[^<>]{0,150}>")
_WRAPPED = re.compile(r"[^-#>\s].{30}")
"""The first line of an introduction that takes several."""
_DATED = re.compile(r"\d{4}|\d{1,2}[.:/]\d{2}")
_MAILBOX = re.compile(r"[^\s@]{1,64}@[^\s@]{1,200}")
_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
_SIGNATURE = "-----BEGIN PGP SIGNATURE-----"


class QuotedLine(Struct, frozen=True):
    """A line of a letter."""

    text: str
    """Without the marks of quotation."""
    depth: int = 0
    copied: bool = False
    """It stands below a line that says: here begins another letter."""
    divides: bool = False
    """It is such a line itself, or introduces a quotation; no block goes on over it."""


def read_lines(text: str) -> list[QuotedLine]:
    """Read the lines of a text whose characters have been mended."""
    raw = _strip_pgp(text).split("\n", MOST_LINES)[:MOST_LINES]
    cut = [_split_marks(one) for one in raw]
    divides = _find_dividers(cut)
    lines: list[QuotedLine] = []
    copied = False
    for (depth, rest), divide in zip(cut, divides, strict=True):
        lines.append(QuotedLine(rest, depth, copied and not depth, divide is not None))
        copied = copied or divide == "copy"
    return lines


def _split_marks(line: str) -> tuple[int, str]:
    depth, at = 0, 0
    while depth < _DEEPEST:
        mark = _MARK.match(line, at)
        if mark is None:
            break
        depth, at = depth + 1, mark.end()
    # keep the space behind the mark: only the whole block shows whether it is indentation
    return depth, line[at:]


def _find_dividers(cut: Sequence[tuple[int, str]]) -> list[str | None]:
    """Find for each line: None, "quote" before marked quotations, "copy" before a copied letter."""
    dividers: list[str | None] = [None] * len(cut)
    colons = [rest.rstrip().endswith((":", "\uff1a")) for _, rest in cut]
    names = [_field_name(rest.strip()[:400]) for _, rest in cut]
    for number, (depth, rest) in enumerate(cut):
        text = rest.strip()
        if not text or len(text) > 400:
            continue
        if depth == 0 and (
            _DASHED.fullmatch(text)
            or _OUR_TITLE.fullmatch(text)
            or _is_copied_header(names[number : number + 7])
        ):
            dividers[number] = "quote" if _marked_below(cut, number) else "copy"
            continue
        if depth > 1 and text.endswith(">>>"):  # GroupWise writes this above an unmarked copy
            dividers[number] = "copy"
            continue
        length = any(colons[number : number + 3]) and _measure_introduction(cut, number, text)
        if length:
            is_quoted = _next_depth(cut, number + length) > depth
            for one in range(number, number + length):
                dividers[one] = "quote" if is_quoted or depth else "copy"
    return dividers


def _is_copied_header(names: Sequence[str]) -> bool:
    """Whether the lines are a header copied by Outlook: From: Ember / Sent: Tuesday ..."""
    first = names[0]
    if not first or first[:1].islower() or first.lower() not in HEADER_NAMES:
        return False  # from: may be an order's key
    fields = {name.lower() for name in names}
    return len(fields & HEADER_NAMES) >= 3 and bool(fields & SENDERS)


def _marked_below(cut: Sequence[tuple[int, str]], number: int) -> bool:
    """Whether the copied lines are marked as quotations, so that the others are an answer."""
    return any(depth for depth, _ in cut[number + 1 : number + 12])


def _field_name(text: str) -> str:
    """Return the name of a header field at the start of a line."""
    if ":" not in text[:40] and "\uff1a" not in text[:40]:
        return ""
    field = _FIELD.match(text)
    return field.group(1).strip() if field else ""


def _measure_introduction(cut: Sequence[tuple[int, str]], number: int, text: str) -> int:
    """Count the lines from here that introduce a quotation: "On ... Ember wrote:"; or 0."""
    depth, tail = cut[number][0], ""
    if _BEGINS.match(text):
        return 0  # a line of orders
    for length in (1, 2, 3):
        if text.endswith((":", "\uff1a")):
            if _DATED.search(_MAILBOX.sub("", tail)) and _names_writer(tail):
                return 0  # the lines below are a whole introduction without this one
            is_quoted = _next_depth(cut, number + length) > depth
            names_writer = _names_writer(text)
            return length if names_writer or (is_quoted and length == 1 and " " in text) else 0
        after = cut[number + length] if number + length < len(cut) else (-1, "")
        if after[0] != depth or not after[1].strip() or not _WRAPPED.match(text):
            return 0
        if measure_indent(cut[number][1]) > measure_indent(after[1]):
            return 0
        text = f"{text} {after[1].strip()}"[:600]
        tail = f"{tail} {after[1].strip()}"[:600]
    return 0


def _names_writer(text: str) -> bool:
    low = text.lower()
    return any(word in low for word in WROTE) or bool(_ADDRESSED.search(text))


def measure_indent(text: str) -> int:
    """Count the spaces that a line begins with."""
    return len(text) - len(text.lstrip(" "))


def _next_depth(cut: Sequence[tuple[int, str]], start: int) -> int:
    """Return the quotation depth of the next line with text."""
    for depth, rest in cut[start : start + 4]:
        if rest.strip():
            return depth
    return 0


def _strip_pgp(text: str) -> str:
    """Restore a text signed with PGP in the old way, which marks lines that begin with dashes."""
    start = text.find(_SIGNED)
    if start < 0:
        return text
    end = text.find(_SIGNATURE, start)
    body = text[start + len(_SIGNED) : end if end >= 0 else len(text)]
    lines = [one.removeprefix("- ") for one in body.split("\n") if not one.startswith("Hash: ")]
    return text[:start] + "\n".join(lines)


def unflow_lines(text: str, *, delete_space: bool, stuffed: bool = True) -> str:
    """Join the lines that the mail program wrapped (RFC 3676).

    `stuffed` also removes the space before lines that begin with one; some programs don't add it.
    """
    lines: list[list[str]] = []
    open_depth = -1
    """How deeply the line is quoted that is to be gone on with; -1: there is none."""
    for raw in text.split("\n", MOST_LINES)[:MOST_LINES]:
        depth = len(raw) - len(raw.lstrip(">"))
        rest = raw[depth:]
        rest = rest.removeprefix(" ") if stuffed or depth else rest
        if open_depth == depth and rest != "-- " and _is_wrapped(lines[-1][-1], rest):
            if delete_space:
                lines[-1][-1] = lines[-1][-1][:-1]
            lines[-1].append(rest)
        else:
            lines.append([">" * depth + (" " if depth else "") + rest])
        open_depth = depth if rest.endswith(" ") and rest != "-- " else -1
    return "\n".join("".join(pieces) for pieces in lines)


_BEGINS = re.compile(r"[ \t]{0,40}(?:- |-$|#|[\w.-]{1,40}:(?: |$))")
_WRAPPED_FROM = 50


def _is_wrapped(before: str, rest: str) -> bool:
    """Whether the line was wrapped; a short one that ends in a space was written that way."""
    return len(before) >= _WRAPPED_FROM or not _BEGINS.match(rest)
