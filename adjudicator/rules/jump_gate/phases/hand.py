"""Cards of the hand: held, discarded, drawn, and the action research (JG-6, JG-8, JGA-3, JGB-3)."""

from collections.abc import Sequence
from typing import Final

from adjudicator.core.document import Seat
from adjudicator.core.tabletop import list_kept_out
from adjudicator.rules.jump_gate.phases.working_copy import Illegal, Work
from adjudicator.rules.jump_gate.position.components import (
    WILD,
    Card,
    Code,
    Fits,
    NavComp,
    Planet,
    World,
    can_land,
    find_least_card,
    find_least_pair,
    list_landing_pairs,
    matches_landing_code,
)
from adjudicator.rules.jump_gate.position.order_forms import Action
from adjudicator.rules.jump_gate.position.resources import UNKNOWN

HAND: Final = "JG-6"
_DRAWN: Final = "it depends on the cards that you draw."
_NONE_LEFT: Final = "and none that you can still draw makes up for it"


def require_held(work: Work, cards: Sequence[Card]) -> None:
    """Require that the named cards are in the hand (JG-6)."""
    rest = list(work.hands[work.active])
    drawable, hoped = set(work.drawable), work.hoped
    for card in cards:
        if card in rest:
            rest.remove(card)
        elif hoped and card in drawable:
            drawable.remove(card)
            hoped -= 1
            work.doubt(HAND, f"{card} is not in your hand yet; {_DRAWN}")
        else:
            twice = card in work.hands[work.active]
            where = "only once in your hand" if twice else "not in your hand"
            raise Illegal(HAND, f"{card} is {where}.")


def spend(work: Work, cards: Sequence[Card]) -> None:
    """Discard cards that are held, in this order (JG-6)."""
    for card in cards:
        if card in work.hands[work.active]:
            work.hands[work.active].remove(card)
        else:
            work.drawable.discard(card)
            work.hoped -= 1
        work.discard.append(card)


def pay_any(work: Work, choice: Card | None, rule: str) -> tuple[Card, ...]:
    """Discard the named card, or the one that is worth least, whatever its codes (JGB-7)."""
    if not work.hoped and not work.hands[work.active]:
        raise Illegal(rule, "You have no card to discard.")
    return pay_one(work, choice, lambda _: True, rule, None)


def pay_one(
    work: Work, choice: Card | None, fits: Fits, rule: str, noun: str | None
) -> tuple[Card, ...]:
    """Discard the named card, or the one that fits and is worth least (JG-6).

    Without a name for what is wanted any card fits, also one that is only drawn by then.
    """
    all_cards = work.components.cards
    if choice is not None:
        if not fits(all_cards[choice]):
            raise Illegal(rule, f"{choice} has no {noun}.")
        spend(work, [choice])
        return (choice,)
    fitting = [card for card in work.hands[work.active] if fits(all_cards[card])]
    if work.hoped:
        if noun and not fitting:
            if not any(fits(all_cards[card]) for card in work.drawable):
                raise Illegal(rule, f"You have no card with a {noun}, {_NONE_LEFT}.")
            work.doubt(rule, f"You have no card with a {noun} yet; {_DRAWN}")
        return _spend_unsure(work, fitting, 1)
    if not fitting:
        raise Illegal(rule, f"You have no card with a {noun}.")
    card = find_least_card(fitting, work.ring, work.components)
    spend(work, [card])
    return (card,)


def pay_code(
    work: Work, choice: Card | None, action: str, number: int, planet: Planet, rule: str
) -> tuple[Card, ...]:
    """Discard a card that has this code of the planet."""
    noun = f"{action} code {number} for {planet}"
    return pay_one(work, choice, lambda card: card.fits(action, number), rule, noun)


def pay_pair(work: Work, choice: Sequence[Card], planet: Planet, rule: str) -> tuple[Card, ...]:
    """Discard two cards that match the landing codes, as named or worth least (JG-6)."""
    world, all_cards = work.find_world(planet), work.components.cards
    if len(choice) > 2:
        raise Illegal(rule, "A landing takes two cards.")
    if len(choice) == 2:
        if not can_land(all_cards[choice[0]], all_cards[choice[1]], world):
            raise Illegal(rule, _explain_codes([all_cards[card] for card in choice], world))
        spend(work, choice)
        return tuple(choice)
    if choice:
        return _add_partner(work, choice[0], planet, rule)
    hand = work.hands[work.active]
    pairs = list_landing_pairs(hand, world, work.components)
    if work.hoped:
        halves = [card for card in hand if matches_landing_code(all_cards[card], world)]
        if not pairs:
            _hope_for_pair(work, world, rule)
        return _spend_unsure(work, halves, 2)
    if not pairs:
        raise Illegal(rule, "You have no two cards that match the landing codes.")
    pair = find_least_pair(pairs, work.ring, work.components)
    spend(work, pair)
    return pair


def _explain_codes(cards: Sequence[NavComp], world: World) -> str:
    """Explain which codes a landing takes, and which of them the two cards have."""
    first, second = world.land
    have = [
        f"{card.id} has {' and '.join(_describe_code(one) for one in codes) or 'none'}"
        for card in cards
        for codes in [[one for one in card.codes if one.action == "land"]]
    ]
    return f"{world.name} takes landing codes {first} and {second}; {' and '.join(have)}."


def _describe_code(code: Code) -> str:
    return "any" if code.code == WILD else str(code.code)


def _add_partner(work: Work, card: Card, planet: Planet, rule: str) -> tuple[Card, ...]:
    """Add to the named card the least that makes it a pair."""
    world, all_cards = work.find_world(planet), work.components.cards
    if not matches_landing_code(all_cards[card], world):
        raise Illegal(rule, f"{card} matches none of the landing codes.")
    others = [one for one in work.hands[work.active] if one != card]
    fitting = [one for one in others if can_land(all_cards[card], all_cards[one], world)]
    missing = f"You have no card that lands together with {card}"
    hoped = work.hoped - (card not in work.hands[work.active])
    if not hoped and not fitting:
        raise Illegal(rule, f"{missing}.")
    spend(work, [card])
    if hoped:
        if not fitting:
            if not any(
                can_land(all_cards[card], all_cards[one], world) for one in work.drawable - {card}
            ):
                raise Illegal(rule, f"{missing}, {_NONE_LEFT}.")
            work.doubt(rule, f"{missing} yet; {_DRAWN}")
        return (card, *_spend_unsure(work, fitting, 1))
    other = find_least_card(fitting, work.ring, work.components)
    spend(work, [other])
    return (card, other)


def _hope_for_pair(work: Work, world: World, rule: str) -> None:
    hand = work.hands[work.active]
    pairs = list_landing_pairs({*hand, *work.drawable}, world, work.components)
    if not any(len({*pair} - {*hand}) <= work.hoped for pair in pairs):
        raise Illegal(rule, f"You have no two cards that match the landing codes, {_NONE_LEFT}.")
    work.doubt(rule, f"You have no two cards for the landing codes yet; {_DRAWN}")


def _spend_unsure(work: Work, fitting: Sequence[Card], number: int) -> tuple[Card, ...]:
    """Spend fitting cards that the draw will decide: none of them is sure any more."""
    for card in fitting:
        work.hands[work.active].remove(card)
    work.drawable |= set(fitting)
    work.hoped += len(fitting) - number
    work.discard += [UNKNOWN] * number
    return (UNKNOWN,) * number


def refill(work: Work, seat: Seat, rule: str) -> None:
    """Draw up to the size of a hand, or as many as there are (JG-8)."""
    number = work.components.constants.hand.size - len(work.hands[seat]) - work.hoped
    if work.is_foreseeing:
        _hope_for_cards(work, number)
        return
    new_cards: list[Card] = []
    while len(new_cards) < number and (work.deck or work.discard):
        if not work.deck:
            _replace_deck(work)
        new_cards.append(work.deck.pop(0))
    work.hands[seat] += new_cards
    work.tell("drew", rule, seat=seat, number=len(new_cards))
    if new_cards:
        work.tell("drew-cards", rule, seat, seat=seat, cards=sorted(new_cards))


def _replace_deck(work: Work) -> None:
    """Make the discard pile the deck: shuffled, or turned over (JGA-3, JGB-3)."""
    assert work.dice is not None
    if work.components.is_second:
        work.deck, rule = work.discard, "JGB-3"
    else:
        work.deck = list(work.dice.draw("shuffle", str(work.shuffles)).shuffled(work.discard))
        work.shuffles += 1
        rule = "JGA-3"
    if work.kept_out is not None:
        work.kept_out = list_kept_out(dict.fromkeys(work.components.cards, 1), work.discard)
    work.discard = []
    shuffled = not work.components.is_second
    work.tell("deck-replaced", rule, number=len(work.deck), shuffled=shuffled)


def _hope_for_cards(work: Work, number: int) -> None:
    """Note how many cards will come, and what they may be, while a list is only tried."""
    number = min(number, len(work.deck) + len(work.discard))
    if number <= 0:
        return
    if number > len(work.deck):
        if UNKNOWN in work.discard:  # one of those that the draw decides
            work.stock |= work.drawable
        if not work.components.is_second:
            work.stock |= {*work.discard} - {UNKNOWN}
        work.deck += work.discard
        work.discard = []
    new_cards, work.deck = work.deck[:number], work.deck[number:]
    hand = work.hands[work.active]
    # everything is drawn, or the oldest discard first: so cards of the pile come for sure (JGB-3)
    if not work.deck or work.components.is_second:
        hand += [card for card in new_cards if card != UNKNOWN]
        new_cards = [card for card in new_cards if card == UNKNOWN]
    work.hoped += len(new_cards)
    work.drawable |= work.stock - {*hand, *work.discard}


_RULE = "JG-8"


def research(work: Work, action: Action) -> None:
    """Discard cards, all before the first one is drawn, and refill the hand."""
    cards = list(action.get("discard") or ())
    require_held(work, cards)
    spend(work, cards)
    work.tell("researched", _RULE, seat=work.active, cards=cards)
    refill(work, work.active, _RULE)
