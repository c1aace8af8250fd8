"""The hand limit after income (JD-15)."""

from adjudicator.core.document import Seat
from adjudicator.rules.jump_drive.paying import preferred
from adjudicator.rules.jump_drive.work import Forms, Work


def excess(work: Work, seat: Seat) -> int:
    """How many cards the seat has too many."""
    return max(0, len(work.hands[seat]) - work.components.constants.limit)


def by_preference(work: Work) -> None:
    """Those who have said in the place form what goes first; it holds for this round only."""
    wanted, work.trims = work.trims, {}
    for seat in work.order:
        if seat in wanted:
            _discard(work, seat, wanted[seat])


def owing(work: Work) -> tuple[Seat, ...]:
    """Who has too many cards, in seat order."""
    return tuple(seat for seat in work.table.seats if excess(work, seat))


def resolve(work: Work, forms: Forms) -> None:
    """The step trim: the cards named, else the program's choice (JD-31)."""
    for seat in work.order:
        _discard(work, seat, tuple(forms.get(seat, {}).get("discard") or ()))


def _discard(work: Work, seat: Seat, wanted: tuple[str, ...]) -> None:
    number = excess(work, seat)
    if number:
        cards = preferred(work.hands[seat], wanted, number, work.empires[seat], work.components)
        work.spend(seat, cards)
        work.tell_discarded(seat, "JD-15", cards, "trim")
