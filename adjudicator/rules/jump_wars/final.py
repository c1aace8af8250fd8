"""The final phase: the hand limit (JW-59).

Events, seen by everybody:
hand-limit   JW-59  seat, cards (discarded, in this order), limit
"""

from collections.abc import Sequence

from msgspec.structs import replace

from adjudicator.core.event import Event
from adjudicator.rules.jump_wars.components import Card, Components
from adjudicator.rules.jump_wars.state import Player, State, in_turn_order, without


def adjudicate(state: State, components: Components) -> tuple[State, tuple[Event, ...]]:
    """Everybody discards down to the limit, in seat order; raises still count."""
    events = []
    hands = dict(state.hands)
    pile = state.table.discard
    for seat in in_turn_order(state.table):
        player = state.table.players[seat]
        kept = state.kept.get(seat)
        cards = excess(player, hands[seat], kept.discard if kept else (), components)
        if cards:
            hands[seat] = without(hands[seat], cards)
            pile += cards
            data = {"seat": seat, "cards": list(cards), "limit": hand_limit(player)}
            events.append(Event(kind="hand-limit", rule="JW-59", seen_by=None, data=data))
    if not events:
        return state, ()
    return replace(state, hands=hands, table=replace(state.table, discard=pile)), tuple(events)


def hand_limit(player: Player) -> int:
    """How many cards a player may keep."""
    return 3 + player.level("research")


def excess(
    player: Player, hand: Sequence[Card], wanted: Sequence[Card], components: Components
) -> tuple[Card, ...]:
    """What goes: first what the player prefers to lose, then by JW-59, never more than must."""
    too_many = len(hand) - hand_limit(player)
    if too_many <= 0:
        return ()
    left = list(hand)
    cards = []
    for card in wanted:
        if card in left:
            left.remove(card)
            cards.append(card)

    def loss(card: Card) -> tuple[bool, int, int]:
        special = card in components.specials
        return special, 0 if special else -player.level(card), components.rank[card]

    return tuple([*cards, *sorted(left, key=loss)][:too_many])
