"""Write the state document of the rulebook; load.py reads it back."""

from typing import Any

from adjudicator.core.document import Seat, to_plain
from adjudicator.rules.jump_wars.position import options as option
from adjudicator.rules.jump_wars.position.spelling import shorten_jump
from adjudicator.rules.jump_wars.position.state import START_LEVEL, State, Table


def dump(state: State) -> dict[str, Any]:
    """The state document; levels, spaces and rights that hold the default are left out."""
    table = state.table
    made: dict[str, Any] = {
        "options": option.dump(table.options),
        "seats": list(table.seats),
        "turn": table.turn,
        "step": table.step,
        "map": {**table.terrain, **{at: {"home": side} for side, at in table.homes.items()}},
        "fleets": {side: dict(stacks) for side, stacks in table.fleets.items()},
        "held": dict(table.held),
        "hands": {seat: list(hand) for seat, hand in state.hands.items()},
        "deck": list(state.deck),
        "shuffles": state.shuffles,
        "discard": list(table.discard),
        "start_player": table.start_player,
        "standing": {seat: dict(rights) for seat, rights in state.standing.items()},
    }
    _dump_players(table, made)
    if table.ally:
        made["ally"] = {"of": table.ally.of, "is": table.ally.who}
    if table.hold:
        made["empire"] = {"by": table.hold.by, "turns": table.hold.turns}
    if table.mined:
        made["mined"] = dict(table.mined)
    if table.past:
        made["past"] = to_plain(table.past)
    if table.winners is not None:
        made["over"] = {"winners": list(table.winners)}
    _dump_orders(state, made)
    return made


def _dump_players(table: Table, made: dict[str, Any]) -> None:
    levels, raised, used = {}, {}, {}
    for seat, player in table.players.items():
        above = {tech: level for tech, level in player.levels.items() if level != START_LEVEL}
        if above:
            levels[seat] = above
        if player.raised:
            raised[seat] = dict(player.raised)
        if player.used:
            used[seat] = list(player.used)
    made["levels"], made["raised"], made["used"] = levels, raised, used
    made["specials"] = {seat: list(player.specials) for seat, player in table.players.items()}
    made["tokens"] = {seat: player.tokens for seat, player in table.players.items()}


def _dump_orders(state: State, made: dict[str, Any]) -> None:
    """What the reveal step holds on to: the revealed orders, and the rest of the jump forms."""
    written = state.table.written
    if written is None:
        return
    made["written"] = {
        seat: [shorten_jump(j) for j in form.jumps] for seat, form in written.items()
    }
    kept: dict[Seat, dict[str, Any]] = {}
    for seat, form in written.items():
        if form.move_homeworld is not None:
            kept[seat] = {"move_homeworld": form.move_homeworld}
    for seat, rest in state.kept.items():
        bombs = [{"at": at, "ships": ships} for at, ships in rest.nova_bombs]
        made_kept = kept.setdefault(seat, {})
        made_kept["fight"] = {"targets": list(rest.targets), "nova_bombs": bombs}
        made_kept["final"] = {"discard": list(rest.discard)}
    made["kept"] = kept
