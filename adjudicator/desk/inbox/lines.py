"""The lines of a letter made ready to be read.

Messages are taken out, sentences stand apart, and requests in plain words stand as in a form.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any

from msgspec.structs import replace

from adjudicator.core.document import Document, Seat
from adjudicator.core.forms.orders_as_text import write_inline
from adjudicator.core.forms.reading import Text, WrittenLine
from adjudicator.core.forms.sentences import split_sentences
from adjudicator.core.names import fold
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.deadlines import find_zone
from adjudicator.desk.model.people import GM
from adjudicator.desk.orders.asking_back import BESIDE_ORDERS
from adjudicator.desk.requests.plain_requests import find_request
from adjudicator.desk.requests.press import list_messages, split_section
from adjudicator.desk.steps.press import EVERYBODY

_AND_MORE = re.compile(
    r"(yes|yep|yeah|ok|okay)(?: please)?[,.! ]+(?:and|plus|then)(?: then| also)?"
    r" (?!nothing)(.{4,})",
    re.IGNORECASE,
)
"""An answer that adds orders to what was asked."""
_NO_BUT = re.compile(
    r"(?:(?:no|nope|sorry|oops|(?:an? )?correction)\b[\s,.!]*)+[,.!:;-]\s*(.{4,})", re.IGNORECASE
)
"""An answer that gives other orders instead of what was asked."""


def prepare_lines(
    context: Context,
    seat: Seat,
    form: str | None,
    lines: Sequence[WrittenLine],
    guess: Callable[[str], Document | None],
) -> tuple[list[WrittenLine], list[Document]]:
    """Return the lines to be read as orders and requests, and the messages between them."""
    kept, press = _take_sections(context, form, lines)
    kept = [_list_press(context, line) for line in kept]
    is_order = partial(_is_order, context, seat, form)
    kept = split_sentences(kept, is_order, partial(is_order, guess=guess))
    return [_say_request(context, seat, one) for line in kept for one in split_assent(line)], press


def as_list(value: Any) -> list[Any]:
    """List what may stand alone."""
    return list(value) if isinstance(value, list | tuple) else [] if value is None else [value]


def split_assent(line: WrittenLine) -> tuple[WrittenLine, ...]:
    """Split `yes, and scan with n37` into the answer and what it adds; a no is left out."""
    other = _NO_BUT.fullmatch(line.text)
    if other is not None:
        return (replace(line, text=other[1], raw=other[1], value=None),)
    found = _AND_MORE.fullmatch(line.text)
    if found is None:
        return (line,)
    more = replace(line, text=found[2], raw=found[2], value=None)
    return (replace(line, text=found[1], raw=found[1], value=None, ends=True), more)


def _say_request(context: Context, seat: Seat, line: WrittenLine) -> WrittenLine:
    """Write a request in plain words as a letter has it: `absent: {from: …, until: …}`."""
    found = find_request(line.text, find_today(context, seat))
    if found is None:
        return line
    return replace(line, text=write_inline(found), value=Text(value=found))


def find_today(context: Context, seat: Seat) -> date:
    """Find the day that it is where the reader lives."""
    zone = find_zone(context.zone(context.player(context.seatings.get(seat))))
    return context.at.astimezone(zone).date()


def _is_order(
    context: Context,
    seat: Seat,
    form: str | None,
    line: WrittenLine,
    guess: Callable[[str], Document | None] = lambda _: None,
) -> bool:
    """Whether a sentence is an order or a request, or would be one but for a slip."""
    line = _say_request(context, seat, line)
    found = context.kind.free_lines(form, [line], context.game.seats, BESIDE_ORDERS, guess)
    return bool(found.taken or found.slips)


# messages in sections of their own


def _take_sections(
    context: Context, form: str | None, lines: Sequence[WrittenLine]
) -> tuple[list[WrittenLine], list[Document]]:
    """Take the messages out of the lines: those below `to blue:`, or behind it on its own line."""
    known = _list_addressees(context)
    kept: list[WrittenLine] = []
    found: list[tuple[str, list[str]]] = []
    inside = alone = False
    for line in lines:
        opener = split_section(line.raw, known)
        if opener is not None:
            to, words = opener
            found.append((to, [words] if words else []))
            inside, alone = not words or len(line.raw) >= _WRAPPED, not words
        elif inside and not alone and not _goes_on(context, form, line):
            inside = False
            kept.append(line)
        elif not inside:
            kept.append(line)
        elif _END_OF_PRESS.fullmatch(line.text):
            inside = False
        else:
            found[-1][1].append(line.raw)
            inside = alone or len(line.raw) >= _WRAPPED
        inside = inside and not line.ends
    messages: list[Document] = [
        {"to": to, "text": "\n".join(text).strip("\n")} for to, text in found
    ]
    return kept, messages


def _list_addressees(context: Context) -> Mapping[str, str]:
    """List by which words a message names its readers: seats, players' names, everybody."""
    known = {fold(one): one for one in (*context.game.seats, EVERYBODY, GM)}
    for word in ("everyone", "everybody"):
        known.setdefault(word, EVERYBODY)
    seatings = context.seatings if not context.settings.anonymous else {}
    for seat, seating in seatings.items():
        name = seating.player or ""
        if name and " " not in name:
            known.setdefault(fold(name), seat)
    return known


def _list_press(context: Context, line: WrittenLine) -> WrittenLine:
    """Write messages by seat, {blue: Hi}, as a list, as forms have them."""
    if line.value is None or "press" not in line.value.value:
        return line
    seats = (*context.game.seats, EVERYBODY, GM)
    listed = {"press": list_messages(line.value.value["press"], seats)}
    return replace(line, value=replace(line.value, value=listed))


def _goes_on(context: Context, form: str | None, line: WrittenLine) -> bool:
    """Whether a mail program wrapped a message into this line: never if it may be an order."""
    if not line.text:
        return False
    found = context.kind.free_lines(form, [line], context.game.seats, BESIDE_ORDERS)
    return not (found.taken or found.slips or found.odd)


_WRAPPED = 60
"""A line of at least so many characters may have been wrapped by a mail program."""
_END_OF_PRESS = re.compile(r"end (?:of )?press\W*", re.IGNORECASE)
