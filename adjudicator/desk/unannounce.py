"""Withdraw a game that has not begun, and open it again: an announcement taken back."""

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from adjudicator.core.document import Document
from adjudicator.desk.answers import answer, part
from adjudicator.desk.case import Case, look, take
from adjudicator.desk.ended import BACK, REOPENED, begun
from adjudicator.desk.errors import Refused
from adjudicator.desk.house import NOBODY
from adjudicator.desk.letters import ANSWER, notices, to_address
from adjudicator.desk.log import log
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.seating import current, holders
from adjudicator.desk.stage import stage
from adjudicator.desk.values import ASKED, WAITING, Letter, Status

ANNOUNCE = "announce"


def unannounce(books: Books, library: Library, game: str, *, at: datetime) -> tuple[Letter, ...]:
    """Withdraw an open game: invitations that wait are not sent, and everybody is told."""
    _refuse(look(books, library, game))
    case = take(books, library, game, at=at, status=(Status.OPEN,))
    invited = _kept_in(case)
    case = case.now(status=Status.OVER)
    text = "withdrawn before it began; nobody can join it any more"
    log(books, game, ANNOUNCE, text, at=at, data={BACK: True})
    headline = f"{game} is withdrawn"
    lines = [
        f"The GM has withdrawn {game} before it began, so it is not played.",
        "You need do nothing; thank you for your interest.",
    ]
    return _tell(case, headline, lines, also=invited, at=at)


def _refuse(case: Case) -> None:
    if case.game.status is not Status.OPEN and begun(case.books, case.game.id):
        raise Refused(
            f"{case.game.id}: it has begun, so its announcement cannot be taken back; `start` can "
            "(--back), or `end` ends it"
        )


def reopen(case: Case, *, at: datetime) -> Case:
    """Open a game again that was withdrawn or given up; whoever had joined still has."""
    game = case.game.id
    if begun(case.books, game):
        raise Refused(f"{game}: it is over, so nobody can join it; make a new game")
    case = case.now(status=Status.OPEN)
    log(case.books, game, ANNOUNCE, "open again", at=at, data={REOPENED: True})
    headline = f"{game} is open again"
    lines = [
        f"The GM has opened {game} again; seats, luck words and the waiting list are as they were.",
        "You get a letter when it begins.",
    ]
    _tell(case, headline, lines, at=at)
    return case


def _kept_in(case: Case) -> tuple[str, ...]:
    """The addresses that have an invitation already; those that wait in the outbox stay there."""
    game, numbers = case.game.id, set[int]()
    for note in case.books.notes(game):
        if note.act == ANNOUNCE:
            numbers |= set(note.data.get("letters", ()))
    gone: list[str] = []
    for letter in case.books.letters(game):
        if (letter.seat, letter.kind) != (NOBODY, ANSWER) or letter.number not in numbers:
            continue
        if letter.status == "queued":
            case.books.save_letter(replace(letter, status="withdrawn"))
        elif letter.status == "sent":
            gone += letter.to or ()
    return tuple(dict.fromkeys(gone))


def _tell(
    case: Case, headline: str, lines: Sequence[str], *, also: Sequence[str] = (), at: datetime
) -> tuple[Letter, ...]:
    """A letter to whoever has a seat, waits for one or asked for one, and to these addresses."""
    seatings = current(case.books, case.game.id)
    told = notices(case, stage(case), headline, lines, seatings=seatings, at=at)
    names = {
        one.address: one.name
        for one in case.books.signups(case.game.id)
        if one.status in (ASKED, WAITING)
    }
    seated = _addresses(case)
    to = [one for one in dict.fromkeys((*names, *also)) if one not in seated]
    return (
        *told,
        *(
            to_address(
                case,
                one,
                ANSWER,
                _letter(case, names.get(one), headline, lines),
                at=at,
                template="answer/1",
            )
            for one in to
        ),
    )


def _addresses(case: Case) -> set[str]:
    """Of everybody who is told as the player of a seat, or looks on."""
    books, game = case.books, case.game.id
    players = (books.player(name) for name in holders(current(books, game)).values())
    watching = (one.address for one in books.observers(game) if one.until is None)
    return {one for player in players if player for one in player.addresses} | set(watching)


def _letter(case: Case, name: str | None, headline: str, lines: Sequence[str]) -> Document:
    return answer(case, None, name, headline, [part(None, lines)], None)
