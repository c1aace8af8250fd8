"""Answer questions: each answer is made of what the asking seat may know, and of nothing else."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from adjudicator.core.canonical import decode
from adjudicator.core.document import Document, Seat
from adjudicator.desk.answers import answer, form_of, part
from adjudicator.desk.asked import guide, history, orders, players, rules, status, why
from adjudicator.desk.case import Case
from adjudicator.desk.errors import Refused
from adjudicator.desk.letters import ANSWER, RECEIPT, person, queue
from adjudicator.desk.log import log
from adjudicator.desk.papers import as_it_is, latest, numbered
from adjudicator.desk.question import Question, number_in, questions
from adjudicator.desk.receipt import Sender
from adjudicator.desk.seating import PLAYER, change, current, hand_over
from adjudicator.desk.stage import stage
from adjudicator.desk.wish import Told, refused

Part = Callable[[Case, Seat, Question, datetime], Document]

_PARTS: Mapping[str, Part] = {
    "status": status,
    "orders": orders,
    "history": history,
    "rules": rules,
    "why": why,
    "players": players,
    "help": guide,
}

_MOST = 20


def ask(case: Case, sender: Sender, value: Any, at: datetime) -> Told:
    """Answer a seat's questions: all that can be told in one letter, reports in their own."""
    if person(case, sender.seating) is None:
        return refused(f"Nobody plays {sender.seat}, so there is nobody to answer.")
    asked, wrong = questions(value)
    if len(asked) > _MOST:
        wrong.append(f"a letter may hold {_MOST} questions; the later ones were left out.")
    asked, wrong, told = asked[:_MOST], wrong[:_MOST], Told()
    if any(one.word == "new-key" for one in asked):
        told += new_key(case, sender.seat, at=at)
    parts: dict[Question, Document] = {}
    for one in asked:
        try:
            if one.word == "report":
                told += _report(case, sender.seat, one, at)
            elif one.word == "resend":
                told += resend(case, sender.seat, at=at)
            elif one.word in _PARTS:
                parts[one] = _PARTS[one.word](case, sender.seat, one, at)
        except Refused as error:
            wrong.append(str(error))
    return told + _answered(case, sender.seat, parts, wrong, at)


def _answered(
    case: Case,
    seat: Seat,
    parts: Mapping[Question, Document],
    wrong: Sequence[str],
    at: datetime,
) -> Told:
    """What could not be answered stands in the same letter as what could, where there is one."""
    if not parts:
        return refused(*(f"ask: {one}" for one in wrong))
    headline = ", ".join(dict.fromkeys(one.word for one in parts))
    told = [*parts.values(), *([part("NOT ANSWERED", wrong)] if wrong else ())]
    _send(case, seat, f"Your answer: {headline}", told, at)
    return Told(answered=True)


def _send(case: Case, seat: Seat, headline: str, parts: list[Document], at: datetime) -> None:
    player = person(case, current(case.books, case.game.id).get(seat))
    name = player.name if player else None
    document = answer(case, seat, name, headline, parts, form_of(case, seat))
    queue(case, stage(case), seat, ANSWER, document, at=at, template="answer/1")


def _report(case: Case, seat: Seat, question: Question, at: datetime) -> Told:
    number = number_in(question.rest)
    paper = latest(case, seat) if number is None else numbered(case, seat, number)
    _again(case, seat, paper.document, at)
    return Told(answered=True)


def _again(case: Case, seat: Seat, content: bytes, at: datetime) -> None:
    """A report once more, under the name of whoever reads it now."""
    player = person(case, current(case.books, case.game.id).get(seat))
    document = {**as_it_is(case, seat, decode(content)), "player": player.name if player else None}
    document["headline"] = document["headline"] or f"Report {document['number']}"
    queue(case, stage(case), seat, ANSWER, document, at=at, template="report/1")


def resend(case: Case, seat: Seat, *, at: datetime) -> Told:
    """The last report and the last receipt once more, to the addresses of the seat."""
    seating = current(case.books, case.game.id).get(seat)
    if person(case, seating) is None:
        return refused(f"Nobody plays {seat}, so there is nobody to send anything to.")
    try:
        paper = latest(case, seat)
    except Refused:
        return refused(f"{case.game.id} has not begun; there is nothing to send again yet.")
    _again(case, seat, paper.document, at)
    _last_receipt(case, seat, at)
    return Told(answered=True)


def _last_receipt(case: Case, seat: Seat, at: datetime) -> None:
    """The latest receipt of the open step that went to this person, under whichever key."""
    seatings = [one for one in case.books.seatings(case.game.id) if one.seat == seat]
    own = [one.number for one in seatings if one.player == seatings[-1].player]
    found = [
        letter
        for letter in case.books.letters(case.game.id, stage(case).number)
        if letter.kind == RECEIPT and letter.seat == seat and letter.seating in own
    ]
    if found:
        document = decode(found[-1].document)
        queue(case, stage(case), seat, ANSWER, document, at=at, template=found[-1].template)


def new_key(case: Case, seat: Seat, *, at: datetime) -> Told:
    """Make every key of a seat void that has been told so far; the next letters bring new ones."""
    books, game = case.books, case.game.id
    before = current(books, game).get(seat)
    if before is None or before.kind != PLAYER:
        return refused(f"Nobody plays {seat}, so it needs no new key.")
    after = hand_over(books, game, seat, before, at=at, kind=PLAYER, player=before.player)
    change(books, after, missed=before.missed, vote=before.vote)
    log(books, game, "new-key", f"{seat} has new keys", at=at, by="player", data={"seat": seat})
    done = (
        "Your old keys are void. The block of this letter, and of every later one, holds the new "
        "key; it goes to your registered addresses only."
    )
    return Told(done=(done,))
