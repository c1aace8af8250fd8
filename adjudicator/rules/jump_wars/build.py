"""The build phase (JW-25, JW-26)."""

from collections.abc import Mapping, Sequence
from typing import Any

from adjudicator.core.document import Document, Orders, Seat
from adjudicator.core.finding import Path
from adjudicator.rules.jump_wars.space import Space
from adjudicator.rules.jump_wars.state import NOTHING, Player, Side, occupied
from adjudicator.rules.jump_wars.work import Luck, Work

DOCKS = "star-docks"
_BASE = 4  # JW-25
_DOCKED = frozenset({"star-field", "cluster"})  # JW-26


def cost(player: Player) -> int:
    """What a fleet costs this player now (JW-25)."""
    level = player.level
    return max(1, _BASE + level("attack") + level("defense") - level("miniaturization"))


def part(work: Work, orders: Orders) -> None:
    """Builds in seat order, each list as written."""
    held = occupied(work.fleets)  # JW-26: when the phase begins
    for seat in work.seats:
        wanted = orders.get(seat, {}).get("build")
        if wanted is None:
            continue
        for at, number, path in _entries(wanted, work.table.homes.get(seat)):
            _build(work, seat, at, number, path, held)


def _entries(wanted: Any, home: Space | None) -> Sequence[tuple[Space | None, int | str, Path]]:
    if isinstance(wanted, int | str):
        return [(home, wanted, ("build",))]
    entries: Sequence[Document] = wanted
    return [
        (entry.get("at", home), entry["fleets"], ("build", place))
        for place, entry in enumerate(entries)
    ]


def _build(
    work: Work,
    seat: Seat,
    at: Space | None,
    number: int | str,
    path: Path,
    held: Mapping[Space, Side],
) -> None:
    order = f"build {number} at {at or 'the homeworld'}"
    why = _place_fault(work, seat, at, held)
    if why or at is None:
        work.negate(seat, "JW-26", order, why, path)
        return
    hoping = work.luck is Luck.BEST and work.wild > 0  # a raise hoped for may not come
    price = 1 if hoping else cost(work.players[seat])
    payable = work.players[seat].tokens // price
    built = payable if isinstance(number, str) else min(number, payable)
    if not built and number == "max":
        return  # JW-25: as many as can be paid are none; nothing that was asked for failed
    if not built:
        why = f"A fleet costs {price} RT; you have {work.players[seat].tokens}."
        work.negate(seat, "JW-25", order, "You asked for none." if number == 0 else why, path)
        return
    if work.luck is not Luck.BEST:
        work.pay(seat, built * price)
    work.station(seat, at, work.fleets.get(seat, NOTHING).get(at, 0) + built)
    paid = built * price
    rule = "JW-25" if at == work.table.homes.get(seat) else "JW-26"
    work.tell("built", rule, seat=seat, at=at, fleets=built, asked=number, price=price, paid=paid)


def _place_fault(work: Work, seat: Seat, at: Space | None, held: Mapping[Space, Side]) -> str:
    home = work.table.homes.get(seat)
    if at is None:
        return "You have no homeworld on the map."
    if at == home:
        return ""
    if not work.has(seat, DOCKS):
        return f"Without star docks you build on your homeworld only ({home})."
    if work.table.terrain.get(at) not in _DOCKED:
        return f"{at} is no star field or cluster."
    if held.get(at) != seat:
        return f"You do not occupy {at}."
    return ""
