"""Sabotage at the end of the build phase (JW-27)."""

from adjudicator.core.document import Document, Orders, Seat
from adjudicator.rules.jump_wars.state import EMPIRE
from adjudicator.rules.jump_wars.work import Luck, Work

SABOTAGE = "sabotage"


def part(work: Work, orders: Orders) -> None:
    """Each entry discards a card to remove a fleet, in seat order, each list as written."""
    for seat in work.seats:
        for place, entry in enumerate(orders.get(seat, {}).get(SABOTAGE) or ()):
            _sabotage(work, seat, entry, place)


def _sabotage(work: Work, seat: Seat, entry: Document, place: int) -> None:
    card, side, at = entry["discard"], entry["player"], entry["at"]
    if why := _fault(work, seat, entry):
        order = f"sabotage: {card} for a fleet of {side} at {at}"
        work.negate(seat, "JW-27", order, why, (SABOTAGE, place))
        return
    if work.luck is Luck.BEST:
        return  # it may still fail, and then the card is kept
    work.spend(seat, card)
    work.station(side, at, work.fleets[side][at] - 1)
    work.tell("sabotaged", "JW-27", seat=seat, card=card, side=side, at=at)


def _fault(work: Work, seat: Seat, entry: Document) -> str:
    card, side, at = entry["discard"], entry["player"], entry["at"]
    if not work.has(seat, SABOTAGE):
        return "You do not have the ability sabotage."
    if not work.holds(seat, card):
        return f"You have no {card} card left to discard for it."
    if not work.fleets.get(side, {}).get(at) and not _may_come(work, side, at):
        whose = "The old empire" if side == EMPIRE else side
        return f"{whose} has no fleet at {at}."
    return ""


def _may_come(work: Work, side: str, at: str) -> bool:
    """At its best, somebody builds on their homeworld first."""
    return work.luck is Luck.BEST and work.table.homes.get(side) == at and side != EMPIRE
