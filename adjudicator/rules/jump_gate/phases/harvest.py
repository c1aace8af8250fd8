"""Harvest in both editions, and what a planet offers (JG-14, JGA-8, JGA-9, JGB-7)."""

from collections.abc import Sequence
from typing import Final

from adjudicator.rules.jump_gate.phases import movement
from adjudicator.rules.jump_gate.phases.hand import pay_any, require_held
from adjudicator.rules.jump_gate.phases.movement import require_planet
from adjudicator.rules.jump_gate.phases.preferences import (
    choose_first,
    choose_several,
    foresee_choice,
    matches_name,
    split_preferences,
)
from adjudicator.rules.jump_gate.phases.scan import UNCERTAIN
from adjudicator.rules.jump_gate.phases.working_copy import Illegal, Work
from adjudicator.rules.jump_gate.position.components import Card, Planet
from adjudicator.rules.jump_gate.position.order_forms import Action, parse_preferences
from adjudicator.rules.jump_gate.position.resources import (
    NOTHING,
    UNKNOWN,
    Resource,
    list_collectable,
)
from adjudicator.rules.jump_gate.position.state import Preferences, list_unmarked


def list_sure_offer(work: Work, planet: Planet, *, down: bool) -> tuple[Resource, ...]:
    """List what can be taken for sure; `down`: face-down cards too, as a landed player may."""
    cards = list_collectable(work.planets[planet].face_up)
    if down:
        cards += list_collectable(card for card in work.face_down[planet] if card != UNKNOWN)
    return cards


def list_unsure_offer(work: Work, planet: Planet, *, down: bool) -> tuple[Resource, ...]:
    """List what may lie there beyond that, as far as the writer of a list can see."""
    unseen = [card for card in work.face_down[planet] if card == UNKNOWN] if down else []
    return (*work.haze[planet], *unseen)


def require_offer(
    work: Work, rule: str, wishes: Preferences, planet: Planet, *, down: bool
) -> None:
    """Require that something named can be taken there, or anything at all (JG-14)."""
    require_cards(
        work,
        rule,
        wishes,
        list_sure_offer(work, planet, down=down),
        list_unsure_offer(work, planet, down=down),
    )


def require_cards(
    work: Work,
    rule: str,
    wishes: Preferences,
    sure: Sequence[Resource],
    unsure: Sequence[Resource],
) -> None:
    """Require the same of certain cards: some that are there for sure, and some that may be."""
    names, _ = split_preferences(wishes, may=False)
    if not names:
        if not sure and not unsure:
            raise Illegal(rule, "There is nothing to take.")
        if not sure:
            work.doubt(rule, "What lies there is not sure yet.")
        return
    if choose_first(names, sure) is not None:
        return
    if not any(card == UNKNOWN or matches_name(name, card) for card in unsure for name in names):
        if set(names) == {NOTHING}:
            raise Illegal(rule, 'A "nothing" is never taken.')
        raise Illegal(rule, f"There is no {' or '.join(names)} to take.")
    work.doubt(rule, f"Whether there is {' or '.join(names)} is not sure yet.")


def count_offer(work: Work, planet: Planet, *, down: bool) -> int:
    """Count the cards that may be there to choose among, as far as the chooser can see."""
    sure = list_sure_offer(work, planet, down=down)
    number = len(sure) + len(list_unsure_offer(work, planet, down=down))
    if down and work.is_older:
        number += work.face_down[planet].count(NOTHING)
    return number


def has_choice(work: Work, planet: Planet, *, down: bool) -> bool:
    """Whether there is a choice among cards of which one must be taken (JG-15)."""
    visible = work.face_down[planet] if down and work.is_older else ()
    if visible or list_unsure_offer(work, planet, down=down):
        return count_offer(work, planet, down=down) > 1
    return len(set(list_sure_offer(work, planet, down=down))) > 1


_RULE_2010: Final = "JGA-8"


def harvest_2010(work: Work, action: Action) -> None:
    """Take a face-up resource of one's own claimed planet; a landed ship may take any there."""
    planet = require_planet(work, _RULE_2010, "harvest", action.get("at"))
    require_claim(work, planet, _RULE_2010)
    take = parse_preferences(action.get("take")) or ()
    down = movement.has_landed(work)
    require_offer(work, _RULE_2010, take, planet, down=down)
    gather(work, planet, take, 1, _RULE_2010, how="harvest", down=down)


def require_claim(work: Work, planet: Planet, rule: str) -> None:
    """Require a claimed planet: only those are harvested."""
    if work.planets[planet].claim is None:
        raise Illegal(rule, f"{planet} is not claimed yet.")


def gather(
    work: Work, planet: Planet, take: Preferences, number: int, rule: str, *, how: str, down: bool
) -> None:
    """Take up to this many cards: first those that are named, then the program's choice."""
    sure = list_sure_offer(work, planet, down=down)
    if unsure := list_unsure_offer(work, planet, down=down):
        chooser = work.make_chooser(work.active)
        card = foresee_choice(chooser, take, sure, unsure, may=False) if number == 1 else None
        work.foresee(planet, card, rule, how=how, payment=())
        work.blur(planet, work.active)
        return
    names, _ = split_preferences(take, may=False)
    choices = choose_several(names, sure, number)
    for place in range(min(number, len(sure))):
        offer = list_sure_offer(work, planet, down=down)
        card = (
            choices[place] if place < len(choices) else work.make_chooser(work.active).choose(offer)
        )
        assert card is not None
        work.collect(work.active, planet, card, rule, how=how)


_RULE_SECOND: Final = "JGB-7"


def harvest_second(work: Work, action: Action) -> None:
    """Discard any card for one's marked card or, without a mark, for one that nobody has marked."""
    named_card: Card | None = action.get("card")
    require_held(work, [named_card] if named_card else [])
    planet = require_planet(work, _RULE_SECOND, "harvest", action.get("at"))
    take = parse_preferences(action.get("take")) or ()
    sure, unsure = _list_offer(work, planet)
    require_cards(work, _RULE_SECOND, take, sure, unsure)
    payment = pay_any(work, named_card, _RULE_SECOND)
    if unsure:
        visible = [one for one in sure if one != UNKNOWN]
        card = foresee_choice(work.make_chooser(work.active), take, visible, unsure, may=False)
        work.foresee(planet, card, _RULE_SECOND, how="harvest", payment=payment)
        work.blur(planet, work.active)
        return
    names, _ = split_preferences(take, may=False)
    card = choose_first(names, sure) or work.make_chooser(work.active).choose(sure)
    assert card is not None
    work.unmark(planet, work.active)
    work.collect(work.active, planet, card, _RULE_SECOND, how="harvest", payment=payment)


def _list_offer(work: Work, planet: Planet) -> tuple[tuple[Resource, ...], tuple[Resource, ...]]:
    """List the cards that may be taken: for sure, and perhaps."""
    site = work.planets[planet]
    mark = site.marks.get(work.active)
    if mark == UNKNOWN:
        return (UNKNOWN,), (UNKNOWN,)
    if mark == UNCERTAIN:
        return (), (UNKNOWN,)
    if mark is not None:
        return (mark,), ()
    if work.face_down[planet]:
        raise Illegal(
            _RULE_SECOND, f"You have no mark at {planet}, and cards still lie face-down there."
        )
    free = list_unmarked(site)
    if not free and not work.haze[planet]:
        raise Illegal(_RULE_SECOND, f"No face-up card at {planet} is unmarked.")
    return free, tuple(work.haze[planet])
