"""Announce an open game, and take the announcement back."""

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from adjudicator.core.document import Document
from adjudicator.desk.acts.act import (
    Act,
    Argument,
    ArgumentKind,
    Call,
    Done,
    check_exclusive,
    make_flag,
)
from adjudicator.desk.model.context import Context, current_step, read_context
from adjudicator.desk.model.errors import Refused, Suggest
from adjudicator.desk.model.lineage import BACK, REOPENED, has_begun
from adjudicator.desk.model.people import NOBODY, check_address
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.seats import current_seatings, seat_holders
from adjudicator.desk.model.values import ASKED, WAITING, HistoryNote, OutgoingLetter, Status
from adjudicator.desk.outbox.announcement import announcement_document
from adjudicator.desk.outbox.answers import answer_document, answer_part
from adjudicator.desk.outbox.queue import ANSWER, queue_notices, queue_to_address
from adjudicator.desk.steps.lock import lock_context

ANNOUNCE_ACT = "announce"


def withdraw_game(
    books: Books, library: Library, game: str, *, at: datetime
) -> tuple[OutgoingLetter, ...]:
    """Withdraw an open game: invitations that wait are not sent, and everybody is told."""
    _refuse(read_context(books, library, game))
    context = lock_context(books, library, game, at=at, status=(Status.OPEN,))
    invited = _kept_in(context)
    context = context.now(status=Status.OVER)
    text = "withdrawn before it began; nobody can join it any more"
    context.note(ANNOUNCE_ACT, text, data={BACK: True})
    headline = f"{game} is withdrawn"
    lines = [
        f"The GM has withdrawn {game} before it began, so it is not played.",
        "There is nothing for you to do; thank you for your interest.",
    ]
    return _tell(context, headline, lines, also=invited)


def _refuse(context: Context) -> None:
    if context.game.status is not Status.OPEN and has_begun(context.books, context.game.id):
        raise Refused(
            f"{context.game.id}: it has begun, so its announcement cannot be undone; undo the "
            "start, or end the game",
            suggest=Suggest("start", context.game.id, flags=("back",)),
        )


def reopen_game(context: Context) -> Context:
    """Open a game again that was withdrawn or given up; whoever had joined still has."""
    game = context.game.id
    if has_begun(context.books, game):
        raise Refused(f"{game}: it is over, so nobody can join it; make a new game")
    context = context.now(status=Status.OPEN)
    context.note(ANNOUNCE_ACT, "open again", data={REOPENED: True})
    headline = f"{game} is open again"
    lines = [
        f"The GM has opened {game} again; seats, luck words and the waiting list are as they were.",
        "You get a letter when it begins.",
    ]
    _tell(context, headline, lines)
    return context


def _kept_in(context: Context) -> tuple[str, ...]:
    """The addresses that have an invitation already; those that wait in the outbox stay there."""
    game, numbers = context.game.id, set[int]()
    for note in context.books.notes(game):
        if note.act == ANNOUNCE_ACT:
            numbers |= set(note.data.get("letters", ()))
    gone: list[str] = []
    for letter in context.books.letters(game):
        if (letter.seat, letter.kind) != (NOBODY, ANSWER) or letter.number not in numbers:
            continue
        if letter.status == "queued":
            context.books.save_letter(replace(letter, status="withdrawn"))
        elif letter.status == "sent":
            gone += letter.to or ()
    return tuple(dict.fromkeys(gone))


def _tell(
    context: Context, headline: str, lines: Sequence[str], *, also: Sequence[str] = ()
) -> tuple[OutgoingLetter, ...]:
    """A letter to whoever has a seat, waits for one or asked for one, and to these addresses."""
    current_seatings(context.books, context.game.id)
    told = queue_notices(context, current_step(context), headline, lines)
    names = {
        one.address: one.name
        for one in context.books.signups(context.game.id)
        if one.status in (ASKED, WAITING)
    }
    seated = _addresses(context)
    to = [one for one in dict.fromkeys((*names, *also)) if one not in seated]
    return (
        *told,
        *(
            queue_to_address(
                context,
                one,
                ANSWER,
                _letter(context, names.get(one), headline, lines),
                template="answer/1",
            )
            for one in to
        ),
    )


def _addresses(context: Context) -> set[str]:
    """Of everybody who is told as the player of a seat, or looks on."""
    books, game = context.books, context.game.id
    players = (books.player(name) for name in seat_holders(current_seatings(books, game)).values())
    watching = (one.address for one in books.observers(game) if one.until is None)
    return {one for player in players if player for one in player.addresses} | set(watching)


def _letter(context: Context, name: str | None, headline: str, lines: Sequence[str]) -> Document:
    return answer_document(context, None, name, headline, [answer_part(None, lines)], None)


def announce_game(
    books: Books,
    library: Library,
    game: str,
    addresses: Sequence[str] = (),
    *,
    at: datetime,
) -> tuple[OutgoingLetter, ...]:
    """Write to these addresses that the game is open and how to join.

    A game that was withdrawn or given up is open again.
    """
    context = lock_context(books, library, game, at=at, status=(Status.OPEN, Status.OVER))
    to = list(dict.fromkeys(check_address(address) for address in addresses))
    if not to:
        raise Refused(f"{game}: name the addresses to invite")
    if context.game.status is Status.OVER:
        context = reopen_game(context)
    document = announcement_document(context)
    letters = tuple(
        queue_to_address(context, address, ANSWER, document, template="answer/1") for address in to
    )
    text = f"announced to {len(to)} {'address' if len(to) == 1 else 'addresses'}"
    context.note(ANNOUNCE_ACT, text, data={"letters": [one.number for one in letters]})
    return letters


def _announce(call: Call, addresses: Sequence[str], *, back: bool) -> Done:
    check_exclusive(
        ok=bool(addresses) != back,
        sentence="name the addresses to invite, or only `back`",
    )
    if back:
        return _withdraw(call)
    made = announce_game(call.books, call.library, call.game, addresses, at=call.at)
    count = f"{len(made)} {'address' if len(made) == 1 else 'addresses'}"
    return Done(
        said=f"The announcement goes to {count}.", would=f"The announcement would go to {count}."
    )


def _withdraw(call: Call) -> Done:
    withdraw_game(call.books, call.library, call.game, at=call.at)
    return Done(
        said="The game is withdrawn: nobody can join it. Announce it to open it again.",
        would="The game would be withdrawn: nobody could join it.",
    )


def _undo_announce(call: Call, note: HistoryNote) -> Done:
    if BACK not in note.data:
        return _withdraw(call)
    context = lock_context(call.books, call.library, call.game, at=call.at, status=(Status.OVER,))
    reopen_game(context)
    return Done(said="The game is open again.", would="The game would be open again.")


ACT_ANNOUNCE = Act(
    name="announce",
    about=(
        "Invite these addresses: the letter says that the game is open and how to join it. A "
        "withdrawn game is opened again, with everybody who had joined."
    ),
    arguments=(
        Argument(
            name="addresses",
            kind=ArgumentKind(lambda _call, raw: str(raw)),
            help="Who is invited.",
            label="at least one address",
            required=False,
            many=True,
            metavar="ADDRESS...",
        ),
        make_flag("back", "Withdraw a game that has not begun; everybody involved gets a notice."),
    ),
    examples=(
        "announce ember ada@example.org bo@example.net",
        "announce ember --back",
    ),
    do=_announce,
    undo=_undo_announce,
    blocked_by=("announce", "start"),
)
