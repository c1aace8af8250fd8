"""Start a game: deal the position, open the first step, send the first reports."""

from typing import Any

from adjudicator.core.dice import Dice, derive_dice_key, label_dice
from adjudicator.core.document import Impossible
from adjudicator.core.events import format_count
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.ports import Kind
from adjudicator.desk.model.seats import IDLE
from adjudicator.desk.model.values import Game, Status, Step
from adjudicator.desk.outbox.introduction import describe_table
from adjudicator.desk.outbox.queue import queue_notices
from adjudicator.desk.steps.advance import StepClosing, settle_step
from adjudicator.desk.steps.lock import check_status
from adjudicator.desk.steps.publish import Adjudication


def list_players_advice(kind: Kind, seats: int) -> tuple[str, ...]:
    """List what the GM should know although it is allowed, a sentence each."""
    low, high = kind.book
    if low <= seats <= high:
        return ()
    return (
        (
            f"{kind.title} is made for {low} to {high} players; {seats} is outside the rulebook, "
            "but the program plays it"
        ),
    )


SETUP_PHASE = "setup"


def start_game(context: Context) -> StepClosing:
    """Deal the position from seed and luck words; every seat needs a player or a bot by now.

    If the settings name a smaller number, untaken seats are dropped.
    """
    check_status(context, (Status.OPEN,))
    context = _complete(context)
    state = deal_position(context.game, context.kind)
    context = context.now(status=Status.RUNNING)
    step = Step(
        game=context.id,
        number=context.game.next_number,
        phase=SETUP_PHASE,
        predecessor=None,
        dice=label_dice(name_setup_step(context.game), context.game.epoch),
        opened=context.at,
    )
    closing = settle_step(context, "setup", step, Adjudication(state, (), {}), turn=None)
    if context.observers:
        queue_notices(context, step, *describe_table(context), seatings={})
    context.note("start", f"started with {len(context.game.seats)} seats")
    return closing


def _complete(context: Context) -> Context:
    """Put a player or a bot on every seat of the game."""
    seatings = context.seatings
    empty = [
        seat
        for seat in context.game.seats
        if seat not in seatings or seatings[seat].kind == IDLE  # a player who left before the start
    ]
    if not empty:
        return context
    seats = tuple(seat for seat in context.game.seats if seat not in empty)
    enough = context.settings.smallest
    never_held = all(seat not in seatings for seat in empty)
    if not enough or len(seats) < max(enough, context.kind.smallest) or not never_held:
        least = format_count(enough, "player")
        needs = f"; it may begin with {least}" if enough and len(seats) < enough else ""
        raise Refused(
            f"{context.id}: nobody plays {', '.join(empty)}; give the seat a player (replace) "
            f"or the bot{needs}"
        )
    try:
        options = context.kind.options(context.game.options, seats)
    except Impossible as wrong:
        raise Refused(f"{context.id}: with {len(seats)} seats, options: {wrong}") from wrong
    return context.now(seats=seats, options=options)


def name_setup_step(game: Game) -> str:
    """Name the step in which an open game begins; each start has a new one, and so new dice."""
    return f"{game.next_number}-{SETUP_PHASE}"


def deal_position(game: Game, kind: Kind) -> Any:
    """Deal the position in which the game begins; Refused if its options allow none."""
    try:
        label = label_dice(name_setup_step(game), game.epoch)
        dice = Dice(derive_dice_key(game.seed, game.luck), label)
        return kind.rules.setup(game.options, game.seats, dice)
    except Impossible as wrong:
        raise Refused(f"{game.id}: it cannot be set up: {wrong}") from wrong
