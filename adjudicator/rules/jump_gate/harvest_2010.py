"""Harvest in the 2010 edition, and the backroom-deal (JGA-8, JGA-9, JGA-14)."""

from typing import Final

from adjudicator.rules.jump_gate import orbit
from adjudicator.rules.jump_gate.components import Planet
from adjudicator.rules.jump_gate.movement import here
from adjudicator.rules.jump_gate.offer import demand, perhaps, there
from adjudicator.rules.jump_gate.prefer import heard, several
from adjudicator.rules.jump_gate.state import Preferences
from adjudicator.rules.jump_gate.work import Illegal, Work
from adjudicator.rules.jump_gate.written import Action, wishes

_RULE: Final = "JGA-8"


def harvest(work: Work, action: Action) -> None:
    """One face-up resource of one's own planet, if it is claimed; landed, any resource there."""
    planet = here(work, _RULE, "harvest")
    claimed(work, planet, _RULE)
    take = wishes(action.get("take")) or ()
    down = orbit.landed(work)
    demand(work, _RULE, take, planet, down=down)
    gather(work, planet, take, 1, _RULE, how="harvest", down=down)


def claimed(work: Work, planet: Planet, rule: str) -> None:
    """Only claimed planets are harvested."""
    if work.planets[planet].claim is None:
        raise Illegal(rule, f"{planet} is not claimed yet.")


def gather(
    work: Work, planet: Planet, take: Preferences, number: int, rule: str, *, how: str, down: bool
) -> None:
    """Takes so many cards at most: first those that are named, then the program's choice."""
    sure = there(work, planet, down=down)
    if perhaps(work, planet, down=down):
        work.blur(planet, work.active)
        return
    names, _ = heard(take, may=False)
    found = several(names, sure, number)
    for place in range(min(number, len(sure))):
        left = there(work, planet, down=down)
        card = found[place] if place < len(found) else work.chooser(work.active).choice(left)
        assert card is not None
        face_down = work.take_up(planet, card)
        work.gain(work.active, card, rule, at=planet, how=how, face_down=face_down, cards=[])
