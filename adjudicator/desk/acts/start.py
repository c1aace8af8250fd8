"""Start a game, take the start back, and undo that."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from adjudicator.desk.acts.act import (
    MOVING_ACTS,
    Act,
    Call,
    Done,
    Loss,
    describe_closing,
    make_flag,
)
from adjudicator.desk.model.context import STARTED, Context, current_step, read_context
from adjudicator.desk.model.errors import Refused, Suggest
from adjudicator.desk.model.lineage import BACK, REOPENED
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.seats import change_seating, current_seatings
from adjudicator.desk.model.values import WAITING, HistoryNote, OutgoingLetter, Status, Step
from adjudicator.desk.outbox.announcement import count_free_seats, free_seats, join_form
from adjudicator.desk.outbox.answers import answer_document, answer_part
from adjudicator.desk.outbox.queue import ANSWER, queue_notices, queue_to_address, withdraw_letters
from adjudicator.desk.steps.advance import StepClosing, append_link, open_next
from adjudicator.desk.steps.lock import lock_context
from adjudicator.desk.steps.missed import restore_missed
from adjudicator.desk.steps.start import start_game


def undo_start(books: Books, library: Library, game: str, *, at: datetime) -> StepClosing:
    """Strike the setup and every step after it; seats, luck words and the waiting list stay.

    The next start is a step with a new number, so that its dice are new: whatever somebody has
    read of the first deal tells nothing of the second.
    """
    _refuse(read_context(books, library, game))
    context = lock_context(books, library, game, at=at, status=STARTED)
    struck = [step for step in books.steps(game) if not step.void]
    setup = struck[0]
    for step in struck:
        books.save_step(replace(step, void=True))
    withdraw_letters(context, struck)
    link = append_link(context, "rollback", setup, {})
    names = [step.name for step in struck]
    was = {"setup": setup.number, "struck": names, **_dealt_to(context)}
    text = f"the start was undone; these steps no longer count: {_labels(context, struck)}"
    context.note("start", text, data={BACK: True, REOPENED: True, **was})
    _begin_anew(context)
    context = context.now(status=Status.OPEN, open_step=None, paused=None, **_as_made(context))
    letters = (*_tell(context, struck), *_tell_waiting(context))
    return StepClosing(
        game=context.game,
        step=replace(setup, void=True),
        opened=None,
        links=(link,),
        letters=letters,
        notes=_notes(context),
    )


def _refuse(context: Context) -> None:
    game, status = context.game.id, context.game.status
    if status is Status.OPEN:
        raise Refused(f"{game}: it has not been started, so there is no start to undo")
    if status is Status.OVER:
        raise Refused(
            f"{game}: it is over and its seed has been revealed, so a new deal could be foreseen; "
            "go back to a step, or make a new game",
            suggest=Suggest("rollback", game, ("STEP",)),
        )


def _dealt_to(context: Context) -> dict[str, Any]:
    """What this start mixed and dealt, so that the struck steps can still be replayed."""
    game = context.game
    luck = [list(pair) for pair in game.luck]
    return {"seats": list(game.seats), "options": dict(game.options), "luck": luck}


def _as_made(context: Context) -> dict[str, Any]:
    """Seats that fell away at the start are there again, with the options as they were."""
    made = next((one.data for one in context.books.notes(context.game.id) if one.act == "new"), {})
    if tuple(made.get("seats", context.game.seats)) == context.game.seats:
        return {}
    return {"seats": tuple(made["seats"]), "options": made["options"]}


def _begin_anew(context: Context) -> None:
    """Who missed steps, or voted to end the game, did so in one that was not played."""
    for seating in current_seatings(context.books, context.game.id).values():
        change_seating(context.books, seating, missed=0, vote="none")


def _tell(context: Context, struck: Sequence[Step]) -> tuple[OutgoingLetter, ...]:
    game = context.game.id
    lines = [
        f"The GM took back the start of {game}: it is open again, as before it began.",
        f"These steps no longer count: {_labels(context, struck)}.",
        (
            "Seats and luck words stay. When it begins, everything is dealt again with new dice, "
            "and you get a first report."
        ),
        _when(context),
    ]
    subject = "The start is undone"
    current_seatings(context.books, game)
    return queue_notices(context, current_step(context), subject, lines)


def _labels(context: Context, steps: Sequence[Step]) -> str:
    return "; ".join(context.label(one) for one in steps)


def _when(context: Context) -> str:
    if free_seats(context):
        return (
            f"{count_free_seats(context)} It begins when all are taken, or when the GM starts it."
        )
    return "All seats are taken; it begins when the GM starts it."


def _tell_waiting(context: Context) -> tuple[OutgoingLetter, ...]:
    """A seat that is free again is for whoever has waited for one."""
    if not free_seats(context):
        return ()
    game = context.game.id
    headline = f"{game} is open again"
    lines = [
        f"The GM took back the start of {game}, and a seat is free.",
        "Reply to this letter as it is to take it, unless somebody was faster.",
    ]
    return tuple(
        queue_to_address(
            context,
            one.address,
            ANSWER,
            answer_document(
                context,
                None,
                one.name,
                headline,
                [answer_part(None, lines)],
                join_form(context, {"name": one.name}),
            ),
            template="answer/1",
        )
        for one in context.books.signups(game)
        if one.status == WAITING
    )


def _notes(context: Context) -> tuple[str, ...]:
    return (_when(context).rstrip("."),)


def restore_start(
    books: Books, library: Library, game: str, note: HistoryNote, *, at: datetime
) -> StepClosing:
    """Let a start count again that was taken back, with every step that was closed since it.

    The step that was open then is opened anew, under a new number.
    """
    context = lock_context(books, library, game, at=at, status=(Status.OPEN,))
    steps = {one.name: one for one in books.steps(game)}
    restored = [steps[name] for name in note.data["struck"] if steps[name].closed]
    for one in restored:
        books.save_step(replace(one, void=False))
    first, last = restored[0], replace(_end_of(restored), void=False)
    link = append_link(context, "restore", first, {})
    context = context.now(
        status=Status.RUNNING,
        seats=tuple(note.data["seats"]),
        options=note.data["options"],
        luck=tuple((seat, words) for seat, words in note.data["luck"]),
    )
    restore_missed(context, last)
    opened = open_next(context, last, context.after(last), turn=None)
    assert opened is not None, "a start is taken back in a running game only"
    context = context.now(open_step=opened.number, next_number=opened.number + 1)
    names = [one.name for one in restored]
    data = {"restored": names, "opened": opened.name}
    context.note("start", "the start counts again", data=data)
    lines = [
        f"The start of {game} counts again: {_labels(context, restored)}.",
        f"The game continues with {context.label(opened)}. {{deadline}}",
        (
            "Orders that you had sent for it do not count yet: send them again, as they are or "
            "changed."
        ),
    ]
    current_seatings(books, game)
    letters = queue_notices(context, opened, f"{game} continues", lines)
    return StepClosing(
        game=context.game,
        step=replace(first, void=False),
        opened=opened,
        links=(link,),
        letters=letters,
    )


def _end_of(steps: Sequence[Step]) -> Step:
    """The step that no other follows: after a ruling numbers do not tell the order."""
    followed = {one.predecessor for one in steps}
    return next(one for one in steps if one.number not in followed)


# the act


def _start(call: Call, *, back: bool) -> Done:
    if back:
        return _take_back(call)
    closing = start_game(call.books, call.library, call.game, at=call.at)
    return describe_closing(call, closing, "The position is dealt.", "The position would be dealt.")


def _take_back(call: Call) -> Done:
    closing = undo_start(call.books, call.library, call.game, at=call.at)
    return describe_closing(
        call,
        closing,
        "The start is undone, with everything after it.",
        "The start would be undone, with everything after it.",
    )


def _undo(call: Call, note: HistoryNote) -> Done:
    if BACK not in note.data:
        return _take_back(call)
    closing = restore_start(call.books, call.library, call.game, note, at=call.at)
    return describe_closing(
        call,
        closing,
        "The start counts again, with everything after it.",
        "The start would count again, with everything after it.",
    )


def _confirm(call: Call, *, back: bool) -> Loss | None:
    if not back:
        return None
    steps = [one for one in call.books.steps(call.game) if not one.void and one.closed]
    played = sum(one.predecessor is not None for one in steps)
    if not played:
        return None
    count = "1 closed step" if played == 1 else f"{played} closed steps"
    return Loss(f"This takes back the start and undoes {count}.", for_good=True)


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
