"""A random position that a seat cannot tell from the true one."""

from adjudicator.core.dice import Chance, Dice
from adjudicator.core.tabletop import deal_hands, find_held, list_unseen
from adjudicator.rules.jump_wars.position.components import Components
from adjudicator.rules.jump_wars.position.state import State, View


def imagine(view: View, dice: Dice, components: Components) -> State:
    """Imagine the position behind a view.

    The cards that the view does not show are equally likely to lie in any other hand and in the
    deck, but those that were not on the discard pile when it became the deck are in hands. Others
    have no standing orders, and no fight preferences behind their revealed orders.
    """
    table, seat = view.table, view.seat
    others = [other for other in table.seats if other != seat]
    unseen = list_unseen(components.cards, (view.hand, table.discard))
    sizes = [view.hand_sizes[other] for other in others]
    in_hands = find_held(unseen, components.cards, table.kept_out or ())
    chance = Chance(dice.draw("imagine"))
    other_hands, deck = deal_hands(unseen, in_hands, sizes, view.deck_size, chance)
    hands = {} if seat is None else {seat: view.hand}
    hands |= {
        other: components.sort_cards(hand) for other, hand in zip(others, other_hands, strict=True)
    }
    return State(
        table=table,
        hands={other: hands[other] for other in table.seats},
        deck=deck,
        kept={seat: view.kept} if seat is not None and view.kept else {},
        standing={seat: view.standing} if seat is not None and view.standing else {},
    )
