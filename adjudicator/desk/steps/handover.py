"""A seat changes hands: who leaves, who comes, what stays on file, who gets a notice."""

from collections.abc import Sequence

import msgspec

from adjudicator.core.document import Seat, decode
from adjudicator.desk.model import deadlines
from adjudicator.desk.model.context import Context, current_step
from adjudicator.desk.model.seats import BOT, IDLE, PLAYER, begin_seating
from adjudicator.desk.model.settings import find_pace
from adjudicator.desk.model.standing import orders_on_file
from adjudicator.desk.model.values import OutgoingLetter, Paper, Seating, Step
from adjudicator.desk.outbox.papers import find_newest_report, report_as_resent
from adjudicator.desk.outbox.queue import (
    ANSWER,
    queue_letter,
    queue_notice,
    queue_notices,
    withdraw_reminders,
)


def leave_early(context: Context, seat: Seat, before: Seating, *, by: str) -> None:
    """Free a seat of an open game; whoever joins next may have it."""
    books, game = context.books, context.game.id
    begin_seating(books, game, seat, before, at=context.at, kind=IDLE)
    context.note("resign", f"{seat} is free again", by=by, data={"seat": seat})
    why = "You left it." if by == "player" else "The GM recorded that you left it."
    announce_open_seat(context, seat, before, why)


def announce_open_seat(context: Context, seat: Seat, before: Seating | None, why: str) -> None:
    """Tell the player who had the seat, the one who has it, and all others.

    Luck words go with the person who chose them.
    """
    game, step = context.game.id, current_step(context)
    if before is not None and before.kind == PLAYER:
        context = context.now(luck=tuple(pair for pair in context.game.luck if pair[0] != seat))
        subject = f"You no longer play {seat}"
        lines = [f"{subject} in {game}, which has not begun yet. {why}"]
        queue_notice(context, step, seat, subject, lines, seating=before, form=False)
    now = context.seatings[seat]
    subject = f"You play {seat} in {game} now"
    lines = [f"{subject}. It has not begun yet; you get a first report when it does."]
    queue_notice(context, step, seat, subject, lines, seating=now)
    whom = "Somebody else" if context.settings.anonymous else str(now.player)
    plays = {BOT: f"A bot plays {seat}", IDLE: f"{seat} is free again"}
    text = plays.get(now.kind, f"{whom} plays {seat}")
    notify_others(context, step, seat, text, [f"{text}. {game} has not begun yet."])


def notify_others(
    context: Context, step: Step, seat: Seat, subject: str, lines: Sequence[str]
) -> tuple[OutgoingLetter, ...]:
    """A notice to everybody but this seat, observers too."""
    whole = [*lines, "Nothing else changes for you."]
    return queue_notices(context, step, subject, whole, without=(seat,))


def extend_to_full(context: Context, step: Step) -> Step:
    """The step with at least as much time as if it opened now."""
    later = deadlines.next_deadline(find_pace(context.settings), context.at)
    if later is None or (step.deadline is not None and step.deadline >= later):
        return step
    moved = msgspec.structs.replace(step, deadline=later)
    context.books.save_step(moved)
    withdraw_reminders(context, moved)
    return moved


def explain_what_stays(context: Context, step: Step, seat: Seat) -> tuple[str, ...]:
    """What becomes of the orders of somebody who leaves: they stay on file."""
    on = orders_on_file(context.books.orders(context.game.id, step.number), seat)
    if on is None:
        return ()
    return (f"Your orders (receipt {on.number}) stay on file and count: {context.label(step)}.",)


def welcome_substitute(context: Context, step: Step, seating: Seating) -> None:
    """Tell the substitute what stands, and send the last report once more."""
    game, seat = context.game.id, seating.seat
    on = orders_on_file(context.books.orders(game, step.number), seat)
    lines = [f"You play {seat} in {game} now.", f"Due: {context.label(step)}. {{deadline}}"]
    if on is None:
        lines.append("No orders of this seat are on file for this step.")
    else:
        lines.append(
            f"Your predecessor's orders (receipt {on.number}) are on file and shown in the form "
            "below; they count unless you send others."
        )
    queue_notice(context, step, seat, f"You play {seat} in {game} now", lines, seating=seating)
    paper = find_newest_report(context, seat)
    if paper is not None:
        send_last_report(context, seating, paper)


def send_last_report(context: Context, seating: Seating, paper: Paper) -> OutgoingLetter:
    """A report of this seat to somebody who was not there when it was made."""
    document = report_as_resent(context, seating.seat, decode(paper.document))
    reader = {"player": seating.player}
    return queue_letter(
        context, current_step(context), seating.seat, ANSWER, {**document, **reader}
    )
