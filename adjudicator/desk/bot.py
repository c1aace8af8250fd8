"""Let the house's bot play a seat."""

from datetime import datetime

from adjudicator.desk.beforehand import tell_beforehand
from adjudicator.desk.case import STARTED, take
from adjudicator.desk.changed_hands import tell_others
from adjudicator.desk.deserted import deserted
from adjudicator.desk.errors import Refused
from adjudicator.desk.letters import notice
from adjudicator.desk.log import log
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.reminders import lapse
from adjudicator.desk.seating import BOT, PLAYER, current, hand_over
from adjudicator.desk.substitute import what_stays
from adjudicator.desk.values import Seating, Status


def bot(books: Books, library: Library, game: str, seat: str, *, at: datetime) -> Seating:
    """Give the seat to the bot; it writes its orders when a step closes."""
    case = take(books, library, game, at=at, status=(Status.OPEN, *STARTED))
    before = current(books, game).get(case.seat(seat))
    if before is not None and before.kind == BOT:
        raise Refused(f"{game}: a bot plays {seat} already")
    seating = hand_over(books, game, seat, before, at=at, kind=BOT)
    log(books, game, "bot", f"a bot plays {seat}", at=at, data={"seat": seat})
    if before is not None and before.kind == PLAYER and case.game.open_step is not None:
        step = case.open_step()
        lines = [f"The GM gave your seat {seat} in {game} to a bot."]
        lines += what_stays(case, step, seat)
        subject = f"You no longer play {seat}"
        lapse(case, step, seat)
        notice(case, step, seat, subject, lines, seating=before, at=at, form=False)
        told = [f"A bot plays {seat} from now on."]
        tell_others(case, step, seat, f"A bot plays {seat}", told, at=at)
    elif case.game.open_step is None:
        tell_beforehand(case, seat, before, "The GM gave it to a bot.", at=at)
    deserted(case, at=at)
    return seating
