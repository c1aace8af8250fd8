"""Take a start back: the game is open again, and what was dealt and played counts no longer."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from adjudicator.desk.announce import free_seats, how_free, join_form
from adjudicator.desk.answers import answer, part
from adjudicator.desk.case import STARTED, Case, look, take
from adjudicator.desk.closing import Closing
from adjudicator.desk.ended import BACK, REOPENED
from adjudicator.desk.errors import Refused
from adjudicator.desk.letters import ANSWER, notices, to_address, withdraw
from adjudicator.desk.log import log
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.seating import change, current
from adjudicator.desk.stage import stage
from adjudicator.desk.stepping import add_link
from adjudicator.desk.values import WAITING, Letter, Status


def unstart(books: Books, library: Library, game: str, *, at: datetime) -> Closing:
    """Strike the setup and every step after it; seats, luck words and the waiting list stay.

    The next start is a step with a new number, so that its dice are new: whatever somebody has
    read of the first deal tells nothing of the second.
    """
    _refuse(look(books, library, game))
    case = take(books, library, game, at=at, status=STARTED)
    struck = [step for step in books.steps(game) if not step.void]
    setup = struck[0]
    for step in struck:
        books.save_step(replace(step, void=True))
    withdraw(case, struck)
    link = add_link(case, "rollback", setup, {})
    names = [step.name for step in struck]
    was = {"setup": setup.number, "struck": names, **_dealt_to(case)}
    text = f"the start was taken back; {', '.join(names)} count no longer"
    log(books, game, "start", text, at=at, data={BACK: True, REOPENED: True, **was})
    _begin_anew(case)
    case = case.now(status=Status.OPEN, open_step=None, paused=None, **_as_made(case))
    letters = (*_tell(case, names, at), *_tell_waiting(case, at))
    return Closing(
        game=case.game,
        step=replace(setup, void=True),
        opened=None,
        links=(link,),
        letters=letters,
        notes=_notes(case),
    )


def _refuse(case: Case) -> None:
    game, status = case.game.id, case.game.status
    if status is Status.OPEN:
        raise Refused(f"{game}: it has not been started, so there is no start to take back")
    if status is Status.OVER:
        raise Refused(
            f"{game}: it is over and its seed has been told, so a new deal could be foreseen; go "
            "back to a step (rollback), or make a new game"
        )


def _dealt_to(case: Case) -> dict[str, Any]:
    """What this start mixed and dealt, so that the struck steps can still be replayed."""
    game = case.game
    luck = [list(pair) for pair in game.luck]
    return {"seats": list(game.seats), "options": dict(game.options), "luck": luck}


def _as_made(case: Case) -> dict[str, Any]:
    """Seats that fell away at the start are there again, with the options as they were."""
    made = next((one.data for one in case.books.notes(case.game.id) if one.act == "new"), {})
    if tuple(made.get("seats", case.game.seats)) == case.game.seats:
        return {}
    return {"seats": tuple(made["seats"]), "options": made["options"]}


def _begin_anew(case: Case) -> None:
    """Who missed steps, or voted to end the game, did so in one that was not played."""
    for seating in current(case.books, case.game.id).values():
        change(case.books, seating, missed=0, vote="none")


def _tell(case: Case, names: Sequence[str], at: datetime) -> tuple[Letter, ...]:
    game = case.game.id
    lines = [
        f"The GM took back the start of {game}: it is open again, as before it began.",
        f"What was dealt and played since then counts no longer: {', '.join(names)}.",
        (
            "Seats and luck words stay. When it begins, everything is dealt anew with new dice, "
            "and you get a first report."
        ),
        _when(case),
    ]
    subject = "The start is taken back"
    seatings = current(case.books, game)
    return notices(case, stage(case), subject, lines, seatings=seatings, at=at)


def _when(case: Case) -> str:
    if free_seats(case):
        return f"{how_free(case)} It begins when all are taken, or when the GM starts it."
    return "All seats are taken; it begins when the GM starts it."


def _tell_waiting(case: Case, at: datetime) -> tuple[Letter, ...]:
    """A seat that is free again is for whoever has waited for one."""
    if not free_seats(case):
        return ()
    game = case.game.id
    headline = f"{game} is open again"
    lines = [
        f"The GM took back the start of {game}, and a seat is free.",
        "Reply to this letter, as it is, and you have it, if nobody was faster.",
    ]
    return tuple(
        to_address(
            case,
            one.address,
            ANSWER,
            answer(
                case,
                None,
                one.name,
                headline,
                [part(None, lines)],
                join_form(case, {"name": one.name}),
            ),
            at=at,
            template="answer/1",
        )
        for one in case.books.signups(game)
        if one.status == WAITING
    )


def _notes(case: Case) -> tuple[str, ...]:
    return (_when(case).rstrip("."),)
