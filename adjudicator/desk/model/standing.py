"""Whether a seat's orders were received, and why not: the only place that decides it."""

from collections.abc import Iterable, Mapping
from functools import partial

from msgspec import Struct

from adjudicator.core.document import Seat
from adjudicator.core.game import Due
from adjudicator.desk.model.seats import BOT, IDLE
from adjudicator.desk.model.values import PLAN_WAITS, OrderSet, PlanAhead, Seating

CLEARED = b"null"
"""The content on file after orders were cleared."""


class Standing(Struct, frozen=True, kw_only=True):
    """The standing of a seat in the open step."""

    seat: Seat
    due: Due | None
    """The orders that it owes; None when it owes nothing in this step."""
    is_in: bool
    """Whether nobody waits for this seat's orders."""
    ready: bool
    """Whether the step may close early as far as this seat is concerned."""
    number: int | None
    """The number of the orders on file."""
    why: str
    """A reason in words, to be read after "You are in:" or "You are not in:"."""


def find_orders_on_file(sets: Iterable[OrderSet]) -> dict[Seat, OrderSet]:
    """Return the sets that would be executed now, out of one step's sets."""
    sets_by_seat: dict[Seat, OrderSet] = {}
    for one in sets:
        if one.number > 0:
            sets_by_seat[one.seat] = one
            if one.orders == CLEARED:
                del sets_by_seat[one.seat]
    return sets_by_seat


def list_waiting_plans(
    plans: Iterable[PlanAhead], seatings: Mapping[Seat, Seating]
) -> dict[Seat, tuple[PlanAhead, ...]]:
    """Return the orders ahead that wait, by seat; those of former players do not count."""
    plans_by_seat: dict[Seat, tuple[PlanAhead, ...]] = {}
    for one in plans:
        seating = seatings.get(one.seat)
        if one.status == PLAN_WAITS and seating is not None and seating.number == one.seating:
            plans_by_seat[one.seat] = (*plans_by_seat.get(one.seat, ()), one)
    return plans_by_seat


def _decide_standing(
    seat: Seat, due: Due | None, seating: Seating | None, on: OrderSet | None
) -> Standing:
    """Decide how a seat stands, from what it owes, who plays it and what is on file."""
    number = on.number if on else None
    standing = partial(Standing, seat=seat, due=due, number=number, ready=True)
    if due is None:
        return standing(why="nothing is due from this seat in this step", is_in=True)
    if on is not None and (seating is None or seating.kind in (BOT, IDLE)):
        return standing(why=f"receipt {on.number} is on file and counts", is_in=True)
    if seating is None or seating.kind == IDLE:
        return standing(why="nobody plays this seat; the step does not wait for it", is_in=True)
    if seating.kind == BOT:
        return standing(why="a bot plays this seat and writes when the step closes", is_in=True)
    if on is None:
        return standing(why="no orders are on file for this step", is_in=False, ready=False)
    if not on.ready:
        why = f"receipt {on.number} {on.not_ready or 'counts at the deadline, not before'}"
        return standing(why=why, is_in=True, ready=False)
    return standing(why=f"receipt {on.number} is on file", is_in=True)


def find_hindrances(stand: Iterable[Standing]) -> dict[Seat, str]:
    """Find the seats that keep a step from closing early, each with the reason."""
    return {one.seat: one.why for one in stand if not (one.is_in and one.ready)}


def list_standings(
    seats: Iterable[Seat],
    due: Mapping[Seat, Due],
    seatings: Mapping[Seat, Seating],
    on_file: Mapping[Seat, OrderSet],
) -> tuple[Standing, ...]:
    """List how every seat stands, in seat order."""
    facts = (map(due.get, seats), map(seatings.get, seats), map(on_file.get, seats))
    return tuple(map(_decide_standing, seats, *facts))
