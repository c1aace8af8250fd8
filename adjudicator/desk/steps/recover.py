"""Continue after a backup was put back, a home was copied, or its secret was lost."""

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.dice import label_dice
from adjudicator.desk.model.context import STARTED, Context, current_step
from adjudicator.desk.model.values import Status
from adjudicator.desk.outbox.queue import instant_placeholder, queue_notices
from adjudicator.desk.steps.advance import open_next
from adjudicator.desk.steps.undo import ORDERS_ON_FILE, refile_orders, undo_steps

RECOVER_ACT = "recover"
_OLDER = (
    "An earlier copy of the server's data had to be put back. Letters about this game that you "
    "got after {} no longer count."
)
_KEYS = (
    "The keys in earlier letters are no longer valid. This letter contains your new one; use its "
    "form from now on."
)
_SUBJECT = {True: "The server was put back to an earlier time", False: "The server has new keys"}


class Renewal(Struct, frozen=True, kw_only=True):
    """How a game continues in a new epoch."""

    epoch: int
    reopen: bool
    """Whether recent letters are lost, so that the open step gets another number."""
    beyond: int
    """The next step gets a higher number than this."""


def renew_game(context: Context, renewal: Renewal) -> str:
    """Void everything that was mailed before; say what became of the game."""
    game = context.game
    number = max(game.next_number, renewal.beyond + 1)
    context.now(epoch=renewal.epoch, next_number=number)
    if game.status is Status.OVER:
        return f"{game.id}: it is over; nothing changes"
    if not renewal.reopen or game.status not in STARTED:
        return _tell(context, reopened=False)
    return _reopen(context)


def _tell(context: Context, *, reopened: bool, lines: tuple[str, ...] = ()) -> str:
    step = current_step(context)
    if context.game.open_step is not None and step.dice == step.name:  # it may have been played
        step = replace(step, dice=label_dice(step.name, context.game.epoch))
        context.books.save(step)
    queue_notices(context, step, _SUBJECT[reopened], [*lines, _KEYS])
    said = (
        f"continues with {context.label(step)} as step {step.name}" if reopened else "has new keys"
    )
    context.note(RECOVER_ACT, said, data={"epoch": context.game.epoch, "opened": step.name})
    return f"{context.id}: it {said}"


def _reopen(context: Context) -> str:
    """Reopen the open step under another number, with the orders that are on file for it."""
    lost, sets = context.open_step(), tuple(context.on_file.values())
    assert lost.predecessor is not None, "no step is open before the setup"
    base = context.books.step(context.id, lost.predecessor)
    undo_steps(context, [lost], lost)
    opened = open_next(context, base, context.after(base), turn=None)
    assert opened is not None, "a step was open in this state, so it is not over"
    context.now(open_step=opened.number, next_number=opened.number + 1)
    kept = refile_orders(context, sets, opened)
    lines = (
        _OLDER.format(instant_placeholder(lost.opened)),
        f"The game continues with {context.label(opened)}. {{deadline}}",
        *([ORDERS_ON_FILE.format(", ".join(own.seat for own in kept))] if kept else []),
    )
    return _tell(context, reopened=True, lines=lines)
