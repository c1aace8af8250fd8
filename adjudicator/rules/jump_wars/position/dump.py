"""Write the state document of the rulebook; load.py reads it back."""

from typing import Any

from adjudicator.core.document import Seat, to_plain
from adjudicator.rules.jump_wars.position.state import START_LEVEL, Jump, State


def dump(state: State) -> dict[str, Any]:
    """The state document; levels, spaces and rights that hold the default are left out."""
    table = state.table
    players = table.players
    above = {
        seat: {tech: level for tech, level in player.levels.items() if level != START_LEVEL}
        for seat, player in players.items()
    }
    made: dict[str, Any] = {
        "options": to_plain(table.options),
        "seats": list(table.seats),
        "turn": table.turn,
        "step": table.step,
        "map": {**table.terrain, **{at: {"home": side} for side, at in table.homes.items()}},
        "fleets": {side: dict(stacks) for side, stacks in table.fleets.items()},
        "held": dict(table.held),
        "levels": {seat: levels for seat, levels in above.items() if levels},
        "raised": {seat: dict(one.raised) for seat, one in players.items() if one.raised},
        "specials": {seat: list(player.specials) for seat, player in players.items()},
        "tokens": {seat: player.tokens for seat, player in players.items()},
        "used": {seat: list(player.used) for seat, player in players.items() if player.used},
        "hands": {seat: list(hand) for seat, hand in state.hands.items()},
        "deck": list(state.deck),
        "shuffles": state.shuffles,
        "discard": list(table.discard),
        "start_player": table.start_player,
        "standing": {seat: dict(rights) for seat, rights in state.standing.items()},
        "ally": to_plain(table.ally),
        "empire": to_plain(table.hold),
        "mined": dict(table.mined) or None,
        "past": list(to_plain(table.past)) or None,
        "over": None if table.winners is None else {"winners": list(table.winners)},
        **_dump_orders(state),
    }
    return {key: value for key, value in made.items() if value is not None}


def _dump_orders(state: State) -> dict[str, Any]:
    """What the reveal step holds on to: the revealed orders, and the rest of the jump forms."""
    written = state.table.written
    if written is None:
        return {}
    kept: dict[Seat, dict[str, Any]] = {
        seat: {"move_homeworld": form.move_homeworld}
        for seat, form in written.items()
        if form.move_homeworld is not None
    }
    for seat, rest in state.kept.items():
        bombs = [{"at": at, "ships": ships} for at, ships in rest.nova_bombs]
        fight = {"targets": list(rest.targets), "nova_bombs": bombs}
        kept.setdefault(seat, {}).update(fight=fight, final={"discard": list(rest.discard)})
    jumps = {seat: [_shorten(jump) for jump in form.jumps] for seat, form in written.items()}
    return {"written": jumps, "kept": kept}


def _shorten(order: Jump) -> str:
    """A jump order in its short form."""
    return f"{order.source}-{order.target} {'all' if order.fleets == 'all' else f'x{order.fleets}'}"
