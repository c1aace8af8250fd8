"""Conquering military worlds, one or two of them in a round (JD-7, JD-23)."""

from adjudicator.rules.jump_drive.components import Card
from adjudicator.rules.jump_drive.counting import Empire, general, special, strength
from adjudicator.rules.jump_drive.powers import MilitaryAgainst, MilitaryPer


def conquers(world: Card, empire: Empire) -> bool:
    """Whether the strength is enough; 0 is for defense 0."""
    return world.defense is not None and strength(world, empire) >= world.defense


def left_over(first: Card, second: Card, empire: Empire) -> int:
    """What is left against the second world, once the first lies in the empire (JD-23).

    The first has used up specialised strength that fits it alone, then what fits both, then
    general strength.
    """
    only_first = only_second = both = 0
    for card in empire:
        for power in card.of(MilitaryAgainst):
            fits = (first.fits(power.on), second.fits(power.on))
            only_first += power.military_against if fits == (True, False) else 0
            only_second += power.military_against if fits == (False, True) else 0
            both += power.military_against if fits == (True, True) else 0
    used = max(0, (first.defense or 0) - only_first)
    return general(empire) + both + only_second - used


def arithmetic(world: Card, empire: Empire) -> str:
    """Where the strength comes from: `space marines 2, military convoy 1`."""
    parts = [
        (card.name.lower(), value) for card in empire if (value := _brings(card, world, empire))
    ]
    return ", ".join(f"{name} {value}" for name, value in parts)


def shortfall(world: Card, empire: Empire) -> str:
    """Why the world is too strong, with the sum (JD-7)."""
    have = strength(world, empire)
    total = f" {have}: {arithmetic(world, empire)}" if have else " none"
    return f"{world.name} needs {world.defense}, you have{total}."


def _brings(card: Card, world: Card, empire: Empire) -> int:
    hired = sum(
        power.military_per.value * sum(one.icons(power.military_per.icon) for one in empire)
        for power in card.of(MilitaryPer)
    )
    return card.military + hired + special(world, (card,))
