"""Start a game, and undo the start."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from adjudicator.core.events import format_count
from adjudicator.desk.acts.act import (
    MOVING_ACTS,
    Act,
    Done,
    Loss,
    make_flag,
    word_closing,
)
from adjudicator.desk.model.context import STARTED, Context, current_step
from adjudicator.desk.model.errors import Refused, Suggest
from adjudicator.desk.model.lineage import BACK, REOPENED, list_counting_steps
from adjudicator.desk.model.seats import change_seating
from adjudicator.desk.model.values import WAITING, HistoryNote, Status, Step
from adjudicator.desk.outbox.announcement import count_free_seats, free_seats, join_form
from adjudicator.desk.outbox.form import answer_part
from adjudicator.desk.outbox.notices import send_answer
from adjudicator.desk.outbox.queue import queue_notices
from adjudicator.desk.steps.advance import StepClosing
from adjudicator.desk.steps.lock import check_status
from adjudicator.desk.steps.start import start_game
from adjudicator.desk.steps.undo import restore_steps, undo_steps, word_steps


def undo_start(context: Context) -> StepClosing:
    """Undo the setup and every step after it; seats, luck words and the waiting list stay.

    The next start is a step with a new number, so that its dice are new: whatever somebody has
    read of the first deal tells nothing of the second.
    """
    _refuse(context)
    check_status(context, STARTED)
    steps = list(reversed(list_counting_steps(context.books.steps(context.id))))
    setup = steps[0]
    link = undo_steps(context, steps, setup)
    names = [step.name for step in steps]
    was = {"setup": setup.number, "struck": names, **_dealt_to(context)}
    text = f"the start was undone; these steps no longer count: {word_steps(context, steps)}"
    context.note("start", text, data={BACK: True, REOPENED: True, **was})
    for seating in context.seatings.values():  # missed steps and votes that no longer count
        change_seating(context.books, seating, missed=0, vote="none")
    context.now(status=Status.OPEN, open_step=None, paused=None, **_as_made(context))
    _tell(context, steps)
    _tell_waiting(context)
    return StepClosing(
        game=context.game,
        step=replace(setup, void=True),
        next_step=None,
        links=(link,),
        notes=(_describe_beginning(context).rstrip("."),),
    )


def _refuse(context: Context) -> None:
    game, status = context.id, context.game.status
    if status is Status.OPEN:
        raise Refused(f"{game}: it has not started, so there is no start to undo")
    if status is Status.OVER:
        raise Refused(
            f"{game}: it is over and its seed has been revealed, so a new deal could be foreseen; "
            "go back to a step, or make a new game",
            suggest=Suggest("rollback", game, ("STEP",)),
        )


def _dealt_to(context: Context) -> dict[str, Any]:
    """Return what this start mixed and dealt, so that the undone steps can still be replayed."""
    game = context.game
    luck = [list(pair) for pair in game.luck]
    return {"seats": list(game.seats), "options": dict(game.options), "luck": luck}


def _as_made(context: Context) -> dict[str, Any]:
    """Return the seats and options from before the start, if it dropped any seats."""
    facts = next((one.data for one in context.books.notes(context.id) if one.act == "new"), {})
    if tuple(facts.get("seats", context.game.seats)) == context.game.seats:
        return {}
    return {"seats": tuple(facts["seats"]), "options": facts["options"]}


def _tell(context: Context, steps: Sequence[Step]) -> None:
    lines = [
        f"The GM undid the start of {context.id}: it is open again, as before it began.",
        f"These steps no longer count: {word_steps(context, steps)}.",
        (
            "Seats and luck words stay. When it begins, everything is dealt again with new dice, "
            "and you get a first report."
        ),
        _describe_beginning(context),
    ]
    queue_notices(context, current_step(context), "The start is undone", lines)


def _describe_beginning(context: Context) -> str:
    if free_seats(context):
        return (
            f"{count_free_seats(context)} It begins when all are taken, or when the GM starts it."
        )
    return "All seats are taken; it begins when the GM starts it."


def _tell_waiting(context: Context) -> None:
    """Offer a seat that is free again to whoever has waited for one."""
    if not free_seats(context):
        return
    lines = [
        f"The GM undid the start of {context.id}, and a seat is free.",
        "Reply to this letter as it is to take it, if it is still free.",
    ]
    for one in context.books.signups(context.id):
        if one.status != WAITING:
            continue
        form, parts = join_form(context, {"name": one.name}), [answer_part(None, lines)]
        headline = f"{context.id} is open again"
        send_answer(context, one.address, headline, parts, name=one.name, form=form)


# the act


def _start(context: Context, *, back: bool) -> Done:
    if back:
        return _take_back(context)
    closing = start_game(context)
    return word_closing(context, closing, "The position [is] dealt.")


def _take_back(context: Context) -> Done:
    closing = undo_start(context)
    return word_closing(context, closing, "The start [is] undone, with everything after it.")


def _undo(context: Context, note: HistoryNote) -> Done:
    if BACK not in note.data:
        return _take_back(context)
    check_status(context, (Status.OPEN,))
    facts = {
        "seats": tuple(note.data["seats"]),
        "options": note.data["options"],
        "luck": tuple((seat, words) for seat, words in note.data["luck"]),
    }
    sentence = f"The start of {context.id} counts again."
    closing = restore_steps(
        context, note, "the start counts again", sentence, status=Status.RUNNING, **facts
    )
    return word_closing(context, closing, "The start [counts] again, with everything after it.")


def _confirm(context: Context, *, back: bool) -> Loss | None:
    if back:
        steps = list_counting_steps(context.books.steps(context.id))
        count = sum(one.closed is not None and one.predecessor is not None for one in steps)
        undoes = f"This would undo the start and {format_count(count, 'closed step')}."
        return Loss(undoes, for_good=True) if count else None
    free = free_seats(context) if context.game.status is Status.OPEN else ()
    if not free or not context.settings.smallest:  # in that case a start is refused
        return None
    rest = format_count(len(context.game.seats) - len(free), "player")
    return Loss(f"Nobody plays {', '.join(free)}; {context.id} would start with only {rest}.")


ACT_START = Act(
    name="start",
    about=(
        "Deal the position and send the first reports. A game starts by itself when all seats are "
        "taken. With the setting smallest it may start with fewer players; empty seats are dropped."
    ),
    arguments=(
        make_flag(
            "back",
            "Undo the start: the game is open again, with its seats, luck words and waiting "
            "list. The next start deals again, with new dice.",
        ),
    ),
    examples=("start ember", "start ember --back"),
    do=_start,
    undo=_undo,
    blocked_by=MOVING_ACTS,
    confirm=_confirm,
)
