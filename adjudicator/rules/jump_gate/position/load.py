"""Read the state document of the rulebook: the position, or the path of what is wrong."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Impossible, Seat
from adjudicator.core.names import fold
from adjudicator.core.state_reader import (
    read_each,
    read_flag,
    read_keyed,
    read_mapping,
    read_name,
    read_whole_number,
)
from adjudicator.rules.jump_gate.position import options as option
from adjudicator.rules.jump_gate.position.components import Card, Components, Planet
from adjudicator.rules.jump_gate.position.dump import GATE, KEPT
from adjudicator.rules.jump_gate.position.load_planets import Sites
from adjudicator.rules.jump_gate.position.resources import Resource, sort_cards
from adjudicator.rules.jump_gate.position.spelling import Reader
from adjudicator.rules.jump_gate.position.state import (
    ACTIONS,
    Awaiting,
    Move,
    Options,
    Over,
    Preferences,
    Ship,
    Site,
    Standing,
    State,
    Table,
    from_seat,
)

Step = Literal["turn", "mark", "collect"]

_STEPS: tuple[Step, ...] = ("turn", "mark", "collect")
_STEPS_2010: tuple[Step, ...] = ("turn", "collect")
_KEYS = (
    "options", "seats", "turn", "step", "active", "actions_left", "deadline", "ring", "planets",
    "ships", "hands", "navcomp_deck", "navcomp_discard", "collected", "black_hole", "standing",
    "awaiting", "moves", "take", "over",
)  # fmt: skip
_KEYS_2010 = ("jump_gate",)
_KEYS_SECOND = ("hidden", "final_turns")
_SMALLEST_RING = 3


def load(document: Document, components: Components, dice: Dice | None = None) -> State:
    """The state that a document describes; raises Impossible."""
    keys = (*_KEYS, *(_KEYS_SECOND if components.second else _KEYS_2010))
    given = read_keyed(document, keys, "")
    seats = option.seats_of(given.get("seats") or (), components)
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
        self.ring = self._ring()

    def state(self, dice: Dice | None) -> State:
        sites = Sites(self.reader, self.ring, self.given.get("planets"))
        collected, hidden = self._held("collected"), self._held("hidden")
        self._count_resources(sites, collected, hidden)
        hands = self._hands()
        discard = self.reader.cards(self.given.get("navcomp_discard"), "navcomp_discard")
        deck = self._deck(hands, discard, dice)
        step = self._step()
        table = Table(
            options=self.options,
            seats=self.reader.seats,
            turn=self._number("turn", default=1, least=1),
            step=step,
            active=self._active(),
            actions_left=self._number("actions_left", default=ACTIONS, least=0, most=ACTIONS),
            kept=self._kept(),
            ring=self.ring,
            planets=sites.planets,
            ships=self._ships(),
            discard=discard,
            collected=collected,
            black_hole=self.reader.numbers(self.given.get("black_hole"), "black_hole"),
            jump_gate=self.reader.numbers(self.given.get("jump_gate"), "jump_gate"),
            final_turns=self.reader.seats_in(self.given.get("final_turns"), "final_turns"),
            awaiting=self._awaiting(step, sites),
            moves=read_each(self.given.get("moves") or (), "moves", self._move),
            over=self._over(),
        )
        return State(
            table=table,
            hands=hands,
            deck=deck,
            face_down=sites.face_down,
            hidden=hidden,
            standing=self._standing(),
            take=self._take(),
        )

    def _number(self, key: str, *, default: int, least: int, most: int | None = None) -> int:
        value = self.given.get(key)
        if value is None:
            return default
        number = read_whole_number(value, key, least=least)
        if most is not None and number > most:
            raise Impossible(key, f"expected at most {most}, got {number}")
        return number

    def _step(self) -> Step:
        value = self.given.get("step")
        if value is None:
            return "turn"
        known = _STEPS if self.components.second else _STEPS_2010
        return known[known.index(read_name(value, known, "step", "step"))]

    def _active(self) -> Seat:
        value = self.given.get("active")
        return self.reader.seats[0] if value is None else self.reader.seat(value, "active")

    def _kept(self) -> bool:
        value = self.given.get("deadline")
        if value is None:
            return False
        if not isinstance(value, str) or fold(value) != KEPT:
            raise Impossible("deadline", f"can only be {KEPT}, got {value!r}")
        return True

    def _ring(self) -> tuple[Planet, ...]:
        value = self.given.get("ring")
        if value is None:
            raise Impossible("ring", "is missing; name the planets in play, clockwise")
        ring = read_each(value, "ring", self.reader.planet)
        for place, planet in enumerate(ring):
            if planet in ring[:place]:
                raise Impossible(f"ring[{place + 1}]", f"{planet} stands there twice")
        if len(ring) < _SMALLEST_RING:
            raise Impossible("ring", f"expected at least {_SMALLEST_RING} planets (JG-1)")
        return ring

    def _held(self, key: str) -> dict[Seat, tuple[Resource, ...]]:
        given = {
            seat: sort_cards(self.reader.resources(cards, path))
            for seat, cards, path in self.reader.by_seat(self.given.get(key), key)
        }
        return {seat: given.get(seat, ()) for seat in self.reader.seats}

    def _count_resources(
        self,
        sites: Sites,
        collected: Mapping[Seat, Iterable[Resource]],
        hidden: Mapping[Seat, Iterable[Resource]],
    ) -> None:
        """No more of a card than there are in the box (JG-3)."""
        left = Counter(dict(self.components.resource_cards))
        places: list[tuple[str, Iterable[Resource]]] = []
        for planet, site in sites.planets.items():
            places.append((f"planets.{planet}.face_up", site.face_up))
            places.append((f"planets.{planet}.face_down", sites.face_down[planet]))
        places += [(f"collected.{seat}", cards) for seat, cards in collected.items()]
        places += [(f"hidden.{seat}", cards) for seat, cards in hidden.items()]
        for path, cards in places:
            for card in cards:
                left[card] -= 1
                if left[card] < 0:
                    most = self.components.resource_cards[card]
                    raise Impossible(path, f"too many {card}: there are {most} in the box (JG-3)")

    def _hands(self) -> dict[Seat, tuple[Card, ...]]:
        given: dict[Seat, tuple[Card, ...]] = {}
        most = self.components.constants.hand.size
        for seat, names, path in self.reader.by_seat(self.given.get("hands"), "hands"):
            given[seat] = self.components.sorted(self.reader.cards(names, path))
            if len(given[seat]) > most:
                raise Impossible(path, f"a hand has at most {most} cards, got {len(given[seat])}")
        return {seat: given.get(seat, ()) for seat in self.reader.seats}

    def _deck(
        self, hands: Mapping[Seat, tuple[Card, ...]], discard: tuple[Card, ...], dice: Dice | None
    ) -> tuple[Card, ...]:
        seen: set[Card] = set()
        for seat, hand in hands.items():
            _once(seen, hand, f"hands.{seat}")
        _once(seen, discard, "navcomp_discard")
        if self.given.get("navcomp_deck") is not None:
            deck = self.reader.cards(self.given["navcomp_deck"], "navcomp_deck")
            _once(seen, deck, "navcomp_deck")
            return deck
        if dice is None:
            raise Impossible("navcomp_deck", "is missing, and there are no dice to shuffle it")
        rest = [card for card in self.components.cards if card not in seen]
        return dice.draw("navcomp").shuffled(rest)

    def _ships(self) -> dict[Seat, Ship]:
        given = {
            seat: self._ship(value, path)
            for seat, value, path in self.reader.by_seat(self.given.get("ships"), "ships")
        }
        return {seat: given.get(seat, Ship()) for seat in self.reader.seats}

    def _ship(self, value: Any, path: str) -> Ship:
        if isinstance(value, str):
            return Ship(self._place(value, path))
        facts = read_keyed(value, ("planet", "landed"), path)
        planet = self._in_play(facts.get("planet"), f"{path}.planet")
        landed = read_flag(facts.get("landed") or False, f"{path}.landed")
        if landed and not self.options.orbital_burn:
            raise Impossible(
                f"{path}.landed", "ships land for good with orbital_burn only (JGA-14)"
            )
        return Ship(planet, landed)

    def _move(self, value: Any, path: str) -> Move:
        facts = read_keyed(value, ("turn", "seat", "from", "to"), path)
        return Move(
            turn=read_whole_number(facts.get("turn"), f"{path}.turn", least=1),
            seat=self.reader.seat(facts.get("seat"), f"{path}.seat"),
            origin=self._place(facts.get("from"), f"{path}.from"),
            to=self._place(facts.get("to"), f"{path}.to"),
        )

    def _place(self, value: Any, path: str) -> Planet | None:
        """A planet in play, or None for the Jump Gate."""
        at_gate = isinstance(value, str) and fold(value) == GATE
        return None if at_gate else self._in_play(value, path)

    def _in_play(self, value: Any, path: str) -> Planet:
        planet = self.reader.planet(value, path)
        if planet not in self.ring:
            raise Impossible(path, f"{planet} is not in the ring")
        return planet

    def _standing(self) -> dict[Seat, Standing]:
        given = self.reader.by_seat(self.given.get("standing"), "standing")
        found = {seat: self._orders(value, path) for seat, value, path in given}
        return {seat: found[seat] for seat in self.reader.seats if seat in found}

    def _orders(self, value: Any, path: str) -> Standing:
        facts = read_keyed(value, ("collect", "black_hole"), path)
        black_hole = facts.get("black_hole", "avoid")
        word = read_name(black_hole, ("avoid", "accept"), "way to treat them", f"{path}.black_hole")
        return Standing(
            collect=self.reader.wishes(facts.get("collect"), f"{path}.collect"),
            accept=word == "accept",
        )

    def _awaiting(self, step: Step, sites: Sites) -> Awaiting | None:
        given = self.given.get("awaiting")
        if not given:
            if step != "turn":
                raise Impossible("awaiting", f"is missing; a {step} step says who is asked")
            return None
        keys = ("mark", "collect", "then")
        facts = read_keyed(given, keys, "awaiting")
        then = self.reader.seats_in(facts.pop("then", None), "awaiting.then")
        if step == "turn" or list(facts) != [step]:
            raise Impossible("awaiting", f"does not go with the step {step}")
        path = f"awaiting.{step}"
        asked = {
            seat: self._in_play(planet, at)
            for seat, planet, at in self.reader.by_seat(facts[step], path)
        }
        if len(set(asked.values())) != 1:
            raise Impossible(path, "expected who is asked, all at one planet: {blue: anno}")
        seats = tuple(s for s in from_seat(self.reader.seats, self._active()) if s in asked)
        made = Awaiting(what=step, at=asked[seats[0]], asked=seats, then=then)
        self._has_a_choice(made, sites.planets[made.at])
        return made

    def _has_a_choice(self, awaiting: Awaiting, site: Site) -> None:
        """Only the active player, or who has marks or scan markers there, is asked (JG-15)."""
        if awaiting.asked == (self._active(),):
            return
        path = f"awaiting.{awaiting.what}"
        if awaiting.what == "mark":
            raise Impossible(path, "only the active player is asked what to mark (JGB-5)")
        if not self.components.second and len(awaiting.asked) > 1:
            raise Impossible(path, "one player is asked at a time (JG-15)")
        for seat in awaiting.asked:
            if seat not in site.marks and seat not in site.scans:
                raise Impossible(f"{path}.{seat}", f"{seat} has nothing to collect for there")

    def _take(self) -> Preferences | None:
        value = self.given.get("take")
        return None if value is None else self.reader.wishes(value, "take")

    def _over(self) -> Over | None:
        given = self.given.get("over")
        if given is None:
            return None
        keys = ("winners", "scores")
        facts = read_keyed(given, keys, "over")
        winners = self.reader.seats_in(facts.get("winners"), "over.winners")
        scores = self.reader.numbers(facts.get("scores"), "over.scores")
        return Over(tuple(seat for seat in self.reader.seats if seat in winners), scores)


def _once(seen: set[Card], cards: Iterable[Card], path: str) -> None:
    for card in cards:
        if card in seen:
            raise Impossible(path, f"{card} is somewhere else already; there is one of it")
        seen.add(card)
