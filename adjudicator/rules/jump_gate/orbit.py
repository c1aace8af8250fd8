"""The variant Orbital Burn: in orbit, or landed (JGA-14)."""

from typing import Final

from adjudicator.rules.jump_gate.state import Ship
from adjudicator.rules.jump_gate.work import Illegal, Work
from adjudicator.rules.jump_gate.written import Action

RULE: Final = "JGA-14"


def landed(work: Work) -> bool:
    """Whether the active player has landed."""
    return work.ships[work.active].landed


def needed(work: Work) -> None:
    """What a landed ship cannot do before it has returned to orbit."""
    if landed(work):
        raise Illegal(RULE, "You have landed; return to orbit first.")


def return_to_orbit(work: Work, _action: Action) -> None:
    """An action without a discard."""
    planet = work.ships[work.active].at
    if not landed(work) or planet is None:
        raise Illegal(RULE, "You have not landed, so there is nothing to return from.")
    work.ships[work.active] = Ship(planet)
    if work.foreseeing:  # how the cards lie was never seen
        work.forget(planet)
    work.tell("returned", RULE, seat=work.active, at=planet)
