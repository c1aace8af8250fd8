"""One fight in one space, as a function of what each side brings (JW-50 to JW-58).

Nothing here knows of maps or seats: `Combatant`s in, `Outcome` out, every round told.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby

from msgspec import Struct

from adjudicator.rules.jump_wars.damage import Fleets, Struck, blast, pour, split
from adjudicator.rules.jump_wars.state import Side


class Combatant(Struct, frozen=True, kw_only=True):
    """What a side brings to a fight, bonuses included (JW-51)."""

    side: Side
    fleets: int
    initiative: int
    attack: int
    defense: int
    surprise: int = 0
    """More initiative in the first round: cloaking."""
    targets: tuple[Side, ...] = ()
    bombs: int = 0
    """Ships to be sacrificed in the first action (JW-56)."""


class Bombs(Struct, frozen=True):
    """Nova bombs of one side: every fleet there takes the damage."""

    side: Side
    ships: int
    damage: int


class Shots(Struct, frozen=True):
    """The shots of one side: how many fleets with which attack, and who got how much."""

    side: Side
    fleets: int
    attack: int
    at: Mapping[Side, int]


class Losses(Struct, frozen=True):
    """What an action did to one side."""

    side: Side
    destroyed: int
    left: int
    damaged: tuple[int, ...]
    """The damage on those of its fleets that are damaged and live."""
    credit: Mapping[Side, int]
    """Who is credited with how many of the destroyed (JW-57)."""


class Action(Struct, frozen=True):
    """What the sides of one initiative do together: bombs first, then shots (JW-53, JW-56)."""

    initiative: int
    bombs: tuple[Bombs, ...]
    shots: tuple[Shots, ...]
    losses: tuple[Losses, ...]


class Round(Struct, frozen=True):
    """One round, from the highest initiative down."""

    actions: tuple[Action, ...]


class Outcome(Struct, frozen=True):
    """How the fight went."""

    left: Mapping[Side, int]
    """The fleets of whoever is left: one side, or nobody (JW-58)."""
    credit: Mapping[Side, int]
    """How many enemy fleets count as destroyed by a side (JW-57)."""
    bombed: Mapping[Side, int]
    """How many ships a side sacrificed."""
    rounds: tuple[Round, ...]


Force = Mapping[Side, Fleets]
"""The fleets that live, by side in seat order."""


def fight_out(combatants: Sequence[Combatant]) -> Outcome:
    """Fight until at most one side has fleets; the combatants are in seat order.

    It ends: every attack is at least 1, and damage stays.
    """
    force: Force = {one.side: (0,) * one.fleets for one in combatants if one.fleets}
    rounds: list[Round] = []
    while len(force) > 1:
        force, actions = _fight_round(combatants, force, first=not rounds)
        rounds.append(Round(actions))
    told = [action for one in rounds for action in one.actions]
    credit = {one.side: 0 for one in combatants}
    for action in told:
        for loss in action.losses:
            for side, number in loss.credit.items():
                credit[side] += number
    return Outcome(
        left={side: len(fleets) for side, fleets in force.items()},
        credit=credit,
        bombed={bomb.side: bomb.ships for action in told for bomb in action.bombs},
        rounds=tuple(rounds),
    )


def _fight_round(
    combatants: Sequence[Combatant], force: Force, *, first: bool
) -> tuple[Force, tuple[Action, ...]]:
    """JW-53: from the highest initiative down, equal initiative at the same time."""

    def initiative(one: Combatant) -> int:
        return one.initiative + (one.surprise if first else 0)

    ranked = sorted(combatants, key=initiative, reverse=True)  # stable: equals in seat order
    actions = []
    for value, group in groupby(ranked, key=initiative):
        acting = [one for one in group if one.side in force]
        if acting and len(force) > 1:
            force, action = _act(combatants, acting, force, value, first=first)
            actions.append(action)
    return force, tuple(actions)


def _act(
    combatants: Sequence[Combatant],
    acting: Sequence[Combatant],
    before: Force,
    initiative: int,
    *,
    first: bool,
) -> tuple[Force, Action]:
    """Bombs go off first and all at once, then shots are aimed at what still stands (JW-56)."""
    bombs = _bombs(acting, before) if first else ()
    force, blasted = _explode(combatants, acting, before, bombs)
    spent = {bomb.side: bomb.ships for bomb in bombs}
    shots = _shots(combatants, acting, before, force, spent)
    after, shot = _hit(combatants, acting, force, bombs, shots)
    losses = []
    for one in combatants:
        killers = blasted.get(one.side, ()) + shot.get(one.side, ())
        fleets = after.get(one.side, ())
        if killers or fleets != before.get(one.side, ()):
            losses.append(_losses(one.side, killers, fleets))
    living = {side: fleets for side, fleets in after.items() if fleets}
    return living, Action(initiative, bombs, shots, tuple(losses))


def _bombs(acting: Sequence[Combatant], force: Force) -> tuple[Bombs, ...]:
    """JW-56: if fewer ships are left, those."""
    thrown = ((one, min(one.bombs, len(force[one.side]))) for one in acting if one.bombs > 0)
    return tuple(Bombs(one.side, ships, ships * one.attack) for one, ships in thrown)


Killers = tuple[Side | None, ...]


def _explode(
    combatants: Sequence[Combatant],
    acting: Sequence[Combatant],
    force: Force,
    bombs: Sequence[Bombs],
) -> tuple[Force, Mapping[Side, Killers]]:
    """What is left when the bombs have gone off, and who killed what is not."""
    if not bombs:
        return force, {}
    spent = {bomb.side: bomb.ships for bomb in bombs}
    total = sum(bomb.damage for bomb in bombs)
    left: dict[Side, Fleets] = {}
    killers: dict[Side, Killers] = {}
    for one in combatants:
        if one.side in force:
            # The most damaged are sacrificed, as their owner would choose.
            fleets = force[one.side][spent.get(one.side, 0) :]
            struck = blast(total, fleets, one.defense, _shares(one.side, acting, bombs))
            left[one.side], killers[one.side] = struck.left, struck.killers
    return left, killers


def _shots(
    combatants: Sequence[Combatant],
    acting: Sequence[Combatant],
    before: Force,
    standing: Force,
    spent: Mapping[Side, int],
) -> tuple[Shots, ...]:
    """JW-53: each with the fleets it had before anybody of its initiative acted."""
    defense = {one.side: one.defense for one in combatants}
    shots = []
    for one in acting:
        fleets = len(before[one.side]) - spent.get(one.side, 0)
        enemies = {side: there for side, there in standing.items() if side != one.side and there}
        if fleets and enemies:
            at = split(fleets * one.attack, enemies, defense, one.targets)
            shots.append(Shots(one.side, fleets, one.attack, at))
    return tuple(shots)


def _hit(
    combatants: Sequence[Combatant],
    acting: Sequence[Combatant],
    force: Force,
    bombs: Sequence[Bombs],
    shots: Sequence[Shots],
) -> tuple[Force, Mapping[Side, Killers]]:
    """What is left when everybody has shot, and who killed what is not."""
    left = dict(force)
    killers: dict[Side, Killers] = {}
    for one in combatants:
        hits = [(shot.side, shot.at[one.side]) for shot in shots if one.side in shot.at]
        if hits:
            shares = _shares(one.side, acting, bombs)
            struck: Struck = pour(hits, force[one.side], one.defense, shares)
            left[one.side], killers[one.side] = struck.left, struck.killers
    return left, killers


def _shares(side: Side, acting: Sequence[Combatant], bombs: Sequence[Bombs]) -> Mapping[Side, int]:
    """What the bombs of each acting enemy do to each fleet of a side, in seat order."""
    damage = {bomb.side: bomb.damage for bomb in bombs}
    return {one.side: damage.get(one.side, 0) for one in acting if one.side != side}


def _losses(side: Side, killers: Killers, fleets: Fleets) -> Losses:
    credit: dict[Side, int] = {}
    for killer in killers:
        if killer is not None:
            credit[killer] = credit.get(killer, 0) + 1
    return Losses(
        side=side,
        destroyed=len(killers),
        left=len(fleets),
        damaged=tuple(damage for damage in fleets if damage),
        credit=credit,
    )
