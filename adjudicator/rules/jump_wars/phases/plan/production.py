"""The mine and the build phase: tokens, and the fleets that they pay (JW-23 to JW-27)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from adjudicator.core.document import Document, Orders, Seat
from adjudicator.core.finding import Path
from adjudicator.rules.jump_wars.phases.working_copy import Luck, Work
from adjudicator.rules.jump_wars.position.components import Card, Components
from adjudicator.rules.jump_wars.position.space import NEIGHBOURS, PLACE, Space
from adjudicator.rules.jump_wars.position.state import (
    EMPIRE,
    NOTHING,
    Fleets,
    Player,
    Side,
    Table,
    find_occupied_spaces,
    find_shared_spaces,
)

_OWN_HOMEWORLD = 5  # JW-23
_ENEMY_HOMEWORLD = 2  # JW-23
_CARD = 2  # JW-23


class Raid(Struct, frozen=True):
    """The loot of raiders at a cluster (JW-24)."""

    owner: Seat
    by: Sequence[Seat]
    less: int


class Survey(Struct, frozen=True):
    """The income to be mined, apart from cards."""

    sums: Mapping[Seat, Mapping[str, int]]
    """What each sum is made of: own-homeworld, enemy-homeworld, and counters by name."""
    raids: Mapping[Space, Raid]
    """Occupied clusters that yield less for it."""


def mine_all(work: Work, orders: Orders) -> None:
    """Serve all discards, then everybody's income."""
    cards = {
        seat: _discard_cards(work, seat, discards)
        for seat, discards in work.list_wanted(orders, "mine", "discard")
    }
    survey = survey_income(work.table, work.players, work.fleets, work.components, work.table.seats)
    for space in sorted(survey.raids, key=PLACE.__getitem__):
        raid = survey.raids[space]
        data = {"at": space, "seat": raid.owner, "by": list(raid.by), "less": raid.less}
        work.tell("raided", "JW-24", **data)
    mined = work.mined = {}
    for seat in work.seats:
        yields = dict(survey.sums[seat])
        if cards.get(seat):
            yields["cards"] = _CARD * cards[seat]
        times = work.players[seat].find_level("manufacturing")
        gained = sum(yields.values()) * times
        mined[seat] = gained
        if gained:
            work.pay(seat, -gained)
        work.tell(
            "mined", "JW-23", seat=seat, sum=dict(sorted(yields.items())), times=times, rt=gained
        )


def _discard_cards(work: Work, seat: Seat, discards: Sequence[Card]) -> int:
    cards: list[Card] = []
    for place, card in enumerate(discards):
        if work.holds(seat, card):
            work.spend(seat, card)
            cards.append(card)
        else:
            why = f"You have no {card} card left to discard for it."
            work.negate(seat, "JW-23", f"mine: discard {card}", why, ("mine", "discard", place))
    if cards:
        work.tell("melted", "JW-23", seat=seat, cards=cards)
    return len(cards)


def find_income(table: Table, components: Components) -> Mapping[Seat, int]:
    """Find what everybody would mine now without discards (JW-62)."""
    sums = survey_income(table, table.players, table.fleets, components, table.seats).sums
    return {
        seat: sum(sums[seat].values()) * player.find_level("manufacturing")
        for seat, player in table.players.items()
    }


def survey_income(
    table: Table,
    players: Mapping[Seat, Player],
    fleets: Fleets,
    components: Components,
    seats: Sequence[Seat],
) -> Survey:
    """Count what the occupied spaces of these seats yield (JW-23, JW-24)."""
    raids: dict[Space, Raid] = {}
    sums: dict[Seat, Mapping[str, int]] = {}
    homes = {*table.homes.values()} - {table.homes.get(EMPIRE)}
    raiders = [seat for seat in table.seats if "space-raiding" in players[seat].specials]
    contested = find_shared_spaces(fleets)
    for seat in seats:
        yields = sums[seat] = {}
        specials = players[seat].specials
        for space in fleets.get(seat, NOTHING):
            if space in contested:
                continue
            if space in homes:
                own = table.homes.get(seat) == space
                name = "own-homeworld" if own else "enemy-homeworld"
                income = _OWN_HOMEWORLD if own else _ENEMY_HOMEWORLD
            elif name := table.terrain.get(space, ""):
                income = find_space_income(name, specials, components)
                if raiders and name == "cluster":
                    by = _list_raiders(table, fleets, raiders, seat, space)
                    less = min(income, len(by))
                    income -= less
                    if by:
                        raids[space] = Raid(seat, by, less)
            else:
                continue
            if income:
                yields[name] = yields.get(name, 0) + income
    return Survey(sums, raids)


ENRICHED: Final[Mapping[str, tuple[Card, int]]] = {
    "star-field": ("genesis", 2),
    "nebula": ("ram-scoops", 1),
}
"""The ability that changes what a kind of space yields, and what it then yields (JW-24)."""


def find_space_income(terrain: str, specials: Sequence[Card], components: Components) -> int:
    """Find what a space of this kind yields to a player with these abilities (JW-23, JW-24)."""
    enriched = ENRICHED.get(terrain)
    if enriched is not None and enriched[0] in specials:
        return enriched[1]
    counter = components.counters.get(terrain)
    return counter.income if counter else 0


def _list_raiders(
    table: Table, fleets: Fleets, raiders: Sequence[Seat], owner: Seat, space: Space
) -> Sequence[Seat]:
    """List the raiding opponents that have fleets next to the space (JW-24)."""
    beside = NEIGHBOURS[table.options.grid][space]
    return [
        raider
        for raider in raiders
        if raider != owner and not fleets.get(raider, NOTHING).keys().isdisjoint(beside)
    ]


DOCKS = "star-docks"
_BASE = 4  # JW-25
DOCKED = frozenset({"star-field", "cluster"})  # JW-26


def find_fleet_cost(player: Player) -> int:
    """Find what a fleet costs this player now (JW-25)."""
    level = player.find_level
    return max(1, _BASE + level("attack") + level("defense") - level("miniaturization"))


def build_fleets(work: Work, orders: Orders) -> None:
    """Build in seat order, each list as written."""
    owners = find_occupied_spaces(work.fleets)  # JW-26: when the phase begins
    for seat, entries in work.list_wanted(orders, "build"):
        for at, number, path in list_build_entries(entries, work.table.homes.get(seat)):
            _build(work, seat, at, number, path, owners)


def list_build_entries(
    orders: Any, home: Space | None
) -> Sequence[tuple[Space | None, int | str, Path]]:
    """List where and how many fleets are to be built, each with its place in the form."""
    if isinstance(orders, int | str):
        return [(home, orders, ("build",))]
    entries: Sequence[Document] = orders
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
    owners: Mapping[Space, Side],
) -> None:
    order = f"build {number} at {at or 'the homeworld'}"
    why = _find_place_fault(work, seat, at, owners)
    if why or at is None:
        work.negate(seat, "JW-26", order, why, path)
        return
    hoping = work.luck is Luck.BEST and work.wild > 0  # an assumed raise may fail
    price = 1 if hoping else find_fleet_cost(work.players[seat])
    payable = work.players[seat].tokens // price
    fleets = payable if isinstance(number, str) else min(number, payable)
    if not fleets and number in ("max", 0):
        return  # JW-25: none can be paid, or none were asked for; nothing failed
    if not fleets:
        why = f"A fleet costs {price} RT; you have {work.players[seat].tokens}."
        work.negate(seat, "JW-25", order, why, path)
        return
    if work.luck is not Luck.BEST:
        work.pay(seat, fleets * price)
    work.station(seat, at, work.fleets.get(seat, NOTHING).get(at, 0) + fleets)
    cost = fleets * price
    rule = "JW-25" if at == work.table.homes.get(seat) else "JW-26"
    work.tell("built", rule, seat=seat, at=at, fleets=fleets, asked=number, price=price, paid=cost)


def _find_place_fault(
    work: Work, seat: Seat, at: Space | None, owners: Mapping[Space, Side]
) -> str:
    home = work.table.homes.get(seat)
    if at is None:
        return "You have no homeworld on the map."
    if at == home:
        return ""
    if not work.has(seat, DOCKS):
        return f"Without star docks you build on your homeworld only ({home})."
    if work.table.terrain.get(at) not in DOCKED:
        return f"{at} is not a star field or cluster."
    if owners.get(at) != seat:
        return f"You do not occupy {at}."
    return ""


SABOTAGE = "sabotage"


def sabotage_fleets(work: Work, orders: Orders) -> None:
    """Remove a fleet for a card, entry by entry, in seat order, each list as written."""
    for seat, entries in work.list_wanted(orders, SABOTAGE):
        for place, entry in enumerate(entries):
            _sabotage(work, seat, entry, place)


def _sabotage(work: Work, seat: Seat, entry: Document, place: int) -> None:
    card, side, at = entry["discard"], entry["player"], entry["at"]
    if why := _find_fault(work, seat, entry):
        order = f"sabotage: {card} for a fleet of {side} at {at}"
        work.negate(seat, "JW-27", order, why, (SABOTAGE, place))
        return
    if work.luck is Luck.BEST:
        return  # it may still fail, and then the card is kept
    work.spend(seat, card)
    work.station(side, at, work.fleets[side][at] - 1)
    work.tell("sabotaged", "JW-27", seat=seat, card=card, side=side, at=at)


def _find_fault(work: Work, seat: Seat, entry: Document) -> str:
    card, side, at = entry["discard"], entry["player"], entry["at"]
    if not work.has(seat, SABOTAGE):
        return "You do not have the ability sabotage."
    if not work.holds(seat, card):
        return f"You have no {card} card left to discard for it."
    if not work.fleets.get(side, {}).get(at) and not _may_come(work, side, at):
        owner = "The old empire" if side == EMPIRE else side
        return f"{owner} has no fleet at {at}."
    return ""


def _may_come(work: Work, side: str, at: str) -> bool:
    """Whether fleets may come: at best, somebody builds on their homeworld first."""
    return work.luck is Luck.BEST and work.table.homes.get(side) == at and side != EMPIRE
