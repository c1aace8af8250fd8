"""Harvest in the second edition (JGB-7)."""

from typing import Final

from adjudicator.rules.jump_gate.components import Card, Planet
from adjudicator.rules.jump_gate.hand import hold, pay_one
from adjudicator.rules.jump_gate.movement import here
from adjudicator.rules.jump_gate.offer import demand_of
from adjudicator.rules.jump_gate.prefer import heard, named
from adjudicator.rules.jump_gate.resources import UNKNOWN, Resource
from adjudicator.rules.jump_gate.scan_second import PERHAPS, unmarked
from adjudicator.rules.jump_gate.work import Illegal, Work
from adjudicator.rules.jump_gate.written import Action, wishes

_RULE: Final = "JGB-7"


def harvest(work: Work, action: Action) -> None:
    """Discard any card to take one's marked card; without a mark, one that nobody has marked."""
    named_card: Card | None = action.get("card")
    hold(work, [named_card] if named_card else [])
    planet = here(work, _RULE, "harvest")
    take = wishes(action.get("take")) or ()
    sure, unsure = _offered(work, planet)
    demand_of(work, _RULE, take, sure, unsure)
    paid = pay_one(work, named_card, lambda _: True, _RULE, "kind of code")
    mark = work.planets[planet].marks.get(work.active)
    if unsure:
        work.blur(planet, work.active)
        return
    names, _ = heard(take, may=False)
    card = named(names, sure) or work.chooser(work.active).choice(sure)
    assert card is not None
    if mark is not None:
        marks = work.planets[planet].marks
        work.change(planet, marks={s: one for s, one in marks.items() if s != work.active})
    work.take_up(planet, card)
    work.gain(work.active, card, _RULE, at=planet, how="harvest", face_down=False, cards=list(paid))


def _offered(work: Work, planet: Planet) -> tuple[tuple[Resource, ...], tuple[Resource, ...]]:
    """The cards that may be taken: for sure, and perhaps."""
    site = work.planets[planet]
    mark = site.marks.get(work.active)
    if mark == UNKNOWN:
        return (UNKNOWN,), (UNKNOWN,)
    if mark == PERHAPS:
        return (), (UNKNOWN,)
    if mark is not None:
        return (mark,), ()
    if work.face_down[planet]:
        raise Illegal(_RULE, f"You have no mark at {planet}, and cards still lie face-down there.")
    free = unmarked(site)
    if not free and not work.haze[planet]:
        raise Illegal(_RULE, f"No face-up card at {planet} is unmarked.")
    return free, tuple(work.haze[planet])
