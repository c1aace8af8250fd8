"""What the bot expects of a fight, from what everybody can see."""

from collections.abc import Mapping

from adjudicator.core.document import Seat
from adjudicator.rules.jump_wars.battle import Combatant, fight_out
from adjudicator.rules.jump_wars.fight import bonuses
from adjudicator.rules.jump_wars.space import Space, within
from adjudicator.rules.jump_wars.state import EMPIRE, Player, Side, Table

Range = frozenset[Space]


def left_after(table: Table, at: Space, forces: Mapping[Side, int], me: Seat) -> int:
    """How many of my fleets would be left if these met there now."""
    outcome = fight_out([_combatant(table, at, side, forces[side]) for side in forces])
    return outcome.left.get(me, 0)


def _combatant(table: Table, at: Space, side: Side, fleets: int) -> Combatant:
    player = table.players.get(side)
    on_top = bonuses(table, at, side)
    return Combatant(
        side=side,
        fleets=fleets,
        initiative=_level(player, "initiative") + sum(bonus.initiative for bonus in on_top),
        attack=_level(player, "attack") + sum(bonus.attack for bonus in on_top),
        defense=_level(player, "defense") + sum(bonus.defense for bonus in on_top),
        surprise=2 if player and "cloaking" in player.specials else 0,
    )


def _level(player: Player | None, tech: str) -> int:
    return player.level(tech) if player else 1


def enemies_at(table: Table, me: Seat, at: Space) -> dict[Side, int]:
    """The fleets of others that stand there."""
    return {
        side: stacks[at]
        for side, stacks in sorted(table.fleets.items())
        if side != me and stacks.get(at)
    }


def threats(table: Table, me: Seat, at: Space, holes: Range) -> dict[Side, int]:
    """How many fleets each enemy could bring there this turn."""
    found: dict[Side, int] = {}
    for side, stacks in sorted(table.fleets.items()):
        if side in (me, EMPIRE):
            continue
        player = table.players[side]
        near = within(table.options.grid, holes, at, 1 + player.level("jump"))
        most = 5 + player.level("logistics")
        coming = sorted((min(stacks.get(space, 0), most) for space in near), reverse=True)
        number = stacks.get(at, 0) + sum(coming[: 1 + player.level("command")])
        if number:
            found[side] = number
    return found
