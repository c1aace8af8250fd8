"""The ring of planets, as lines to look at and as words that say the same."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Final

from adjudicator.core.document import Seat
from adjudicator.core.events import find_initials, format_list
from adjudicator.rules.jump_gate.position.components import Components, Planet, World
from adjudicator.rules.jump_gate.position.resources import (
    NOTHING,
    Resource,
    add_icon,
    has_icon,
    remove_icon,
)
from adjudicator.rules.jump_gate.position.state import Site, Table, list_unmarked
from adjudicator.rules.jump_gate.telling.sentences import GATE

_COLUMNS: Final = 4
_CELL: Final = 18
"""Four cells and the gaps between them fit a line of a mail."""

_SIGNS: Final = {
    "gem-white": "gw",
    "gem-red": "gr",
    "gem-blue": "gb",
    "energel-light": "el",
    "energel-dark": "ed",
    "water": "wa",
    "fame": "fa",
    "sand": "sa",
    "nothing": "--",
}


def draw_chart(table: Table, components: Components) -> Sequence[str]:
    """Draw the ring as text, its legend first."""
    letters = find_initials(table.seats)
    cells = {
        planet: _draw_cell(table, planet, components.worlds[planet], letters)
        for planet in table.ring
    }
    lines: list[str] = []
    for row in _bend_ring(table.ring):
        stacks = [cells[planet] if planet else [] for planet in row]
        lines += ["".join(f"{part:<{_CELL}} " for part in layer).rstrip()
                  for layer in zip_longest(*stacks, fillvalue="")]  # fmt: skip
        lines.append("")
    return [*_draw_legend(table, components, letters), "", *lines[:-1]]


def _bend_ring(ring: Sequence[Planet]) -> Sequence[Sequence[Planet | None]]:
    """Bend the ring to a rectangle: along the top, down the right, back along the bottom, up."""
    columns = min(_COLUMNS, (len(ring) + 1) // 2)
    top, rest = ring[:columns], ring[columns:]
    height = max(0, len(rest) - columns + 1) // 2
    right, rest = rest[:height], rest[height:]
    bottom, left_side = rest[:columns], rest[columns:]
    gap = (None,) * (columns - 2)
    sides = zip_longest(left_side, reversed(right))
    middle = [(one, *gap, other) for one, other in sides]
    short = (None,) * (columns - len(bottom))
    return [top, *reversed(middle), (*short, *reversed(bottom))]


def _draw_cell(
    table: Table, planet: Planet, world: World, letters: Mapping[Seat, str]
) -> Sequence[str]:
    site = table.planets[planet]
    first, second = world.land
    down = [f"+{site.face_down}"] if site.face_down else []
    parts = [
        *_wrap([planet]),
        f"J{world.jump} S{world.scan} L{first},{second}",
        *_wrap([*_draw_cards(site, letters), *down] or ["empty"]),
    ]
    if site.claim:
        parts.append(f"claim {site.claim}")
    if site.scans:
        parts += _wrap(
            ["scans", *(f"{letters[s]}{n}" for s, n in _sort_markers(table, site.scans))]
        )
    for landed, word in ((False, "ship"), (True, "landed")):
        ships = [
            letters[seat]
            for seat, ship in table.ships.items()
            if (ship.at, ship.landed) == (planet, landed)
        ]
        parts += _wrap([word, *ships]) if ships else []
    return parts


def _sort_markers(table: Table, markers: Mapping[Seat, int]) -> Iterator[tuple[Seat, int]]:
    return ((seat, markers[seat]) for seat in table.seats if seat in markers)


def _draw_cards(site: Site, letters: Mapping[Seat, str]) -> Iterator[str]:
    for seat, card in site.marks.items():
        yield f"{_draw_sign(card)}={letters[seat]}"
    for card in list_unmarked(site):
        yield _draw_sign(card)


def _draw_sign(card: Resource) -> str:
    return add_icon(_SIGNS[remove_icon(card)]) if has_icon(card) else _SIGNS[card]


def _wrap(parts: Iterable[str]) -> list[str]:
    """Wrap the parts into as many lines as they need."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + 1 + len(part) <= _CELL:
            lines[-1] += f" {part}"
        else:
            lines.append(part[:_CELL])
    return lines


def _draw_legend(
    table: Table, components: Components, letters: Mapping[Seat, str]
) -> Sequence[str]:
    kinds = dict.fromkeys(remove_icon(card) for card in components.resource_cards)
    signs = [f"{_SIGNS[kind]} {kind}" for kind in kinds]
    half = (len(signs) + 1) // 2
    own = ", wa=r marked by red" if components.is_second else ""
    first = table.seats[0]
    return [
        "Clockwise: the top row to the right, then down, the bottom row to the left.",
        "J, S, L: jump, scan and landing codes. +2: two cards face-down.",
        "  ".join(signs[:half]),
        "  ".join(signs[half:]),
        f"!: black hole icon{own.replace('=r', f'={letters[first]}').replace('red', first)}",
        ", ".join(f"{letters[seat]} {seat}" for seat in table.seats),
    ]


def describe_chart(table: Table, components: Components, reader: Seat | None) -> Sequence[str]:
    """Describe the ring planet by planet, for those who listen to it; then what lies beside it."""
    sentences = ["clockwise, each planet with its codes, then what lies there face-up."]
    sentences += [_describe_planet(table, planet, components, reader) for planet in table.ring]
    waiting = [_name_seat(seat, reader) for seat, ship in table.ships.items() if ship.at is None]
    if waiting:
        sentences.append(f"On {GATE}: {format_list(waiting)}.")
    if table.moves:
        ways = [
            f"{_name_seat(one.seat, reader)} from {one.origin or GATE} to {one.to or GATE}"
            for one in table.moves
        ]
        sentences.append(f"Ships that moved in turn {table.moves[0].turn}: {'; '.join(ways)}.")
    return sentences


def _describe_planet(
    table: Table, planet: Planet, components: Components, reader: Seat | None
) -> str:
    site, world = table.planets[planet], components.worlds[planet]
    codes = f"jump {world.jump}, scan {world.scan}, land {world.land[0]} and {world.land[1]}"
    sentences = [f"{planet} ({codes}): {_describe_site(site, reader)}."]
    if site.claim:
        sentences.append(f"Claimed by {_name_seat(site.claim, reader)}.")
    if site.scans:
        markers = [
            f"{_name_seat(seat, reader)} {n}" for seat, n in _sort_markers(table, site.scans)
        ]
        sentences.append(f"Scan markers: {format_list(markers)}.")
    ships = [
        f"{_name_seat(seat, reader)}{' (landed)' if ship.landed else ''}"
        for seat, ship in table.ships.items()
        if ship.at == planet
    ]
    if ships:
        sentences.append(f"Here: {format_list(ships)}.")
    return " ".join(sentences)


def _describe_site(site: Site, reader: Seat | None) -> str:
    cards = [
        f"{card} (marked by {_name_seat(seat, reader)})" for seat, card in site.marks.items()
    ] + list(list_unmarked(site))
    names = ['"nothing"' if card == NOTHING else card for card in cards]
    up = format_list(names) or "no card"
    return f"{up}; {site.face_down} face-down" if site.face_down else up


def _name_seat(seat: Seat, reader: Seat | None) -> str:
    return "you" if seat == reader else seat
