"""A text line by line: how deeply each line is quoted, and where a copied letter begins below."""

import re
from collections.abc import Sequence

from msgspec import Struct

from adjudicator.adapters.mail.inbound.phrases import HEADS, SENDERS, WROTE

MOST_LINES = 40_000
_MARK = re.compile(r"[ \t]?(?:[A-Za-z]{0,3}[>\uff1e\u203a\u00bb]|\|(?=[ |]|$))")
_DEEPEST = 20
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
    """The lines of a text, of which the signs are mended."""
    raw = _strip_pgp(text).split("\n", MOST_LINES)[:MOST_LINES]
    cut = [_split_marks(one) for one in raw]
    divides = _find_dividers(cut)
    made: list[QuotedLine] = []
    copied = False
    for (depth, rest), divide in zip(cut, divides, strict=True):
        made.append(QuotedLine(rest, depth, copied and not depth, divide is not None))
        copied = copied or divide == "copy"
    return made


def _split_marks(line: str) -> tuple[int, str]:
    depth, at = 0, 0
    while depth < _DEEPEST:
        mark = _MARK.match(line, at)
        if mark is None:
            break
        depth, at = depth + 1, mark.end()
    # a space behind the mark stays: only the block as a whole tells whether it is indentation
    return depth, line[at:]


def _find_dividers(cut: Sequence[tuple[int, str]]) -> list[str | None]:
    """For each line: None, "quote" before marked quotations, "copy" before a copied letter."""
    made: list[str | None] = [None] * len(cut)
    colons = [rest.rstrip().endswith((":", "\uff1a")) for _, rest in cut]
    names = [_field_name(rest.strip()[:400]) for _, rest in cut]
    for number, (depth, rest) in enumerate(cut):
        text = rest.strip()
        if not text or len(text) > 400:
            continue
        if depth == 0 and (
            _DASHED.fullmatch(text) or _is_copied_header(names[number : number + 7])
        ):
            made[number] = "quote" if _marked_below(cut, number) else "copy"
            continue
        if depth > 1 and text.endswith(">>>"):  # GroupWise writes this above an unmarked copy
            made[number] = "copy"
            continue
        length = any(colons[number : number + 3]) and _measure_introduction(cut, number, text)
        if length:
            quoted = _next_depth(cut, number + length) > depth
            for one in range(number, number + length):
                made[one] = "quote" if quoted or depth else "copy"
    return made


def _is_copied_header(names: Sequence[str]) -> bool:
    """From: Ember / Sent: Tuesday ... as Outlook puts it above the copy."""
    first = names[0]
    if not first or first[:1].islower() or first.lower() not in HEADS:
        return False  # from: may be an order's key
    named = {name.lower() for name in names}
    return len(named & HEADS) >= 3 and bool(named & SENDERS)


def _marked_below(cut: Sequence[tuple[int, str]], number: int) -> bool:
    """Whether the lines of the copy are marked as quotations, so that others are an answer."""
    return any(depth for depth, _ in cut[number + 1 : number + 12])


def _field_name(text: str) -> str:
    """The name of a header field at the start of a line."""
    if ":" not in text[:40] and "\uff1a" not in text[:40]:
        return ""
    field = _FIELD.match(text)
    return field.group(1).strip() if field else ""


def _measure_introduction(cut: Sequence[tuple[int, str]], number: int, text: str) -> int:
    """How many lines from here say who wrote what follows: "On ... Ember wrote:"; or 0."""
    depth, tail = cut[number][0], ""
    if _BEGINS.match(text):
        return 0  # a line of orders
    for length in (1, 2, 3):
        if text.endswith((":", "\uff1a")):
            if _DATED.search(_MAILBOX.sub("", tail)) and _names_writer(tail):
                return 0  # the lines below are a whole introduction without this one
            quoted = _next_depth(cut, number + length) > depth
            named = _names_writer(text)
            return length if named or (quoted and length == 1 and " " in text) else 0
        after = cut[number + length] if number + length < len(cut) else (-1, "")
        if after[0] != depth or not after[1].strip() or not _WRAPPED.match(text):
            return 0
        if _indent(cut[number][1]) > _indent(after[1]):
            return 0
        text = f"{text} {after[1].strip()}"[:600]
        tail = f"{tail} {after[1].strip()}"[:600]
    return 0


def _names_writer(text: str) -> bool:
    low = text.lower()
    return any(word in low for word in WROTE) or bool(_ADDRESSED.search(text))


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" "))


def _next_depth(cut: Sequence[tuple[int, str]], start: int) -> int:
    """How deeply the next line with text is quoted."""
    for depth, rest in cut[start : start + 4]:
        if rest.strip():
            return depth
    return 0


def _strip_pgp(text: str) -> str:
    """A text signed with PGP in the old manner, as it was before: lines with dashes were marked."""
    start = text.find(_SIGNED)
    if start < 0:
        return text
    end = text.find(_SIGNATURE, start)
    signed = text[start + len(_SIGNED) : end if end >= 0 else len(text)]
    kept = [one.removeprefix("- ") for one in signed.split("\n") if not one.startswith("Hash: ")]
    return text[:start] + "\n".join(kept)


def unflow_lines(text: str, *, delete_space: bool, stuffed: bool = True) -> str:
    """The lines as they were before the mail program wrapped them (RFC 3676).

    `stuffed` takes away the space before lines that begin with one: some programs do not put it.
    """
    made: list[list[str]] = []
    open_depth = -1
    """How deeply the line is quoted that is to be gone on with; -1: there is none."""
    for raw in text.split("\n", MOST_LINES)[:MOST_LINES]:
        depth = len(raw) - len(raw.lstrip(">"))
        rest = raw[depth:]
        rest = rest.removeprefix(" ") if stuffed or depth else rest
        if open_depth == depth and rest != "-- " and _is_wrapped(made[-1][-1], rest):
            if delete_space:
                made[-1][-1] = made[-1][-1][:-1]
            made[-1].append(rest)
        else:
            made.append([">" * depth + (" " if depth else "") + rest])
        open_depth = depth if rest.endswith(" ") and rest != "-- " else -1
    return "\n".join("".join(pieces) for pieces in made)


_BEGINS = re.compile(r"[ \t]{0,40}(?:- |-$|#|[\w.-]{1,40}:(?: |$))")
_WRAPPED_FROM = 50


def _is_wrapped(before: str, rest: str) -> bool:
    """Whether the line was wrapped: a short one with a space at its end was just written so."""
    return len(before) >= _WRAPPED_FROM or not _BEGINS.match(rest)
