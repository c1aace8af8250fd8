"""A random state that a seat cannot tell from the true one."""

from adjudicator.core.dice import Chance, Dice
from adjudicator.core.document import Seat
from adjudicator.core.tabletop import deal_cards, list_copies, list_unseen
from adjudicator.rules.toy_duel.position.components import Box
from adjudicator.rules.toy_duel.position.state import State
from adjudicator.rules.toy_duel.position.view import View


def imagine(box: Box, view: View, seat: Seat | None, dice: Dice) -> State:
    """A state behind this view.

    Every card that was not played and is not in the own hand is equally likely to be in any other
    hand and in the deck. Others have no standing orders.
    """
    unseen = list_unseen(box.copies, (view.hand, view.played))
    others = [other for other in view.seats if other != seat]
    sizes = (*(view.hand_sizes[other] for other in others), view.deck_size)
    while len(unseen) < sum(sizes):
        unseen += list_copies(box.copies)  # the GM's position has more cards than the box
    *dealt, deck = deal_cards(Chance(dice.draw("imagine")).shuffled(unseen), sizes)
    hands = {other: box.in_order(cards) for other, cards in zip(others, dealt, strict=True)}
    return State(
        options=view.options,
        seats=view.seats,
        round=view.round,
        step=view.step,
        hands={s: hands.get(s, view.hand) for s in view.seats},
        deck=deck,
        played=view.played,
        scores=view.scores,
        scorer=view.scorer,
        standing={seat: view.standing} if seat and view.standing else {},
        winners=view.winners,
    )
