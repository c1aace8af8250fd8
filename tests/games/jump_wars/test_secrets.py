"""Non-interference: what a seat cannot know changes nothing of what it is told.

A twin of a game differs from it only in what a seat cannot know. It is made without asking what
anybody was told: a card in somebody's hand is exchanged with one that lies deep in the deck or in
a third hand, where no order of this step names either card; the whole hand of somebody who is
silent is exchanged with the bottom of the deck; or an order that stays unrevealed is written
differently. Every seat that may not know of it, and the public, must get the same bytes: view,
findings, events and report. A card that the rules bring to light in this very step (stolen, or
discarded for the hand limit) is no secret any more; such twins are passed over and counted.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator.core.document import encode
from adjudicator.core.events import list_visible
from adjudicator.core.game import Over
from adjudicator.rules.jump_wars.position.state import (
    FightOrders,
    FinalOrders,
    NovaBombs,
    PrivateOrders,
    State,
)
from tests.games.jump_wars.play import KIND, RULES, Played, walk
from tests.games.told import report_bytes

Orders = Mapping[str, Any]


def told(state: State, events: Any, seat: str | None, orders: Orders | None) -> bytes:
    """Everything that a seat is told when a step has been adjudicated."""
    view = RULES.view(state, seat)
    seen = list_visible(events, seat)
    findings: Any = ()
    if seat is not None and orders is not None and not isinstance(RULES.due(state), Over):
        findings = RULES.check(view, seat, orders), RULES.foretell(view, seat, orders)
    return encode([view, seen, findings]) + report_bytes(RULES, view, seen)


def swapped(state: State, holder: str, place: int, other: str | None) -> State:
    """The state with the first card of a hand exchanged; None if that changes nothing."""
    hand = list(state.hands[holder])
    if other is None:
        deck = list(state.deck)
        hand[0], deck[place] = deck[place], hand[0]
        state = replace(state, deck=tuple(deck))
        changed = {holder: hand}
    else:
        theirs = list(state.hands[other])
        hand[0], theirs[0] = theirs[0], hand[0]
        changed = {holder: hand, other: theirs}
    sort = RULES.components.sort_cards
    return replace(
        state, hands={**state.hands, **{seat: sort(cards) for seat, cards in changed.items()}}
    )


def dealt_anew(state: State, holder: str) -> State:
    """The state with a whole hand exchanged with the bottom of the deck."""
    hand, cut = state.hands[holder], len(state.deck) - len(state.hands[holder])
    bottom = RULES.components.sort_cards(state.deck[cut:])
    return replace(state, deck=(*state.deck[:cut], *hand), hands={**state.hands, holder: bottom})


def names_in(value: object) -> Iterator[str]:
    """Every word of some orders."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from names_in(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from names_in(part)


def brought_to_light(events: Any, parties: set[str]) -> bool:
    """Whether the rules themselves showed a card of one of these hands to others."""
    for event in events:
        if event.kind == "hand-limit" and event.data["seat"] in parties:
            return True
        if event.kind == "stolen" and event.data["victim"] in parties:
            return True
    return False


def shows_wishes_of(seat: str, event: Any) -> bool:
    """Whether what a seat prefers in fights and discards comes to light in this event."""
    if event.kind == "fight":
        return any(one["side"] == seat for one in event.data["sides"])
    return event.kind == "hand-limit" and event.data["seat"] == seat


def compare(step: Played, twin: State, orders: Orders, insiders: set[str]) -> int:
    """How many readers got the same bytes; fails when one did not."""
    after, events = RULES.resolve(twin, orders, step.dice)
    if brought_to_light([*step.events, *events], insiders):
        return 0
    readers = (*KIND.seats[: len(step.before.hands)], None)
    compared = 0
    for seat in readers:
        if seat in insiders:
            continue
        own = step.orders.get(seat) if seat else None
        assert told(step.before, (), seat, own) == told(twin, (), seat, own)
        assert told(step.after, step.events, seat, own) == told(after, events, seat, own)
        compared += 1
    return compared


GAMES: list[tuple[int, int, dict[str, object], str]] = [
    (2, 3, {"grid": "hex"}, "legal"),
    (3, 5, {"old_empire": True}, "legal"),
    (4, 8, {"homeworlds": "choose"}, "legal"),
    (5, 3, {}, "bot"),
]
MORE: list[tuple[int, int, dict[str, object], str]] = [
    (1, 2, {}, "legal"),
    (6, 5, {"grid": "hex", "old_empire": True}, "bot"),
]
EACH = pytest.mark.parametrize(
    ("seed", "players", "options", "who"),
    [*GAMES, *(pytest.param(*one, marks=pytest.mark.soak) for one in MORE)],
)


@EACH
def test_hands_and_deck_of_others_change_nothing(
    seed: int, players: int, options: dict[str, object], who: str
) -> None:
    """Other hands and the order of the deck show in nothing that a seat gets."""
    seats = KIND.seats[:players]
    compared = 0
    for step in walk(seed, seats, options, players=dict.fromkeys(seats, who), steps=60):
        state = step.before
        if state.table.step == "homeworlds":
            continue
        deep = len(state.deck) - 1
        # Nobody draws as deep as this in one step.
        reachable = deep >= 3 * players + 6
        named = set(names_in(list(step.orders.values())))
        for index, holder in enumerate(seats):
            other = seats[(index + 1) % players] if players > 2 and index % 2 else None
            if not state.hands[holder] or (other and not state.hands[other]):
                continue
            if other is None and not reachable:
                continue
            theirs = state.hands[other][0] if other else state.deck[deep]
            if {state.hands[holder][0], theirs} & named or state.hands[holder][0] == theirs:
                continue
            # A bot or `legal` may look at its own hand, so the orders stay those of the game.
            twin = swapped(state, holder, deep, other)
            compared += compare(step, twin, step.orders, {holder, *([other] if other else [])})
    assert compared > 40, "the twins were nearly all passed over; the test shows nothing"


@EACH
def test_a_hand_of_quite_other_cards_changes_nothing(
    seed: int, players: int, options: dict[str, object], who: str
) -> None:
    """Whoever is silent in this step may hold anything: nobody learns what, or how many sorts."""
    seats = KIND.seats[:players]
    compared = dict.fromkeys(("plan", "jump"), 0)
    for step in walk(seed, seats, options, players=dict.fromkeys(seats, who), steps=60):
        state, form = step.before, step.before.table.step
        for holder in seats:
            # Nobody draws as deep as this in one step.
            if form not in compared or len(state.deck) < 3 * players + 6 + len(state.hands[holder]):
                continue
            orders = {seat: own for seat, own in step.orders.items() if seat != holder}
            after, events = RULES.resolve(state, orders, step.dice)
            silent = replace(step, orders=orders, after=after, events=events)
            compared[form] += compare(silent, dealt_anew(state, holder), orders, {holder})
    assert min(compared.values()) > 10, "nearly all were passed over; the test shows nothing"


@EACH
def test_unrevealed_orders_change_nothing(
    seed: int, players: int, options: dict[str, object], who: str
) -> None:
    """What of a form is not revealed, and comes to nothing, nobody else learns."""
    seats = KIND.seats[:players]
    compared = 0
    for step in walk(seed, seats, options, players=dict.fromkeys(seats, who), steps=60):
        form = step.before.table.step
        if form not in ("plan", "jump"):
            continue
        writer = seats[step.number % players]
        orders = dict(step.orders[writer])
        if form == "plan":
            orders["steal"] = writer  # JW-17: the own hand, surely negated
            if RULES.view(step.before, None).table.players[writer].find_level("trade") > 1:
                continue
            orders["sabotage"] = [{"discard": "trade", "player": "empire", "at": "A1"}]
            if step.before.table.players[writer].specials:
                continue
            if step.orders[writer].get("steal"):
                continue
        else:
            if any(shows_wishes_of(writer, event) for event in step.events):
                continue  # there the preferences show by right
            orders["fight"] = {"targets": [seats[0]], "nova_bombs": [{"at": "J9", "ships": 2}]}
            orders["final"] = {"discard": ["espionage"]}
        compared += compare(step, step.before, {**step.orders, writer: orders}, {writer})
    assert compared > 10, "the twins were nearly all passed over; the test shows nothing"


def test_what_is_kept_of_the_jump_forms_changes_nothing_in_the_reveal_step() -> None:
    """While some answer the revealed orders, the private rest of all forms stays private."""
    seats = KIND.seats[:4]
    compared = 0
    for seed in range(4):
        for step in walk(seed, seats, {}, steps=80):
            state = step.after
            if state.table.step != "reveal":
                continue
            for holder in seats:
                kept = PrivateOrders(
                    fight=FightOrders(targets=(seats[0],), nova_bombs=(NovaBombs("A1", 1),)),
                    final=FinalOrders(discard=("trade",)),
                )
                twin = replace(state, kept={**state.kept, holder: kept})
                for seat in (*seats, None):
                    if seat != holder:
                        assert told(state, (), seat, {}) == told(twin, (), seat, {})
                        compared += 1
    assert compared > 100
