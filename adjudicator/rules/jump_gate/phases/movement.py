"""Fly and jump, in orbit or landed (JG-9, JGA-5, JGA-14)."""

from typing import Final

from adjudicator.core.document import Seat
from adjudicator.rules.jump_gate.phases.hand import pay_code, require_held
from adjudicator.rules.jump_gate.phases.working_copy import Illegal, Work
from adjudicator.rules.jump_gate.position.components import Planet
from adjudicator.rules.jump_gate.position.order_forms import Action
from adjudicator.rules.jump_gate.position.state import Ship, find_neighbours

ORBIT_RULE: Final = "JGA-14"


def has_landed(work: Work) -> bool:
    """Whether the active player has landed."""
    return work.ships[work.active].landed


def require_orbit(work: Work) -> None:
    """Require a ship in orbit, for what a landed ship cannot do."""
    if has_landed(work):
        raise Illegal(ORBIT_RULE, "You have landed; return to orbit first.")


def return_to_orbit(work: Work, _action: Action) -> None:
    """Return to orbit, an action without a discard."""
    planet = work.ships[work.active].at
    if not has_landed(work) or planet is None:
        raise Illegal(ORBIT_RULE, "You have not landed, so there is nothing to return from.")
    work.ships[work.active] = Ship(planet)
    if work.is_foreseeing:  # the order of the cards was never seen
        work.forget(planet)
    work.tell("returned", ORBIT_RULE, seat=work.active, at=planet)


_RULE = "JG-9"


def fly(work: Work, action: Action) -> None:
    """Fly to a neighbouring planet, without a card; not from the Jump Gate."""
    require_orbit(work)
    target: Planet = action["to"]
    origin = work.ships[work.active].at
    if origin is None:
        raise Illegal(_RULE, "You cannot fly from the Jump Gate; jump instead.")
    require_in_play(work, target, _RULE)
    if target not in (near := find_neighbours(work.ring, origin)):
        raise Illegal(_RULE, f"{target} is not next to {origin}; {' and '.join(near)} are.")
    arrive(work, work.active, target)
    work.tell("flew", _RULE, seat=work.active, origin=origin, to=target)


def jump(work: Work, action: Action) -> None:
    """Jump to any other planet, with a card that has its jump code; also from the Jump Gate."""
    require_orbit(work)
    target: Planet = action["to"]
    card = action.get("card")
    require_held(work, [card] if card else [])
    require_in_play(work, target, _RULE)
    require_elsewhere(work, target, _RULE)
    cards = pay_code(work, card, "jump", work.find_world(target).jump, target, _RULE)
    origin = work.ships[work.active].at
    arrive(work, work.active, target)
    marker = not work.components.is_second
    if marker:  # JGA-5
        work.jump_gate[work.active] += 1
    work.tell(
        "jumped",
        _RULE,
        seat=work.active,
        origin=origin,
        to=target,
        cards=list(cards),
        marker=marker,
    )


def arrive(work: Work, seat: Seat, planet: Planet | None) -> None:
    """Put the ship there, in orbit (JGA-14)."""
    origin = work.ships[seat]
    if work.is_foreseeing and origin.landed and origin.at is not None:
        work.forget(origin.at)
    work.ships[seat] = Ship(planet)


def require_in_play(work: Work, planet: Planet, rule: str) -> None:
    """Require a planet of the ring."""
    if planet not in work.ring:
        raise Illegal(rule, f"{planet} is not in play.")


def require_elsewhere(work: Work, planet: Planet, rule: str) -> None:
    """Require another planet as the target."""
    if work.ships[work.active].at == planet:
        raise Illegal(rule, f"You are at {planet} already.")


def require_planet(work: Work, rule: str, what: str, choice: Planet | None = None) -> Planet:
    """Require the active player's planet, which is the one that was named, if any was.

    On the Jump Gate there is none.
    """
    planet = work.ships[work.active].at
    if planet is None:
        raise Illegal(rule, f"You are on the Jump Gate; {what} only at a planet.")
    if choice not in (None, planet):
        raise Illegal(rule, f"You are at {planet}, not at {choice}.")
    return planet
