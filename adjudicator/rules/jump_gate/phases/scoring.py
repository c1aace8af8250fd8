"""What resources, claims and markers are worth (JG-10, JGA-12, JGB-10)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from adjudicator.core.document import Seat
from adjudicator.rules.jump_gate.position.components import Components, Scale
from adjudicator.rules.jump_gate.position.resources import (
    DARK,
    FAME,
    GEMS,
    LIGHT,
    SAND,
    WATER,
    Kind,
    Resource,
    kind_of,
)
from adjudicator.rules.jump_gate.position.state import Table

_CLUB_CLAIM: Final = 5  # JGA-12, variant Explorers' Club
_CLUB_SCAN: Final = 2


def resource_points(cards: Iterable[Resource], components: Components) -> dict[str, int]:
    """What resources score together, by what they are (JG-10, JGB-10)."""
    counts = Counter(kind_of(card) for card in cards)
    scoring = components.scoring
    points = {
        "gem": _gems(counts),
        "energel": _pairs(counts[LIGHT], counts[DARK], scoring["energel"]),
        "fame": counts[FAME] * scoring["fame"].value,
        "water": _by_table(counts[WATER], scoring["water"]),
    }
    if "sand" in scoring:
        points["sand"] = _by_table(counts[SAND], scoring["sand"])
    return points


def find_gain(card: Resource, have: Sequence[Resource], components: Components) -> int:
    """By how much one more card raises what these score (JG-6)."""
    before = sum(resource_points(have, components).values())
    return sum(resource_points((*have, card), components).values()) - before


def score_parts(
    table: Table, seat: Seat, components: Components, hidden: Sequence[Resource] = ()
) -> dict[str, int]:
    """A seat's points by what they are for; hidden resources only where they are named."""
    claims = _claim_value(table, components) * claims_of(table, seat)
    made = {"claims": claims}
    if not components.second:
        made["scans"] = _scan_value(table, components) * scans_of(table, seat)
        made["jump_gate"] = _gate_points(table.jump_gate, seat, components)
    return made | resource_points((*table.collected[seat], *hidden), components)


def claims_of(table: Table, seat: Seat) -> int:
    """How many planets the seat has claimed."""
    return sum(1 for site in table.planets.values() if site.claim == seat)


def scans_of(table: Table, seat: Seat) -> int:
    """How many scan markers the seat has on planets."""
    return sum(site.scans.get(seat, 0) for site in table.planets.values())


def most_markers(markers: Mapping[Seat, int]) -> tuple[Seat, ...]:
    """Everybody who has most markers; nobody when there are none."""
    highest = max(markers.values(), default=0)
    return tuple(seat for seat, number in markers.items() if number == highest > 0)


def _claim_value(table: Table, components: Components) -> int:
    club = table.options.explorers_club
    return _CLUB_CLAIM if club else components.scoring["planet_claim"].value


def _scan_value(table: Table, components: Components) -> int:
    club = table.options.explorers_club
    return _CLUB_SCAN if club else components.scoring["scan_marker"].value


def _gate_points(markers: Mapping[Seat, int], seat: Seat, components: Components) -> int:
    """Most markers on the Jump Gate board; all who tie get it (JGA-12)."""
    return components.scoring["jump_gate_most"].value if seat in most_markers(markers) else 0


def _gems(counts: Mapping[Kind, int]) -> int:
    """Number of gems times number in the largest colour (JG-10)."""
    colours = [counts[gem] for gem in GEMS]
    return sum(colours) * max(colours)


def _pairs(light: int, dark: int, scale: Scale) -> int:
    pairs = min(light, dark)
    return pairs * scale.pair + (light + dark - 2 * pairs) * scale.single


def _by_table(number: int, scale: Scale) -> int:
    """The table's value; beyond its end its last one."""
    return scale.points[min(number, len(scale.points)) - 1] if number else 0
