"""The sections of a report: the map, the standings, the economy, the hand, the cards."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from adjudicator.core.document import Document, Seat
from adjudicator.core.events import format_count, format_list, label_seat
from adjudicator.core.memo import Latest
from adjudicator.rules.jump_wars.phases.plan.production import find_fleet_cost, find_income
from adjudicator.rules.jump_wars.position.components import Card, Components
from adjudicator.rules.jump_wars.position.state import (
    Player,
    Table,
    View,
    find_hand_limit,
    order_seats,
)
from adjudicator.rules.jump_wars.telling import chart

_draw_common_chart: Final = Latest(chart.draw_chart)
"""The map as somebody without a seat sees it; for most readers it is the same."""
_describe_terrain: Final = Latest(chart.describe_terrain)
_LATEST_TURNS: Final = 5


def _make_map_section(view: View, components: Components, *, whole: bool) -> Document:
    """Make the section of the map; its words name the terrain only where the whole is asked for."""
    lines = _draw_common_chart(view.table, components, None)
    if view.seat and chart.CROWDED in lines:
        lines = chart.draw_chart(view.table, components, view.seat)
    words = _describe_terrain(view.table, components) if whole else ()
    homes = chart.describe_homeworlds(view.table)
    return {"title": "Map", "lines": list(lines), "words": [*homes, *words]}


def make_sections(view: View, components: Components, *, whole: bool) -> Sequence[Document]:
    """Make the sections with everything that the reader may know of the position.

    What hardly ever changes or is seldom needed stands only in the `whole` position, which the
    first report shows, and the answer to `ask: map`.
    """
    table = view.table
    sections: list[Document] = [
        _make_map_section(view, components, whole=whole),
        {"title": "Fleets", "lines": list(chart.describe_fleets(table, view.seat))},
        _make_standings(view, components),
        _make_economy(view, components),
    ]
    if view.seat is not None:
        sections.append(_make_hand_section(view, view.seat, components))
    if whole and table.past:
        sections.append({"title": "Cards", "lines": _describe_piles(table.discard, view.deck_size)})
    if len(table.past) > 1:
        sections.append(_make_past(table, len(table.past) if whole else _LATEST_TURNS))
    return sections


def _describe_abilities(table: Table, components: Components) -> Iterator[str]:
    """Say what each ability that somebody has does."""
    for name in dict.fromkeys(one for player in table.players.values() for one in player.specials):
        special = components.specials.get(name)
        if special:
            yield f"{name} = {special.does} [{special.rule}]"


def _make_standings(view: View, components: Components) -> Document:
    table = view.table
    levels = _describe_levels(table.players)
    rows = [
        [
            label_seat(seat, view.seat),
            levels[seat],
            ", ".join(player.specials) or "-",
            str(player.tokens),
            str(view.hand_sizes[seat]),
            str(sum(table.fleets.get(seat, {}).values())),
        ]
        for seat, player in table.players.items()
    ]
    lines = [f"{table.ally.who} is {table.ally.of}'s ally this turn."] if table.ally else []
    if table.hold:
        lines.append(f"The old empire has been held by {table.hold.by}: {table.hold.turns} of 3.")
    lines += _describe_abilities(table, components)
    lines.append(f"Seat order, the start player first: {', '.join(order_seats(table))}.")  # JW-8
    if table.options.turn_limit:
        lines.append(f"The last turn is {table.options.turn_limit}, if nobody has won before.")
    columns = ["seat", "levels above 1", "abilities", "RT", "cards", "fleets"]
    return {"title": "Standings", "columns": columns, "rows": rows, "words": lines}


@Latest
def _find_next(
    table: Table, components: Components
) -> tuple[Mapping[Seat, Player], Mapping[Seat, int]]:
    """Find everybody, and what they mine, when the turn has ended (the same for every reader).

    What is raised until then no longer counts.
    """
    players = {seat: replace(one, raised={}) for seat, one in table.players.items()}
    return players, find_income(replace(table, players=players), components)


def _make_economy(view: View, components: Components) -> Document:
    """Make the table of what each would mine and pay with what they have now (JW-23, JW-25)."""
    players, mined = _find_next(view.table, components)
    rows = [
        [
            label_seat(seat, view.seat),
            str(player.tokens),
            str(mined[seat]),
            str(find_fleet_cost(player)),
        ]
        for seat, player in players.items()
    ]
    words = ["In the next plan, before cards are discarded for more."]
    columns = ["seat", "RT", "would mine", "a fleet costs"]
    return {"title": "Economy", "columns": columns, "rows": rows, "words": words}


@Latest
def _make_past(table: Table, turns: int) -> Document:
    """Make the table of how everybody stood at the end of each turn (the same for every reader)."""
    rows = [
        [one.turn, *(f"{one.fleets.get(seat, 0)}/{one.mine.get(seat, 0)}" for seat in table.seats)]
        for one in table.past[-turns:]
    ]
    words = ["Fleets at the end of each turn, and the RT mined in it."]
    return {
        "title": "Over the turns",
        "columns": ["turn", *table.seats],
        "rows": rows,
        "words": words,
    }


@Latest
def _describe_levels(players: Mapping[Seat, Player]) -> Mapping[Seat, str]:
    """Describe everybody's levels in words (the same for every reader)."""
    levels_by_seat = {}
    for seat, player in players.items():
        parts = []
        for tech in player.levels:
            level, now = player.levels[tech], player.find_level(tech)
            until = f" ({now} this turn)" if now > level else ""
            parts += [f"{tech} {level}{until}"] if now > 1 else []
        levels_by_seat[seat] = ", ".join(parts) or "-"
    return levels_by_seat


def _make_hand_section(view: View, seat: Seat, components: Components) -> Document:
    """Make the section of the hand, which says what each special in it does."""
    limit = find_hand_limit(view.table.players[seat])
    cards = format_list(list(view.hand)) or "no cards"
    lines = [f"{cards} (limit at the end of the turn: {limit})"]
    for card in dict.fromkeys(view.hand):
        special = components.specials.get(card)
        lines += [f"{card} = {special.does} [{special.rule}]"] if special else []
    return {"title": "Your hand", "lines": lines}


@Latest
def _describe_piles(pile: Sequence[Card], deck: int) -> Sequence[str]:
    """Describe the deck and the discard pile in words (the same for every reader)."""
    lines = [
        f"Deck: {format_count(deck, 'card')}. Discard pile: {format_count(len(pile), 'card')}."
    ]
    if pile:
        lines.append(f"Discarded so far: {format_list(list(pile))}.")
    return lines
