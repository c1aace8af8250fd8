"""Flights in plain words, which need the ring to be understood: `fly clockwise`."""

import re
from typing import Final

from adjudicator.core.document import Document, Seat
from adjudicator.rules.jump_gate.position.state import View, find_neighbours

_FLY: Final = re.compile(
    r"(?:fly|move|go|travel)(?: (?:on|1|one))?(?: (?:planet|step|space))?(?: to)?"
    r"(?: (?:(?P<on>next(?: planet)?|on|onwards?|forwards?|clockwise)"
    r"|(?P<back>previous(?: planet)?|back|backwards?|(?:counter|anti)-?\s?clockwise)))",
    re.IGNORECASE,
)


def guess_orders(view: View, seat: Seat, text: str) -> Document | None:
    """Guess the flight that a sentence means; clockwise is on (JG-1)."""
    said, at = _FLY.fullmatch(text), view.table.ships[seat].at
    if said is None or at is None or view.table.step != "turn":
        return None
    before, behind = find_neighbours(view.table.ring, at)
    return {"actions": [{"do": "fly", "to": behind if said["on"] else before}]}
