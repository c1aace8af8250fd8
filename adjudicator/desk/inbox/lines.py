"""The lines of a letter made ready to be read.

Messages are taken out, sentences stand apart, and requests in plain words stand as in a form.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from itertools import chain, islice
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.document import Document, Seat
from adjudicator.core.events import format_list
from adjudicator.core.forms.fault_messages import shorten
from adjudicator.core.forms.orders_as_text import write_inline
from adjudicator.core.forms.reading import FreeReading, Text, WrittenLine
from adjudicator.core.forms.sentences import GREETING, split_sentences
from adjudicator.core.names import fold
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.deadlines import find_zone
from adjudicator.desk.model.people import GM
from adjudicator.desk.orders.asking_back import BESIDE_ORDERS
from adjudicator.desk.requests.plain_requests import find_request
from adjudicator.desk.requests.press import (
    find_bare_section,
    find_reader,
    list_messages,
    split_section,
)
from adjudicator.desk.steps.press import EVERYBODY

_AND_MORE = re.compile(
    r"(yes|yep|yeah|ok|okay)(?: please)?[,.! ]+(?:and|plus|then)(?: then| also)?"
    r" (?!nothing)(.{4,})",
    re.IGNORECASE,
)
"""An answer that adds orders to what was asked."""
_NO_BUT = re.compile(
    r"(?:(?:no|nope|sorry|oops|(?:an? )?correction)\b[\s,.!]*)+[,.!:;-]\s*(?!\s*thank)(.{4,})",
    re.IGNORECASE,
)
"""An answer that gives other orders instead of what was asked."""


class PreparedLines(Struct, frozen=True):
    """The lines of a letter, apart from its messages."""

    lines: Sequence[WrittenLine]
    """To be read as orders and requests."""
    messages: Sequence[Document]
    below: Sequence[str]
    """Those that stand right below a message of one line."""
    sent_orders: Sequence[str]
    """Those of the messages that would be orders elsewhere."""


def prepare_lines(
    context: Context,
    seat: Seat,
    form: str | None,
    lines: Sequence[WrittenLine],
    guess: Callable[[str], Document | None],
) -> PreparedLines:
    """Take the messages out of the lines, and make the others ready to be read."""
    own, sections, below = _take_sections(context, form, lines)
    own = [_list_press(context, _name_places(context, seat, line)) for line in own]
    is_order = partial(_is_order, context, seat, form)
    own = split_sentences(own, is_order, partial(is_order, guess=guess))
    ready = [_say_request(context, seat, one) for line in own for one in split_assent(line)]
    longer = (text for _, words in sections if len(words) > 1 for text in words if text)
    return PreparedLines(
        lines=ready,
        messages=[{"to": to, "text": "\n".join(text).strip("\n")} for to, text in sections],
        below=below,
        sent_orders=[
            text for text in islice(longer, _MOST_READ) if is_order(WrittenLine(text, 0, text))
        ],
    )


def _name_places(context: Context, seat: Seat, line: WrittenLine) -> WrittenLine:
    """Write places as forms do, where the game's players name them otherwise in orders."""
    name_places = getattr(context.kind.rules, "name_places", None)
    is_request = line.value is not None and any(key in BESIDE_ORDERS for key in line.value.value)
    if name_places is None or is_request:
        return line
    name = partial(name_places, context.view(seat), seat)
    value = line.value and replace(line.value, value=_name_in(line.value.value, name))
    return replace(line, text=name(line.text), value=value)


def _name_in(value: Any, name: Callable[[str], str]) -> Any:
    """Name the places in every text of a value."""
    if isinstance(value, Mapping):
        return {key: _name_in(one, name) for key, one in value.items()}
    if isinstance(value, list):
        return [_name_in(one, name) for one in value]
    return name(value) if isinstance(value, str) else value


def as_list(value: Any) -> list[Any]:
    """List what may stand alone."""
    return list(value) if isinstance(value, list | tuple) else [] if value is None else [value]


def split_assent(line: WrittenLine) -> tuple[WrittenLine, ...]:
    """Split `yes, and scan with n37` into the answer and what it adds; a no is left out."""
    other = _NO_BUT.fullmatch(line.text)
    if other is not None:
        return (replace(line, text=other[1], raw=other[1], value=None),)
    match = _AND_MORE.fullmatch(line.text)
    if match is None:
        return (line,)
    more = replace(line, text=match[2], raw=match[2], value=None)
    return (replace(line, text=match[1], raw=match[1], value=None, ends=True), more)


def _say_request(context: Context, seat: Seat, line: WrittenLine) -> WrittenLine:
    """Write a request in plain words as a letter has it: `absent: {from: …, until: …}`."""
    request = find_request(line.text, find_today(context, seat))
    if request is None:
        return line
    return replace(line, text=write_inline(request), value=Text(value=request))


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
    reading = context.kind.free_lines(form, [line], context.game.seats, BESIDE_ORDERS, guess)
    return bool(reading.taken or reading.slips)


# messages in sections of their own


def _take_sections(
    context: Context, form: str | None, lines: Sequence[WrittenLine]
) -> tuple[list[WrittenLine], list[tuple[str, list[str]]], list[str]]:
    """Take the messages out of the lines: those below `to blue:`, or behind it on its own line.

    Besides them, give the lines that stand right below a message of one line.
    """
    addressees = _list_addressees(context)
    rest: list[WrittenLine] = []
    sections: list[tuple[str, list[str]]] = []
    below: list[str] = []
    inside = alone = is_bare = is_below = False

    def cut(line: WrittenLine) -> Iterable[WrittenLine]:
        """Cut a line, but never words that somebody writes to somebody else."""
        return (line,) if inside else _split_before_section(line, addressees)

    for line in chain.from_iterable(map(cut, lines)):
        goes_on = inside and (alone or is_bare or not sections[-1][1][-1].endswith(_SENTENCE_ENDS))
        opener = split_section(line.raw, addressees, is_message=goes_on)
        bare = None if opener or inside else find_bare_section(line.raw, addressees)
        if opener is not None:
            to, words = opener
            sections.append((to, [words] if words else []))
            inside, alone, is_below = not words or len(line.raw) >= _WRAPPED, not words, bool(words)
            is_bare = False
        elif bare and _stands_apart(context, form, rest):
            sections.append((bare, []))
            inside, alone, is_bare = True, False, True
        elif (
            inside
            and not alone
            and not (_goes_on(context, form, line) or (is_bare and not line.text))
        ):
            inside = False
            rest.append(line)
        elif not inside:
            rest.append(line)
            below += [line.raw] if is_below else []
            is_below = False
        elif _END_OF_PRESS.fullmatch(line.text):
            inside = False
        else:
            sections[-1][1].append(line.raw)
            inside = alone or is_bare or len(line.raw) >= _WRAPPED
        inside = inside and not line.ends
    return rest, sections, below


def _split_before_section(
    line: WrittenLine, addressees: Mapping[str, str]
) -> Iterator[WrittenLine]:
    """Split `build max. To blue: hello` where the message begins."""
    for cut in _INNER.finditer(line.raw) if line.lines == 1 and not _PRESS.match(line.raw) else ():
        before, words = line.raw[: cut.start()], line.raw[cut.end() :]
        if split_section(words, addressees) and not split_section(line.raw, addressees):
            yield replace(line, text=before.strip(), raw=before, value=None, ends=True)
            yield replace(line, text=words, raw=words, value=None)
            return
    yield line


def _stands_apart(context: Context, form: str | None, above: Sequence[WrittenLine]) -> bool:
    """Whether a line begins something new: no mail program wrapped the one above into it."""
    return not above or above[-1].ends or not _goes_on(context, form, above[-1])


def _list_addressees(context: Context) -> Mapping[str, str]:
    """List by which words a message names its readers: seats, players' names, everybody."""
    addressees = {fold(one): one for one in (*context.game.seats, EVERYBODY, GM)}
    for word in ("everyone", "everybody"):
        addressees.setdefault(word, EVERYBODY)
    seatings = context.seatings if not context.settings.anonymous else {}
    for seat, seating in seatings.items():
        name = seating.player or ""
        if name and " " not in name:
            addressees.setdefault(fold(name), seat)
    return addressees


def _list_press(context: Context, line: WrittenLine) -> WrittenLine:
    """Write messages by seat, {blue: Hi}, as a list, as forms have them."""
    if line.value is None or "press" not in line.value.value:
        return line
    seats = (*context.game.seats, EVERYBODY, GM)
    content = {"press": list_messages(line.value.value["press"], seats)}
    return replace(line, value=replace(line.value, value=content))


def _goes_on(context: Context, form: str | None, line: WrittenLine) -> bool:
    """Whether a mail program wrapped a message into this line: never if it may be an order."""
    if not line.text:
        return False
    reading = context.kind.free_lines(form, [line], context.game.seats, BESIDE_ORDERS)
    return not (reading.taken or reading.slips or reading.odd)


_INNER = re.compile(
    r"(?:[.;,!?]\s+|\s(?=and\s))(?:(?:and|also|then|please)\s+)*(?=(?:(?:press|message)\s+)?to\s|tell\s)",
    re.IGNORECASE,
)
"""Where a message may begin in the middle of a line."""
_PRESS = re.compile(r"\W*press\s*:", re.IGNORECASE)
_SENTENCE_ENDS = (".", "!", "?")
_WRAPPED = 60
"""A line of at least so many characters may have been wrapped by a mail program."""
_END_OF_PRESS = re.compile(r"end (?:of )?press\W*", re.IGNORECASE)


# words to other players that went nowhere


def explain_unsent(
    context: Context, seat: Seat, prepared: PreparedLines, reading: FreeReading
) -> Iterator[str]:
    """Say of words to other players that they went nowhere, and of orders that went to them."""
    others = [one for one in context.game.seats if one != seat]
    addressees = {name: to for name, to in _list_addressees(context).items() if to in others}
    slips = [*(slip.text for slip in reading.slips), *reading.odd]
    for at, line in enumerate(prepared.lines):
        if not line.text or at in reading.taken or any(line.text in one for one in slips):
            continue
        to = find_reader(line.text, addressees)
        if to is not None:
            yield _NOT_SENT.format(shorten(line.text, 60), to)
        elif line.raw in prepared.below and says_something(line.text):
            yield _NO_PART.format(shorten(line.text, 60))
        elif MORE_TIME.search(line.text) and context.settings.press != "none":
            yield ASK_THE_GM
    if prepared.sent_orders:
        quotations = [f"`{shorten(text, 60)}`" for text in prepared.sent_orders[:_MOST_SENT]]
        yield _SENT_AS_WELL.format(format_list(quotations))


MORE_TIME = re.compile(
    r"\b(?:(?:extend|extension|postpone|prolong)\b"
    r"(?!(?: of)? (?:my|our|your|his|her|their) (?!deadline|time|turn))"
    r"|(?:more|extra|additional) (?:time|days?|hours?)"
    r"|(?:have|wait|give me) (?:un)?til|(?:new|later|move the) deadline)\b",
    re.IGNORECASE,
)
ASK_THE_GM = (
    "Only the GM can move a deadline: `to gm: your words` asks for it. If you are away for some "
    "days, `away from 24 to 31 December` says so, with your own dates."
)
_NOT_SENT = '"{}" was not sent to anybody: `to {}: your words` sends a message.'
_NO_PART = (
    '"{}" stands below your message and is no part of it. For a longer message write `to blue:` '
    "alone on a line, and your words below it."
)
_SENT_AS_WELL = (
    "Below the first line of your message stands {}, which went out as part of it and is no order. "
    "Write orders above a message, or put `end press` between them."
)
_MOST_SENT, _MOST_READ = 3, 40


def says_something(text: str) -> bool:
    """Whether a line is more than a greeting, thanks or a name."""
    return len(text.split()) > 2 and not (GREETING.fullmatch(text) or _POLITE.match(text))


_POLITE = re.compile(
    r"(?:many )?(?:thanks|thank you|cheers|sorry|best|kind|regards|see you|sent from|get outlook)"
    r"\b",
    re.IGNORECASE,
)
