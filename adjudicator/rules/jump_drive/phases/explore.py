"""Exploring: a marker, many cards, and most of them put back (JD-11)."""

from collections.abc import Sequence

from adjudicator.core.document import Seat
from adjudicator.rules.jump_drive.phases.costs import choose_cards
from adjudicator.rules.jump_drive.phases.working_copy import Forms, Work
from adjudicator.rules.jump_drive.position.components import Name
from adjudicator.rules.jump_drive.position.counting import cards_seen, cards_to_discard


def draw(work: Work, seat: Seat) -> None:
    """The marker and the cards; the discard is owed until it is made."""
    work.explores[seat] += 1
    cards = work.draw(seat, cards_seen(work.empires[seat], work.components))
    work.drawn[seat] = cards
    work.tell("explored", "JD-11", seat=seat, markers=work.explores[seat], number=len(cards))
    if cards:
        work.tell("drew-cards", "JD-11", seat, seat=seat, cards=sorted(cards))


def discard(work: Work, seat: Seat, wanted: Sequence[Name]) -> None:
    """The discard: the cards named first, then the program's choice."""
    number = cards_to_discard(len(work.drawn.pop(seat)))
    cards = choose_cards(work.hands[seat], wanted, number, work.empires[seat], work.components)
    work.spend(seat, cards)
    work.tell_discarded(seat, "JD-11", cards, "explore")


def seats_to_discard(work: Work) -> tuple[Seat, ...]:
    """The explorers who have cards to discard, in seat order."""
    work.drawn = {seat: cards for seat, cards in work.drawn.items() if cards_to_discard(len(cards))}
    return tuple(seat for seat in work.table.seats if seat in work.drawn)


def resolve_explore(work: Work, forms: Forms) -> None:
    """The step explore: of explorers only."""
    for seat in work.order:
        if seat in work.drawn:
            discard(work, seat, tuple(forms.get(seat, {}).get("discard") or ()))
