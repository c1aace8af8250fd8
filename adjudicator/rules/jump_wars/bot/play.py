"""Playing in a style, from the view alone and without looking ahead."""

from collections import Counter
from typing import Any, Final

from adjudicator.core.dice import Dice
from adjudicator.core.document import Seat
from adjudicator.rules.jump_wars.bot.campaign import Campaign, Order
from adjudicator.rules.jump_wars.bot.estimates import (
    count_bombs,
    count_fleets_left,
    find_enemies,
)
from adjudicator.rules.jump_wars.bot.planning import order_plan
from adjudicator.rules.jump_wars.bot.style import Style
from adjudicator.rules.jump_wars.position.components import Components, Tech
from adjudicator.rules.jump_wars.position.space import PLACE
from adjudicator.rules.jump_wars.position.state import NOTHING, Table, View

Form = dict[str, Any]

_HOMEWORLD_RANKS: Final = ("A1", "J10", "J1", "A10", "E1", "J5", "E10", "A5")


def play(view: View, seat: Seat, dice: Dice, style: Style, components: Components) -> Form:
    """Choose the form that is due; whoever does nothing passes."""
    step, form = view.table.step, {}
    if step == "plan":
        form = order_plan(view, seat, style, components)
    elif step == "jump":
        form = order_jumps(view, seat, style, components)
    elif step == "homeworlds":
        form = {"homeworld": list(dice.draw("bot", seat).shuffled(_HOMEWORLD_RANKS))}
    return form or {"pass": True}


def order_jumps(view: View, seat: Seat, style: Style, components: Components) -> Form:
    """Choose the jump form."""
    return write_jumps(view, seat, Campaign(view.table, seat, style, components).plan_jumps())


def write_jumps(view: View, seat: Seat, jumps: list[Order]) -> Form:
    """Write the form of these jumps; who attacks raises what helps to win."""
    form: Form = {}
    if jumps:
        form["jump"] = jumps
    if bombs := _list_bombs(view.table, seat, jumps):
        form["fight"] = {"nova_bombs": bombs}
    fights = any(_has_enemy(view, seat, jump["to"]) for jump in jumps)
    raised: list[Tech] = [card for card in ("attack", "initiative") if card in view.hand]
    if fights and raised:
        form["cutting_edge"] = raised[:1]
    return form


def _list_bombs(table: Table, seat: Seat, jumps: list[Order]) -> list[dict[str, Any]]:
    """List the ships to be sacrificed where fights would be lost without nova bombs (JW-56)."""
    force = Counter(table.fleets.get(seat, NOTHING))
    for jump in jumps:
        force[jump["from"]] -= jump["fleets"]
        force[jump["to"]] += jump["fleets"]
    bombs = []
    for space in sorted(force, key=PLACE.__getitem__):
        forces = {seat: force[space], **find_enemies(table, seat, space)}
        if force[space] and len(forces) > 1 and not count_fleets_left(table, space, forces, seat):
            ships = count_bombs(table, space, forces, seat)
            bombs += [{"at": space, "ships": ships}] if ships else []
    return bombs


def _has_enemy(view: View, seat: Seat, space: str) -> bool:
    return any(space in stacks for side, stacks in view.table.fleets.items() if side != seat)
