"""The deal, and the cards that are given back of it (JD-1 to JD-3)."""

from collections.abc import Sequence

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Seat
from adjudicator.rules.jump_drive.phases.costs import choose_cards
from adjudicator.rules.jump_drive.phases.working_copy import Forms, Work
from adjudicator.rules.jump_drive.position.components import Components, Name
from adjudicator.rules.jump_drive.position.options import list_seats, read_options
from adjudicator.rules.jump_drive.position.state import State, Table


def setup(options: Document, seats: Sequence[Seat], dice: Dice, components: Components) -> State:
    """The state in which the first orders are owed; raises Impossible for bad options."""
    named = list_seats(seats)
    chosen = read_options(options, named, components)
    dealer = chosen.dealer or dice.draw("dealer").choice(named)
    deal = _presets if chosen.first_game else _sevens
    hands, deck = deal(named, dice, components)
    return State(
        table=Table(
            options=chosen,
            seats=named,
            step="place" if chosen.first_game else "opening",
            dealer=dealer,
            empires=dict.fromkeys(named, ()),
            vp=dict.fromkeys(named, 0),
            explores=dict.fromkeys(named, 0),
        ),
        hands={seat: tuple(sorted(hand)) for seat, hand in hands.items()},
        deck=deck,
        discard=(),
    )


Deal = tuple[dict[Seat, tuple[Name, ...]], tuple[Name, ...]]


def _sevens(seats: Sequence[Seat], dice: Dice, components: Components) -> Deal:
    deck = dice.draw("deck").shuffled(_every(components))
    number = components.constants.dealt
    hands = {seat: deck[n * number : (n + 1) * number] for n, seat in enumerate(seats)}
    return hands, deck[len(seats) * number :]


def _presets(seats: Sequence[Seat], dice: Dice, components: Components) -> Deal:
    """Hands that are ready; those nobody gets are in the deck with all the rest."""
    letters = dice.draw("presets").shuffled(components.presets)
    hands = {seat: components.presets[letter] for seat, letter in zip(seats, letters, strict=False)}
    rest = list(_every(components))
    for hand in hands.values():
        for card in hand:
            rest.remove(card)
    return hands, dice.draw("deck").shuffled(rest)


def _every(components: Components) -> tuple[Name, ...]:
    """Every card of the deck, each copy."""
    return tuple(name for name, copies in components.deck.items() for _ in range(copies))


def cards_to_return(work: Work) -> int:
    """How many cards everybody gives back."""
    constants = work.components.constants
    return constants.dealt - constants.hand


def resolve_opening(work: Work, forms: Forms) -> None:
    """Everybody gives back the cards named, else the program's choice (JD-31)."""
    for seat in work.table.seats:
        named = tuple(forms.get(seat, {}).get("discard") or ())
        cards = choose_cards(work.hands[seat], named, cards_to_return(work), (), work.components)
        work.spend(seat, cards)
        work.tell_discarded(seat, "JD-2", cards, "opening")
