"""Announce an open game, and undo the announcement."""

from collections.abc import Sequence

from msgspec.structs import replace

from adjudicator.core.events import format_count
from adjudicator.desk.acts.act import (
    TEXT,
    Act,
    Argument,
    Done,
    make_flag,
    word_done,
)
from adjudicator.desk.model.context import Context, current_step
from adjudicator.desk.model.errors import Misused, Refused, Suggest
from adjudicator.desk.model.lineage import BACK, REOPENED, has_begun
from adjudicator.desk.model.people import NOBODY, check_address
from adjudicator.desk.model.seats import seat_holders
from adjudicator.desk.model.values import ASKED, WAITING, HistoryNote, Status
from adjudicator.desk.outbox.announcement import announcement_document
from adjudicator.desk.outbox.form import answer_part
from adjudicator.desk.outbox.notices import send_answer
from adjudicator.desk.outbox.queue import ANSWER, queue_notices, queue_to_address
from adjudicator.desk.requests.unsubscribing import wants_announcements
from adjudicator.desk.steps.lock import check_status

ANNOUNCE_ACT = "announce"


def announce_game(context: Context, addresses: Sequence[str]) -> Done:
    """Write to these addresses that the game is open and how to join.

    A game that was withdrawn or given up is open again.
    """
    check_status(context, (Status.OPEN, Status.OVER))
    to = list(dict.fromkeys(check_address(address) for address in addresses))
    if context.game.status is Status.OVER:
        reopen_game(context)
    document = announcement_document(context)
    unwanted = [one for one in to if not wants_announcements(context.books, one)]
    to = [one for one in to if one not in unwanted]
    numbers = [
        queue_to_address(context, one, ANSWER, document, template="answer/1").number for one in to
    ]
    count = format_count(len(to), "address", "addresses")
    context.note(ANNOUNCE_ACT, f"announced to {count}", data={"letters": numbers})
    without = f"Not to {', '.join(unwanted)}: they have unsubscribed." if unwanted else ""
    return word_done(f"The announcement [goes] to {count}.", *filter(None, [without]))


def withdraw_game(context: Context) -> Done:
    """Withdraw an open game: waiting invitations are not sent, and everybody is notified."""
    game = context.id
    if context.game.status is not Status.OPEN and has_begun(context.books, game):
        raise Refused(
            f"{game}: it has begun, so its announcement cannot be undone; undo the start, or end "
            "the game",
            suggest=Suggest("start", game, flags=("back",)),
        )
    check_status(context, (Status.OPEN,))
    invited = _keep_in(context)
    context.now(status=Status.OVER)
    text = "withdrawn before it began; nobody can join it any more"
    context.note(ANNOUNCE_ACT, text, data={BACK: True})
    lines = [
        f"The GM has withdrawn {game} before it began, so it is not played.",
        "There is nothing for you to do; thank you for your interest.",
    ]
    _tell(context, f"{game} is withdrawn", lines, also=invited)
    again = "Announce it to open it again."
    return word_done("The game [is] withdrawn: nobody [can] join it.", again)


def reopen_game(context: Context) -> None:
    """Reopen a game that was withdrawn or given up; players who had joined keep their seats."""
    game = context.id
    if has_begun(context.books, game):
        raise Refused(f"{game}: it is over, so nobody can join it; make a new game")
    context.now(status=Status.OPEN)
    context.note(ANNOUNCE_ACT, "open again", data={REOPENED: True})
    lines = [
        f"The GM has opened {game} again; seats, luck words and the waiting list are as they were.",
        "You get a letter when it begins.",
    ]
    _tell(context, f"{game} is open again", lines)


def _keep_in(context: Context) -> list[str]:
    """Withhold the invitations waiting in the outbox; return the addresses that have one."""
    numbers, addresses = set[int](), list[str]()
    for note in context.books.notes(context.id):
        if note.act == ANNOUNCE_ACT:
            numbers |= set(note.data.get("letters", ()))
    for letter in context.books.letters(context.id):
        if (letter.seat, letter.kind) != (NOBODY, ANSWER) or letter.number not in numbers:
            continue
        if letter.status == "queued":
            context.books.save(replace(letter, status="withdrawn"))
        elif letter.status == "sent":
            addresses += letter.to or ()
    return [one for one in addresses if wants_announcements(context.books, one)]


def _tell(
    context: Context, headline: str, lines: Sequence[str], *, also: Sequence[str] = ()
) -> None:
    """Write to everybody who has a seat, waits for one or asked for one, and to these addresses."""
    queue_notices(context, current_step(context), headline, lines)
    signups = context.books.signups(context.id)
    applicants = [one.address for one in signups if one.status in (ASKED, WAITING)]
    names = {one.address: one.name for one in signups if one.status == WAITING}
    seated = _list_addresses(context)
    for one in dict.fromkeys((*applicants, *also)):
        if one in seated:
            continue
        part = answer_part(None, lines)
        send_answer(context, one, headline, [part], name=names.get(one))


def _list_addresses(context: Context) -> set[str]:
    """List the addresses of everybody who is notified as a player, or observes."""
    books = context.books
    players = (books.player(name) for name in seat_holders(context.seatings).values())
    watching = (one.address for one in context.observers)
    return {one for player in players if player for one in player.addresses} | set(watching)


def _announce(context: Context, addresses: Sequence[str], *, back: bool) -> Done:
    if bool(addresses) == back:
        raise Misused("name the addresses to invite, or only `back`")
    return withdraw_game(context) if back else announce_game(context, addresses)


def _undo_announce(context: Context, note: HistoryNote) -> Done:
    if BACK not in note.data:
        return withdraw_game(context)
    check_status(context, (Status.OVER,))
    reopen_game(context)
    return word_done("The game [is] open again.")


ACT_ANNOUNCE = Act(
    name="announce",
    about=(
        "Invite these addresses: the letter says that the game is open and how to join it. A "
        "withdrawn game is opened again, with everybody who had joined."
    ),
    arguments=(
        Argument(
            name="addresses",
            kind=TEXT,
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
