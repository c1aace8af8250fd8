"""Exploring: a marker, many cards, and most of them put back (JD-11)."""

from collections.abc import Sequence
from typing import Final

from adjudicator.core.document import Seat
from adjudicator.rules.jump_drive.components import Components, Name
from adjudicator.rules.jump_drive.counting import icons
from adjudicator.rules.jump_drive.paying import preferred
from adjudicator.rules.jump_drive.work import Forms, Work

KEPT: Final = 2
"""Cards that an explorer wins in the end."""
_MORE: Final = 3
"""Cards that every explorer looks at beside those of icons."""


def looks_at(empire: Sequence[Name], components: Components) -> int:
    """How many cards the explorer draws."""
    return KEPT + icons(components.named(empire), "explore") + _MORE


def owed(drawn: int) -> int:
    """How many are discarded; where there were fewer to draw, as many fewer."""
    return max(0, drawn - KEPT)


def draw(work: Work, seat: Seat) -> None:
    """The marker and the cards; the discard is owed until it is made."""
    work.explores[seat] += 1
    cards = work.draw(seat, looks_at(work.empires[seat], work.components))
    work.drawn[seat] = cards
    work.tell("explored", "JD-11", seat=seat, markers=work.explores[seat], number=len(cards))
    if cards:
        work.tell("drew-cards", "JD-11", seat, seat=seat, cards=sorted(cards))


def discard(work: Work, seat: Seat, wanted: Sequence[Name]) -> None:
    """The discard: the cards named first, then the program's choice."""
    number = owed(len(work.drawn.pop(seat)))
    cards = preferred(work.hands[seat], wanted, number, work.empires[seat], work.components)
    work.spend(seat, cards)
    work.tell_discarded(seat, "JD-11", cards, "explore")


def owing(work: Work) -> tuple[Seat, ...]:
    """The explorers who have cards to discard, in seat order."""
    work.drawn = {seat: cards for seat, cards in work.drawn.items() if owed(len(cards))}
    return tuple(seat for seat in work.table.seats if seat in work.drawn)


def resolve(work: Work, forms: Forms) -> None:
    """The step explore: of explorers only."""
    for seat in work.order:
        if seat in work.drawn:
            discard(work, seat, tuple(forms.get(seat, {}).get("discard") or ()))
