"""A player leaves the game."""

from adjudicator.core.document import Seat
from adjudicator.desk.model.context import STARTED, Context
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.seats import PLAYER
from adjudicator.desk.model.values import Seating, Status, Step
from adjudicator.desk.outbox.notices import tell_gm
from adjudicator.desk.outbox.queue import queue_notices, withdraw_reminders
from adjudicator.desk.steps.finish import count_votes
from adjudicator.desk.steps.handover import extend_to_full, leave_early, welcome_substitute
from adjudicator.desk.steps.lock import check_status
from adjudicator.desk.steps.missed import vacate_seat


def resign_seat(context: Context, seat: str, *, by: str) -> Seating:
    """Free the seat, as the game's settings say (nmr: idle, bot, substitute).

    Before the game begins it is free for whoever joins.
    """
    check_status(context, (Status.OPEN, *STARTED))
    leave_seat(context, context.seat(seat), by=by)
    return context.seatings[seat]


def leave_seat(context: Context, seat: Seat, *, by: str) -> None:
    """Free the seat; the game ends when nobody is left to play it."""
    game = context.id
    seating = context.seatings.get(seat)
    if seating is None or seating.kind != PLAYER:
        raise Refused(f"{game}: nobody plays {seat}, so nobody can resign")
    if context.game.status is Status.OPEN:
        leave_early(context, seat, seating, by=by)
        return
    context.note("resign", f"{seat} resigned", by=by, data={"seat": seat})
    reason = "you resigned" if by == "player" else "the GM recorded your resignation"
    step = context.open_step()
    withdraw_reminders(context, step, seat)
    why = "the player resigned"
    left = vacate_seat(context, step, seating, why, to_player=reason, open_step=True)
    after = context.seatings[seat]
    if by == "player":
        lines = [f"{note}." for note in left.notes]
        if after.kind != PLAYER:
            lines.append(
                f"To give it to somebody else, write a line like `gm: [replace {seat} ADDRESS]`."
            )
        tell_gm(context, step, f"The player of {seat} has left", lines)
    _settle_in(context, step, after)
    count_votes(context)


def _settle_in(context: Context, step: Step, seating: Seating) -> None:
    """A substitute has a full deadline, and everybody knows it."""
    if seating.kind != PLAYER:
        return
    after = extend_to_full(context, step)
    welcome_substitute(context, after, seating)
    if after.deadline != step.deadline:
        lines = [f"Somebody else plays {seating.seat} now and has a full deadline."]
        lines.append("{deadline}")
        without = (seating.seat,)
        queue_notices(context, after, "Deadline moved", lines, without=without)
