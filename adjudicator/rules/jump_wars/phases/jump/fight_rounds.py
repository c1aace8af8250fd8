"""One fight in one space, as a function of what each side brings (JW-50 to JW-58).

Nothing here knows of maps or seats: `Combatant`s in, `Outcome` out, every round told in the
lists that its event will hold.
"""

from collections.abc import Mapping, Sequence
from typing import TypedDict

from msgspec import Struct

from adjudicator.rules.jump_wars.phases.jump.damage import Fleets, blast, pour, shoot, split
from adjudicator.rules.jump_wars.position.state import Side


class Bonus(Struct, frozen=True):
    """One line of JW-51."""

    why: str
    initiative: int = 0
    attack: int = 0
    defense: int = 0


class Combatant(Struct, frozen=True, kw_only=True):
    """One side of a fight, bonuses included (JW-51)."""

    side: Side
    fleets: int
    initiative: int
    attack: int
    defense: int
    surprise: int = 0
    """More initiative in the first round: cloaking."""
    bonuses: tuple[Bonus, ...] = ()
    """The bonuses included, for the report; the surprise too."""
    targets: tuple[Side, ...] = ()
    bombs: int = 0
    """Ships to be sacrificed in the first action (JW-56)."""


class Bombs(TypedDict):
    """Nova bombs of one side: every fleet there takes the damage."""

    side: Side
    ships: int
    damage: int


class Shots(TypedDict):
    """The shots of one side: how many fleets with which attack, and who got how much."""

    side: Side
    fleets: int
    attack: int
    at: Mapping[Side, int]


class Losses(TypedDict):
    """The losses of one side in an action."""

    side: Side
    destroyed: int
    left: int
    damaged: Sequence[int]
    """The damage on those of its fleets that are damaged and live."""
    credit: Mapping[Side, int]
    """Who is credited with how many of the destroyed (JW-57)."""


class Action(TypedDict):
    """What the sides of one initiative do together: bombs first, then shots (JW-53, JW-56)."""

    initiative: int
    bombs: Sequence[Bombs]
    shots: Sequence[Shots]
    losses: Sequence[Losses]


class Round(TypedDict):
    """One round, from the highest initiative down."""

    actions: Sequence[Action]


class Outcome(Struct, frozen=True):
    """The course and result of a fight."""

    sides: Sequence[Side]
    """Who fought, in seat order."""
    left: Mapping[Side, int]
    """The fleets of whoever is left: one side, or nobody (JW-58)."""
    rounds: Sequence[Round]

    @property
    def credit(self) -> Mapping[Side, int]:
        """The number of enemy fleets that count as destroyed by each side (JW-57)."""
        credit = dict.fromkeys(self.sides, 0)
        for one in self.rounds:
            for action in one["actions"]:
                for loss in action["losses"]:
                    for side, number in loss["credit"].items():
                        credit[side] += number
        return credit

    @property
    def bombed_ships(self) -> Mapping[Side, int]:
        """The number of ships that each side sacrificed, in the first round (JW-56)."""
        return {
            bombs["side"]: bombs["ships"]
            for one in self.rounds[:1]
            for action in one["actions"]
            for bombs in action["bombs"]
        }


Force = Mapping[Side, Fleets]
"""The fleets that live, by side in seat order."""

Killers = tuple[Side | None, ...]
Ranks = Sequence[tuple[int, Sequence[Combatant]]]
"""Who acts together, by initiative, the highest first (JW-53)."""


def fight_out(combatants: Sequence[Combatant]) -> Outcome:
    """Fight until at most one side has fleets; the combatants are in seat order.

    It ends: every attack is at least 1, and damage stays.
    """
    defense = {one.side: one.defense for one in combatants}
    force: Force = {one.side: (0,) * one.fleets for one in combatants if one.fleets}
    rounds: list[Round] = []
    ranks = _group_by_initiative(combatants, first=True)
    while len(force) > 1:
        if len(rounds) == 1:
            ranks = _group_by_initiative(combatants, first=False)
        force, actions = _fight_round(ranks, defense, force, first=not rounds)
        rounds.append({"actions": actions})
    survivors = {side: len(fleets) for side, fleets in force.items()}
    return Outcome(tuple(defense), survivors, rounds)


def _group_by_initiative(combatants: Sequence[Combatant], *, first: bool) -> Ranks:
    """Group sides by initiative, the highest first; equals act together (JW-53)."""
    ranks: dict[int, list[Combatant]] = {}
    for one in combatants:
        ranks.setdefault(one.initiative + (one.surprise if first else 0), []).append(one)
    return sorted(ranks.items(), reverse=True)


def _fight_round(
    ranks: Ranks, defense: Mapping[Side, int], force: Force, *, first: bool
) -> tuple[Force, Sequence[Action]]:
    """Fight one round: the initiatives in turn, as long as there is an enemy (JW-53)."""
    actions = []
    for initiative, rank in ranks:
        if len(force) < 2:
            break
        acting = [one for one in rank if one.side in force]
        if not acting:
            continue
        if len(acting) > 1 or (first and acting[0].bombs > 0):
            bombs = _prepare_bombs(acting, force) if first else []
            force, action = _act_together(acting, defense, force, initiative, bombs)
        else:
            force, action = _act_alone(acting[0], defense, force, initiative)
        actions.append(action)
    return force, actions


def _prepare_bombs(acting: Sequence[Combatant], force: Force) -> Sequence[Bombs]:
    """Prepare the bombs that go off; if fewer ships are left, those are sacrificed (JW-56)."""
    bombs: list[Bombs] = []
    for one in acting:
        if one.bombs > 0:
            ships = min(one.bombs, len(force[one.side]))
            bombs.append({"side": one.side, "ships": ships, "damage": ships * one.attack})
    return bombs


def _act_alone(
    one: Combatant, defense: Mapping[Side, int], force: Force, initiative: int
) -> tuple[Force, Action]:
    """Let one side shoot alone: it is credited with everything that is destroyed (JW-57)."""
    fleets = len(force[one.side])
    living = dict(force)
    enemies = dict(force)
    del enemies[one.side]
    at = split(fleets * one.attack, enemies, defense, one.targets)
    losses = []
    for side, there in enemies.items():
        if side not in at:
            continue
        living[side], destroyed = shoot(at[side], there, defense[side])
        credit = {one.side: destroyed} if destroyed else {}
        losses.append(_report_losses(side, destroyed, living[side], credit))
        if not living[side]:
            del living[side]
    shots: Shots = {"side": one.side, "fleets": fleets, "attack": one.attack, "at": at}
    return living, {"initiative": initiative, "bombs": [], "shots": [shots], "losses": losses}


def _act_together(
    acting: Sequence[Combatant],
    defense: Mapping[Side, int],
    before: Force,
    initiative: int,
    bombs: Sequence[Bombs],
) -> tuple[Force, Action]:
    """Let sides act at once: all bombs go off, then shots are aimed at what stands (JW-56)."""
    sacrifices = {bomb["side"]: bomb["ships"] for bomb in bombs}
    standing, killers = _explode(acting, defense, before, bombs, sacrifices)
    shots = _aim_shots(acting, defense, before, standing, sacrifices)
    after = dict(standing)
    for side, fleets in standing.items():
        hits = [(shot["side"], shot["at"][side]) for shot in shots if side in shot["at"]]
        if hits:
            hit_fleets = pour(hits, fleets, defense[side], _share_bombs(side, acting, bombs))
            after[side] = hit_fleets.left
            killers[side] = killers.get(side, ()) + hit_fleets.killers
    losses = []
    for side, fleets in after.items():
        if fleets != before[side]:
            dead = killers.get(side, ())
            losses.append(_report_losses(side, len(dead), fleets, _count_credit(dead)))
    living = {side: fleets for side, fleets in after.items() if fleets}
    return living, {"initiative": initiative, "bombs": bombs, "shots": shots, "losses": losses}


def _explode(
    acting: Sequence[Combatant],
    defense: Mapping[Side, int],
    force: Force,
    bombs: Sequence[Bombs],
    sacrifices: Mapping[Side, int],
) -> tuple[Force, dict[Side, Killers]]:
    """Explode the bombs; return what is left, and who killed the rest."""
    if not bombs:
        return force, {}
    total = sum(bomb["damage"] for bomb in bombs)
    survivors: dict[Side, Fleets] = {}
    killers: dict[Side, Killers] = {}
    for side, fleets in force.items():
        # The most damaged are sacrificed, as their owner would choose.
        others = fleets[sacrifices.get(side, 0) :]
        hit_fleets = blast(total, others, defense[side], _share_bombs(side, acting, bombs))
        survivors[side], killers[side] = hit_fleets.left, hit_fleets.killers
    return survivors, killers


def _aim_shots(
    acting: Sequence[Combatant],
    defense: Mapping[Side, int],
    before: Force,
    standing: Force,
    sacrifices: Mapping[Side, int],
) -> Sequence[Shots]:
    """Aim each side's shots, from the fleets it had before its initiative acted (JW-53)."""
    shots: list[Shots] = []
    for one in acting:
        fleets = len(before[one.side]) - sacrifices.get(one.side, 0)
        enemies = {side: there for side, there in standing.items() if there and side != one.side}
        if fleets and enemies:
            at = split(fleets * one.attack, enemies, defense, one.targets)
            shots.append({"side": one.side, "fleets": fleets, "attack": one.attack, "at": at})
    return shots


def _share_bombs(
    side: Side, acting: Sequence[Combatant], bombs: Sequence[Bombs]
) -> Mapping[Side, int]:
    """Share out what each acting enemy's bombs do to each fleet of a side, in seat order."""
    damage = {bomb["side"]: bomb["damage"] for bomb in bombs}
    return {one.side: damage.get(one.side, 0) for one in acting if one.side != side}


def _count_credit(killers: Killers) -> Mapping[Side, int]:
    credit: dict[Side, int] = {}
    for killer in killers:
        if killer is not None:
            credit[killer] = credit.get(killer, 0) + 1
    return credit


def _report_losses(
    side: Side, destroyed: int, survivors: Fleets, credit: Mapping[Side, int]
) -> Losses:
    return {
        "side": side,
        "destroyed": destroyed,
        "left": len(survivors),
        "damaged": [damage for damage in survivors if damage],
        "credit": credit,
    }
