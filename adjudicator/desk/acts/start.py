"""Start a game, and take the start back."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from adjudicator.desk.model.context import STARTED, Context, current_step, read_context
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.history import write_note
from adjudicator.desk.model.lineage import BACK, REOPENED
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.seats import change_seating, current_seatings
from adjudicator.desk.model.values import WAITING, OutgoingLetter, Status
from adjudicator.desk.outbox.announcement import count_free_seats, free_seats, join_form
from adjudicator.desk.outbox.answers import answer_document, answer_part
from adjudicator.desk.outbox.queue import ANSWER, queue_notices, queue_to_address, withdraw_letters
from adjudicator.desk.steps.advance import StepClosing, append_link
from adjudicator.desk.steps.lock import lock_context


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
    text = f"the start was taken back; {', '.join(names)} count no longer"
    write_note(books, game, "start", text, at=at, data={BACK: True, REOPENED: True, **was})
    _begin_anew(context)
    context = context.now(status=Status.OPEN, open_step=None, paused=None, **_as_made(context))
    letters = (*_tell(context, names, at), *_tell_waiting(context, at))
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
        raise Refused(f"{game}: it has not been started, so there is no start to take back")
    if status is Status.OVER:
        raise Refused(
            f"{game}: it is over and its seed has been told, so a new deal could be foreseen; go "
            "back to a step (rollback), or make a new game"
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


def _tell(context: Context, names: Sequence[str], at: datetime) -> tuple[OutgoingLetter, ...]:
    game = context.game.id
    lines = [
        f"The GM took back the start of {game}: it is open again, as before it began.",
        f"What was dealt and played since then counts no longer: {', '.join(names)}.",
        (
            "Seats and luck words stay. When it begins, everything is dealt anew with new dice, "
            "and you get a first report."
        ),
        _when(context),
    ]
    subject = "The start is taken back"
    seatings = current_seatings(context.books, game)
    return queue_notices(context, current_step(context), subject, lines, seatings=seatings, at=at)


def _when(context: Context) -> str:
    if free_seats(context):
        return (
            f"{count_free_seats(context)} It begins when all are taken, or when the GM starts it."
        )
    return "All seats are taken; it begins when the GM starts it."


def _tell_waiting(context: Context, at: datetime) -> tuple[OutgoingLetter, ...]:
    """A seat that is free again is for whoever has waited for one."""
    if not free_seats(context):
        return ()
    game = context.game.id
    headline = f"{game} is open again"
    lines = [
        f"The GM took back the start of {game}, and a seat is free.",
        "Reply to this letter, as it is, and you have it, if nobody was faster.",
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
            at=at,
            template="answer/1",
        )
        for one in context.books.signups(game)
        if one.status == WAITING
    )


def _notes(context: Context) -> tuple[str, ...]:
    return (_when(context).rstrip("."),)
