"""Seats that change hands before a game begins: nothing is due, but everybody is told."""

from datetime import datetime

from adjudicator.core.document import Seat
from adjudicator.desk.case import Case
from adjudicator.desk.changed_hands import tell_others
from adjudicator.desk.letters import notice
from adjudicator.desk.log import log
from adjudicator.desk.seating import BOT, IDLE, PLAYER, current, hand_over
from adjudicator.desk.stage import stage
from adjudicator.desk.values import Seating


def leave_early(case: Case, seat: Seat, before: Seating, *, by: str, at: datetime) -> None:
    """Free a seat of an open game; whoever joins next may have it."""
    books, game = case.books, case.game.id
    hand_over(books, game, seat, before, at=at, kind=IDLE)
    log(books, game, "resign", f"{seat} is free again", at=at, by=by, data={"seat": seat})
    why = "You left it." if by == "player" else "The GM wrote down that you left it."
    tell_beforehand(case, seat, before, why, at=at)


def tell_beforehand(
    case: Case, seat: Seat, before: Seating | None, why: str, *, at: datetime
) -> None:
    """To whoever had the seat, to whoever has it, and to all others.

    Luck words go with the person who chose them.
    """
    game, step = case.game.id, stage(case)
    if before is not None and before.kind == PLAYER:
        case = case.now(luck=tuple(pair for pair in case.game.luck if pair[0] != seat))
        subject = f"You no longer play {seat}"
        lines = [f"{subject} in {game}, which has not begun yet. {why}"]
        notice(case, step, seat, subject, lines, seating=before, at=at, form=False)
    now = current(case.books, game)[seat]
    subject = f"You play {seat} in {game} now"
    lines = [f"{subject}. It has not begun yet; you get a first report when it does."]
    notice(case, step, seat, subject, lines, seating=now, at=at)
    told = _told(case, now)
    tell_others(case, step, seat, told, [f"{told}. {game} has not begun yet."], at=at)


def _told(case: Case, now: Seating) -> str:
    whom = "Somebody else" if case.settings.anonymous else str(now.player)
    plays = {BOT: f"A bot plays {now.seat}", IDLE: f"{now.seat} is free again"}
    return plays.get(now.kind, f"{whom} plays {now.seat}")
