"""How damage is split among enemies and poured over their fleets (JW-53, JW-55, JW-57).

Fleets of one side in one fight are a tuple of the damage each has taken, the most damaged first.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from adjudicator.rules.jump_wars.position.state import Side

Fleets = tuple[int, ...]


class StruckFleets(Struct, frozen=True):
    """A side's fleets after fire."""

    left: Fleets
    killers: tuple[Side | None, ...]
    """Per fleet destroyed, who is credited with it; None is nobody (JW-57)."""


def split(
    budget: int,
    enemies: Mapping[Side, Fleets],
    defense: Mapping[Side, int],
    targets: Sequence[Side],
) -> Mapping[Side, int]:
    """Split a shooter's damage among its targets, as if it acted alone (JW-53, JW-55).

    `enemies` are in seat order. What is left when all of them are dead belongs to nobody.
    """
    if len(enemies) == 1:  # no choice to make
        ((only, fleets),) = enemies.items()
        return {only: min(budget, defense[only] * len(fleets) - sum(fleets))}
    shares: dict[Side, int] = {}
    alive = {side: len(fleets) for side, fleets in enemies.items()}
    while budget > 0:
        enemy = _choose_target(alive, targets)
        if enemy is None:
            break
        fleets = enemies[enemy]
        need = defense[enemy] - fleets[len(fleets) - alive[enemy]]
        shot = min(need, budget)
        shares[enemy] = shares.get(enemy, 0) + shot
        budget -= shot
        if shot == need:
            alive[enemy] -= 1
    return dict(sorted(shares.items()))  # as it reads after being stored


def _choose_target(alive: Mapping[Side, int], targets: Sequence[Side]) -> Side | None:
    """Choose the enemy to shoot at: the first one named that is there, else the largest (JW-55)."""
    for side in targets:
        if alive.get(side):
            return side
    best = max(alive, key=alive.__getitem__, default=None)  # the first of equals: seat order
    return best if best is not None and alive[best] else None


def shoot(damage: int, fleets: Fleets, defense: int) -> tuple[Fleets, int]:
    """Return what a shooter's damage leaves of a side, and how many fleets it destroys (JW-55)."""
    destroyed = 0
    for before in fleets:
        need = defense - before
        if damage < need:
            break
        damage -= need
        destroyed += 1
    survivors = fleets[destroyed:]
    if damage and survivors:
        survivors = (survivors[0] + damage, *survivors[1:])
    return survivors, destroyed


def pour(
    hits: Sequence[tuple[Side, int]],
    fleets: Fleets,
    defense: int,
    bombed: Mapping[Side, int],
) -> StruckFleets:
    """Pour several shooters' damage over a side's fleets, one by one in seat order (JW-53).

    `bombed` names every enemy that acts, in seat order, with what its bombs of this action have
    already done to each of the fleets; here that counts for the credit only (JW-57).
    """
    survivors: list[int] = []
    killers: list[Side | None] = []
    waiting = iter(hits)
    side, rest = next(waiting)
    for place, before in enumerate(fleets):
        if not rest:
            survivors += fleets[place:]
            break
        harm, shares = before, dict(bombed)
        while harm < defense and rest:
            part = min(defense - harm, rest)
            harm += part
            shares[side] += part
            rest -= part
            if not rest:
                side, rest = next(waiting, (side, 0))
        if harm < defense:
            survivors.append(harm)
        else:
            killers.append(find_credited(shares))
    return StruckFleets(tuple(survivors), tuple(killers))


def blast(total: int, fleets: Fleets, defense: int, bombed: Mapping[Side, int]) -> StruckFleets:
    """Blast a side's fleets with bombs: each fleet takes the total (JW-56).

    `bombed` is the enemies' part of it, in seat order: the share of a side's own bombs in its
    losses is left out of the credit (JW-57).
    """
    survivors = tuple(before + total for before in fleets if before + total < defense)
    return StruckFleets(survivors, (find_credited(bombed),) * (len(fleets) - len(survivors)))


def find_credited(shares: Mapping[Side, int]) -> Side | None:
    """Find who dealt the most damage; of equals the first, as shares are in seat order (JW-57)."""
    most = max(shares, key=shares.__getitem__, default=None)
    return most if most is not None and shares[most] else None
