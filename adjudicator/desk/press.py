"""Press: messages among the people of a game, delivered by the house and kept for the reports.

What players write is quoted line by line wherever it is printed, so that it can be taken neither
for a letter of the house nor for orders.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from adjudicator.core.canonical import digest
from adjudicator.core.document import Document, Seat
from adjudicator.core.finding import path_text
from adjudicator.core.reading import Text
from adjudicator.desk.answers import form_of, gm_form
from adjudicator.desk.case import Case
from adjudicator.desk.house import GM, PUBLIC
from adjudicator.desk.letters import PRESS, person, queue, to_address
from adjudicator.desk.observe import observers
from adjudicator.desk.papers import went_out
from adjudicator.desk.prefer import each
from adjudicator.desk.receipt import Sender
from adjudicator.desk.seating import BOT, PLAYER, current
from adjudicator.desk.stage import stage
from adjudicator.desk.values import Press, Seating, Step
from adjudicator.desk.wish import Told, refused

ALL = "all"
NOBODY = "anonymous"
_LONGEST = 10_000
_MOST = 20
_JOINERS = ("\u200c", "\u200d")  # without them some scripts and signs cannot be written


def press(case: Case, sender: Sender, value: Any, at: datetime) -> Told:
    """Deliver what a seat's player writes to others."""
    if case.settings.press == "none":
        return refused(f"{case.game.id} is played without press; your message went to nobody.")
    number = sender.seating.number if sender.seating else 0
    return _all(case, sender.seat, number, value, at)


def announce(case: Case, value: Any, at: datetime) -> Told:
    """Deliver what the GM writes; no setting stands in the way."""
    return _all(case, None, 0, value, at)


def _all(case: Case, seat: Seat | None, seating: int, value: Any, at: datetime) -> Told:
    reading = case.kind.around(Text(value={"press": value}), case.game.seats)
    wrong = tuple(f"{path_text(f.path)}: {f.message}" for f in reading.findings)
    messages = (reading.orders or {}).get("press", [])
    told = Told(not_taken=wrong)
    for message in messages[:_MOST]:
        told += _one(case, seat, seating, message, at)
    if len(messages) > _MOST:
        told += refused(f"A letter holds at most {_MOST} messages; the later ones were left out.")
    return told


def _one(case: Case, seat: Seat | None, seating: int, message: Document, at: datetime) -> Told:
    anonymous = message.get("as") == NOBODY
    if anonymous and case.settings.press != "grey":
        return refused(
            "Messages without a name are not allowed in this game, so yours went to nobody; send "
            "it again without `as: anonymous`."
        )
    text = cleaned(message["text"])
    if not text:
        return refused("One of your messages has no words; it went to nobody.")
    if len(text) > _LONGEST:
        return refused(
            f"A message has at most {_LONGEST} signs, yours has {len(text)}; it went to nobody."
        )
    to = addressees(case, seat, message["to"])
    if to is None:
        return refused("You are the only reader of that message; it went to nobody.")
    step = case.game.open_step
    made = Press(
        game=case.game.id,
        number=len(case.books.press(case.game.id)) + 1,
        at=at,
        step=step if step is not None else (case.game.next_number or None),
        seat=seat,
        seating=seating,
        to=to,
        anonymous=anonymous,
        text=text,
    )
    case.books.save_press(made)
    _deliver(case, made, at)
    return Told(done=(_said(case, made),))


def addressees(case: Case, writer: Seat | None, to: Sequence[str]) -> tuple[Seat, ...] | None:
    """The seats that are meant, in seat order, perhaps `gm`; () is all, None nobody."""
    if ALL in to:
        return ()
    named = tuple(seat for seat in (*case.game.seats, GM) if seat in to and seat != writer)
    return named or None


def cleaned(text: str) -> str:
    """What can be seen of a message: no control signs, nothing that turns the text around."""
    lines = "\n".join(str(text).splitlines()).replace("\t", "    ")
    return "".join(sign for sign in lines if _plain(sign)).strip("\n").rstrip()


def _plain(sign: str) -> bool:
    return sign == "\n" or sign in _JOINERS or unicodedata.category(sign)[0] != "C"


def _deliver(case: Case, made: Press, at: datetime) -> None:
    """A letter for each who gets it now; the others find it in their next report."""
    step = stage(case)
    seatings = current(case.books, case.game.id)
    for seat in made.to or case.game.seats:
        if seat in (made.seat, GM):
            continue
        player = person(case, seatings.get(seat))
        if player is not None and each(player):
            queue(case, step, seat, PRESS, _letter(case, made, seat, player.name, step), at=at)
    if GM in made.to:
        document = {**_letter(case, made, None, None, step), "seat": GM, "form": gm_form(case)}
        to_address(case, (), PRESS, document, at=at, reader=GM)
    if not made.to:
        for observer in observers(case):
            document = _letter(case, made, None, observer.name, step)
            to_address(case, observer.address, PRESS, document, at=at, reader=PUBLIC)


def _letter(
    case: Case, made: Press, seat: Seat | None, player: str | None, step: Step
) -> dict[str, Any]:
    """The press/1 document."""
    return {
        "press": "press/1",
        "game": case.names,
        "seat": seat,
        "player": player,
        "step": step.name,
        "headline": f"Press from {_from(made, seat)}",
        "messages": [{**shown(made, seat), "answer_to": _answer_to(made)}],
        "form": form_of(case, seat) if seat else None,
    }


def shown(made: Press, reader: Seat | None) -> dict[str, Any]:
    """A message as a reader may know it: {from, to, text}."""
    to = ", ".join("the GM" if one == GM else one for one in made.to) or "all"
    return {"from": _from(made, reader), "to": to, "text": made.text}


def _answer_to(made: Press) -> str:
    """Whom an answer would go to: the writer, where that is known."""
    if made.seat is None:
        return GM
    return ALL if made.anonymous else made.seat


def _from(made: Press, reader: Seat | None) -> str:
    if made.seat is None:
        return "the GM"
    if not made.anonymous:
        return made.seat
    return masked(made.seat) if made.seat == reader else NOBODY


def masked(seat: Seat) -> str:
    """How a report names its reader who wrote without a name."""
    return f"{seat} (without a name)"


def for_reader(messages: Sequence[Press], reader: Seat | None) -> list[dict[str, Any]]:
    """The messages that this reader (None: the public) wrote or got."""
    return [
        shown(one, reader)
        for one in messages
        if not one.to or (reader is not None and reader in (one.seat, *one.to))
    ]


def luck_words(case: Case, step: Step, reader: Seat | None) -> list[dict[str, Any]]:
    """The house's own message in a player's first report: the luck words, fixed from now on."""
    if reader is None or step.predecessor is not None or not case.game.luck:
        return []
    lines = [
        "The luck words are fixed now and mixed into the dice:",
        *(f"{seat}: {words}" for seat, words in case.game.luck),
        "The SHA-256 of the seed is",
        digest(case.game.seed),
        "At the end the seed is told, and everybody can check every draw.",
    ]
    return [{"from": "the house", "to": ALL, "text": "\n".join(lines)}]


def since_report(case: Case, step: Step, first: Step, reader: Seat | None) -> tuple[Press, ...]:
    """What was written since the last report, when these are the steps that are reported next.

    What a reader would have read in a report that was struck before it went out is told now.
    """
    written = [one for one in case.books.press(case.game.id) if (one.step or 0) <= step.number]
    if not written:
        return ()  # the usual thing, and a game has many steps
    before = (one for one in reversed(case.books.steps(case.game.id)) if _tells(one, first))
    told = (one.number for one in before if not one.void or _was_told(case, one, reader))
    last = next(told, -1)
    return tuple(one for one in written if last < (one.step or 0))


def _tells(step: Step, first: Step) -> bool:
    """Whether a report told of this step, before the ones that are reported next."""
    return step.closed is not None and step.phase != "ruling" and step.number < first.number


def _was_told(case: Case, struck: Step, reader: Seat | None) -> bool:
    """Whether a reader had the report of a step that was struck later; the public sees all."""
    if reader is None:
        return True
    papers = case.books.papers(case.game.id, struck.number)
    return any(went_out(case, paper) for paper in papers if paper.seat == reader)


def _said(case: Case, made: Press) -> str:
    """For the writer: who got it, and who cannot read it."""
    if not made.to:
        to = "everybody"
    else:
        to = ", ".join("the GM" if one == GM else one for one in made.to)
    how = ", without your name" if made.anonymous else ""
    seatings = current(case.books, case.game.id)
    deaf = _deaf([seat for seat in made.to if seat in case.game.seats], seatings)
    return f"Your message went to {to}{how}.{deaf}"


def _deaf(to: Sequence[Seat], seatings: Mapping[Seat, Seating]) -> str:
    told = ""
    for seat in to:
        seating = seatings.get(seat)
        if seating is None or seating.kind != PLAYER:
            kind = "a bot plays" if seating and seating.kind == BOT else "nobody plays"
            told += f" But {kind} {seat}, so nobody reads it there."
    return told
