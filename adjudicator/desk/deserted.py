"""A game that nobody plays any more: bots would play on by themselves, so it waits for the GM."""

from collections.abc import Sequence
from datetime import datetime

from adjudicator.desk.case import Case
from adjudicator.desk.log import log
from adjudicator.desk.pause import stop
from adjudicator.desk.seating import BOT, PLAYER, current
from adjudicator.desk.tellgm import tell_gm
from adjudicator.desk.values import Seating, Status

ACT = "deserted"


def deserted(case: Case, *, at: datetime) -> None:
    """Pause the game when its last person has left it to bots, once for each time.

    A game that only ever had bots runs on; so does one that the GM has resumed after this, and one
    by hand, which closes nothing by itself. Where not even a bot is left, votes decide (JW-63).
    """
    books = case.books
    game = books.game(case.game.id)
    if game.status is not Status.RUNNING or game.open_step is None:
        return
    case = case.of(game)
    step = case.open_step()
    seated = tuple(current(books, game.id).values())
    people = sum(one.kind == PLAYER for one in books.seatings(game.id))
    if step.deadline is None or not people or not _only_bots(seated):
        return
    told = [note.data.get("people") for note in books.notes(game.id) if note.act == ACT]
    if people in told:
        return
    words = "no person plays any more"
    log(books, game.id, ACT, words, at=at, by="clock", data={"people": people})
    stop(case, f"Nobody but bots plays in {game.id} any more, so the game is paused.", at=at)
    lines = [
        f"No person holds a seat of {game.id} any more, so the game is paused: bots would play on.",
        "A person gets a seat with `gm: [replace SEAT ADDRESS]`. `gm: [resume]` lets it go on.",
    ]
    tell_gm(case, step, "Paused: only bots are left", lines, at=at)


def _only_bots(seated: Sequence[Seating]) -> bool:
    kinds = {one.kind for one in seated}
    return BOT in kinds and PLAYER not in kinds
