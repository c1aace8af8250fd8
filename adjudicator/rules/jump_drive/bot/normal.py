"""A bot that tries every choice and takes the most promising one.

The number that counts is victory points at the end of the game. An empire brings its points in
every round that is left; a card of income, or one kept in hand, becomes points in the rounds
after it has been placed.

It sees what its seat sees. What it pays with and discards it leaves to the program, whose choice
goes by the same valuation (JD-31).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from adjudicator.core.document import Seat
from adjudicator.core.tabletop import remove_cards
from adjudicator.rules.jump_drive.orders import check
from adjudicator.rules.jump_drive.orders.check import (
    find_empire_after,
    list_choices,
    list_second_worlds,
)
from adjudicator.rules.jump_drive.phases.costs import (
    Placement,
    make_placement,
)
from adjudicator.rules.jump_drive.phases.placing import add_first_world
from adjudicator.rules.jump_drive.phases.valuation import Valuation
from adjudicator.rules.jump_drive.position import counting
from adjudicator.rules.jump_drive.position.components import Card, Components, Name
from adjudicator.rules.jump_drive.position.order_forms import AUTO, Placing, write_form
from adjudicator.rules.jump_drive.position.powers import MovesTo
from adjudicator.rules.jump_drive.position.state import Table, View

_GROWTH: Final = 2.3
"""How many more points a round an empire earns after each round."""

_HORIZON: Final = 12
"""The most rounds that the bot expects a game to last from now on."""

_WORST: Final = -10
"""The least value of a card in hand, since any card can pay for others."""

_WARY: Final = 2
"""The lead in strength that makes propaganda likely, since others place cards, too."""

# What things are worth in points for each round left; found by playing many games.
_INCOME: Final = 0.5
_CARD: Final = 0.6
"""The value of a card for the next round, up to `_ENOUGH` of them."""
_ENOUGH: Final = 8
_HELD: Final = 0.02
"""The value of a card in hand for each point of its valuation (JD-31)."""
_STRENGTH: Final = 0.15
_EXPLORE: Final = 0.09
_CHROMOSOME: Final = 0.06
_LOOKED: Final = 0.06
"""The value of one more card to choose from when exploring."""


class Gain(Struct, frozen=True):
    """The points and cards that an empire yields in a round."""

    points: int
    income: int


class Outlook:
    """The table from one seat."""

    def __init__(
        self, table: Table, seat: Seat, components: Components, sight: float | None = None
    ) -> None:
        self.components = components
        self.empires: Mapping[Seat, tuple[Card, ...]] = {
            other: components.find_cards(empire) for other, empire in table.empires.items()
        }
        self.others = counting.list_others(self.empires, seat)
        self.rival = max((counting.count_general(empire) for empire in self.others), default=0)
        self.left = sight or self._guess_rounds_left(table)
        """How many rounds will probably be scored, this one included."""
        self._own = self.empires[seat]
        self._beside = Valuation(self._own)
        self._ranks: dict[Name, int] = {}

    def count_gain(self, empire: Sequence[Card]) -> Gain:
        """Count what the empire would bring, beside the others as they stand now."""
        own = self._move_propaganda(empire)
        return Gain(
            sum(counting.count_points(card, own, self.others) for card in own),
            sum(counting.count_income(card, own, self.others) for card in own),
        )

    def _move_propaganda(self, empire: Sequence[Card]) -> Sequence[Card]:
        """Return the empire once propaganda has gone to the strongest (JD-12)."""
        if counting.count_general(empire) < self.rival + _WARY:
            return tuple(card for card in empire if not card.list_powers(MovesTo))
        won = [card for other in self.others for card in other if card.list_powers(MovesTo)]
        return (*empire, *won)

    def keep_cards(self, hand: Sequence[Name], number: int) -> Sequence[Name]:
        """Choose the cards that stay in hand when those worth least have paid."""
        ranking = sorted(hand, key=self._rank)
        return ranking[number:]

    def _rank(self, name: Name) -> int:
        if name not in self._ranks:
            self._ranks[name] = self._beside.appraise(self.components.cards[name])
        return self._ranks[name]

    def appraise_exploring(self, empire: Sequence[Card], hand: Sequence[Name]) -> float:
        """Appraise exploring: two cards more, the best of many."""
        looked = counting.count_icons(empire, "explore") + 3
        better = _LOOKED * looked * (self.left - 1)
        return self.appraise(empire, hand, draws=2) + better

    def appraise(self, empire: Sequence[Card], hand: Sequence[Name], *, draws: int = 0) -> float:
        """Appraise an empire and the cards kept beside it, after placing."""
        gain, rounds = self.count_gain(empire), self.left
        later = rounds - 1
        build = (
            _STRENGTH * counting.count_general(empire)
            + _EXPLORE * counting.count_icons(empire, "explore")
            + _CHROMOSOME * counting.count_icons(empire, "chromosome")
        )
        cards = min(_ENOUGH, len(hand) + draws + gain.income)
        hand_worth = sum(max(_WORST, self._rank(name)) for name in hand)
        return (
            gain.points * rounds
            + gain.income * _INCOME * later * rounds / 2
            + (_CARD * cards + _HELD * hand_worth + build) * later
        )

    def _guess_rounds_left(self, table: Table) -> float:
        goal = self.components.constants.goal
        rounds = []
        for seat, empire in self.empires.items():
            others = counting.list_others(self.empires, seat)
            rate = float(sum(counting.count_points(card, empire, others) for card in empire))
            points, number = float(table.vp[seat]), 0
            while points < goal and number < _HORIZON:
                rate += _GROWTH
                points += rate
                number += 1
            rounds.append(number)
        return float(max(1, min(rounds)))


Form = dict[str, Any]


def bot(view: View, seat: Seat, components: Components, sight: float | None = None) -> Form:
    """Choose orders for the form that is due; with `sight` it looks at so many rounds."""
    step = view.table.step
    if step not in ("place", "second"):
        return {}
    outlook = Outlook(view.table, seat, components, sight)
    choose = _order_placement if step == "place" else _order_second
    return choose(view, seat, outlook)


def _order_placement(view: View, _: Seat, outlook: Outlook) -> Form:
    components, own = outlook.components, check.find_holdings(view)
    exploring = outlook.appraise_exploring(components.find_cards(own.empire), own.hand)
    best = _find_best(outlook, list_choices(own, components), exploring)
    if best is None:
        return {"explore": True, "discard": AUTO}
    return write_form(best.form)


def _order_second(view: View, seat: Seat, outlook: Outlook) -> Form:
    components = outlook.components
    own = add_first_world(check.find_holdings(view), view.table.placed[seat])
    nothing = make_placement(own, Placing(), components)
    best = _find_best(outlook, list_second_worlds(nothing), _appraise(outlook, nothing))
    if best is None or best.form.second is None:
        return {"pass": True}
    return write_form(best.form.second)


def _find_best(outlook: Outlook, cases: Iterable[Placement], least: float) -> Placement | None:
    """Find the choice worth most, of equals the first; nothing if all are worth less."""
    best = None
    for play in cases:
        value = _appraise(outlook, play)
        if value > least:
            best, least = play, value
    return best


def _appraise(outlook: Outlook, play: Placement) -> float:
    """Appraise what is left once the choice has been carried out."""
    costs = play.costs
    alone = play.world is not None and play.places_first and play.development is None
    rest = outlook.keep_cards(
        remove_cards(play.own.hand, play.placed),
        costs.development + costs.world + costs.second,
    )
    return outlook.appraise(find_empire_after(play), rest, draws=int(alone))
