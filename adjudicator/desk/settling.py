"""Whether a step may close now: all in and settled, or its time is over and all post read."""

from collections.abc import Sequence
from datetime import datetime

from adjudicator.desk.case import Case
from adjudicator.desk.deadlines import length
from adjudicator.desk.inform import Standing, standings
from adjudicator.desk.letters import RECEIPT
from adjudicator.desk.moment import JUMP, Moment
from adjudicator.desk.seating import current
from adjudicator.desk.values import Step


def standing(case: Case, step: Step) -> tuple[Standing, ...]:
    """How every seat stands in the open step."""
    game = case.game
    return standings(
        game.seats,
        case.due(case.before(step)),
        current(case.books, game.id),
        case.books.orders(game.id, step.number),
    )


def end_of_grace(case: Case, deadline: datetime) -> datetime:
    """The instant until which orders count that come after the deadline."""
    return deadline + length(case.settings.grace, "grace")


def is_over(case: Case, step: Step, now: Moment) -> bool:
    """Deadline and grace have passed, and every letter that came before then has been read."""
    if step.deadline is None or now.read_until is None:
        return False
    return min(now.at, now.read_until) >= end_of_grace(case, step.deadline)


def is_settled(case: Case, step: Step, stand: Sequence[Standing], now: Moment) -> bool:
    """All are in, nobody asked to wait, and nobody has changed anything for a while.

    A step without a deadline is the GM's to close.
    """
    if step.deadline is None or now.read_until is None:
        return False
    if not all(one.is_in and one.ready for one in stand):
        return False
    quiet = last_change(case, step, now) + length(case.settings.settle, "settle")
    return min(now.at, now.read_until) >= quiet


def last_change(case: Case, step: Step, now: Moment) -> datetime:
    """When orders of the step, or those who write them, last changed.

    A letter that waited in its box has not settled when it is read at last. Who sat down by a
    clock that has jumped back since did so before the GM let the game go on: no step would settle
    until the clock has caught up.
    """
    books, game = case.books, case.game.id
    receipts = books.letters(game, step.number)
    read = {(one.seat, one.number): one.made for one in receipts if one.kind == RECEIPT}
    sets = books.orders(game, step.number)
    filed = [read.get((own.seat, own.number), own.arrived) for own in sets]
    since = [seating.since for seating in current(books, game).values()]
    return max([step.opened, *filed, *(one for one in since if one <= now.at + JUMP)])
