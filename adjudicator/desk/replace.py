"""Give a seat to another player."""

from datetime import datetime

from adjudicator.desk.beforehand import tell_beforehand
from adjudicator.desk.case import STARTED, take
from adjudicator.desk.letters import notice, notices
from adjudicator.desk.log import log
from adjudicator.desk.people import introduced
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.reminders import lapse
from adjudicator.desk.seating import PLAYER, current, seat_player
from adjudicator.desk.substitute import full_deadline, welcome, what_stays
from adjudicator.desk.values import Seating, Status


def replace(
    books: Books, library: Library, game: str, seat: str, player: str, *, at: datetime
) -> Seating:
    """Seat a substitute, who gets a full deadline, what is on file and the last report.

    The player is named as people.introduced reads it: by a name, an address, or both.
    """
    case = take(books, library, game, at=at, status=(Status.OPEN, *STARTED))
    seatings = current(books, game)
    before = seatings.get(case.seat(seat))
    player = introduced(books, player)
    seating = seat_player(books, game, seat, player, seatings, at)
    data = {"seat": seat, "seating": seating.number}
    log(books, game, "replace", f"{player} plays {seat}", at=at, data=data)
    if case.game.open_step is None:
        tell_beforehand(case, seat, before, "The GM gave it to another player.", at=at)
        return seating
    step = full_deadline(case, case.open_step(), at)
    lapse(case, step, seat)
    if before is not None and before.kind == PLAYER:
        lines = [f"The GM gave your seat {seat} in {game} to another player. Thank you."]
        lines += what_stays(case, step, seat)
        subject = f"You no longer play {seat}"
        notice(case, step, seat, subject, lines, seating=before, at=at, form=False)
    welcome(case, step, seating, at)
    whom = "Somebody else" if case.settings.anonymous else player
    lines = [f"{whom} plays {seat} from now on.", "The deadline is {deadline}."]
    subject = f"A new player for {seat}"
    notices(case, step, subject, lines, seatings=current(books, game), at=at, without=(seat,))
    return seating
