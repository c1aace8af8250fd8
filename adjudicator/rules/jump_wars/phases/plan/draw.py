"""The draw phase and the deck (JW-7, JW-14, JW-15)."""

from adjudicator.core.dice import Dice
from adjudicator.core.document import Orders, Seat
from adjudicator.core.tabletop import list_kept_out
from adjudicator.rules.jump_wars.phases.working_copy import Luck, Work
from adjudicator.rules.jump_wars.position.components import Card
from adjudicator.rules.jump_wars.position.state import RUINS, find_leader

BRAINS = "positronic-brains"
_CARDS = 2  # JW-14
_EXTRA = 1  # JW-14
_RUINS_CARDS = 2  # JW-15
BRAINS_COST = 10  # JW-15


def draw_for_all(work: Work, dice: Dice) -> None:
    """Let everybody draw, and the seat with the highest research once more (JW-14)."""
    for seat in work.seats:
        draw_cards(work, seat, _CARDS, dice, "JW-14")
    scholar = find_leader(work.players, "research")
    if scholar is not None:
        draw_cards(work, scholar, _EXTRA, dice, "JW-14", extra=True)


def draw_extras(work: Work, orders: Orders, dice: Dice | None) -> None:
    """Draw what the plan form asks for on top: first the ruins, then the brains (JW-15)."""
    for seat, extras in work.list_wanted(orders, "draw"):
        if extras.get("progenitor_ruins"):
            _draw_for_ruins(work, seat, dice)
        if extras.get("positronic_brains"):
            _draw_for_brains(work, seat, dice)


def _draw_for_ruins(work: Work, seat: Seat, dice: Dice | None) -> None:
    if not work.holds(seat, RUINS):
        why = "You do not hold the progenitor ruins."
        work.negate(seat, "JW-15", "progenitor ruins", why, ("draw", "progenitor_ruins"))
        return
    work.spend(seat, RUINS)
    work.tell("ruins", "JW-15", seat=seat)
    draw_cards(work, seat, _RUINS_CARDS, dice, "JW-15")


def _draw_for_brains(work: Work, seat: Seat, dice: Dice | None) -> None:
    why = ""
    if not work.has(seat, BRAINS):
        why = "You do not have the ability positronic brains."
    elif BRAINS in work.players[seat].used:
        why = "They have been used this turn."
    elif work.players[seat].tokens < BRAINS_COST:
        why = f"It costs {BRAINS_COST} RT; you have {work.players[seat].tokens}."
    elif not (work.deck or work.discard or work.unseen):
        why = "There is no card left to draw."
    if why:
        work.negate(seat, "JW-15", "positronic brains", why, ("draw", "positronic_brains"))
        return
    work.pay(seat, BRAINS_COST)
    work.tell("brains", "JW-15", seat=seat, paid=BRAINS_COST)
    draw_cards(work, seat, 1, dice, "JW-15")


def draw_cards(
    work: Work, seat: Seat, number: int, dice: Dice | None, rule: str, *, extra: bool = False
) -> None:
    """Move cards from the deck to a hand, as many as there are."""
    if dice is None:  # a check knows only that cards will come, if any are left
        if work.luck is Luck.BEST:
            work.wild += min(number, work.unseen + len(work.discard))
        return
    cards = _take_top(work, number)
    if len(cards) < number and work.discard:
        _reshuffle(work, dice)
        cards += _take_top(work, number - len(cards))
    if cards:
        work.hands[seat] += cards
        work.tell("drew", rule, seat=seat, cards=len(cards), extra=extra)
        work.tell("drew-cards", rule, seat, seat=seat, cards=cards)


def _take_top(work: Work, number: int) -> list[Card]:
    """Take the first cards of the deck."""
    cards = work.deck[:number]
    del work.deck[:number]
    return cards


def _reshuffle(work: Work, dice: Dice) -> None:
    """Make the discard pile the deck when a card is to be drawn, not before (JW-7)."""
    work.deck = list(dice.draw("shuffle", str(work.shuffles)).shuffled(work.discard))
    work.shuffles += 1
    if work.kept_out is not None:
        work.kept_out = list_kept_out(work.components.cards, work.discard)
    work.discard = []
    work.tell("shuffled", "JW-7", cards=len(work.deck))
