"""Press: messages among the people of a game, delivered by the server and kept for the reports.

What players write is quoted line by line wherever it is printed, so that it can be taken neither
for a letter of the house nor for orders.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from adjudicator.core.document import Document, Seat
from adjudicator.core.finding import format_path
from adjudicator.core.forms.reading import Text
from adjudicator.desk.model.context import Context, RequestOutcome, Sender, current_step, reject
from adjudicator.desk.model.people import GM, PUBLIC
from adjudicator.desk.model.seats import BOT, PLAYER
from adjudicator.desk.model.values import Press, Seating, Step
from adjudicator.desk.outbox.answers import gm_form, seat_form
from adjudicator.desk.outbox.observers import current_observers
from adjudicator.desk.outbox.preferences import gets_every_letter
from adjudicator.desk.outbox.queue import PRESS, queue_letter, queue_to_address
from adjudicator.desk.steps.press import ANONYMOUS, EVERYBODY, _name_writer, shown_to

_LONGEST = 10_000
_MOST = 20
_JOINERS = ("\u200c", "\u200d")  # without them some scripts and signs cannot be written


def handle_press(context: Context, sender: Sender, value: Any) -> RequestOutcome:
    """Deliver what a seat's player writes to others."""
    if context.settings.press == "none":
        return reject(f"{context.game.id} is played without press; your message was not delivered.")
    number = sender.seating.number if sender.seating else 0
    return _handle_all(context, sender.seat, number, value)


def send_gm_press(context: Context, value: Any) -> RequestOutcome:
    """Deliver what the GM writes; no setting stands in the way."""
    return _handle_all(context, None, 0, value)


def _handle_all(context: Context, seat: Seat | None, seating: int, value: Any) -> RequestOutcome:
    reading = context.kind.around(Text(value={"press": value}), context.game.seats)
    wrong = tuple(f"{format_path(f.path)}: {f.message}" for f in reading.findings)
    messages = (reading.orders or {}).get("press", [])
    outcome = RequestOutcome(not_taken=wrong)
    for message in messages[:_MOST]:
        outcome += _handle_one(context, seat, seating, message)
    if len(messages) > _MOST:
        outcome += reject(
            f"A letter contains at most {_MOST} messages; the later ones were left out."
        )
    return outcome


def _handle_one(
    context: Context, seat: Seat | None, seating: int, message: Document
) -> RequestOutcome:
    anonymous = message.get("as") == ANONYMOUS
    if anonymous and context.settings.press != "grey":
        return reject(
            "Messages without a name are not allowed in this game, so yours was not delivered; "
            "send "
            "it again without `as: anonymous`."
        )
    text = clean_text(message["text"])
    if not text:
        return reject("One of your messages is empty; it was not delivered.")
    if len(text) > _LONGEST:
        return reject(
            f"A message has at most {_LONGEST} characters, yours has {len(text)}; it was not "
            f"delivered."
        )
    to = find_addressees(context, seat, message["to"])
    if to is None:
        return reject("You are the only reader of that message; it was not delivered.")
    step = context.game.open_step
    made = Press(
        game=context.game.id,
        number=len(context.books.press(context.game.id)) + 1,
        at=context.at,
        step=step if step is not None else (context.game.next_number or None),
        seat=seat,
        seating=seating,
        to=to,
        anonymous=anonymous,
        text=text,
    )
    context.books.save(made)
    _deliver(context, made)
    return RequestOutcome(done=(_describe_sent(context, made),))


def find_addressees(
    context: Context, writer: Seat | None, to: Sequence[str]
) -> tuple[Seat, ...] | None:
    """The seats that are meant, in seat order, perhaps `gm`; () is all, None nobody."""
    if EVERYBODY in to:
        return ()
    named = tuple(seat for seat in (*context.game.seats, GM) if seat in to and seat != writer)
    return named or None


def clean_text(text: str) -> str:
    """What can be seen of a message: no control signs, nothing that turns the text around."""
    lines = "\n".join(str(text).splitlines()).replace("\t", "    ")
    return "".join(sign for sign in lines if _is_plain(sign)).strip("\n").rstrip()


def _is_plain(sign: str) -> bool:
    return sign == "\n" or sign in _JOINERS or unicodedata.category(sign)[0] != "C"


def _deliver(context: Context, made: Press) -> None:
    """A letter for each who gets it now; the others find it in their next report."""
    step = current_step(context)
    seatings = context.seatings
    for seat in made.to or context.game.seats:
        if seat in (made.seat, GM):
            continue
        player = context.player(seatings.get(seat))
        if player is not None and gets_every_letter(player):
            queue_letter(
                context, step, seat, PRESS, _make_letter(context, made, seat, player.name, step)
            )
    if GM in made.to:
        document = {
            **_make_letter(context, made, None, None, step),
            "seat": GM,
            "form": gm_form(context),
        }
        queue_to_address(context, (), PRESS, document, reader=GM)
    if not made.to:
        for observer in current_observers(context):
            document = _make_letter(context, made, None, observer.name, step)
            queue_to_address(context, observer.address, PRESS, document, reader=PUBLIC)


def _make_letter(
    context: Context, made: Press, seat: Seat | None, player: str | None, step: Step
) -> dict[str, Any]:
    """The press/1 document."""
    return {
        "press": "press/1",
        "game": context.names,
        "seat": seat,
        "player": player,
        "step": step.name,
        "label": context.label(step),
        "headline": f"Press from {_name_writer(made, seat)}",
        "messages": [{**shown_to(made, seat), "answer_to": _answer_to(made)}],
        "form": seat_form(context, seat) if seat else None,
    }


def _answer_to(made: Press) -> str:
    """Whom an answer would go to: the writer, where that is known."""
    if made.seat is None:
        return GM
    return EVERYBODY if made.anonymous else made.seat


def _describe_sent(context: Context, made: Press) -> str:
    """For the writer: who got it, and who cannot read it."""
    if not made.to:
        to = "everybody"
    else:
        to = ", ".join("the GM" if one == GM else one for one in made.to)
    how = ", without your name" if made.anonymous else ""
    seatings = context.seatings
    deaf = _explain_unread([seat for seat in made.to if seat in context.game.seats], seatings)
    return f"Your message went to {to}{how}.{deaf}"


def _explain_unread(to: Sequence[Seat], seatings: Mapping[Seat, Seating]) -> str:
    text = ""
    for seat in to:
        seating = seatings.get(seat)
        if seating is None or seating.kind != PLAYER:
            kind = "a bot plays" if seating and seating.kind == BOT else "nobody plays"
            text += f" But {kind} {seat}, so nobody reads it there."
    return text
