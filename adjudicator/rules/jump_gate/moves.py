"""Where ships went in a turn, for those who look at the ring after any of its steps."""

from collections.abc import Iterable, Iterator

from adjudicator.core.event import Event
from adjudicator.rules.jump_gate.state import Move, Table


def of_turn(before: Table, events: Iterable[Event]) -> tuple[Move, ...]:
    """The moves of the turn that was played, also those made before it was asked for again."""
    earlier = tuple(move for move in before.moves if move.turn == before.turn)
    return earlier + tuple(move for event in events for move in _moves(event, before.turn))


def _moves(event: Event, turn: int) -> Iterator[Move]:
    data = event.data
    if event.kind in ("flew", "jumped", "warped"):
        yield Move(turn=turn, seat=data["seat"], origin=data["origin"], to=data["to"])
    elif event.kind == "swapped":
        yield Move(turn=turn, seat=data["seat"], origin=data["there"], to=data["here"])
        yield Move(turn=turn, seat=data["player"], origin=data["here"], to=data["there"])
