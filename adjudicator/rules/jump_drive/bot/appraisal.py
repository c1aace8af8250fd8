"""What an empire and a hand are worth for the rest of the game, in victory points.

The weights were found by an evolution over some million games of bots. All of them grow
with the rounds that are probably left.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from adjudicator.core.document import Seat
from adjudicator.rules.jump_drive.bot.almanac import (
    CHROMOSOME,
    EXPLORE,
    STRENGTH,
    Almanac,
    Tally,
    list_rivals,
)
from adjudicator.rules.jump_drive.bot.choices import Choice, Chooser, Side
from adjudicator.rules.jump_drive.position.components import WORLD, Name
from adjudicator.rules.jump_drive.position.state import Table

_GROWTH: Final = 1.31
"""How many more points a round an empire earns after each round."""
_SOONER: Final = 0.78
"""Games end so much sooner than that growth says."""
_HORIZON: Final = 12

_LIMIT: Final = 10
"""Cards in hand that are of use (JD-15)."""
_KEEPS: Final = (0.1, 0.35, 0.75, 0.85, 0.95)
"""How likely propaganda stays, by the lead in strength, from -2 to 2."""
_WINS: Final = (0.0, 0.05, 0.15, 0.6, 0.85)
"""How likely propaganda of others comes."""
_PROPAGANDA: Final = (3, 1)
_PLAN: Final = 0.6
_HELD: Final = 0.08
"""What the cards in hand count by their ranks, beside those of the plan."""
_LACK: Final = 0.85
_PRICE: Final = 0.2
_LATER: Final = 0.76


class Weights(Struct, frozen=True):
    """What things are worth, with so many rounds left."""

    points: float
    income: float
    card: float
    excess: float
    strength: float
    explore: float
    chromosome: float
    eased: float
    eased_worlds: float
    looked: float
    promise: float


def weigh(rounds: float) -> Weights:
    """Weigh things for this many rounds, the present one included."""
    later = max(0.0, rounds - 1)
    return Weights(
        points=rounds + 0.363 * later,
        income=(0.108 + 0.3 * later) * later,
        card=0.98 * later,
        excess=0.23 * later,
        strength=(0.67 + 0.056 * later) * later,
        explore=0.119 * later * later,
        chromosome=0.24 * later,
        eased=0.79 * later,
        eased_worlds=0.16 * later / 60,
        looked=0.092 * later,
        promise=0.83 * later * later,
    )


class Outlook(Struct, frozen=True, kw_only=True):
    """What the others' empires mean for one player."""

    rivals: Sequence[int]
    """How often another empire has each thing."""
    movers: int
    """Copies of propaganda in other empires."""

    def count_gain(self, tally: Tally) -> tuple[float, float]:
        """Count points and income a round; propaganda goes to the strongest (JD-12)."""
        points, income = tally.count_gain(self.rivals)
        if not (tally.movers or self.movers):
            return points, income
        lead = min(2, max(-2, tally.things[STRENGTH] - self.rivals[STRENGTH])) + 2
        more = tally.movers * (_KEEPS[lead] - 1) + self.movers * _WINS[lead]
        return points + _PROPAGANDA[0] * more, income + _PROPAGANDA[1] * more


class Prospect(Struct, frozen=True):
    """What a card in hand may become."""

    gain: float
    """What it will add to the empire, from the next round on."""
    cost: int
    """Cards to pay, and itself."""
    need: int | None
    """General strength to conquer it; None: it is paid for."""
    rank: float
    """Cards of the lowest rank pay first."""
    is_world: bool


class Appraiser:
    """One side of the table, and how well its choices will serve it."""

    def __init__(self, side: Side, outlook: Outlook, rounds: float, almanac: Almanac) -> None:
        self._side = side
        self._outlook = outlook
        self._left = rounds
        self._almanac = almanac
        self._now = weigh(rounds)
        self._next = weigh(rounds - 1)
        self._base = outlook.count_gain(side.tally)
        self._prospects: dict[Name, Prospect] = {}

    def list_appraised(self, *, thorough: bool = True) -> list[tuple[float, Choice]]:
        """List every choice with its worth; the cards that it leaves are ranked."""
        side = self._side
        hand = tuple(self.rank(side.hand))
        new_side = Side(tally=side.tally, hand=hand, surveyed=side.surveyed)
        chooser = Chooser(new_side, self._almanac, thorough=thorough)
        return [(self.appraise(choice), choice) for choice in chooser.list_choices()]

    def rank(self, hand: Sequence[Name]) -> list[Name]:
        """Rank cards from the one to be given away first."""
        ranks = {name: (self._find_prospect(name).rank, name) for name in hand}
        return sorted(hand, key=ranks.__getitem__)

    def appraise(self, choice: Choice) -> float:
        """Appraise what a choice leaves, after its costs are paid with the lowest cards."""
        rest = choice.rest[choice.cost :]
        weights, tally = self._now, choice.tally
        points, income = self._outlook.count_gain(tally)
        cards = len(rest) + choice.drawn + income
        worth = (
            weights.points * points
            + weights.income * income
            + weights.card * min(_LIMIT, cards)
            - weights.excess * max(0.0, cards - _LIMIT)
            + weights.looked * choice.looked
            + _build(tally, weights)
        )
        if self._left <= 1:
            return worth
        hand_worth = sum([max(0.0, self._prospects[name].rank) for name in rest])
        return worth + _HELD * hand_worth + _PLAN * self._plan(rest, cards, tally.things[STRENGTH])

    def _plan(self, hand: Sequence[Name], cards: float, strength: int) -> float:
        """Appraise what can be placed in the next round: a development, a world, or both."""
        price = self._next.card
        best = {True: (0.0, 0), False: (0.0, 0)}
        for name in hand:
            one = self._prospects[name]
            if one.cost > cards or (one.need is not None and strength < one.need):
                continue
            gain = one.gain - price * one.cost
            if gain > best[one.is_world][0]:
                best[one.is_world] = gain, one.cost
        (world, world_cost), (development, development_cost) = best[True], best[False]
        together = (
            world + development
            if world_cost + development_cost <= cards
            else max(world, development)
        )
        return max(together, 2 * price)

    def _find_prospect(self, name: Name) -> Prospect:
        if name not in self._prospects:
            self._prospects[name] = self._make_prospect(name)
        return self._prospects[name]

    def _make_prospect(self, name: Name) -> Prospect:
        card, tally, weights = self._almanac.components.cards[name], self._side.tally, self._next
        new_tally = tally.grow(name)
        points, income = self._outlook.count_gain(new_tally)
        gain = (
            _LATER * weights.points * (points - self._base[0])
            + weights.income * (income - self._base[1])
            + _build(new_tally, weights)
            - _build(tally, weights)
        )
        later = max(0.0, self._left - 1)
        if card.defense is not None:
            need = card.defense - tally.count_special(name)
            lack = max(0, need - tally.things[STRENGTH])
            return Prospect(gain, 1, need, gain - _LACK * later * lack, is_world=True)
        cost = max(0, card.cost - tally.count_saved(name))
        rank = gain - _PRICE * later * cost
        return Prospect(gain, cost + 1, None, rank, is_world=card.kind == WORLD)


def _build(tally: Tally, weights: Weights) -> float:
    """Appraise what an empire can do for cards to come."""
    things = tally.things
    worth = (
        weights.strength * things[STRENGTH]
        + weights.explore * things[EXPLORE]
        + weights.chromosome * things[CHROMOSOME]
        + weights.promise * tally.promise
    )
    if tally.helpers:
        worth += weights.eased * tally.eases[0] + weights.eased_worlds * tally.eases[1]
    return worth


def make_outlook(tallies: Mapping[Seat, Tally], seat: Seat) -> Outlook:
    """Make the outlook of a seat beside the others."""
    others = [tally for other, tally in tallies.items() if other != seat]
    return Outlook(rivals=list_rivals(others), movers=sum(tally.movers for tally in others))


def guess_rounds_left(
    table: Table, tallies: Mapping[Seat, Tally], outlooks: Mapping[Seat, Outlook], goal: int
) -> float:
    """Guess how many rounds will be scored, this one included."""
    least = _HORIZON
    for seat, tally in tallies.items():
        rate = float(tally.count_gain(outlooks[seat].rivals)[0])
        points, number = float(table.vp[seat]), 0
        while points < goal and number < least:
            rate += _GROWTH
            points += rate
            number += 1
        least = min(least, number)
    return max(1.0, least - _SOONER)
