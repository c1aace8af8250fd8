"""Give a seat to another player."""

from adjudicator.desk.model.context import STARTED, Context
from adjudicator.desk.model.people import introduce_player
from adjudicator.desk.model.seats import PLAYER, seat_player
from adjudicator.desk.model.values import Seating, Status
from adjudicator.desk.outbox.queue import queue_notice, queue_notices, withdraw_reminders
from adjudicator.desk.steps.handover import (
    announce_open_seat,
    explain_what_stays,
    extend_to_full,
    welcome_substitute,
)
from adjudicator.desk.steps.lock import check_status


def replace_player(context: Context, seat: str, player: str) -> Seating:
    """Seat a substitute, who gets a full deadline, what is on file and the last report.

    The player is named as people.introduced reads it: by a name, an address, or both.
    """
    check_status(context, (Status.OPEN, *STARTED))
    books, game, seatings = context.books, context.id, context.seatings
    before = seatings.get(context.seat(seat))
    player = introduce_player(books, player)
    seating = seat_player(books, game, seat, player, seatings, context.at)
    data = {"seat": seat, "seating": seating.number}
    context.note("replace", f"{player} plays {seat}", data=data)
    if context.game.open_step is None:
        announce_open_seat(context, seat, before, "The GM gave it to another player.")
        return seating
    step = extend_to_full(context, context.open_step())
    withdraw_reminders(context, step, seat)
    if before is not None and before.kind == PLAYER:
        lines = [f"The GM gave your seat {seat} in {game} to another player. Thank you."]
        lines += explain_what_stays(context, step, seat)
        subject = f"You no longer play {seat}"
        queue_notice(context, step, seat, subject, lines, seating=before, form=False)
    welcome_substitute(context, step, seating)
    whom = "Somebody else" if context.settings.anonymous else player
    lines = [f"{whom} plays {seat} from now on.", "{deadline}"]
    subject = f"A new player for {seat}"
    queue_notices(context, step, subject, lines, without=(seat,))
    return seating
