"""What a player can do with the next action, and what each of it brings."""

from collections.abc import Iterator, Sequence
from typing import Final

from adjudicator.rules.jump_gate.bot import deeds_2010, deeds_second
from adjudicator.rules.jump_gate.bot.thought import Action, Option, Thought
from adjudicator.rules.jump_gate.phases.working_copy import Work
from adjudicator.rules.jump_gate.position.components import Card, Planet
from adjudicator.rules.jump_gate.position.resources import has_icon, list_collectable
from adjudicator.rules.jump_gate.position.state import Site, find_neighbours

_IDLE: Final = 0.3
"""What brings less is not worth an action."""
_LATE: Final = 30
"""After so many rounds only what brings the end nearer is done, so that every game ends."""
_PATIENCE: Final = 8
"""The rounds in which a late player stays with a planet."""
_DEEDS: Final = ("land", "harvest", "scan")


def find_best(mind: Thought) -> Action:
    """Find the action that brings most; where nothing helps, go where something is left to do."""
    worth, action = max(list_options(mind), key=lambda option: option[0])
    return action if worth >= _IDLE and not is_late(mind.work) else _bring_end_nearer(mind)


def is_late(work: Work) -> bool:
    """Whether the game has lasted too long."""
    return work.turn > _LATE * len(work.seats)


def list_options(mind: Thought) -> list[Option]:
    """List everything worth a thought."""
    here, landed = mind.ship.at, mind.ship.landed
    moves = list(_list_moves(mind))
    then = _value_next_move(mind, moves)
    deeds = [mind.offer_research(), *_list_deeds(mind, here, mind.hand, landed=landed)]
    return [*((worth + then, action) for worth, action in deeds), *moves]


def _value_next_move(mind: Thought, moves: Sequence[Option]) -> float:
    """Value the move that can follow a deed in the same turn; a move and a deed take all of it."""
    weights = mind.weights
    if mind.work.actions_left < 2:
        return 0.0
    best = max([worth for worth, _ in moves], default=0.0)
    return weights.rest * max(0.0, best) * weights.later / weights.soon


def _list_deeds(
    mind: Thought, planet: Planet | None, hand: Sequence[Card], *, landed: bool = False
) -> list[Option]:
    """List what can be done at the place with these cards."""
    if mind.work.components.is_second:
        return [] if planet is None or not hand else deeds_second.list_deeds(mind, planet, hand)
    return deeds_2010.list_deeds(mind, planet, hand, landed=landed)


def _list_moves(mind: Thought) -> Iterator[Option]:
    """List every way to another place, with what can be done there."""
    work, at = mind.work, mind.ship.at
    share = mind.weights.soon if work.actions_left > 1 else mind.weights.later
    if mind.ship.landed:
        yield share * _value_place(mind, at), {"do": "return-to-orbit"}
        return
    if at is not None:
        for planet in dict.fromkeys(find_neighbours(work.ring, at)):
            yield share * _value_place(mind, planet), {"do": "fly", "to": planet}
    gate = 0.0 if work.components.is_second else mind.weights.gate
    for card in mind.hand:
        for planet in work.ring:
            if planet != at and card in mind.almanac.jumpers[planet]:
                worth = gate + share * _value_place(mind, planet, card) - mind.costs[card]
                yield worth, {"do": "jump", "to": planet, "card": card}
        if mind.almanac.specials.get(card) == "wormhole":
            for planet in work.ring:
                if planet != at:
                    worth = share * _value_place(mind, planet, card) - mind.costs[card]
                    yield worth, {"do": "special", "card": card, "to": planet}


def _value_place(mind: Thought, planet: Planet | None, expense: Card | None = None) -> float:
    """Value the best that can be done there, after one card was spent for the way."""
    if planet not in mind.places:
        mind.places[planet] = _find_best_deed(mind, planet, mind.hand)
    worth, action = mind.places[planet]
    if expense is None or not (expense == action.get("card") or expense in action.get("cards", ())):
        return worth
    return _find_best_deed(mind, planet, [card for card in mind.hand if card != expense])[0]


_NO_DEED: Final[Option] = (0.0, {})


def _find_best_deed(mind: Thought, planet: Planet | None, hand: Sequence[Card]) -> Option:
    return max([_NO_DEED, *_list_deeds(mind, planet, hand)], key=lambda option: option[0])


def _bring_end_nearer(mind: Thought) -> Action:
    """Do what must be done before the game can end, or fly there, or get the cards for it."""
    work, at, landed = mind.work, mind.ship.at, mind.ship.landed
    deeds = [one for one in _list_deeds(mind, at, mind.hand, landed=landed) if _is_deed(one)]
    if deeds:
        return max(deeds, key=lambda option: option[0])[1]
    goals = [planet for planet, site in work.planets.items() if _has_goal(work, planet, site)]
    if landed:
        return {"do": "return-to-orbit"}
    if at is None or not goals:
        return _leave_gate(mind)
    goal = _choose_goal(work, at, goals)
    if goal == at:
        return {"do": "research", "discard": _list_useless(mind, at)}
    return {"do": "fly", "to": _step_towards(work.ring, at, goal)}


def _is_deed(option: Option) -> bool:
    return option[1]["do"] in _DEEDS


def _has_goal(work: Work, planet: Planet, site: Site) -> bool:
    """Whether something keeps the game from ending there (JGA-10, JGB-8)."""
    if site.claim is None or work.components.is_second:
        return site.claim is None
    return bool(work.face_down[planet]) or not all(map(has_icon, list_collectable(site.face_up)))


def _leave_gate(mind: Thought) -> Action:
    """Jump anywhere, or draw cards for that."""
    for card in mind.hand:
        for planet in mind.work.ring:
            if card in mind.almanac.jumpers[planet] and planet != mind.ship.at:
                return {"do": "jump", "to": planet, "card": card}
    return {"do": "research", "discard": list(mind.hand)}


def _choose_goal(work: Work, at: Planet, goals: Sequence[Planet]) -> Planet:
    """Choose the nearest goal; late in the game one after the other, as one may lead nowhere."""
    if is_late(work):
        return goals[work.turn // (_PATIENCE * len(work.seats)) % len(goals)]
    return min(goals, key=lambda goal: min(_count_flights(work.ring, at, goal)))


def _count_flights(ring: Sequence[Planet], start: Planet, goal: Planet) -> tuple[int, int]:
    """Count the flights clockwise, and those the other way."""
    ahead = (ring.index(goal) - ring.index(start)) % len(ring)
    return ahead, len(ring) - ahead


def _step_towards(ring: Sequence[Planet], start: Planet, goal: Planet) -> Planet:
    ahead, behind = _count_flights(ring, start, goal)
    return ring[(ring.index(start) + (1 if ahead <= behind else -1)) % len(ring)]


def _list_useless(mind: Thought, planet: Planet) -> list[Card]:
    """List the cards of the hand that do not help there; all if none of them moves it on."""
    if mind.work.face_down[planet] and mind.work.components.is_second:
        return list(mind.hand)  # none of them scans, or it would have been done
    useful = []
    for cards in mind.almanac.landers[planet]:
        useful += [card for card in mind.hand if card in cards][:1]
    return [card for card in mind.hand if card not in useful] or list(mind.hand)
