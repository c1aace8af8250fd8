"""End a game before its rules do: by votes, by the GM, or because nobody plays."""

from collections.abc import Mapping, Sequence
from operator import attrgetter

from msgspec.structs import replace

from adjudicator.core.document import Impossible, Seat
from adjudicator.core.game import Over
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.seats import BOT, IDLE, PLAYER
from adjudicator.desk.model.values import Game, Seating, Status
from adjudicator.desk.outbox.notices import tell_gm
from adjudicator.desk.outbox.queue import queue_notices, withdraw_reminders
from adjudicator.desk.steps.advance import StepClosing, make_pseudo_step, settle_step
from adjudicator.desk.steps.publish import Adjudication

VOTES = ("draw", "concede", "none")


def count_votes(context: Context) -> StepClosing | None:
    """End the game if votes or empty seats decide so; pause it if only bots are left."""
    if context.game.open_step is None:
        return None
    decision = vote_decision(context.game.seats, context.seatings)
    if decision is None:
        pause_if_deserted(context)
        return None
    winners, reason = decision
    return finish_game(context, winners, reason)


def vote_decision(
    seats: tuple[Seat, ...], seatings: Mapping[Seat, Seating]
) -> tuple[tuple[Seat, ...], str] | None:
    """Return the winners and the reason, or None when the game goes on."""
    rest, votes, kinds = list(seats), set(), set(map(attrgetter("kind"), seatings.values()))
    for seat in seats:
        one = seatings.get(seat)
        if one is not None and one.kind == PLAYER:
            if one.vote == "concede":
                rest.remove(seat)
            else:
                votes.add(one.vote)
    if len(rest) == 1 and len(seats) > 1:
        return (rest[0],), f"all others conceded to {rest[0]}"
    if not rest:
        return (), "everybody conceded"
    if kinds <= {IDLE}:
        return (), "nobody gives orders any more"
    if votes == {"draw"}:
        return (), "all remaining players voted for a draw"
    return None


DESERTED_ACT = "deserted"


def pause_if_deserted(context: Context) -> None:
    """Pause the game when its last person has left it to bots, once for each time.

    A game that only ever had bots runs on; so does one that the GM has resumed after this, and one
    by hand, which closes nothing by itself. Where not even a bot is left, votes decide (JW-63).
    """
    books, game = context.books, context.game
    if game.status is not Status.RUNNING or game.open_step is None:
        return
    kinds = set(map(attrgetter("kind"), context.seatings.values()))
    if BOT not in kinds or PLAYER in kinds:
        return
    step = context.open_step()
    if step.deadline is None:
        return
    people = sum(one.kind == PLAYER for one in books.seatings(game.id))
    if not people:
        return
    counts_noted = [
        note.data.get("people") for note in books.notes(game.id) if note.act == DESERTED_ACT
    ]
    if people in counts_noted:
        return
    words = "no human player is left"
    context.note(DESERTED_ACT, words, by="clock", data={"people": people})
    stop_clock(context, f"Only bots still play in {game.id}, so the game is paused.")
    lines = [
        (
            f"No person holds a seat in {game.id} any more, so the game is paused; otherwise bots "
            f"would play on."
        ),
        (
            "Give a person a seat with `gm: [replace SEAT ADDRESS]`, or let the bots play on with "
            "`gm: [resume]`."
        ),
    ]
    tell_gm(context, step, "Paused: only bots are left", lines)


END_PHASE = "end"


def finish_game(
    context: Context, winners: Sequence[Seat], reason: str, *, by: str = "house"
) -> StepClosing:
    """Open the pseudo-step in which the game ends; the open step is never adjudicated."""
    current = context.open_step()
    before = context.before(current)
    document = dict(context.kind.rules.dump(before))
    order = [seat for seat in context.game.seats if seat in winners]
    document["over"] = {"winners": order}
    try:
        state = context.kind.rules.load(document)
    except Impossible as wrong:
        raise Refused(f"{context.id}: the game cannot end like this: {wrong}") from wrong
    if not isinstance(context.kind.rules.due(state), Over):
        raise Refused(f"{context.kind.title} cannot be ended by hand: its rules have no such end")
    context.books.save(replace(current, void=True))
    withdraw_reminders(context, current)
    step = make_pseudo_step(context, END_PHASE, reason)
    closing = settle_step(context, "end", step, Adjudication(state, (), {}), turn=None)
    words = f"won by {', '.join(order)}" if order else "drawn"
    context.note("end", f"{words}: {reason}", by=by)
    return closing


def stop_clock(context: Context, line: str) -> Game:
    """Stop the clock of a running game and tell everybody why."""
    context = context.now(status=Status.PAUSED, paused=context.at)
    step = context.open_step()
    withdraw_reminders(context, step)
    queue_notices(context, step, "Paused", [line], passing=True)
    return context.game
