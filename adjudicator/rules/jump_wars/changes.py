"""What a step changed on the map, for those who draw it (report.py says where it stands)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from adjudicator.core.document import Document
from adjudicator.core.event import Event
from adjudicator.rules.jump_wars.state import Table

Facts = Mapping[str, Any]


def changes(table: Table, events: Sequence[Event]) -> Document:
    """The changes by their sort, each in the order of the events; revealed orders wait."""
    made: dict[str, list[Facts]] = {sort: [] for sort in (*_SORTS.values(), "revealed")}
    for event in events:
        if event.kind in _SORTS:
            made[_SORTS[event.kind]].append(_FACTS[event.kind](event.data))
    made["revealed"] = _revealed(table)
    return made


def _jump(data: Facts) -> Facts:
    return {key: data[key] for key in ("seat", "from", "to", "fleets")}


def _move(data: Facts) -> Facts:
    return {key: data[key] for key in ("seat", "from", "to")}


def _fight(data: Facts) -> Facts:
    return {key: data[key] for key in ("at", "left", "lost")}


def _built(data: Facts) -> Facts:
    return {key: data[key] for key in ("seat", "at", "fleets")}


def _assimilated(data: Facts) -> Facts:
    return {"seat": data["side"], "at": data["at"], "fleets": data["fleets"]}


def _sabotaged(data: Facts) -> Facts:
    return {"seat": data["side"], "at": data["at"], "fleets": 1}


_SORTS: Final = {
    "jumped": "jumps",
    "homeworld-moved": "homeworlds",
    "fight": "fights",
    "built": "gained",
    "assimilated": "gained",
    "sabotaged": "lost",
}
_FACTS: Final[Mapping[str, Callable[[Facts], Facts]]] = {
    "jumped": _jump,
    "homeworld-moved": _move,
    "fight": _fight,
    "built": _built,
    "assimilated": _assimilated,
    "sabotaged": _sabotaged,
}


def _revealed(table: Table) -> list[Facts]:
    """The jump orders that lie open and are not carried out yet (JW-46)."""
    return [
        {"seat": seat, "from": jump.source, "to": jump.target, "fleets": jump.fleets}
        for seat in table.seats
        if table.written is not None and seat in table.written
        for jump in table.written[seat].jumps
    ]
