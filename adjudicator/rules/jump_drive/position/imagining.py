"""A random position that a seat cannot tell from the true one."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from adjudicator.core.dice import Chance, Dice
from adjudicator.core.document import Seat
from adjudicator.core.tabletop import deal_cards, list_unseen, remove_cards
from adjudicator.rules.jump_drive.position.components import Components, Name
from adjudicator.rules.jump_drive.position.state import State, View


def imagine(view: View, dice: Dice, components: Components) -> State:
    """Imagine the position behind a view.

    The cards that the view does not show are equally likely to lie in any other hand, in the
    deck and on the discard pile, except that a convoy that was seen to go onto the pile lies there
    (JD-22) and that a first game begins with preset hands (JD-2). Others have not said what they
    trim.
    """
    table, seat = view.table, view.seat
    chance = Chance(dice.draw("imagine"))
    hands = {} if seat is None else {seat: view.hand}
    hands |= _deal_presets(view, components, chance)
    unseen = list_unseen(components.deck, (*hands.values(), *_list_placed(view, components)))
    on_pile = _list_discarded(view, unseen)
    sizes = {other: view.hand_sizes[other] for other in table.seats if other not in hands}
    *other_hands, deck, discard = deal_cards(
        chance.shuffled(remove_cards(unseen, on_pile)),
        (*sizes.values(), view.deck_size, view.discard_size - len(on_pile)),
    )
    hands |= dict(zip(sizes, other_hands, strict=True))
    return State(
        table=table,
        hands={other: tuple(sorted(hands[other])) for other in table.seats},
        deck=deck,
        discard=tuple(sorted((*discard, *on_pile))),
        trims={seat: view.trims} if seat is not None and view.trims is not None else {},
        drawn={
            other: view.drawn if other == seat else hands[other][:size]
            for other, size in view.drawn_sizes.items()
        },
    )


def _list_placed(view: View, components: Components) -> Iterator[Sequence[Name]]:
    """List the cards of every empire that are not taken from the centre."""
    for empire in view.table.empires.values():
        yield [card for card in empire if card != components.team]


def _list_discarded(view: View, unseen: Sequence[Name]) -> Sequence[Name]:
    """List the cards that everybody saw go onto the pile, if the GM has not moved them since."""
    visible = Counter(view.table.open_discards or ()) & Counter(unseen)
    return list(visible.elements())[: view.discard_size]


def _deal_presets(
    view: View, components: Components, chance: Chance
) -> Mapping[Seat, tuple[Name, ...]]:
    """Deal preset hands to the others as long as nobody has placed anything in a first game."""
    table = view.table
    begins = (table.round, table.step) == (1, "place") and not any(table.empires.values())
    if not (table.options.first_game and begins):
        return {}
    presets = components.presets.values()
    if view.seat is not None and view.hand not in presets:
        return {}  # a position of the GM's
    rest = chance.shuffled(hand for hand in presets if hand != view.hand)
    others = [seat for seat in table.seats if seat != view.seat]
    if any(view.hand_sizes[seat] != components.constants.hand for seat in others):
        return {}
    return dict(zip(others, rest, strict=False))
