"""A random position that a seat cannot tell from the true one."""

from collections.abc import Mapping, Sequence

from adjudicator.core.dice import Chance, Dice
from adjudicator.core.document import Seat
from adjudicator.core.tabletop import deal_cards, deal_hands, find_held, list_unseen
from adjudicator.rules.jump_gate.position.components import Components, Planet
from adjudicator.rules.jump_gate.position.resources import (
    FAME,
    NOTHING,
    Resource,
    remove_icon,
    sort_cards,
)
from adjudicator.rules.jump_gate.position.state import Standing, State, View


def imagine(view: View, dice: Dice, components: Components) -> State:
    """Imagine the position behind a view.

    The NavComp cards that the view does not show are equally likely to lie in any other hand and
    in the deck, but those that were not on the discard pile when it became the deck are in hands.
    The resources are equally likely to lie at any place where they are hidden or face-down, except
    that hidden ones are never fame (JGB-2) and that all that has left the game is nothing (JGA-7).
    Others have no standing orders.
    """
    table, seat = view.table, view.seat
    chance = Chance(dice.draw("imagine"))
    others = [other for other in table.seats if other != seat]
    box = dict.fromkeys(components.cards, 1)
    unseen = list_unseen(box, (view.hand, table.discard))
    in_hands = find_held(unseen, box, table.kept_out or ())
    sizes = [view.hand_sizes[other] for other in others]
    other_hands, deck = deal_hands(unseen, in_hands, sizes, view.deck_size, chance)
    hands = {} if seat is None else {seat: view.hand}
    hands |= {other: tuple(sorted(cards)) for other, cards in zip(others, other_hands, strict=True)}
    hidden, piles = _deal_resources(view, components, chance)
    has_ordered = seat is not None and view.standing != Standing()
    return State(
        table=table,
        hands={other: hands[other] for other in table.seats},
        deck=deck,
        piles=piles,
        hidden=hidden,
        standing={seat: view.standing} if seat is not None and has_ordered else {},
        take=view.take,
    )


Cards = tuple[Resource, ...]


def _deal_resources(
    view: View, components: Components, chance: Chance
) -> tuple[Mapping[Seat, Cards], Mapping[Planet, Cards]]:
    """Deal the resources that the view does not show: hidden ones, and those lying face-down."""
    table, second = view.table, components.is_second
    visible_hidden = view.hidden_shown or ({} if view.seat is None else {view.seat: view.hidden})
    sizes = {seat: view.hidden_sizes[seat] for seat in table.seats if seat not in visible_hidden}
    heights = {
        planet: site.face_down
        for planet, site in table.planets.items()
        if planet not in view.face_down
    }
    visible = [site.face_up for site in table.planets.values()]
    visible += [
        cards
        for place in (table.collected, visible_hidden, view.face_down)
        for cards in place.values()
    ]
    barred = FAME if second else NOTHING
    unseen = sorted(
        chance.shuffled(list_unseen(components.resource_cards, visible)),
        key=lambda card: remove_icon(card) == barred,
    )
    number = sum(sizes.values())
    rest = chance.shuffled(unseen[number:] if second else unseen[: sum(heights.values())])
    hidden = {**visible_hidden, **_name(sizes, unseen)}
    piles = {planet: tuple(chance.shuffled(cards)) for planet, cards in view.face_down.items()}
    piles |= _name(heights, rest)
    return (
        {seat: sort_cards(hidden[seat]) for seat in table.seats},
        {planet: piles[planet] for planet in table.ring},
    )


def _name(sizes: Mapping[str, int], cards: Sequence[Resource]) -> dict[str, Cards]:
    return dict(zip(sizes, deal_cards(cards, sizes.values()), strict=True))
