"""How a person of the bench plans ahead in Jump Gate: by imagining how the game may go on.

The person plays as the bot does, but knows the view alone. They imagine some worlds, see what they
would do in each, and write down the few plans that would have been right in most of them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Seat
from adjudicator.core.finding import Grade
from adjudicator.core.game import Over, Strength, choose_orders
from adjudicator.rules.jump_gate.phases.scoring import find_gain
from adjudicator.rules.jump_gate.position.resources import NOTHING, has_icon, remove_icon

BOT: Strength = "easy"
"""People play as this bot does; it is the quickest."""
_WORLDS = 8
_MOST = 3
"""Nobody writes more plans than these for one step, beside the last."""
_SURE = 0.6
"""A plan is right in at least this share of the worlds in which it would be used."""
_FATAL = (Grade.UNREADABLE, Grade.REFUSED, Grade.DOOMED)
_PAYING = ("card", "cards", "discard")

Roll = Callable[[str], Dice]
"""What makes dice from a label."""
Stage = tuple[int, int]
"""A step to come: the number of the turn, and the actions left of it."""


class Moment(Struct, frozen=True):
    """What the seat would see at a step to come in an imagined world, and do."""

    view: Any
    orders: Document


class Idea(Struct, frozen=True):
    """Orders that may be written down, and on which conditions."""

    conditions: Document
    orders: Document


_OTHERWISE = Idea({}, {"actions": [{"do": "research"}]})
"""The last plan of each step, as in the guide: research never fails."""


class Planner:
    """Somebody on a seat who plans the rest of this turn and so many more."""

    def __init__(self, rules: Any, seat: Seat, turns: int) -> None:
        self._rules = rules
        self._seat = seat
        self._turns = turns

    def list_standing(self, view: Any) -> Document:
        """List every resource in the order of its worth, so that no question is left."""
        return dict.fromkeys(("collect", "mark", "take"), self._rank(view))

    def list_plans(self, view: Any, orders: Document, roll: Roll) -> list[Document]:
        """List plans for the steps to come, the orders for now being these."""
        stages: dict[Stage, list[Moment]] = {}
        for world in range(_WORLDS):
            for stage, moment in self._imagine(view, orders, world, roll):
                stages.setdefault(stage, []).append(moment)
        made = []
        for turn, left in sorted(stages, key=lambda stage: (stage[0], -stage[1])):
            for idea in self._choose(stages[turn, left], view.hand):
                limits = {"turn": turn, "left": left, **idea.conditions}
                made.append({"step": "turn", "if": limits, **idea.orders})
        return made

    def _imagine(
        self, view: Any, orders: Document, world: int, roll: Roll
    ) -> Iterator[tuple[Stage, Moment]]:
        """Play an imagined world to the end of the seat's next turn."""
        rules, seat = self._rules, self._seat
        last = view.table.turn + len(view.table.seats) * self._turns
        state = rules.imagine(view, seat, roll(f"{world}-world"))
        given: Mapping[Seat, Document] = {seat: orders}
        for number in range(99):
            dice = roll(f"{world}-{number}")
            state, _ = rules.resolve(state, given, dice)
            due = rules.due(state)
            if isinstance(due, Over) or state.table.turn > last:
                return
            given = {one: self._answer(state, one, dice) for one in due}
            if seat in due and state.table.awaiting is None:
                stage = (state.table.turn, state.table.actions_left)
                yield stage, Moment(rules.view(state, seat), given[seat])

    def _answer(self, state: Any, seat: Seat, dice: Dice) -> Document:
        return choose_orders(self._rules, self._rules.view(state, seat), seat, dice, BOT)

    def _choose(self, moments: Sequence[Moment], hand: Sequence[str]) -> Iterator[Idea]:
        """Choose the few plans that are right, each for the worlds that those before it leave."""
        ideas = list(self._list_ideas(moments, hand))
        left = list(moments)
        for _ in range(_MOST):
            fits = {
                n: [one for one in left if self._fits(idea, one)] for n, idea in enumerate(ideas)
            }
            rights = {n: _count_right(ideas[n].orders, used) for n, used in fits.items()}
            sure = [n for n, used in fits.items() if used and rights[n] >= _SURE * len(used)]
            best = max(sure, key=lambda n: (rights[n], -len(fits[n])), default=None)
            if best is None:
                break
            yield ideas[best]
            left = [one for one in left if one not in fits[best]]
        yield _OTHERWISE

    def _list_ideas(self, moments: Sequence[Moment], hand: Sequence[str]) -> Iterator[Idea]:
        """List what might be written, wherever the ship is or there only.

        Nobody names cards that are yet to be drawn.
        """
        ranked = self._rank(moments[0].view)
        seen: list[Idea] = []
        for moment in moments:
            place = moment.view.table.ships[self._seat].at or "jump-gate"
            for orders in _list_wordings(moment.orders, ranked):
                for conditions in ({}, {"at": place}):
                    idea = Idea(conditions, orders)
                    if idea not in seen and _list_cards(orders) <= set(hand):
                        seen.append(idea)
                        yield idea

    def _fits(self, idea: Idea, moment: Moment) -> bool:
        """Whether the plan would be filed there."""
        rules, view = self._rules, moment.view
        for word, value in idea.conditions.items():
            if not rules.holds(view, self._seat, word, value):
                return False
        found = rules.check(view, self._seat, idea.orders)
        return not any(one.grade in _FATAL for one in found)

    def _rank(self, view: Any) -> list[str]:
        components = self._rules.components
        have = (*view.table.collected[self._seat], *view.hidden)
        worth = {card: find_gain(card, have, components) for card in components.resource_cards}
        known = [card for card in worth if remove_icon(card) != NOTHING]
        return sorted(known, key=lambda card: (has_icon(card), -worth[card]))


def _list_taken(orders: Document) -> Iterator[str]:
    for action in orders.get("actions", ()):
        if action["do"] == "harvest":
            yield from action.get("take") or ()


def _list_cards(orders: Document) -> set[str]:
    """List the cards that orders name."""
    actions = orders.get("actions", ())
    named = [card for one in actions for key in ("cards", "discard") for card in one.get(key) or ()]
    return {*named, *(one["card"] for one in actions if "card" in one)}


def _list_wordings(orders: Document, ranked: Sequence[str]) -> Iterator[Document]:
    """As it is; with a list of all that can be harvested, the best first; without the cards."""
    actions = orders.get("actions", ())
    listed = [{**one, "take": [*ranked]} if one["do"] == "harvest" else one for one in actions]
    bare = [
        {key: one[key] for key in one if key not in _PAYING or one["do"] == "special"}
        for one in listed
    ]
    for made in (actions, listed, bare):
        yield {**orders, "actions": [dict(one) for one in made]}


def _count_right(orders: Document, moments: Sequence[Moment]) -> int:
    return sum(_is_same(orders, one.orders) for one in moments)


def _is_same(plan: Document, orders: Document) -> bool:
    """Whether the plan does what the person would do there; which cards pay for it is no matter."""
    ours, theirs = plan.get("actions", ()), orders.get("actions", ())
    return len(ours) == len(theirs) and all(map(_is_same_action, ours, theirs))


def _is_same_action(planned: Document, wanted: Document) -> bool:
    for key in ("do", "to", "at", "player", "remove"):
        if planned.get(key) != wanted.get(key):
            return False
    if planned["do"] == "special" and planned["card"] != wanted["card"]:
        return False
    return set(_list_taken({"actions": [wanted]})) <= set(_list_taken({"actions": [planned]}))
