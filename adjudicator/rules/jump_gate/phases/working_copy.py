"""A step's working copy of the position, which actions change one after another.

The check at receipt plays a list through on a copy made of the view. What the seat cannot see is
then UNKNOWN, cards that may or may not lie on a planet are in its haze, cards that will be drawn
are hoped for; an action that depends on such things leaves a doubt. In the adjudication itself
nothing is unknown, and there is no doubt.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, Self

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.dice import Dice
from adjudicator.core.document import Seat
from adjudicator.core.events import EventLog
from adjudicator.core.finding import Uncertainty
from adjudicator.core.game import Over
from adjudicator.core.tabletop import find_held, list_unseen
from adjudicator.rules.jump_gate.phases.preferences import Chooser, covers_offer
from adjudicator.rules.jump_gate.position.components import Card, Components, Planet, World
from adjudicator.rules.jump_gate.position.resources import (
    NOTHING,
    UNKNOWN,
    Resource,
    has_icon,
    list_collectable,
    sort_cards,
)
from adjudicator.rules.jump_gate.position.state import (
    Awaiting,
    Preferences,
    Ship,
    Site,
    Standing,
    State,
    Table,
    View,
)


class Illegal(Exception):  # noqa: N818 - it is said of an action, not of the program
    """An action that the rules do not allow: the rule, and why (JG-16)."""

    def __init__(self, rule: str, why: str) -> None:
        super().__init__(f"{rule}: {why}")
        self.rule = rule
        self.why = why


class Doubt(Struct, frozen=True):
    """Why an action may fail, as far as its writer can see."""

    number: int
    """Of the action in its list, from 0."""
    rule: str
    why: str
    hangs_on: Uncertainty


class Work(EventLog):
    """The position while it changes; `table` stays as it was when the step began."""

    def __init__(self, table: Table, components: Components, dice: Dice | None) -> None:
        super().__init__()
        self.table = table
        self.components = components
        self.dice = dice
        """None: a list is only played through for its writer."""
        self.options = table.options
        self.seats = table.seats
        self.ring = table.ring
        self.turn = table.turn
        self.active = table.active
        self.actions_left = table.actions_left
        self.planets: dict[Planet, Site] = dict(table.planets)
        self.ships: dict[Seat, Ship] = dict(table.ships)
        self.discard: list[Card] = list(table.discard)
        self.kept_out = table.kept_out
        self.collected = dict(table.collected)
        self.black_hole = dict(table.black_hole)
        self.jump_gate = dict(table.jump_gate)
        self.final_turns = table.final_turns
        self.kept = False
        self.awaiting: Awaiting | None = None
        self.take: Preferences | None = None
        self.hands: dict[Seat, list[Card]] = {seat: [] for seat in table.seats}
        self.deck: list[Card] = []
        self.shuffles = 0
        self.face_down: dict[Planet, list[Resource]] = {planet: [] for planet in table.ring}
        self.hidden: dict[Seat, tuple[Resource, ...]] = dict.fromkeys(table.seats, ())
        self.standing: dict[Seat, Standing] = {}
        self.ended: str | None = None
        """Why the game has ended."""
        self.over: Over | None = None
        self.hoped = 0
        """Cards that a list played through hopes to have drawn by then."""
        self.drawable: set[Card] = set()
        """What they may be."""
        self.stock: set[Card] = set()
        """What the deck may hold, as far as the writer of a list can see."""
        self.haze: dict[Planet, list[Resource]] = {planet: [] for planet in table.ring}
        self.perhaps_marked: set[Seat] = set()
        """Who may have more markers on the Black Hole by then."""
        self.foreseen_markers = 0
        """Those that the active player is sure to have more by then."""
        self.safe: tuple[Resource, ...] = ()
        """Cards at a landing that nobody can take before the lander."""
        self.doubts: list[Doubt] = []
        self.led_by_others = False
        """Whether somebody else may have made a choice by then."""
        self.asked: int | None = None
        """The number of the action after which there may be a choice (JG-15)."""
        self.entry = 0
        """The number of the action that is executed."""

    @classmethod
    def from_state(cls, state: State, components: Components, dice: Dice) -> Self:
        """Make the copy on which a step is adjudicated."""
        work = cls(state.table, components, dice)
        work.hands = {seat: list(hand) for seat, hand in state.hands.items()}
        work.deck = list(state.deck)
        work.face_down = {planet: list(cards) for planet, cards in state.piles.items()}
        work.hidden = dict(state.hidden)
        work.standing = dict(state.standing)
        work.awaiting = state.table.awaiting
        work.take = state.take
        return work

    @classmethod
    def from_view(cls, view: View, components: Components) -> "Work":
        """Make the copy on which a seat's own list is tried."""
        work = cls(view.table, components, None)
        if view.seat is not None:
            work.hands[view.seat] = list(view.hand)
            work.standing[view.seat] = view.standing
        work.deck = [UNKNOWN] * view.deck_size
        box = dict.fromkeys(components.cards, 1)
        unseen = list_unseen(box, (view.hand, view.table.discard))
        in_hands = find_held(unseen, box, view.table.kept_out or ())
        work.stock = {*unseen} - {*in_hands} if view.deck_size else set()
        work.face_down = {
            planet: list(view.face_down.get(planet) or [UNKNOWN] * site.face_down)
            for planet, site in view.table.planets.items()
        }
        return work

    def make_state(self) -> State:
        """Make the position that came out; `step` follows from what is awaited."""
        step: Literal["turn", "mark", "collect"] = self.awaiting.what if self.awaiting else "turn"
        sites = {
            planet: replace(self.planets[planet], face_down=len(self.face_down[planet]))
            for planet in self.ring
        }
        table = replace(
            self.table,
            turn=self.turn,
            step=step,
            active=self.active,
            actions_left=self.actions_left,
            deadline="kept" if self.kept else None,
            planets=sites,
            ships=self.ships,
            discard=tuple(self.discard),
            kept_out=self.kept_out,
            collected=self.collected,
            black_hole=self.black_hole,
            jump_gate=self.jump_gate,
            final_turns=self.final_turns,
            awaiting=self.awaiting,
            over=self.over,
        )
        return State(
            table=table,
            hands={seat: tuple(sorted(hand)) for seat, hand in self.hands.items()},
            deck=tuple(self.deck),
            piles={planet: tuple(cards) for planet, cards in self.face_down.items()},
            hidden=self.hidden,
            standing=self.standing,
            take=self.take,
        )

    @property
    def asks(self) -> bool:
        """Whether choices stop the game (JG-7)."""
        return self.options.interrupts == "ask"

    @property
    def is_older(self) -> bool:
        """Whether an earlier version began the game: it asks even if nothing can be chosen."""
        return self.kept_out is None

    def must_ask(self, standing: Preferences, cards: Sequence[Resource], *, may: bool) -> bool:
        """Whether a choice stops the game: no standing list covers it (JG-15)."""
        return self.asks and (self.is_older or not covers_offer(standing, cards, may=may))

    @property
    def is_foreseeing(self) -> bool:
        """Whether a list is only tried for its writer."""
        return self.dice is None

    def find_world(self, planet: Planet) -> World:
        """Find the planet's codes."""
        return self.components.worlds[planet]

    def make_chooser(self, seat: Seat) -> Chooser:
        """Make the seat's chooser among resources."""
        return Chooser(self.collected[seat], self.find_standing(seat).accept, self.components)

    def find_standing(self, seat: Seat) -> Standing:
        """Find a seat's standing orders."""
        return self.standing.get(seat, Standing())

    def change(self, planet: Planet, **facts: object) -> None:
        """Replace facts of a planet."""
        self.planets[planet] = replace(self.planets[planet], **facts)

    def unmark(self, planet: Planet, seat: Seat) -> None:
        """Return the seat's marker from a card there (JGB-6, JGB-7)."""
        marks = self.planets[planet].marks
        self.change(planet, marks={one: card for one, card in marks.items() if one != seat})

    def collect(
        self,
        seat: Seat,
        planet: Planet,
        card: Resource,
        rule: str,
        *,
        how: str,
        payment: Sequence[Card] = (),
    ) -> None:
        """Give a card of the planet to a seat; a black hole card places a marker (JG-11)."""
        face_down = self._take_up(planet, card)
        self.collected[seat] = sort_cards((*self.collected[seat], card))
        place = {"at": planet, "how": how, "face_down": face_down, "cards": list(payment)}
        self.tell("collected", rule, seat=seat, resource=card, **place)
        if has_icon(card):
            self.black_hole[seat] += 1
            self._tell_marker(seat)

    def _tell_marker(self, seat: Seat) -> None:
        more = self.foreseen_markers
        total = sum(self.black_hole.values()) + more
        markers = self.black_hole[seat] + more
        self.tell("black-hole", "JG-11", seat=seat, markers=markers, total=total)

    def foresee(
        self, planet: Planet, card: Resource | None, rule: str, *, how: str, payment: Sequence[Card]
    ) -> None:
        """Tell what the writer of a list is sure to take; what is left there stays open."""
        if card is None:
            return
        seat = self.active
        self.collected[seat] = sort_cards((*self.collected[seat], card))
        place = {"at": planet, "how": how, "face_down": False, "cards": list(payment)}
        self.tell("collected", rule, seat=seat, resource=card, **place)
        if has_icon(card):
            self.foreseen_markers += 1
            self._tell_marker(seat)

    def ask(
        self,
        what: Literal["mark", "collect"],
        planet: Planet,
        seats: Sequence[Seat],
        then: Sequence[Seat] = (),
    ) -> None:
        """Stop the game for a choice (JG-15); a list that is only tried goes on unsure."""
        if self.is_foreseeing:
            self.asked = self.entry if self.asked is None else self.asked
            for seat in (*seats, *then) if what == "collect" else ():
                self.blur(planet, seat)
            return
        self.awaiting = Awaiting(what=what, at=planet, asked=tuple(seats), then=tuple(then))
        self.tell("asked", "JG-15", what=what, seats=list(seats), at=planet)

    def turn_up(self, planet: Planet) -> Resource:
        """Turn up the top face-down card."""
        card = self.face_down[planet].pop(0)
        if card == UNKNOWN:
            self.haze[planet].append(card)
        else:
            self.change(planet, face_up=(*self.planets[planet].face_up, card))
        return card

    def _take_up(self, planet: Planet, card: Resource) -> bool:
        """Take a card off the planet, a face-up one first; return whether it lay face-down."""
        face_up = list(self.planets[planet].face_up)
        if card in face_up:
            face_up.remove(card)
            self.change(planet, face_up=tuple(face_up))
            return False
        self.face_down[planet].remove(card)
        return True

    def blur(self, planet: Planet, seat: Seat) -> None:
        """Note that the seat may take a card there, so that nobody can tell which are left."""
        self.led_by_others |= seat != self.active
        site = self.planets[planet]
        self.haze[planet] += list_collectable(site.face_up)
        self.forget(planet)
        unseen = (*self.haze[planet], *self.face_down[planet])
        if any(card == UNKNOWN or has_icon(card) for card in unseen):
            self.perhaps_marked.add(seat)
        rest = tuple(card for card in site.face_up if card == NOTHING)
        self.change(planet, face_up=rest, marks={})

    def forget(self, planet: Planet) -> None:
        """Forget the face-down cards there and their order, as the writer of a list must."""
        self.face_down[planet] = [UNKNOWN] * len(self.face_down[planet])

    def doubt(self, rule: str, why: str) -> None:
        """Note that an action may fail; never in the adjudication itself."""
        assert self.is_foreseeing
        led = self.led_by_others or self.asked is not None
        self.doubts.append(Doubt(self.entry, rule, why, "both" if led else "hidden"))


def count_markers(markers: Mapping[Seat, int]) -> int:
    """Count all markers of a board."""
    return sum(markers.values())
