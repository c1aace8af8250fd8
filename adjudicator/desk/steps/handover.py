"""Hand a seat from one player to another: orders on file, keys and notices."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.document import Seat, decode
from adjudicator.desk.model import deadlines
from adjudicator.desk.model.context import STARTED, Context, current_step
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.people import describe_unreachable, introduce_player
from adjudicator.desk.model.seats import (
    BOT,
    IDLE,
    PLAYER,
    begin_seating,
    seat_holders,
    seat_player,
)
from adjudicator.desk.model.settings import find_pace
from adjudicator.desk.model.values import OutgoingLetter, Paper, Seating, Status, Step
from adjudicator.desk.outbox.introduction import add_welcome, describe_game_options
from adjudicator.desk.outbox.notices import tell_gm
from adjudicator.desk.outbox.past_reports import report_as_resent
from adjudicator.desk.outbox.queue import (
    ANSWER,
    queue_letter,
    queue_notice,
    queue_notices,
    withdraw_reminders,
)
from adjudicator.desk.steps.advance import move_deadline
from adjudicator.desk.steps.finish import count_votes
from adjudicator.desk.steps.lock import check_status


class SeatChanges(Struct, frozen=True):
    """What the GM should know of seats that changed hands, and which have new players."""

    notes: tuple[str, ...] = ()
    new: tuple[Seat, ...] = ()


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
        _leave_early(context, seat, seating, by=by)
        return
    context.note("resign", f"{seat} resigned", by=by, data={"seat": seat})
    reason = "you resigned" if by == "player" else "the GM recorded your resignation"
    step = context.open_step()
    withdraw_reminders(context, step, seat)
    why = "the player resigned"
    changes = vacate_seat(context, step, seating, why, to_player=reason, open_step=True)
    after = context.seatings[seat]
    if by == "player":
        lines = [f"{note}." for note in changes.notes]
        if after.kind != PLAYER:
            lines.append(
                f"To give it to somebody else, write a line like `gm: [replace {seat} ADDRESS]`."
            )
        tell_gm(context, step, f"The player of {seat} has left", lines)
    _settle_in(context, step, after)
    count_votes(context)


def _settle_in(context: Context, step: Step, seating: Seating) -> None:
    """Give a substitute a full deadline, and tell everybody."""
    if seating.kind != PLAYER:
        return
    after = _extend_to_full(context, step)
    _welcome_substitute(context, after, seating)
    if after.deadline != step.deadline:
        lines = [f"Somebody else plays {seating.seat} now and has a full deadline."]
        lines.append("{deadline}")
        without = (seating.seat,)
        queue_notices(context, after, "Deadline moved", lines, without=without, passing=True)


def _leave_early(context: Context, seat: Seat, before: Seating, *, by: str) -> None:
    """Free a seat of an open game; the next to join may have it."""
    books, game = context.books, context.id
    begin_seating(books, game, seat, before, at=context.at, kind=IDLE)
    context.note("resign", f"{seat} is free again", by=by, data={"seat": seat})
    why = "You left it." if by == "player" else "The GM recorded that you left it."
    announce_open_seat(context, seat, before, why)


def announce_open_seat(context: Context, seat: Seat, before: Seating | None, why: str) -> None:
    """Notify the seat's former player, its present one, and all others.

    Luck words go with the person who chose them.
    """
    game, step = context.id, current_step(context)
    if before is not None and before.kind == PLAYER:
        context.keep_luck(seat, "")
        line = f"You no longer play {seat} in {game}, which has not begun yet. {why}"
        tell_former_player(context, step, before, [line], stays=False)
    now = context.seatings[seat]
    subject = f"You play {seat} in {game} now"
    lines = ["The game has not begun yet; you get a first report when it does."]
    queue_notice(context, step, seat, subject, lines, seating=now)
    whom = "Somebody else" if context.settings.anonymous else str(now.player)
    plays = {BOT: f"A bot plays {seat}", IDLE: f"{seat} is free again"}
    text = plays.get(now.kind, f"{whom} plays {seat}")
    notify_others(context, step, seat, text, [f"{text}. {game} has not begun yet."])


def notify_others(
    context: Context, step: Step, seat: Seat, subject: str, lines: Sequence[str]
) -> None:
    """Notify everybody but this seat, observers too."""
    whole = [*lines, "Nothing else changes for you."]
    queue_notices(context, step, subject, whole, without=(seat,))


def _extend_to_full(context: Context, step: Step) -> Step:
    """Give the step at least as much time as if it opened now."""
    later = deadlines.next_deadline(find_pace(context.settings), context.at)
    if later is None or (step.deadline is not None and step.deadline >= later):
        return step
    return move_deadline(context, step, later)


def tell_former_player(
    context: Context, step: Step, before: Seating, lines: Sequence[str], *, stays: bool
) -> None:
    """Tell a former player why the seat is gone; `stays`: and that orders stay on file."""
    seat, on = before.seat, context.on_file.get(before.seat) if stays else None
    if on is not None:
        line = f"Your orders (receipt {on.number}) stay on file and count: {context.label(step)}."
        lines = [*lines, line]
    subject = f"You no longer play {seat}"
    queue_notice(context, step, seat, subject, lines, seating=before, form=False)


def _welcome_substitute(context: Context, step: Step, seating: Seating) -> None:
    """Tell the substitute what is on file, and send the last report again."""
    game, seat = context.id, seating.seat
    on = context.on_file.get(seat)
    lines = [f"Due: {context.label(step)}. {{deadline}}"]
    if on is None:
        lines.append("No orders of this seat are on file for this step.")
    else:
        lines.append(
            f"Your predecessor's orders (receipt {on.number}) are on file and shown in the form "
            "below; they count unless you send others."
        )
    lines += describe_game_options(context)
    queue_notice(context, step, seat, f"You play {seat} in {game} now", lines, seating=seating)
    paper = context.books.paper(context.id, seat)
    if paper is not None:
        welcomed = replace(paper, document=add_welcome(context, paper, seating.player))
        send_last_report(context, seating, welcomed)


def send_last_report(context: Context, seating: Seating, paper: Paper) -> OutgoingLetter:
    """Send a report of this seat to somebody who was not there when it was made."""
    document = report_as_resent(context, seating.seat, decode(paper.document))
    reader = {"player": seating.player}
    return queue_letter(
        context, current_step(context), seating.seat, ANSWER, {**document, **reader}
    )


def vacate_seat(
    context: Context,
    step: Step,
    seating: Seating,
    why: str,
    *,
    to_player: str | None = None,
    open_step: bool = False,
) -> SeatChanges:
    """Give a seat that its player leaves to a substitute, the bot, or nobody.

    `to_player` is the reason as the player reads it, where it is not the one that others read.
    In an open step the caller welcomes the substitute.
    """
    game, seat = context.id, seating.seat
    after, words = _choose_successor(context, seating)
    text = f"{seat}: {why}; {words}"
    rest = [one for one in seat_holders(context.seatings).values() if one != after.player]
    trouble = describe_unreachable(context.books, after.player, rest) if after.player else None
    text += f" ({trouble})" if trouble else ""
    hidden = context.settings.anonymous and after.player is not None
    public = "somebody else plays the seat" if hidden else words
    context.note("vacate", text, by="clock", data={"seat": seat})
    lines = [
        f"You no longer play {seat} in {game}: {to_player or why}.",
        f"From now on {public}.",
    ]
    tell_former_player(context, step, seating, lines, stays=open_step)
    if after.player is not None and not open_step:
        subject = f"You play {seat} in {game} now"
        lines = [
            f"You are the substitute for {seat}, whose player has left: {why}.",
            "The report shows where the game stands. If you cannot play, reply with `resign: yes`.",
        ]
        queue_notice(context, step, seat, subject, lines, seating=after, form=False, leads=True)
    subject = f"The player of {seat} has left"
    notify_others(context, step, seat, subject, [f"{seat}: {why}; {public}."])
    return SeatChanges((text,), (seat,) if after.player is not None else ())


def _choose_successor(context: Context, seating: Seating) -> tuple[Seating, str]:
    """Choose the next seating, and say in words who plays the seat from now on."""
    books, game, seat, at = context.books, context.id, seating.seat, context.at
    policy = context.settings.nmr
    if policy == "bot":
        bot = begin_seating(books, game, seat, seating, at=at, kind=BOT, strength="normal")
        return bot, "a bot plays the seat"
    waiting = _list_substitutes(context) if policy == "substitute" else []
    if waiting:
        name = next((one for one in waiting if _is_reached(context, one)), waiting[0])
        new = seat_player(books, game, seat, name, context.seatings, at)
        return new, f"{name} plays the seat"
    idle = begin_seating(books, game, seat, seating, at=at, kind=IDLE)
    hint = ", and a substitute is wanted" if policy == "substitute" else ""
    return idle, f"the seat stays idle{hint}"


def _list_substitutes(context: Context) -> list[str]:
    """List who waits for a seat; former players do not come back, not even on another seat."""
    ever = {one.player for one in context.books.seatings(context.id)}
    return [name for name in context.settings.substitutes if name not in ever]


def _is_reached(context: Context, name: str) -> bool:
    """Whether letters reach this person, as far as the others in the game have letters."""
    people = seat_holders(context.seatings).values()
    return describe_unreachable(context.books, name, people) is None


def replace_player(context: Context, seat: str, player: str) -> Seating:
    """Seat a substitute, who gets a full deadline, what is on file and the last report.

    The player is named as introduce_player reads it: by a name, an address, or both.
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
    step = _extend_to_full(context, context.open_step())
    withdraw_reminders(context, step, seat)
    if before is not None:
        line = f"The GM gave your seat {seat} in {game} to another player. Thank you."
        tell_former_player(context, step, before, [line], stays=True)
    _welcome_substitute(context, step, seating)
    whom = "Somebody else" if context.settings.anonymous else player
    lines = [f"{whom} plays {seat} from now on.", "{deadline}"]
    subject = f"A new player for {seat}"
    queue_notices(context, step, subject, lines, without=(seat,))
    return seating
