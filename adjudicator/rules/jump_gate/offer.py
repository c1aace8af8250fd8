"""Resources that may be taken from a planet, as an action's wishes meet them (JG-14)."""

from collections.abc import Sequence

from adjudicator.rules.jump_gate.components import Planet
from adjudicator.rules.jump_gate.prefer import heard, meets, named
from adjudicator.rules.jump_gate.resources import NOTHING, UNKNOWN, Resource, takeable
from adjudicator.rules.jump_gate.state import Preferences
from adjudicator.rules.jump_gate.work import Illegal, Work


def there(work: Work, planet: Planet, *, down: bool) -> tuple[Resource, ...]:
    """What can be taken for sure; `down`: face-down cards too, as a landed player may."""
    cards = takeable(work.planets[planet].face_up)
    if down:
        cards += takeable(card for card in work.face_down[planet] if card != UNKNOWN)
    return cards


def perhaps(work: Work, planet: Planet, *, down: bool) -> tuple[Resource, ...]:
    """What may lie there beyond that, as far as the writer of a list can see."""
    unseen = [card for card in work.face_down[planet] if card == UNKNOWN] if down else []
    return (*work.haze[planet], *unseen)


def demand(work: Work, rule: str, wishes: Preferences, planet: Planet, *, down: bool) -> None:
    """If nothing that is named can be taken there, or nothing at all, it is not legal (JG-14)."""
    demand_of(work, rule, wishes, there(work, planet, down=down), perhaps(work, planet, down=down))


def demand_of(
    work: Work,
    rule: str,
    wishes: Preferences,
    sure: Sequence[Resource],
    unsure: Sequence[Resource],
) -> None:
    """The same of certain cards: some that are there for sure, and some that may be."""
    names, _ = heard(wishes, may=False)
    if not names:
        if not sure and not unsure:
            raise Illegal(rule, "There is nothing to take.")
        if not sure:
            work.doubt(rule, "What lies there is not sure yet.")
        return
    if named(names, sure) is not None:
        return
    if not any(card == UNKNOWN or meets(name, card) for card in unsure for name in names):
        if set(names) == {NOTHING}:
            raise Illegal(rule, 'A "nothing" is never taken.')
        raise Illegal(rule, f"There is no {' or '.join(names)} to take.")
    work.doubt(rule, f"Whether there is {' or '.join(names)} is not sure yet.")


def amount(work: Work, planet: Planet, *, down: bool) -> int:
    """How many cards may be there to choose among, as far as the whole table can see.

    Whether a player is asked must not tell what the face-down cards are (JG-13).
    """
    site = work.planets[planet]
    face_up = sum(1 for card in site.face_up if card != NOTHING) + len(work.haze[planet])
    return face_up + (len(work.face_down[planet]) if down else 0)


def differ(work: Work, planet: Planet, *, down: bool) -> bool:
    """Whether there is a choice among cards of which one must be taken (JG-15)."""
    if work.haze[planet] or (down and work.face_down[planet]):
        return amount(work, planet, down=down) > 1
    return len(set(there(work, planet, down=down))) > 1
