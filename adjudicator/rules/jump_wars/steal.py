"""Theft after the trades (JW-17)."""

from adjudicator.core.dice import Dice
from adjudicator.core.document import Orders, Seat
from adjudicator.rules.jump_wars.state import highest
from adjudicator.rules.jump_wars.work import Work


def part(work: Work, orders: Orders, dice: Dice | None) -> None:
    """The player with the highest trade level takes one random card from one hand."""
    thief = highest(work.players, "trade")
    for seat in work.seats:
        victim = orders.get(seat, {}).get("steal")
        if victim is None:
            continue
        if why := _fault(work, seat, victim, thief):
            work.negate(seat, "JW-17", f"steal: {victim}", why, ("steal",))
        elif dice is not None:
            _take(work, seat, victim, dice)


def _fault(work: Work, seat: Seat, victim: Seat, thief: Seat | None) -> str:
    if thief != seat:
        return "Your trade level is not higher than everybody else's."
    if victim == seat:
        return "You cannot steal from yourself."
    if victim not in work.players:
        return f"{victim} is no player."
    if not work.has_cards(victim):
        return f"{victim} has no card in hand."
    return ""


def _take(work: Work, thief: Seat, victim: Seat, dice: Dice) -> None:
    hand = work.components.sorted(work.hands[victim])
    card = dice.draw("steal", thief).choice(hand)
    work.hands[victim].remove(card)
    work.hands[thief].append(card)
    work.tell("stolen", "JW-17", thief=thief, victim=victim)
    work.tell("stolen-card", "JW-17", thief, victim, thief=thief, victim=victim, card=card)
