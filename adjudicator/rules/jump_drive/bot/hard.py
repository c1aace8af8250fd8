"""A bot that plays its best choices to the end of the game, in positions that it imagines.

Each imagined position gives the others hands, and the deck an order, that agree with the view
(see position/imagining.py). There everybody plays on by the appraisal alone, beside the empires
of others as they lie now. The better half of the choices is tried further, until one is left;
then the cards to pay it with are chosen in the same way. How much is tried is counted, not timed:
the same dice choose the same orders anywhere.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import Any, Final

from msgspec.structs import replace

from adjudicator.core.dice import Dice
from adjudicator.core.document import Seat
from adjudicator.core.tabletop import remove_cards
from adjudicator.rules.jump_drive.bot import normal
from adjudicator.rules.jump_drive.bot.almanac import Almanac, Tally
from adjudicator.rules.jump_drive.bot.appraisal import (
    Appraiser,
    Outlook,
    guess_rounds_left,
    make_outlook,
)
from adjudicator.rules.jump_drive.bot.choices import Choice, Side
from adjudicator.rules.jump_drive.position.components import Name
from adjudicator.rules.jump_drive.position.counting import count_discards
from adjudicator.rules.jump_drive.position.imagining import imagine
from adjudicator.rules.jump_drive.position.order_forms import Placing, write_form
from adjudicator.rules.jump_drive.position.state import State, View

Form = dict[str, Any]

_TRIED: Final = 8
"""The most choices that are tried, and ways to pay for one of them."""
_DISCARDS: Final = 21
"""The most ways to discard that are tried: all there are before the first round (JD-2)."""
_SPARED: Final = 5
"""So many more cards than are given away may be given away instead."""
_TRIES: Final = 192
"""How often choices are tried, all together, before the worse half of them is left out."""
_LONGEST: Final = 10
"""Rounds that are played on."""
_CLEAR: Final = 16
"""A lead of so many points is half as good as one beyond all doubt."""
_PRIOR: Final = 0.12
"""What a point of the appraisal counts beside the sum of the outcomes."""


def bot(view: View, seat: Seat, dice: Dice, almanac: Almanac) -> Form:
    """Choose orders for the form that is due."""
    step = view.table.step
    if step == "second":
        return normal.bot(view, seat, almanac.components)
    scene = Scene(view, seat, dice, almanac)
    return scene.place() if step == "place" else scene.discard()


class Scene:
    """The table from one seat."""

    def __init__(self, view: View, seat: Seat, dice: Dice, almanac: Almanac) -> None:
        table = view.table
        self._view, self._seat, self._almanac = view, seat, almanac
        self._constants = almanac.components.constants
        self._tallies = {
            other: Tally(almanac).grow(*empire) for other, empire in table.empires.items()
        }
        self._outlooks = {other: make_outlook(self._tallies, other) for other in table.seats}
        self._left = guess_rounds_left(table, self._tallies, self._outlooks, self._constants.goal)
        self._own = self._make_side(seat, view.hand)
        self._appraiser = Appraiser(self._own, self._outlooks[seat], self._left, almanac)
        self._positions = self._imagine(dice)

    def _make_side(self, seat: Seat, hand: tuple[Name, ...]) -> Side:
        surveyed = seat in self._view.table.surveyed
        return Side(tally=self._tallies[seat], hand=hand, surveyed=surveyed)

    def discard(self) -> Form:
        """Choose what is discarded in the steps opening, explore and trim."""
        hand, number = self._appraiser.rank(self._view.hand), self._view.owed
        orders = list_orders(hand, number, _DISCARDS)
        choices = [_stay(self._own.tally, one[number:]) for one in orders]
        return {"discard": list(remove_cards(hand, self._find_best(choices).rest))}

    def place(self) -> Form:
        """Choose what is placed, or exploring; explorers discard once they see their cards."""
        appraised = self._appraiser.list_appraised()
        ranking = [choice for _, choice in sorted(appraised, key=lambda one: -one[0])]
        choice = ranking[0] if self._left <= 1 else self._find_best(ranking[:_TRIED])
        form = write_form(choice.form)
        if choice.cost and choice.form.second is None:
            orders = list_orders(choice.rest, choice.cost, _TRIED)
            payments = [replace(choice, rest=rest) for rest in orders]
            choice = choice if self._left <= 1 else self._find_best(payments)
            form["pay"] = list(choice.rest[: choice.cost])
        return form

    def _find_best(self, choices: Sequence[Choice]) -> Choice:
        """Find what comes out best on average."""
        appraise = self._appraiser.appraise
        outcomes = {number: _PRIOR * appraise(choice) for number, choice in enumerate(choices)}
        while len(outcomes) > 1:
            for state in islice(self._positions, _TRIES // len(outcomes)):
                others = self._play_others(state)
                for number in outcomes:
                    outcomes[number] += self._try(choices[number], state, others)
            ranking = sorted(outcomes, key=lambda number: -outcomes[number])
            outcomes = {number: outcomes[number] for number in ranking[: len(ranking) // 2]}
        return choices[next(iter(outcomes))]

    def _imagine(self, dice: Dice) -> Iterator[State]:
        """Imagine positions; their dice are the bot's own, none of the game's."""
        key = dice.draw("bot", self._seat).make_key()
        number = 0
        while True:
            yield imagine(self._view, Dice(key, f"imagined {number}"), self._almanac.components)
            number += 1

    def _play_others(self, state: State) -> Sequence[int]:
        """Play the others' rounds; return the most points that one of them has after each."""
        pile = iter([*reversed(state.deck), *state.discard])
        step, best = state.table.step, list[int]()
        for seat in state.table.seats:
            if seat == self._seat:
                continue
            side = self._make_side(seat, state.hands[seat])
            runner = Runner(side, self._outlooks[seat], pile, self._almanac)
            if step == "opening":
                runner.discard_dealt(self._left)
            first = _stay(side.tally, side.hand) if step == "explore" else None
            points = runner.play(state.table.vp[seat], self._left, len(best) or _LONGEST, first)
            best = [max(both) for both in zip(best or points, points, strict=False)]
        return best

    def _try(self, choice: Choice, state: State, others: Sequence[int]) -> float:
        """Play this choice and the rounds after it; return how well that ends, from -1 to 1."""
        begins = state.table.step in ("opening", "trim")
        side = self._make_side(self._seat, choice.rest if begins else self._own.hand)
        pile = iter([*state.deck, *state.discard])
        runner = Runner(side, self._outlooks[self._seat], pile, self._almanac)
        first = None if begins else choice
        points = runner.play(state.table.vp[self._seat], self._left, len(others), first)
        lead = points[-1] - others[len(points) - 1]
        return lead / (abs(lead) + _CLEAR)


def _stay(tally: Tally, hand: Sequence[Name]) -> Choice:
    """Place nothing, with this hand."""
    return Choice(form=Placing(), tally=tally, rest=tuple(hand))


def list_orders(hand: Sequence[Name], number: int, most: int) -> list[tuple[Name, ...]]:
    """List orders in which cards leave a ranked hand: the lowest first, then others nearly so."""
    near = combinations(range(min(len(hand), number + _SPARED)), number)
    orders: dict[tuple[Name, ...], tuple[Name, ...]] = {}
    for leaving in sorted(near, key=sum):
        if len(orders) == most:
            break
        first = tuple(hand[place] for place in leaving)
        stay = (name for place, name in enumerate(hand) if place not in leaving)
        orders.setdefault(first, (*first, *stay))
    return [*orders.values()]


class Runner:
    """Plays one side on, by the appraisal alone."""

    def __init__(
        self, side: Side, outlook: Outlook, pile: Iterator[Name], almanac: Almanac
    ) -> None:
        self._side, self._outlook, self._pile, self._almanac = side, outlook, pile, almanac

    def discard_dealt(self, rounds: float) -> None:
        """Discard what everybody does before the first round (JD-2)."""
        constants = self._almanac.components.constants
        self._discard(self._appraise(rounds), constants.dealt - constants.hand)

    def play(
        self, points: int, remaining: float, rounds: int, first: Choice | None = None
    ) -> Sequence[int]:
        """Play this many rounds, or until the goal is reached; return the points after each."""
        constants, reached = self._almanac.components.constants, []
        for number in range(rounds):
            choice = first if first is not None and not number else None
            appraiser = self._appraise(remaining - number)
            if choice is None:
                appraised = appraiser.list_appraised(thorough=False)
                choice = max(appraised, key=lambda one: one[0])[1]
            self._place(choice, appraiser)
            gained, income = self._outlook.count_gain(self._side.tally)
            points += round(gained)
            reached.append(points)
            if points >= constants.goal:
                break
            self._draw(round(income))
            self._discard(
                self._appraise(remaining - number), len(self._side.hand) - constants.limit
            )
        return reached

    def _appraise(self, rounds: float) -> Appraiser:
        return Appraiser(self._side, self._outlook, max(1.0, rounds), self._almanac)

    def _place(self, choice: Choice, appraiser: Appraiser) -> None:
        side = self._side
        if choice.looked:
            number = self._draw(choice.looked)
            self._discard(appraiser, count_discards(number))
            return
        side.hand = choice.rest[choice.cost :]
        side.tally = choice.tally
        side.surveyed |= choice.form.development == self._almanac.components.team
        self._draw(choice.drawn)

    def _draw(self, number: int) -> int:
        cards = tuple(islice(self._pile, number))
        self._side.hand += cards
        return len(cards)

    def _discard(self, appraiser: Appraiser, number: int) -> None:
        if number > 0:
            self._side.hand = tuple(appraiser.rank(self._side.hand)[number:])
