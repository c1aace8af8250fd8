"""Press: messages between the people of a game, delivered by the server and kept for reports.

What players write is quoted line by line wherever it is printed, so that it can be taken neither
for a letter of the server nor for orders.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from msgspec.structs import replace

from adjudicator.core.document import Document, Seat
from adjudicator.core.events import format_count
from adjudicator.core.forms.sentences import is_courtesy
from adjudicator.core.names import fold
from adjudicator.desk.model.context import Context, RequestOutcome, Sender, current_step, reject
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.people import GM, PUBLIC
from adjudicator.desk.model.seats import BOT, PLAYER
from adjudicator.desk.model.values import Press, Seating
from adjudicator.desk.outbox.queue import PRESS, queue_letter, queue_to_address
from adjudicator.desk.outbox.reader_preferences import gets_every_letter
from adjudicator.desk.steps.press import (
    ANONYMOUS,
    EVERYBODY,
    ROOM,
    count_budgets,
    mail_gm_press,
    name_addressees,
    part_by_writer,
    press_document,
    weigh_message,
)

_LONGEST = 10_000
_MOST_FAULTS = 30
_MOST_LINES = 60
_DAY = timedelta(days=1)
_MAILED, _WAITS, _KEPT, _KNOWN, _NOWHERE = "mailed", "waits", "kept", "known", "nowhere"
_MOST_KEPT = 10
"""The limit for press that is not mailed at once, as a multiple of what is."""
_JOINERS = ("\u200c", "\u200d")  # some scripts and emoji need them


def handle_press(context: Context, sender: Sender, value: Any) -> RequestOutcome:
    """Deliver what a seat's player writes to others."""
    if context.settings.press == "none":
        return reject(f"{context.id} is played without press; your message was not delivered.")
    number = sender.seating.number if sender.seating else 0
    return _handle_all(context, sender.seat, number, value)


def send_gm_press(context: Context, value: Any) -> RequestOutcome:
    """Deliver what the GM writes; no setting stands in the way."""
    return _handle_all(context, None, 0, value)


def _handle_all(context: Context, seat: Seat | None, seating: int, value: Any) -> RequestOutcome:
    entries = list_messages(value, (*context.game.seats, EVERYBODY, GM))
    messages, wrong = context.read_request("press", entries)
    outcome, mailed, left_out = RequestOutcome(not_taken=wrong), list[Press](), 0
    room, before = ROOM, list(_list_earlier(context))
    number = context.books.last_press(context.id)
    for message in messages or ():
        try:
            press = _make_message(context, seat, seating, message, number=number + 1)
        except Refused as why:
            outcome += reject(str(why))
            continue
        place = _find_place(context, press, before)
        if place == _NOWHERE:
            left_out += 1
            continue
        documents: tuple[Document, ...] = ()
        if place != _KNOWN:
            context.books.save(press)
            before.append(press)
            number = press.number
            document = {"to": name_addressees(press) or EVERYBODY, "text": press.text}
            room -= weigh_message(document) if place != _MAILED else 0
            documents = (document,) if room >= 0 or place == _MAILED else ()
        if place == _MAILED:
            mailed.append(press)
        outcome += RequestOutcome(done=(_describe_sent(context, press, place),), messages=documents)
    _mail_messages(context, mailed)
    if room < 0:
        outcome += RequestOutcome(done=(_NOT_REPEATED,))
    if left_out:
        outcome += reject(_describe_left_out(context, left_out))
    outcome = _shorten_list(outcome)
    more = len(outcome.not_taken) - _MOST_FAULTS
    if more <= 0:
        return outcome
    faults = (*outcome.not_taken[:_MOST_FAULTS], f"press: {more} more messages were not delivered.")
    return replace(outcome, not_taken=faults)


_NOT_REPEATED = "Not all of your messages are repeated in this receipt; `ask: press` shows them."


def _list_earlier(context: Context) -> Sequence[Press]:
    """List the messages of the open step; while none is open, all: a day stands for the step."""
    step = context.game.open_step
    return context.books.press(context.id, None if step is None else step - 1)


def _shorten_list(outcome: RequestOutcome) -> RequestOutcome:
    """Shorten what is said of very many messages."""
    more = len(outcome.done) - _MOST_LINES
    if more <= 0:
        return outcome
    lines = (*outcome.done[:_MOST_LINES], f"The same holds for {more} more messages.")
    return replace(outcome, done=lines)


# how messages are written

_NAME = re.compile(
    r"(?:(?:(?:press|message|note)[ \t]+)?to[ \t]+|@[ \t]*)([^:]{1,200}?)[ \t]*:[ \t]*",
    re.IGNORECASE,
)
_TELL = re.compile(
    r"(?:please[ \t]+)?(?:tell|say[ \t]+to)[ \t]+([\w-]{1,40}(?:[ \t]+and[ \t]+[\w-]{1,40})?)"
    r"[ \t]*[:,]?[ \t]+(?:that[ \t]+)?(?=\S)",
    re.IGNORECASE,
)
_BULLET = " \t*\u2022"
_AND = re.compile(r"[\s,&+]+(?:and[\s,]+)?", re.IGNORECASE)
_NEXT = re.compile(r",\s*([\w-]{1,40})\s*:\s")


def split_section(
    line: str, addressees: Mapping[str, str], *, is_message: bool = False
) -> tuple[str, str] | None:
    """Find to whom a line `to blue:` is written, and the words behind it; None for other lines.

    `addressees` has them by the words, folded, that name them. In a message `tell green nothing`
    is meant for its reader.
    """
    text = line.lstrip(_BULLET)
    match = _NAME.match(text) or (None if is_message else _TELL.match(text))
    names = [fold(one) for one in _AND.split(match[1]) if one] if match else []
    if match is None or not names or not all(one in addressees for one in names):
        return None
    return ", ".join(addressees[one] for one in names), text[match.end() :].strip()


def find_bare_section(line: str, addressees: Mapping[str, str]) -> str | None:
    """Find to whom a line `to blue` is written that is nothing else, but for its colon."""
    match = _NAME.fullmatch(f"{_COLON.sub('', line.strip(_BULLET))}:")
    names = [fold(one) for one in _AND.split(match[1]) if one] if match else []
    return (
        ", ".join(addressees[one] for one in names)
        if names and set(names) <= addressees.keys()
        else None
    )


def find_reader(line: str, addressees: Mapping[str, str]) -> str | None:
    """Find whom a line speaks to that is no message: `blue: peace?`, `Say hello to Bo`."""
    match = _SPOKEN_TO.match(line) or (_PASSED_ON.match(line) if is_courtesy(line) else None)
    return addressees.get(fold(match[match.lastindex or 0])) if match else None


_COLON = re.compile(r"(?<=[Tt]o):|(?<=TO):|[.,]$")
_SPOKEN_TO = re.compile(
    r"@?([\w-]{1,40})\s*:\s*\S|(?:hi|hello|hey|dear)\s+([\w-]{1,40})\b(?!\W*and\b)\W*(?:\w+\W+\w|\w+\?)"
    r"|(?:press|message|note|write|dm)\s*:?\s+(?:to\s+)?([\w-]{1,40})\s+\w+",
    re.IGNORECASE,
)
_PASSED_ON = re.compile(
    r"(?:please\s+)?(?:pass|give|send|say|convey)\b.*\bto\s+([\w-]{1,40})", re.IGNORECASE
)


def list_messages(value: Any, seats: Sequence[Seat]) -> Any:
    """List messages that are written by seat, {blue: Hi}, like those that name theirs."""
    if isinstance(value, list | tuple):
        return [message for one in value for message in _list_by_seat(one, seats)]
    return _list_by_seat(value, seats)


def _list_by_seat(value: Any, seats: Sequence[Seat]) -> list[Any]:
    if not isinstance(value, dict) or not {fold(str(key)) for key in value}.isdisjoint(_FIELDS):
        return [value]
    seat_names = {fold(one) for one in seats}
    messages: list[Any] = []
    for to, text in value.items():
        if not isinstance(text, str):
            return [value]
        cuts = [one for one in _NEXT.finditer(text) if fold(one[1]) in seat_names]
        starts = [0, *(one.end() for one in cuts)]
        ends = [*(one.start() for one in cuts), len(text)]
        names = [to, *(one[1] for one in cuts)]
        messages += [
            {"to": name, "text": text[start:end].strip()}
            for name, start, end in zip(names, starts, ends, strict=True)
        ]
    return messages


_FIELDS = ("to", "text", "as")


def _make_message(
    context: Context, seat: Seat | None, seating: int, message: Document, *, number: int
) -> Press:
    """Make a message as it will be kept; Refused if it cannot be delivered."""
    anonymous = message.get("as") == ANONYMOUS
    if anonymous and context.settings.press != "grey":
        raise Refused(
            "Messages without a name are not allowed in this game, so yours was not delivered; "
            "send "
            "it again without `as: anonymous`."
        )
    text = clean_text(message["text"])
    if not text:
        raise Refused("One of your messages is empty; it was not delivered.")
    if len(text) > _LONGEST:
        raise Refused(
            f"A message has at most {_LONGEST} characters, yours has {len(text)}; it was not "
            f"delivered."
        )
    to = find_addressees(context, seat, message["to"])
    if to is None:
        raise Refused("You are the only reader of that message; it was not delivered.")
    step = context.game.open_step
    return Press(
        game=context.id,
        number=number,
        at=context.at,
        step=step if step is not None else (context.game.next_number or None),
        seat=seat,
        seating=seating,
        to=to,
        anonymous=anonymous and seat is not None,
        text=text,
    )


_UNSEEN = ("Cc", "Cf", "Cs")
_NO_CHARACTER = re.compile("[\ufdd0-\ufdef\ufffe\uffff]")


def _find_place(context: Context, own: Press, before: Sequence[Press]) -> str:
    """Decide whether a message is mailed, waits for the next report, is a repeat, or goes nowhere.

    A seat may have so much mailed in a step; what goes beyond that waits for its end. While no step
    is open a day stands for the step, and what goes beyond is kept for whoever asks.
    """
    if own.seat is None:
        return _MAILED
    is_open = context.game.open_step is not None
    earlier = [
        one
        for one in before
        if (one.seat, one.step) == (own.seat, own.step) and (is_open or one.at > own.at - _DAY)
    ]
    words = (own.to, own.anonymous, own.text)
    if any((one.to, one.anonymous, one.text) == words for one in earlier):
        return _KNOWN
    times = count_budgets(context.settings, (*earlier, own))
    if times <= 1:
        return _MAILED
    if times > _MOST_KEPT:
        return _NOWHERE
    return _WAITS if is_open else _KEPT


def find_addressees(
    context: Context, writer: Seat | None, to: Sequence[str]
) -> tuple[Seat, ...] | None:
    """Find the seats that are meant, in seat order, perhaps `gm`; () is all, None nobody."""
    if EVERYBODY in to:
        return ()
    seats = tuple(seat for seat in (*context.game.seats, GM) if seat in to and seat != writer)
    return seats or None


def clean_text(text: str) -> str:
    """Clean a message of control characters and anything that reverses the text."""
    lines = "\n".join(str(text).splitlines()).replace("\t", "    ")
    return "".join(sign for sign in lines if _is_plain(sign)).strip("\n").rstrip()


def _is_plain(sign: str) -> bool:
    """Whether a sign stays: controls, hidden marks and what is no character do not.

    A sign without a category may be newer than this Python.
    """
    if sign == "\n" or sign in _JOINERS:
        return True
    return unicodedata.category(sign) not in _UNSEEN and not _NO_CHARACTER.match(sign)


def _mail_messages(context: Context, messages: Sequence[Press]) -> None:
    """Mail one letter to each who gets messages now; others find them in their next report."""
    if not messages:
        return
    step, seatings, seats = current_step(context), context.seatings, context.game.seats
    for seat in seats:
        player = context.player(seatings.get(seat))
        if player is None or not gets_every_letter(player):
            continue
        own = [one for one in messages if seat in (one.to or seats) and seat != one.seat]
        for part in part_by_writer(own, seat):
            queue_letter(
                context, step, seat, PRESS, press_document(context, part, seat, player.name)
            )
    mail_gm_press(context, messages)
    for observer in context.observers:
        for part in part_by_writer([one for one in messages if not one.to], None):
            document = press_document(context, part, None, observer.name)
            queue_to_address(context, observer.address, PRESS, document, reader=PUBLIC)


def _describe_sent(context: Context, press: Press, place: str) -> str:
    """Tell the writer who got the message, and who cannot read it."""
    to = name_addressees(press) or "everybody"
    how = ", without your name" if press.anonymous else ""
    if place == _KNOWN:
        return f"You already sent this message in this step, to {to}{how}; it was not sent again."
    if place == _WAITS:
        until = "until this step closes" if GM in press.to else "for the next report"
        return f"Your message to {to}{how} waits {until}. {_describe_limit(context)}"
    if place == _KEPT:
        return (
            f"Your message to {to}{how} is kept but not mailed; its readers get it with "
            f"`ask: press`. {_describe_limit(context)}"
        )
    seatings = context.seatings
    deaf = _explain_unread([seat for seat in press.to if seat in context.game.seats], seatings)
    return f"Your message went to {to}{how}.{deaf}"


def _describe_limit(context: Context) -> str:
    settings = context.settings
    return (
        f"In a step {format_count(settings.press_messages, 'message')} of a seat and "
        f"{settings.press_kilobytes} KB are mailed."
    )


def _describe_left_out(context: Context, number: int) -> str:
    which = "1 message was" if number == 1 else f"{number} messages were"
    when = "step" if context.game.open_step is not None else "day"
    return (
        f"press: {which} not delivered; write again in the next {when}. {_describe_limit(context)}"
    )


def _explain_unread(to: Sequence[Seat], seatings: Mapping[Seat, Seating]) -> str:
    text = ""
    for seat in to:
        seating = seatings.get(seat)
        if seating is None or seating.kind != PLAYER:
            kind = "a bot plays" if seating and seating.kind == BOT else "nobody plays"
            text += f" But {kind} {seat}, so nobody reads it there."
    return text
