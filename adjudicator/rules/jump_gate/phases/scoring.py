"""The values of resources, claims and markers (JG-10, JGA-12, JGB-10)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from adjudicator.core.document import Seat
from adjudicator.core.memo import Latest
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
    remove_icon,
)
from adjudicator.rules.jump_gate.position.state import Table

_CLUB: Final = {"planet_claim": 5, "scan_marker": 2}  # JGA-12, variant Explorers' Club


def score_resources(cards: Iterable[Resource], components: Components) -> dict[str, int]:
    """Score resources together, by what they are (JG-10, JGB-10)."""
    counts = Counter(remove_icon(card) for card in cards)
    scoring = components.scoring
    points = {
        "gem": _score_gems(counts),
        "energel": _score_pairs(counts[LIGHT], counts[DARK], scoring["energel"]),
        "fame": counts[FAME] * scoring["fame"].value,
        "water": _score_by_table(counts[WATER], scoring["water"]),
    }
    if "sand" in scoring:
        points["sand"] = _score_by_table(counts[SAND], scoring["sand"])
    return points


def find_gain(card: Resource, have: Sequence[Resource], components: Components) -> int:
    """Find the points by which one more card raises what these score (JG-6)."""
    before = sum(score_resources(have, components).values())
    return sum(score_resources((*have, card), components).values()) - before


def score_parts(
    table: Table, seat: Seat, components: Components, hidden: Sequence[Resource] = ()
) -> dict[str, int]:
    """Score a seat's points by what they are for; hidden resources only if they are named."""
    values = list_values(components, is_club=table.options.explorers_club)
    parts = {"claims": values["planet_claim"] * count_claims(table, seat)}
    if not components.is_second:
        parts["scans"] = values["scan_marker"] * count_scans(table, seat)
        # all who tie for most markers on the Jump Gate board get it (JGA-12)
        most = seat in find_most_markers(table.jump_gate)
        parts["jump_gate"] = values["jump_gate_most"] if most else 0
    return parts | score_resources((*table.collected[seat], *hidden), components)


@Latest
def score_seats(
    table: Table, components: Components, hidden_shown: Mapping[Seat, Sequence[Resource]]
) -> Mapping[Seat, Mapping[str, int]]:
    """Score everybody by what all can see, hidden resources that are shown among it."""
    return {
        seat: score_parts(table, seat, components, hidden_shown.get(seat, ()))
        for seat in table.seats
    }


def list_values(components: Components, *, is_club: bool) -> Mapping[str, int]:
    """List the points of whatever has the same everywhere, by its name in the components."""
    values = {name: scale.value for name, scale in components.scoring.items()}
    return values | _CLUB if is_club else values


def count_claims(table: Table, seat: Seat) -> int:
    """Count how many planets the seat has claimed."""
    return sum(1 for site in table.planets.values() if site.claim == seat)


def count_scans(table: Table, seat: Seat) -> int:
    """Count how many scan markers the seat has on planets."""
    return sum(site.scans.get(seat, 0) for site in table.planets.values())


def find_most_markers(markers: Mapping[Seat, int]) -> tuple[Seat, ...]:
    """Find the seats with most markers; none if there are no markers."""
    highest = max(markers.values(), default=0)
    return tuple(seat for seat, number in markers.items() if number == highest > 0)


def _score_gems(counts: Mapping[Kind, int]) -> int:
    """Score gems: their number times the number in the largest colour (JG-10)."""
    colours = [counts[gem] for gem in GEMS]
    return sum(colours) * max(colours)


def _score_pairs(light: int, dark: int, scale: Scale) -> int:
    pairs = min(light, dark)
    return pairs * scale.pair + (light + dark - 2 * pairs) * scale.single


def _score_by_table(number: int, scale: Scale) -> int:
    """Score by the table; beyond its end, by its last value."""
    return scale.points[min(number, len(scale.points)) - 1] if number else 0
