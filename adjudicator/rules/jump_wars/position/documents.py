"""The state document of the rulebook, read and written."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Impossible, Seat, to_stored
from adjudicator.core.memo import Latest
from adjudicator.core.names import fold
from adjudicator.core.state_reader import Names, StateReader, match_keys
from adjudicator.core.tabletop import complete_deck, count_remaining
from adjudicator.rules.jump_wars.position.components import Card, Components, Tech
from adjudicator.rules.jump_wars.position.order_forms import describe_order
from adjudicator.rules.jump_wars.position.space import Space
from adjudicator.rules.jump_wars.position.state import (
    BLACK_HOLE,
    EMPIRE,
    NO_PRIVATE_ORDERS,
    RUINS,
    START_LEVEL,
    Ally,
    Hold,
    Jump,
    NamedSpace,
    Past,
    Player,
    PrivateOrders,
    RevealedOrders,
    Side,
    State,
    Step,
    Table,
    find_holes,
    find_occupied_spaces,
    list_seats,
    read_options,
    read_space,
)

_SPACE = re.compile(r"[A-Z][0-9]+")
_JUMP = re.compile(
    r"\s*([A-Za-z][0-9]+)\s*-\s*([A-Za-z][0-9]+)(?:\s+x?|x)\s*([0-9]+|all)\s*", re.IGNORECASE
)


class HomeDocument(Struct, frozen=True):
    """A homeworld on the map."""

    home: Side


class HoldDocument(Struct, frozen=True):
    """The holder of the old empire's homeworld, and for how many turns."""

    by: Seat | None = None
    turns: int = 0


class KeptDocument(PrivateOrders, frozen=True):
    """The part of a jump form that is kept during the reveal step."""

    move_homeworld: NamedSpace | None = None


class OverDocument(Struct, frozen=True):
    """How the game ended."""

    winners: tuple[Seat, ...] = ()


class StandingDocument(Struct, frozen=True):
    """Standing orders as a form writes them."""

    reveal: Literal["pass", "ask"] | None = None


class StateDocument(Struct, frozen=True, kw_only=True):
    """The state document; Table and State say what the keys mean."""

    options: Any = {}
    seats: Any = ()
    turn: Annotated[int, Meta(ge=1)] = 1
    step: Step = "plan"
    map: Mapping[Space, Annotated[str | HomeDocument, "square"]] = {}
    fleets: Mapping[Side, Mapping[Space, int]] = {}
    held: Mapping[Space, Side] | None = None
    levels: Mapping[Seat, Mapping[Tech, Annotated[int, Meta(ge=1)]]] = {}
    raised: Mapping[Seat, Mapping[Tech, int]] = {}
    specials: Mapping[Seat, tuple[Annotated[Card, "special"], ...]] = {}
    hands: Mapping[Seat, tuple[Card, ...]] = {}
    tokens: Mapping[Seat, int] = {}
    deck: tuple[Card, ...] | None = None
    shuffles: int = 0
    discard: tuple[Card, ...] = ()
    kept_out: tuple[Card, ...] | None = None
    ally: Annotated[Ally | None, "ally"] = None
    written: Mapping[Seat, tuple[Annotated[Jump, "jump"], ...]] = {}
    empire: HoldDocument = HoldDocument()
    over: OverDocument | None = None
    start_player: Seat | None = None
    used: Mapping[Seat, tuple[Card, ...]] = {}
    kept: Mapping[Seat, KeptDocument] = {}
    standing: Mapping[Seat, StandingDocument] = {}
    mined: Mapping[Seat, int] = {}
    past: tuple[Past, ...] = ()


def load(document: Document, components: Components, dice: Dice | None = None) -> State:
    """Load the state that a document describes; raises Impossible."""
    pairs = match_keys(document, StateDocument)
    seats = list_seats(pairs.get("seats", ()))
    options = read_options(pairs.get("options", {}), seats, components, "options")
    values = _make_reader(seats, components).read(StateDocument, pairs)
    terrain, homes = _read_map(values.map)
    fleets = _read_fleets(values.fleets, terrain, old_empire=options.old_empire or EMPIRE in homes)
    winners = None
    if values.over is not None:
        winners = tuple(seat for seat in seats if seat in values.over.winners)
    orders, private = _read_orders(values, seats)
    table = Table(
        options=options,
        seats=seats,
        start_player=values.start_player or options.start_player or seats[0],
        turn=values.turn,
        step=values.step,
        terrain=terrain,
        holes=find_holes(terrain),
        homes=homes,
        fleets=fleets,
        held=find_occupied_spaces(fleets) if values.held is None else values.held,
        players=_read_players(values, seats, components),
        discard=values.discard,
        kept_out=values.kept_out,
        ally=values.ally,
        hold=Hold(values.empire.by, values.empire.turns)
        if values.empire.by and values.empire.turns
        else None,
        written=orders,
        mined=values.mined,
        past=values.past,
        winners=winners,
    )
    return State(
        table=table,
        hands={seat: components.sort_cards(values.hands.get(seat, ())) for seat in seats},
        deck=_find_deck(values, components, dice),
        shuffles=values.shuffles,
        kept=private,
        standing={
            seat: {"reveal": orders.reveal}
            for seat, orders in values.standing.items()
            if orders.reveal
        },
    )


@Latest
def _make_reader(seats: tuple[Seat, ...], components: Components) -> StateReader:
    """Make the reader of one game's names."""
    terrain = Names("kind of space", tuple(components.counters))

    def read_square(value: Any) -> str | HomeDocument:
        if isinstance(value, str):
            return value if value in terrain.known else terrain(value)
        if not isinstance(value, Mapping):
            why = f"expected a kind of space or {{home: <its side>}}, got {value!r}"
            raise Impossible("", why)
        return reader.read(HomeDocument, value)

    def read_ally(value: Any) -> Ally | None:
        ally = reader.read(Ally, value) if value else None
        if ally and ally.of == ally.who:
            raise Impossible("is", f"{ally.of} cannot be its own ally (JW-18)")
        return ally

    def read_jump(value: Any) -> Jump:
        return _parse_jump(value) if isinstance(value, str) else reader.read(Jump, value)

    def read_amount(value: Any) -> int | Literal["all"]:
        if isinstance(value, str) and fold(value) == "all":
            return "all"
        return reader.read(int, value)

    reader = StateReader(
        {
            "seat": seats,
            "side": (*seats, EMPIRE),
            "card": tuple(components.cards),
            "special": tuple(components.specials),
            "technology": tuple(components.technologies),
            "space": read_space,
            "space of an order": _read_named_space,
            "square": read_square,
            "ally": read_ally,
            "jump": read_jump,
            "number of fleets": read_amount,
        }
    )
    return reader


def _parse_jump(text: str) -> Jump:
    """Parse a jump order in its short form (JW-28)."""
    match = _JUMP.fullmatch(text)
    if not match:
        raise Impossible("", f"expected a jump like C4-D5 x3, got {text!r}")
    fleets: int | Literal["all"] = "all" if match[3].lower() == "all" else int(match[3])
    return Jump(match[1].upper(), match[2].upper(), fleets)


def _read_named_space(value: Any) -> NamedSpace:
    space = value.strip().upper() if isinstance(value, str) else ""
    if not _SPACE.fullmatch(space):
        raise Impossible("", f"expected a letter and a number, got {value!r}")
    return space


def _read_map(
    squares: Mapping[Space, str | HomeDocument],
) -> tuple[dict[Space, str], dict[Side, Space]]:
    """Read the terrain of every space and the place of every homeworld."""
    terrain: dict[Space, str] = {}
    homes: dict[Side, Space] = {}
    for space, square in squares.items():
        if isinstance(square, str):
            if square != "void":
                terrain[space] = square
        else:
            there = homes.setdefault(square.home, space)
            if there != space:
                why = f"{square.home} has a homeworld already, at {there}"
                raise Impossible(f"map.{space}.home", why)
    return terrain, homes


def _read_fleets(
    fleets: Mapping[Side, Mapping[Space, int]], terrain: Mapping[Space, str], *, old_empire: bool
) -> dict[Side, dict[Space, int]]:
    if EMPIRE in fleets and not old_empire:
        raise Impossible(f"fleets.{EMPIRE}", "there is no old empire in this game (JW-61)")
    for side, stacks in fleets.items():
        for space in stacks:
            if terrain.get(space) == BLACK_HOLE:
                why = f"{space} is a black hole; no fleet can be there (JW-33)"
                raise Impossible(f"fleets.{side}.{space}", why)
    return {
        side: {space: number for space, number in stacks.items() if number}
        for side, stacks in fleets.items()
    }


def _read_players(
    values: StateDocument, seats: Sequence[Seat], components: Components
) -> dict[Seat, Player]:
    for seat, cards in values.specials.items():
        for number, card in enumerate(cards, 1):
            path = f"specials.{seat}[{number}]"
            if card == RUINS:
                raise Impossible(path, f"{card} is never an ability (JW-15)")
            if card in cards[: number - 1]:
                raise Impossible(path, f"{seat} has {card} already (JW-22)")
    start = dict.fromkeys(components.technologies, START_LEVEL)
    return {
        seat: Player(
            levels={**start, **values.levels.get(seat, {})},
            raised={tech: by for tech, by in values.raised.get(seat, {}).items() if by},
            specials=components.sort_cards(values.specials.get(seat, ())),
            tokens=values.tokens.get(seat, 0),
            used=values.used.get(seat, ()),
        )
        for seat in seats
    }


def _find_deck(
    values: StateDocument, components: Components, dice: Dice | None
) -> tuple[Card, ...]:
    """Return the deck as given, else all cards not named elsewhere, shuffled."""

    def complain(card: Card) -> str:
        most = components.cards[card]
        copies = "is 1 copy" if most == 1 else f"are {most} copies"
        return f"too many {card}: there {copies} of it (JW-7)"

    hands = [(f"hands.{seat}", hand) for seat, hand in values.hands.items()]
    places = (*hands, ("discard", values.discard), ("deck", values.deck or ()))
    rest = count_remaining(components.cards, places, complain)
    return complete_deck("deck", values.deck, rest, dice, "deck")


def _read_orders(
    values: StateDocument, seats: Sequence[Seat]
) -> tuple[dict[Seat, RevealedOrders] | None, dict[Seat, PrivateOrders]]:
    """Read the jump forms in the reveal step: what everybody sees of them, and the rest."""
    if values.step != "reveal":
        for key, orders in (("written", values.written), ("kept", values.kept)):
            if orders:
                raise Impossible(key, "belongs to the reveal step only (step: reveal)")
        return None, {}
    moves = {seat: form.move_homeworld for seat, form in values.kept.items() if form.move_homeworld}
    visible = {
        seat: RevealedOrders(values.written.get(seat, ()), moves.get(seat))
        for seat in seats
        if seat in values.written or seat in moves
    }
    rest = {seat: PrivateOrders(form.fight, form.final) for seat, form in values.kept.items()}
    private = {seat: orders for seat, orders in rest.items() if orders != NO_PRIVATE_ORDERS}
    return visible, private


def dump(state: State) -> dict[str, Any]:
    """Write the state document; levels, spaces and rights with the default are left out."""
    table, players = state.table, state.table.players
    spaces: dict[Space, Any] = dict(table.terrain)
    for side, at in table.homes.items():
        spaces[at] = {"home": side}
    levels: dict[Seat, Any] = {}
    raised: dict[Seat, Any] = {}
    specials: dict[Seat, Any] = {}
    tokens: dict[Seat, Any] = {}
    used_rights: dict[Seat, Any] = {}
    for seat, player in players.items():
        specials[seat], tokens[seat] = player.specials, player.tokens
        if above := {tech: n for tech, n in player.levels.items() if n != START_LEVEL}:
            levels[seat] = above
        if player.raised:
            raised[seat] = player.raised
        if player.used:
            used_rights[seat] = player.used
    values: dict[str, Any] = {
        "options": table.options,
        "seats": table.seats,
        "turn": table.turn,
        "step": table.step,
        "map": spaces,
        "fleets": table.fleets,
        "held": table.held,
        "levels": levels,
        "raised": raised,
        "specials": specials,
        "tokens": tokens,
        "used": used_rights,
        "hands": state.hands,
        "deck": state.deck,
        "shuffles": state.shuffles,
        "discard": table.discard,
        "kept_out": table.kept_out,
        "start_player": table.start_player,
        "standing": state.standing,
        "ally": table.ally,
        "empire": table.hold,
        "mined": table.mined or None,
        "past": table.past or None,
        "over": None if table.winners is None else {"winners": table.winners},
        **_dump_orders(state),
    }
    document: dict[str, Any] = to_stored({k: one for k, one in values.items() if one is not None})
    return document


def _dump_orders(state: State) -> dict[str, Any]:
    """Write what the reveal step keeps: the revealed orders, and the rest of the jump forms."""
    visible = state.table.written
    if visible is None:
        return {}
    private: dict[Seat, dict[str, Any]] = {
        seat: {"move_homeworld": form.move_homeworld}
        for seat, form in visible.items()
        if form.move_homeworld is not None
    }
    for seat, rest in state.kept.items():
        private.setdefault(seat, {}).update(fight=rest.fight, final=rest.final)
    jumps = {seat: list(map(describe_order, form.jumps)) for seat, form in visible.items()}
    return {"written": jumps, "kept": private}
