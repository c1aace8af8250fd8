"""The mine phase (JW-23, JW-24)."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from adjudicator.core.document import Orders, Seat
from adjudicator.rules.jump_wars.phases.working_copy import Work
from adjudicator.rules.jump_wars.position.components import Card, Components
from adjudicator.rules.jump_wars.position.space import NEIGHBOURS, PLACE, Space
from adjudicator.rules.jump_wars.position.state import (
    EMPIRE,
    NOTHING,
    Fleets,
    Player,
    Table,
    shared_spaces,
)

_OWN_HOMEWORLD = 5  # JW-23
_ENEMY_HOMEWORLD = 2  # JW-23
_CARD = 2  # JW-23


class Raid(Struct, frozen=True):
    """What raiders take of a cluster (JW-24)."""

    owner: Seat
    by: Sequence[Seat]
    less: int


class Survey(Struct, frozen=True):
    """What there is to mine, cards apart."""

    sums: Mapping[Seat, Mapping[str, int]]
    """What each sum is made of: own-homeworld, enemy-homeworld, and counters by name."""
    raids: Mapping[Space, Raid]
    """Occupied clusters that yield less for it."""


def mine_all(work: Work, orders: Orders) -> None:
    """All discards, then everybody's income."""
    cards = {seat: _discards(work, seat, orders) for seat in work.seats}
    found = survey(work.table, work.players, work.fleets, work.components)
    for space in sorted(found.raids, key=PLACE.__getitem__):
        raid = found.raids[space]
        data = {"at": space, "seat": raid.owner, "by": list(raid.by), "less": raid.less}
        work.tell("raided", "JW-24", **data)
    mined = work.mined = {}
    for seat in work.seats:
        made = dict(found.sums[seat])
        if cards[seat]:
            made["cards"] = _CARD * cards[seat]
        times = work.players[seat].level("manufacturing")
        gained = sum(made.values()) * times
        mined[seat] = gained
        if gained:
            work.pay(seat, -gained)
        work.tell(
            "mined", "JW-23", seat=seat, sum=dict(sorted(made.items())), times=times, rt=gained
        )


def _discards(work: Work, seat: Seat, orders: Orders) -> int:
    spent: list[Card] = []
    wanted = (orders.get(seat, {}).get("mine") or {}).get("discard") or ()
    for place, card in enumerate(wanted):
        if work.holds(seat, card):
            work.spend(seat, card)
            spent.append(card)
        else:
            why = f"You have no {card} card left to discard for it."
            work.negate(seat, "JW-23", f"mine: discard {card}", why, ("mine", "discard", place))
    if spent:
        work.tell("melted", "JW-23", seat=seat, cards=spent)
    return len(spent)


def find_income(table: Table, components: Components) -> Mapping[Seat, int]:
    """What everybody would mine now without discards (JW-62)."""
    sums = survey(table, table.players, table.fleets, components).sums
    return {
        seat: sum(sums[seat].values()) * player.level("manufacturing")
        for seat, player in table.players.items()
    }


def survey(
    table: Table, players: Mapping[Seat, Player], fleets: Fleets, components: Components
) -> Survey:
    """Goes over all occupied spaces (JW-23, JW-24)."""
    raids: dict[Space, Raid] = {}
    sums: dict[Seat, Mapping[str, int]] = {}
    homes = {space: side for side, space in table.homes.items() if side != EMPIRE}
    raiders = [seat for seat in table.seats if "space-raiding" in players[seat].specials]
    contested = shared_spaces(fleets)
    for seat in table.seats:
        found = sums[seat] = {}
        specials = players[seat].specials
        for space in fleets.get(seat, NOTHING):
            if space in contested:
                continue
            if space in homes:
                own = homes[space] == seat
                name = "own-homeworld" if own else "enemy-homeworld"
                income = _OWN_HOMEWORLD if own else _ENEMY_HOMEWORLD
            elif name := table.terrain.get(space, ""):
                income = _income(name, specials, components)
                if raiders and name == "cluster":
                    by = _raids(table, fleets, raiders, seat, space)
                    less = min(income, len(by))
                    income -= less
                    if by:
                        raids[space] = Raid(seat, by, less)
            else:
                continue
            if income:
                found[name] = found.get(name, 0) + income
    return Survey(sums, raids)


def _income(terrain: str, specials: Sequence[Card], components: Components) -> int:
    if terrain == "star-field" and "genesis" in specials:
        return 2
    if terrain == "nebula" and "ram-scoops" in specials:
        return 1
    counter = components.counters.get(terrain)
    return counter.income if counter else 0


def _raids(
    table: Table, fleets: Fleets, raiders: Sequence[Seat], owner: Seat, space: Space
) -> Sequence[Seat]:
    """Which raiding opponents have fleets next to the space (JW-24)."""
    beside = NEIGHBOURS[table.options.grid][space]
    return [
        raider
        for raider in raiders
        if raider != owner and any(other in fleets.get(raider, {}) for other in beside)
    ]
