"""Read the state document of the rulebook: the position, or the path of what is wrong."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Impossible, Seat
from adjudicator.core.names import fold
from adjudicator.core.state_reader import read_mapping, read_sequence, read_whole_number
from adjudicator.rules.jump_wars.position import options as option
from adjudicator.rules.jump_wars.position.components import Card, Components
from adjudicator.rules.jump_wars.position.space import Space
from adjudicator.rules.jump_wars.position.spelling import Reader, parse_jump, parse_space
from adjudicator.rules.jump_wars.position.state import (
    BLACK_HOLE,
    EMPIRE,
    RUINS,
    START_LEVEL,
    Ally,
    Hold,
    Options,
    Past,
    Player,
    PrivateOrders,
    RevealedOrders,
    Side,
    State,
    Table,
    holes_of,
    occupied_spaces,
)

STEPS = ("plan", "jump", "reveal", "homeworlds", "draw")
_KEYS = (
    "options", "seats", "turn", "step", "map", "fleets", "held", "levels", "raised", "specials",
    "hands", "tokens", "deck", "shuffles", "discard", "ally", "written", "empire", "over",
    "start_player", "used", "kept", "standing", "mined", "past",
)  # fmt: skip
_REVEAL = ("pass", "ask")


def load(document: Document, components: Components, dice: Dice | None = None) -> State:
    """The state that a document describes; raises Impossible."""
    given = document
    if not all(key in _KEYS for key in document):
        given = dict(Reader((), components).keyed(document, _KEYS, ""))
    seats = option.seats_of(given.get("seats") or ())
    options = option.read(
        read_mapping(given.get("options"), "options"), seats, components, "options"
    )
    return _Loading(given, Reader(seats, components), options).state(dice)


class _Loading:
    """One document being read; each method reads one key."""

    def __init__(self, given: Document, reader: Reader, options: Options) -> None:
        self.given = given
        self.reader = reader
        self.options = options
        self.components = reader.components
        self.step = self._step()
        self.terrain: dict[Space, str] = {}
        self.homes: dict[Side, Space] = {}

    def state(self, dice: Dice | None) -> State:
        self._map()
        fleets = self._fleets()
        hands, discard = self._hands(), self.reader.cards(self.given.get("discard"), "discard")
        deck = self._deck(hands, discard, dice)
        written, kept = self._orders()
        table = Table(
            options=self.options,
            seats=self.reader.seats,
            start_player=self._start_player(),
            turn=self._number("turn", default=1),
            step=self.step,
            terrain=self.terrain,
            holes=holes_of(self.terrain),
            homes=self.homes,
            fleets=fleets,
            players=self._players(),
            discard=discard,
            ally=self._ally(),
            hold=self._hold(),
            written=written,
            mined=self._mined(),
            past=self._past(),
            winners=self._winners(),
        )
        return State(
            table=self._with_held(table),
            hands=hands,
            deck=deck,
            shuffles=self._number("shuffles", default=0),
            kept=kept,
            standing=self._standing(),
        )

    def _number(self, key: str, *, default: int) -> int:
        value = self.given.get(key)
        return default if value is None else read_whole_number(value, key, least=default)

    def _step(self) -> str:
        value = self.given.get("step")
        if value is None:
            return "plan"
        if value in STEPS:
            return str(value)
        found = [step for step in STEPS if isinstance(value, str) and fold(step) == fold(value)]
        if not found:
            raise Impossible("step", f"expected one of {', '.join(STEPS[:-1])}, got {value!r}")
        return found[0]

    def _map(self) -> None:
        seen: set[Space] = set()
        for name, what in read_mapping(self.given.get("map"), "map").items():
            path = f"map.{name}"
            space = self.reader.space(name, path)
            if space in seen:
                raise Impossible(path, f"{space} stands there twice")
            seen.add(space)
            if isinstance(what, str):
                terrain = self.reader.terrain(what, path)
                if terrain != "void":
                    self.terrain[space] = terrain
            elif isinstance(what, Mapping):
                self._home(space, what, path)
            elif what is not None:
                told = f"expected a kind of space or {{home: <its side>}}, got {what!r}"
                raise Impossible(path, told)

    def _home(self, space: Space, what: Any, path: str) -> None:
        for _key, name in self.reader.keyed(what, ("home",), path):
            side = self.reader.side(name, f"{path}.home")
            if side in self.homes:
                there = self.homes[side]
                raise Impossible(f"{path}.home", f"{side} has a homeworld already, at {there}")
            self.homes[side] = space

    def _fleets(self) -> dict[Side, dict[Space, int]]:
        found: dict[Side, dict[Space, int]] = {}
        for side, stacks, path in self.reader.by_side(self.given.get("fleets"), "fleets"):
            if side == EMPIRE and not self.options.old_empire and EMPIRE not in self.homes:
                raise Impossible(path, "there is no old empire in this game (JW-61)")
            found[side] = self._stacks(stacks, path)
        return found

    def _stacks(self, stacks: Any, path: str) -> dict[Space, int]:
        found: dict[Space, int] = {}
        for name, number in read_mapping(stacks, path).items():
            below = f"{path}.{name}"
            space = self.reader.space(name, below)
            if space in found:
                raise Impossible(below, f"{space} stands there twice")
            if self.terrain.get(space) == BLACK_HOLE:
                raise Impossible(below, f"{space} is a black hole; no fleet can be there (JW-33)")
            if number is not None and read_whole_number(number, below):
                found[space] = number
        return found

    def _with_held(self, table: Table) -> Table:
        from_fleets = occupied_spaces(table.fleets)
        given = self.given.get("held")
        if given is None:
            held: Mapping[Space, Side] = from_fleets
        else:
            held = {
                self.reader.space(name, f"held.{name}"): self.reader.side(side, f"held.{name}")
                for name, side in read_mapping(given, "held").items()
                if side is not None
            }
        return replace(table, held=held)

    def _players(self) -> dict[Seat, Player]:
        levels = self._levels("levels", least=1)
        raised = self._levels("raised", least=0)
        specials, used = self._specials(), self._used()
        tokens = {
            seat: read_whole_number(number, path)
            for seat, number, path in self.reader.by_seat(self.given.get("tokens"), "tokens")
        }
        start = dict.fromkeys(self.components.technologies, START_LEVEL)
        return {
            seat: Player(
                levels={**start, **levels.get(seat, {})},
                raised={tech: by for tech, by in raised.get(seat, {}).items() if by},
                specials=specials.get(seat, ()),
                tokens=tokens.get(seat, 0),
                used=used.get(seat, ()),
            )
            for seat in self.reader.seats
        }

    def _levels(self, key: str, *, least: int) -> dict[Seat, dict[str, int]]:
        found: dict[Seat, dict[str, int]] = {}
        for seat, levels, path in self.reader.by_seat(self.given.get(key), key):
            found[seat] = {}
            for name, level in read_mapping(levels, path).items():
                below = f"{path}.{name}"
                tech = self.reader.tech(name, below)
                if tech in found[seat]:
                    raise Impossible(below, f"{tech} stands there twice")
                if level is not None:
                    found[seat][tech] = read_whole_number(level, below, least=least)
        return found

    def _specials(self) -> dict[Seat, tuple[Card, ...]]:
        found: dict[Seat, tuple[Card, ...]] = {}
        for seat, names, path in self.reader.by_seat(self.given.get("specials"), "specials"):
            cards: list[Card] = []
            for place, name in enumerate(read_sequence(names, path), 1):
                card = self.reader.special(name, f"{path}[{place}]")
                if card == RUINS:
                    raise Impossible(f"{path}[{place}]", f"{card} never is an ability (JW-15)")
                if card in cards:
                    raise Impossible(f"{path}[{place}]", f"{seat} has {card} already (JW-22)")
                cards.append(card)
            found[seat] = self.components.sorted(cards)
        return found

    def _used(self) -> dict[Seat, tuple[str, ...]]:
        return {
            seat: self.reader.cards(names, path)
            for seat, names, path in self.reader.by_seat(self.given.get("used"), "used")
        }

    def _hands(self) -> dict[Seat, tuple[Card, ...]]:
        hands: dict[Seat, tuple[Card, ...]] = dict.fromkeys(self.reader.seats, ())
        for seat, names, path in self.reader.by_seat(self.given.get("hands"), "hands"):
            hands[seat] = self.components.sorted(self.reader.cards(names, path))
        return hands

    def _deck(
        self, hands: Mapping[Seat, tuple[Card, ...]], discard: tuple[Card, ...], dice: Dice | None
    ) -> tuple[Card, ...]:
        left = Counter(dict(self.components.cards))
        for seat, hand in hands.items():
            self._count(left, hand, f"hands.{seat}")
        self._count(left, discard, "discard")
        if self.given.get("deck") is not None:
            deck = self.reader.cards(self.given["deck"], "deck")
            self._count(left, deck, "deck")
            return deck
        if dice is None:
            raise Impossible("deck", "is missing, and there are no dice to shuffle it; name it")
        rest = [card for card in self.components.cards for _copy in range(left[card])]
        return dice.draw("deck").shuffled(rest)

    def _count(self, left: Counter[Card], cards: tuple[Card, ...], path: str) -> None:
        for card in cards:
            left[card] -= 1
            if left[card] < 0:
                most = self.components.cards[card]
                copies = "is 1 copy" if most == 1 else f"are {most} copies"
                raise Impossible(path, f"too many {card}: there {copies} of it (JW-7)")

    def _start_player(self) -> Seat:
        value = self.given.get("start_player")
        if value is not None:
            return self.reader.seat(value, "start_player")
        return self.options.start_player or self.reader.seats[0]

    def _ally(self) -> Ally | None:
        given = self.given.get("ally")
        if not given:
            return None
        facts = dict(self.reader.keyed(read_mapping(given, "ally"), ("of", "is"), "ally"))
        for key in ("of", "is"):
            if facts.get(key) is None:
                raise Impossible(f"ally.{key}", "is missing; write ally: {of: red, is: blue}")
        of, who = (self.reader.seat(facts[key], f"ally.{key}") for key in ("of", "is"))
        if of == who:
            raise Impossible("ally.is", f"{of} cannot be its own ally (JW-18)")
        return Ally(of, who)

    def _hold(self) -> Hold | None:
        given = self.given.get("empire")
        if given is None:
            return None
        facts = dict(self.reader.keyed(read_mapping(given, "empire"), ("by", "turns"), "empire"))
        if facts.get("by") is None or not facts.get("turns"):
            return None
        turns = read_whole_number(facts["turns"], "empire.turns")
        return Hold(self.reader.seat(facts["by"], "empire.by"), turns)

    def _mined(self) -> Mapping[Seat, int]:
        return {
            seat: read_whole_number(number, below)
            for seat, number, below in self.reader.by_seat(self.given.get("mined"), "mined")
        }

    def _past(self) -> tuple[Past, ...]:
        found = []
        for place, given in enumerate(read_sequence(self.given.get("past"), "past"), 1):
            path = f"past[{place}]"
            facts = dict(
                self.reader.keyed(read_mapping(given, path), ("turn", "fleets", "mine"), path)
            )
            turn = read_whole_number(facts.get("turn"), f"{path}.turn", least=1)
            fleets, mine = (
                {
                    seat: read_whole_number(number, below)
                    for seat, number, below in self.reader.by_seat(facts.get(key), f"{path}.{key}")
                }
                for key in ("fleets", "mine")
            )
            found.append(Past(turn=turn, fleets=fleets, mine=mine))
        return tuple(found)

    def _winners(self) -> tuple[Seat, ...] | None:
        given = self.given.get("over")
        if given is None:
            return None
        facts = dict(self.reader.keyed(read_mapping(given, "over"), ("winners",), "over"))
        names = read_sequence(facts.get("winners"), "over.winners")
        named = {self.reader.seat(name, f"over.winners[{i}]") for i, name in enumerate(names, 1)}
        return tuple(seat for seat in self.reader.seats if seat in named)

    def _standing(self) -> dict[Seat, dict[str, str]]:
        found: dict[Seat, dict[str, str]] = {}
        for seat, given, path in self.reader.by_seat(self.given.get("standing"), "standing"):
            for key, value in self.reader.keyed(read_mapping(given, path), ("reveal",), path):
                if value is None:
                    continue
                if str(value).casefold() not in _REVEAL:
                    raise Impossible(f"{path}.{key}", f"expected pass or ask, got {value!r}")
                found[seat] = {key: str(value).casefold()}
        return found

    def _orders(self) -> tuple[dict[Seat, RevealedOrders] | None, dict[Seat, PrivateOrders]]:
        if self.step != "reveal":
            for key in ("written", "kept"):
                if self.given.get(key):
                    raise Impossible(key, "belongs to the reveal step only (step: reveal)")
            return None, {}
        moves, kept = self._kept()
        jumps = {
            seat: tuple(
                parse_jump(order, f"{path}[{place}]")
                for place, order in enumerate(read_sequence(given, path), 1)
            )
            for seat, given, path in self.reader.by_seat(self.given.get("written"), "written")
        }
        written = {
            seat: RevealedOrders(jumps.get(seat, ()), moves.get(seat))
            for seat in self.reader.seats
            if seat in jumps or seat in moves
        }
        return written, kept

    def _kept(self) -> tuple[dict[Seat, Space], dict[Seat, PrivateOrders]]:
        moves: dict[Seat, Space] = {}
        kept: dict[Seat, PrivateOrders] = {}
        for seat, given, path in self.reader.by_seat(self.given.get("kept"), "kept"):
            keys = ("move_homeworld", "fight", "final")
            facts = dict(self.reader.keyed(read_mapping(given, path), keys, path))
            if facts.get("move_homeworld") is not None:
                moves[seat] = parse_space(facts["move_homeworld"], f"{path}.move_homeworld")
            if facts.get("fight") is not None or facts.get("final") is not None:
                kept[seat] = self._rest(facts, path)
        return moves, kept

    def _rest(self, facts: Document, path: str) -> PrivateOrders:
        fight = dict(
            self.reader.keyed(facts.get("fight") or {}, ("targets", "nova_bombs"), f"{path}.fight")
        )
        final = dict(self.reader.keyed(facts.get("final") or {}, ("discard",), f"{path}.final"))
        targets = f"{path}.fight.targets"
        return PrivateOrders(
            targets=tuple(
                self.reader.side(side, f"{targets}[{place}]")
                for place, side in enumerate(read_sequence(fight.get("targets"), targets), 1)
            ),
            nova_bombs=tuple(self._bombs(fight.get("nova_bombs"), f"{path}.fight.nova_bombs")),
            discard=self.reader.cards(final.get("discard"), f"{path}.final.discard"),
        )

    def _bombs(self, given: Any, path: str) -> list[tuple[Space, int]]:
        bombs = []
        for place, entry in enumerate(read_sequence(given, path), 1):
            below = f"{path}[{place}]"
            facts = dict(self.reader.keyed(read_mapping(entry, below), ("at", "ships"), below))
            ships = read_whole_number(facts.get("ships"), f"{below}.ships")
            bombs.append((parse_space(facts.get("at"), f"{below}.at"), ships))
        return bombs
