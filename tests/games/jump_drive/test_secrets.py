"""Non-interference: what a seat cannot know changes nothing of what it is told.

A twin of a position differs from it only in something that not everybody may know: cards in
hands, the order of the deck, the face-down pile, what somebody would discard first, or how an
order pays and discards. Whoever may not know of it, and the public, must get the same bytes:
view, findings, what a receipt foretells, events, and report, before the step and after it. Cards
that such a difference puts into other hands are known to who drew them; those seats are passed
over after the step.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.document import encode
from adjudicator.core.events import Event, list_visible
from adjudicator.core.game import Over
from adjudicator.rules.jump_drive.position.state import State
from tests.games.jump_drive.play import KIND, RULES, Played, walk
from tests.games.told import report_bytes

Orders = Mapping[str, Any]
Events = Sequence[Event]


class Twin(Struct, frozen=True, kw_only=True):
    """The same position, but for something that only some may know."""

    what: str
    state: State
    orders: Orders
    knows: frozenset[str] = frozenset()
    """Who may know of the difference before the step."""
    drawn: bool = False
    """Whether it changes which cards are drawn."""


def told(state: State, events: Events, seat: str | None, orders: Orders | None) -> bytes:
    """Everything that a seat is told of a position and of what led to it."""
    view = RULES.view(state, seat)
    seen = list_visible(events, seat)
    answer: Any = ()
    if seat is not None and orders is not None and not isinstance(RULES.due(state), Over):
        answer = RULES.check(view, seat, orders), RULES.foretell(view, seat, orders)
    return encode([view, seen, answer]) + report_bytes(RULES, view, seen)


class Real:
    """A step, and what each reader was told of it: worked out once for all its twins."""

    def __init__(self, step: Played) -> None:
        self.step = step
        self._before: dict[str | None, bytes] = {}
        self._after: dict[str | None, bytes] = {}

    def before(self, seat: str | None) -> bytes:
        if seat not in self._before:
            self._before[seat] = told(self.step.before, (), seat, self.orders(seat))
        return self._before[seat]

    def after(self, seat: str | None) -> bytes:
        if seat not in self._after:
            self._after[seat] = told(self.step.after, self.step.events, seat, None)
        return self._after[seat]

    def orders(self, seat: str | None) -> Orders | None:
        return self.step.orders.get(seat) if seat else None


def compare(real: Real, twin: Twin) -> bool:
    """Fails where a reader who may not know got other bytes; whether somebody was compared."""
    step = real.step
    readers = (*step.before.table.seats, None)
    for seat in readers if twin.state != step.before else ():
        same = real.before(seat) == told(twin.state, (), seat, real.orders(seat))
        if seat in twin.knows:
            assert not same, f"{twin.what}: {seat} is not told, so the twin shows nothing"
        else:
            assert same, f"{twin.what}: {seat or 'the public'} is told before the step"
    state, events = RULES.resolve(twin.state, twin.orders, step.dice)
    insiders = set(twin.knows)
    if twin.drawn or reshuffled(step.events):
        insiders |= drawers(step.events) | drawers(events)
    for seat in readers:
        if seat not in insiders:
            mine = real.after(seat)
            other = told(state, events, seat, None)
            assert mine == other, f"{twin.what}: {seat or 'the public'} is told after the step"
    return insiders != set(step.before.table.seats)


def drawers(events: Events) -> set[str]:
    return {event.data["seat"] for event in events if event.kind == "drew-cards"}


def reshuffled(events: Events) -> bool:
    return any(event.kind == "reshuffled" for event in events)


def drawn_from_deck(step: Played) -> int:
    """How many cards left the deck as it lay before the step."""
    if reshuffled(step.events):
        return len(step.before.deck)
    return len(step.before.deck) - len(step.after.deck)


# ---- what can differ


def names_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from names_in(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from names_in(part)


def exchanged(cards: Sequence[str], out: str, into: str) -> tuple[str, ...]:
    """The cards with one copy exchanged."""
    left = list(cards)
    left.remove(out)
    return tuple(sorted([*left, into]))


def with_card(state: State, holder: str, card: str, other: str) -> dict[str, Any]:
    """The hands, and what explorers have drawn, with another card for one of them."""
    changed: dict[str, Any] = {
        "hands": {**state.hands, holder: exchanged(state.hands[holder], card, other)}
    }
    if card in state.drawn.get(holder, ()):
        drawn = exchanged(state.drawn[holder], card, other)
        changed["drawn"] = {**state.drawn, holder: drawn}
    return changed


def secret_card(step: Played, holder: str) -> str | None:
    """A card of the hand that no order of this step names."""
    named = set(names_in(list(step.orders.values())))
    free = [card for card in step.before.hands[holder] if card not in named]
    return free[step.number % len(free)] if free else None


def hands(step: Played) -> Iterator[Twin]:
    """A card of a hand is exchanged with one of the deck, of the pile, or of another hand."""
    state = step.before
    named = set(names_in(list(step.orders.values())))
    seats = state.table.seats
    holder, neighbour = seats[step.number % len(seats)], seats[step.number % len(seats) - 1]
    card = secret_card(step, holder)
    if card is None:
        return
    for place in {0, len(state.deck) - 1} if state.deck else ():
        other = state.deck[place]
        if other == card or other in named:
            continue
        deck = (*state.deck[:place], card, *state.deck[place + 1 :])
        yield Twin(
            what=f"a card of {holder} lies in the deck",
            state=replace(state, deck=deck, **with_card(state, holder, card, other)),
            orders=step.orders,
            knows=frozenset({holder}),
            drawn=place < drawn_from_deck(step),
        )
    hidden = [one for one in state.discard if one != card and one not in named]
    if hidden:
        pile = exchanged(state.discard, hidden[0], card)
        yield Twin(
            what=f"a card of {holder} lies on the pile",
            state=replace(state, discard=pile, **with_card(state, holder, card, hidden[0])),
            orders=step.orders,
            knows=frozenset({holder}),
        )
    theirs = secret_card(step, neighbour)
    if theirs is not None and theirs != card and len(seats) > 2:
        once = replace(state, **with_card(state, holder, card, theirs))
        yield Twin(
            what=f"{holder} and {neighbour} hold each other's card",
            state=replace(once, **with_card(once, neighbour, theirs, card)),
            orders=step.orders,
            knows=frozenset({holder, neighbour}),
        )


def deck(step: Played) -> Iterator[Twin]:
    """The deck lies in another order, or other cards are in it than on the pile."""
    state, drawn = step.before, drawn_from_deck(step)
    named = set(names_in(list(step.orders.values())))
    lower = state.deck[drawn:]
    if len(set(lower)) > 1:
        yield Twin(
            what="the deck lies in another order below what is drawn",
            state=replace(state, deck=(*state.deck[:drawn], *reversed(lower))),
            orders=step.orders,
        )
    if drawn and not {*state.deck[:drawn], *state.deck[-drawn:]} & named:
        yield Twin(
            what="other cards are drawn",
            state=replace(state, deck=state.deck[::-1]),
            orders=step.orders,
            drawn=True,
        )
    if lower and state.discard and lower[-1] != state.discard[0]:
        yield Twin(
            what="a card of the pile lies in the deck",
            state=replace(
                state,
                deck=(*state.deck[:-1], state.discard[0]),
                discard=exchanged(state.discard, state.discard[0], state.deck[-1]),
            ),
            orders=step.orders,
        )


def trims(step: Played) -> Iterator[Twin]:
    """Somebody would discard other cards at the end of the round (JD-15)."""
    state = step.before
    for seat, wanted in state.trims.items():
        yield Twin(
            what=f"{seat} would discard others first",
            state=replace(state, trims={**state.trims, seat: (*wanted[1:], *state.hands[seat])}),
            orders=step.orders,
            knows=frozenset({seat}),
        )


def written(step: Played) -> Iterator[Twin]:
    """An order pays or discards otherwise; all of that lies face-down (JD-6, JD-11, JD-15)."""
    for seat in (*step.orders,)[step.number % 2 :: 2]:
        sent = step.orders[seat]
        for form in rewritten(step, seat, sent):
            if RULES.check(RULES.view(step.before, seat), seat, form) == ():
                yield Twin(
                    what=f"{seat} pays or discards otherwise",
                    state=step.before,
                    orders={**step.orders, seat: form},
                    knows=frozenset({seat}),
                )


def rewritten(step: Played, seat: str, sent: Orders) -> Iterator[Orders]:
    hand = step.before.hands[seat]
    if "pay" in sent:
        yield {key: value for key, value in sent.items() if key != "pay"}
    if sent.get("trim"):
        yield {**sent, "trim": list(reversed(hand))}
    if step.before.table.step == "place":
        if sent.get("discard"):
            yield {**sent, "discard": list(reversed(hand))}
            yield {**sent, "discard": "auto"}
    elif sent.get("discard"):
        yield {**sent, "discard": list(hand[: len(sent["discard"])])}
        yield {}
    second = sent.get("second")
    if isinstance(second, Mapping) and "pay" in second:
        yield {**sent, "second": {key: second[key] for key in second if key != "pay"}}


TWINS = (hands, deck, trims, written)

GAMES: list[tuple[int, int, dict[str, object], str]] = [
    (2, 3, {}, "legal"),
    (4, 4, {"first_game": True}, "legal"),
    (5, 2, {}, "bot"),
]
MORE: list[tuple[int, int, dict[str, object], str]] = [
    (1, 2, {}, "legal"),
    (3, 4, {}, "legal"),
    (6, 3, {}, "bot"),
    (7, 4, {}, "bot"),
]


def series(seed: int, players: int, options: dict[str, object], who: str) -> Iterator[Played]:
    """Some games in a row: a single one has few steps."""
    seats = KIND.seats[:players]
    for more in range(3):
        yield from walk(100 * seed + more, seats, options, players=dict.fromkeys(seats, who))


@pytest.mark.parametrize(
    ("seed", "players", "options", "who"),
    [*GAMES, *(pytest.param(*one, marks=pytest.mark.soak) for one in MORE)],
)
def test_what_a_seat_cannot_know_changes_nothing(
    seed: int, players: int, options: dict[str, object], who: str
) -> None:
    held: Counter[str] = Counter()
    steps: set[str] = set()
    for step in series(seed, players, options, who):
        real = Real(step)
        for make in TWINS:
            for twin in make(step):
                if compare(real, twin):
                    held[make.__name__] += 1
                    steps.add(step.before.table.step)
    expected = {"hands", "deck"} | ({"written"} if who == "legal" else set())
    few = {name: held[name] for name in expected if held[name] < 8}
    assert not few, "these twins were nearly all passed over; the test shows nothing"
    asked = {"place"} if options else {"opening", "place"}
    assert steps >= asked | ({"explore", "trim"} if who == "legal" else set())


ASKED = ("second", "explore", "trim")


def test_the_steps_in_which_only_some_are_asked_keep_secrets_too() -> None:
    """Random games until each step has been compared, with `trim` written ahead (JD-15)."""
    held: Counter[str] = Counter()
    for seed in range(12):
        for step in walk(seed, KIND.seats[:4], {}):
            if step.before.table.step not in ASKED:
                continue
            real = Real(step)
            for make in TWINS:
                for twin in make(step):
                    if compare(real, twin):
                        held[f"{step.before.table.step} {make.__name__}"] += 1
    names = {f"{name} hands" for name in ASKED} | {f"{name} deck" for name in ASKED}
    names |= {"explore trims", "explore written", "trim written"}
    assert {name: held[name] for name in sorted(names) if held[name] < 5} == {}
