"""The opening: of the cards dealt some are given back (JD-2)."""

from adjudicator.rules.jump_drive.paying import preferred
from adjudicator.rules.jump_drive.work import Forms, Work


def number(work: Work) -> int:
    """How many cards everybody gives back."""
    constants = work.components.constants
    return constants.dealt - constants.hand


def resolve(work: Work, forms: Forms) -> None:
    """Everybody gives back the cards named, else the program's choice (JD-31)."""
    for seat in work.table.seats:
        named = tuple(forms.get(seat, {}).get("discard") or ())
        cards = preferred(work.hands[seat], named, number(work), (), work.components)
        work.spend(seat, cards)
        work.tell_discarded(seat, "JD-2", cards, "opening")
