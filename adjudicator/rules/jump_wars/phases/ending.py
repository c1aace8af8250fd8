"""The end of the turn: hand limit, occupation, and the end of the game (JW-59 to JW-63)."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.document import Seat, to_plain
from adjudicator.core.events import Event, EventLog, make_event
from adjudicator.core.tabletop import remove_cards
from adjudicator.rules.jump_wars.phases.plan.production import find_income
from adjudicator.rules.jump_wars.position.components import Card, Components
from adjudicator.rules.jump_wars.position.space import Space
from adjudicator.rules.jump_wars.position.state import (
    EMPIRE,
    NOTHING,
    Hold,
    Past,
    Player,
    Side,
    State,
    Table,
    find_hand_limit,
    find_occupied_spaces,
    order_seats,
)


def enforce_hand_limits(state: State, components: Components) -> tuple[State, tuple[Event, ...]]:
    """Let everybody discard down to the limit, in seat order; raises still count."""
    log, hands = EventLog(), dict(state.hands)
    pile = state.table.discard
    for seat in order_seats(state.table):
        player = state.table.players[seat]
        private = state.kept.get(seat)
        cards = choose_excess(
            player, hands[seat], private.final.discard if private else (), components
        )
        if cards:
            hands[seat] = remove_cards(hands[seat], cards)
            pile += cards
            limit = find_hand_limit(player)
            log.tell("hand-limit", "JW-59", seat=seat, cards=list(cards), limit=limit)
    if not log.events:
        return state, ()
    return replace(state, hands=hands, table=replace(state.table, discard=pile)), tuple(log.events)


def choose_excess(
    player: Player, hand: Sequence[Card], preference: Sequence[Card], components: Components
) -> tuple[Card, ...]:
    """Choose the discards: first those the player prefers, then by JW-59, never too many."""
    too_many = len(hand) - find_hand_limit(player)
    if too_many <= 0:
        return ()
    rest = list(hand)
    cards = []
    for card in preference:
        if card in rest:
            rest.remove(card)
            cards.append(card)

    def loss(card: Card) -> tuple[bool, int, int]:
        special = card in components.specials
        return special, 0 if special else -player.find_level(card), components.rank[card]

    return tuple([*cards, *sorted(rest, key=loss)][:too_many])


EMPIRE_TURNS: Final = 3  # JW-61
REMEMBERED: Final = 24
"""The number of past turns in a report."""


class Standing(Struct, frozen=True, order=True):
    """What JW-62 compares, in this order."""

    homeworlds: int
    mine: int
    fleets: int
    tokens: int


def close_turn(state: State, components: Components) -> tuple[State, tuple[Event, ...]]:
    """Close the turn: raises are over, occupation is noted, and any winner is named."""
    before = state.table
    owners = find_occupied_spaces(before.fleets)
    table = replace(
        before,
        step="draw",
        players={seat: _end_raises(player) for seat, player in before.players.items()},
        held=owners,  # JW-52
        hold=_count_hold(before, owners),
        ally=None,  # JW-18: for this turn
        written=None,
        mined={},
        past=(*before.past, _remember_turn(before))[-REMEMBERED:],
    )
    wins = _find_wins(table, owners, components)
    if wins:
        winners = {event.data["seat"] for event in wins}
        table = replace(table, winners=tuple(seat for seat in table.seats if seat in winners))
    elif _is_all_gone(table, state.hands):
        table = replace(table, winners=())
        wins = (make_event("drawn", "JW-63"),)
    return replace(state, table=table, kept={}), _report_hold(before.hold, table.hold) + wins


def _remember_turn(table: Table) -> Past:
    fleets = {seat: sum(table.fleets.get(seat, NOTHING).values()) for seat in table.seats}
    return Past(turn=table.turn, fleets=fleets, mine=table.mined)


def _end_raises(player: Player) -> Player:
    if not player.raised and not player.used:
        return player
    return replace(player, raised={}, used=())


def _count_hold(table: Table, owners: Mapping[Space, Side]) -> Hold | None:
    """Count the turns for which the old empire's homeworld is held (JW-61)."""
    home = table.homes.get(EMPIRE)
    by = owners.get(home) if home is not None else None
    if by is None or by == EMPIRE:
        return None
    before = table.hold
    return Hold(by, before.turns + 1 if before and before.by == by else 1)


def _report_hold(before: Hold | None, after: Hold | None) -> tuple[Event, ...]:
    if before is None and after is None:
        return ()
    by, turns = (after.by, after.turns) if after else (None, 0)
    return (make_event("empire-held", "JW-61", by=by, turns=turns, was=to_plain(before)),)


def _find_wins(
    table: Table, owners: Mapping[Space, Side], components: Components
) -> tuple[Event, ...]:
    wins: list[Event] = []
    conquests = _count_homeworlds(table, owners)
    for seat in table.seats:
        if conquests[seat] == len(table.seats) - 1:
            homes = [table.homes[other] for other in table.seats if other != seat]
            wins.append(make_event("won", "JW-60", seat=seat, homeworlds=homes))
    hold = table.hold
    if hold and hold.turns >= EMPIRE_TURNS:
        wins.append(make_event("won", "JW-61", seat=hold.by, turns=hold.turns))
    limit = table.options.turn_limit
    if not wins and limit is not None and table.turn >= limit:
        wins += _find_wins_by_standing(table, components)
    return tuple(wins)


def _find_wins_by_standing(table: Table, components: Components) -> list[Event]:
    standings = _compare_seats(table, components)
    best = max(standings.values())
    first = [seat for seat in table.seats if standings[seat] == best]
    down = sorted(table.seats, key=standings.__getitem__, reverse=True)
    facts = [{"seat": seat, **to_plain(standings[seat])} for seat in down]
    return [
        make_event("won", "JW-62", seat=seat, shared=len(first) > 1, standings=facts)
        for seat in first
    ]


def _compare_seats(table: Table, components: Components) -> Mapping[Seat, Standing]:
    """Compare how the seats stand if the game ended now (JW-62)."""
    owners = find_occupied_spaces(table.fleets)
    mined = find_income(table, components)
    conquests = _count_homeworlds(table, owners)
    return {
        seat: Standing(
            homeworlds=conquests[seat],
            mine=mined[seat],
            fleets=sum(table.fleets.get(seat, {}).values()),
            tokens=player.tokens,
        )
        for seat, player in table.players.items()
    }


def rank_seats(table: Table, components: Components) -> Mapping[Seat, int]:
    """Count how many seats each one is ahead of if the game ended now (JW-62); winners lead."""
    standing = _compare_seats(table, components)
    ranks = {seat: (seat in (table.winners or ()), standing[seat]) for seat in table.seats}
    return {seat: sum(1 for rank in ranks.values() if rank < ranks[seat]) for seat in ranks}


def _count_homeworlds(table: Table, owners: Mapping[Space, Side]) -> Mapping[Seat, int]:
    """Count how many homeworlds of opponents each seat occupies."""
    conquests = dict.fromkeys(table.seats, 0)
    for side, home in table.homes.items():
        by = owners.get(home)
        if side != EMPIRE and by is not None and by not in (side, EMPIRE):
            conquests[by] += 1
    return conquests


def _is_all_gone(table: Table, hands: Mapping[Seat, tuple[str, ...]]) -> bool:
    """Whether nobody has anything left; the old empire's fleets are nobody's (JW-63)."""
    return not any(
        table.fleets.get(seat) or table.players[seat].tokens or hands[seat] for seat in table.seats
    )
