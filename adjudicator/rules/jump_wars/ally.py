"""The diplomat's ally of this turn (JW-18)."""

from adjudicator.core.document import Orders, Seat
from adjudicator.rules.jump_wars.state import Ally, highest
from adjudicator.rules.jump_wars.work import Work


def part(work: Work, orders: Orders) -> None:
    """The player with the highest diplomacy level names an ally."""
    diplomat = highest(work.players, "diplomacy")
    for seat in work.seats:
        named = orders.get(seat, {}).get("ally")
        if named is None:
            continue
        if why := _fault(work, seat, named, diplomat):
            work.negate(seat, "JW-18", f"ally: {named}", why, ("ally",))
        else:
            work.ally = Ally(of=seat, who=named)
            work.tell("allied", "JW-18", of=seat, who=named)


def _fault(work: Work, seat: Seat, named: Seat, diplomat: Seat | None) -> str:
    if diplomat != seat:
        return "Your diplomacy level is not higher than everybody else's."
    if named == seat:
        return "You cannot be your own ally."
    if named not in work.players:
        return f"{named} is no player."
    return ""
