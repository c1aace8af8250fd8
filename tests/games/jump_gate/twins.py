"""Twins of a step of Jump Gate: positions that differ in something not everybody may know."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.document import encode
from adjudicator.core.events import Event
from adjudicator.rules.jump_gate.position.resources import sort_cards
from adjudicator.rules.jump_gate.position.state import Standing, State
from tests.games.jump_gate.play import SECOND, Played

Orders = Mapping[str, Any]
Events = Sequence[Event]


class Outcome(Struct, frozen=True):
    """What a step led to."""

    state: State
    events: Events


def _never(_: Outcome) -> bool:
    return False


class Twin(Struct, frozen=True, kw_only=True):
    """The same position, but for something that only some may know."""

    what: str
    state: State
    orders: Orders
    knows: frozenset[str] = frozenset()
    """Who may know of the difference before the step."""
    seen: bool = True
    """Whether who may know of it sees it before the step."""
    learns: frozenset[str] = frozenset()
    """Who may know of it by the end of the step."""
    surfaced: Callable[[Outcome], bool] = _never
    """Whether the rules brought it to light for all."""


def _words(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _words(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _words(part)


def _lets_choose_cards(kind: str, orders: Orders) -> bool:
    """Whether the program picks a card to discard, which all see (JG-6)."""
    needs = {"jump": "card", "scan": "card", "land": "cards", "special": "cards"}
    if kind == SECOND:
        needs["harvest"] = "card"
    actions = orders.get("actions") or ()
    return any(needs.get(action["do"], "do") not in action for action in actions)


def _active(step: Played) -> str:
    return step.before.table.active


def _own(step: Played) -> Orders:
    return step.orders.get(_active(step)) or {}


def _drawn(step: Played) -> bool:
    return any(event.kind == "drew" for event in step.events)


def _kinds(outcome: Outcome, *kinds: str) -> Iterator[Event]:
    return (event for event in outcome.events if event.kind in kinds)


def hands(kind: str, step: Played) -> Iterator[Twin]:
    """A card of a hand is exchanged with one of the deck or of another hand (JG-13)."""
    state = step.before
    seats = state.table.seats
    named = set(_words(list(step.orders.values())))
    holder = seats[step.number % len(seats)]
    if not state.hands[holder]:
        return
    card = state.hands[holder][step.number % len(state.hands[holder])]
    chooses = _lets_choose_cards(kind, _own(step))
    for place in {0, len(state.deck) - 1} if state.deck else ():
        other = state.deck[place]
        drawn = _drawn(step)
        touched = holder == _active(step) or drawn
        if {card, other} & named or (touched and chooses):
            continue
        hand = _with(state.hands[holder], card, other)
        deck = tuple(card if one == other else one for one in state.deck)
        yield Twin(
            what=f"a card of {holder} lies in the deck",
            state=replace(state, hands={**state.hands, holder: hand}, deck=deck),
            orders=step.orders,
            knows=frozenset({holder}),
            learns=frozenset({_active(step)} if drawn else ()),
        )
    neighbour = seats[(step.number + 1) % len(seats)]
    if len(seats) == 2 or not state.hands[neighbour]:
        return
    other = state.hands[neighbour][0]
    if {card, other} & named or (chooses and _active(step) in (holder, neighbour)):
        return
    changed = {
        holder: _with(state.hands[holder], card, other),
        neighbour: _with(state.hands[neighbour], other, card),
    }
    yield Twin(
        what=f"{holder} and {neighbour} hold each other's card",
        state=replace(state, hands={**state.hands, **changed}),
        orders=step.orders,
        knows=frozenset(changed),
    )


def _with(hand: tuple[str, ...], out: str, into: str) -> tuple[str, ...]:
    return tuple(sorted(into if card == out else card for card in hand))


def deck(kind: str, step: Played) -> Iterator[Twin]:
    """The deck lies in another order (JG-13)."""
    state = step.before
    if any(event.kind == "deck-replaced" for event in step.events):
        return
    drawn = len(state.deck) - len(step.after.deck)
    lower = state.deck[drawn:]
    if len(lower) > 1:
        yield Twin(
            what="the deck lies in another order below what is drawn",
            state=replace(state, deck=(*state.deck[:drawn], *reversed(lower))),
            orders=step.orders,
        )
    named = set(_words(list(step.orders.values())))
    both = {*state.deck[:drawn], *state.deck[::-1][:drawn]}
    if drawn and not both & named and not _lets_choose_cards(kind, _own(step)):
        yield Twin(
            what="other cards are drawn",
            state=replace(state, deck=state.deck[::-1]),
            orders=step.orders,
            learns=frozenset({_active(step)}),
        )


def _landed(state: State, *planets: str) -> frozenset[str]:
    """Who sees the face-down cards there (JGA-14)."""
    ships = state.table.ships
    return frozenset(s for s, ship in ships.items() if ship.landed and ship.at in planets)


def _moved(step: Played, places: Mapping[str, int]) -> Callable[[Outcome], bool]:
    """Whether more than so many cards from the top of a planet's pile have left it.

    In Orbital Burn a card is chosen from the pile; there nothing may have left it at all.
    """
    burn = step.before.table.options.orbital_burn

    def surfaced(end: Outcome) -> bool:
        return any(
            len(step.before.piles[planet]) - len(end.state.piles[planet]) > (0 if burn else place)
            for planet, place in places.items()
        )

    return surfaced


def face_down(_: str, step: Played) -> Iterator[Twin]:
    """Face-down resources lie on other planets, or otherwise in their pile (JG-13)."""
    state = step.before
    ring = state.table.ring
    one, other = ring[step.number % len(ring)], ring[(step.number + 2) % len(ring)]
    piles = {planet: list(state.piles[planet]) for planet in (one, other)}
    if piles[one] and piles[other] and piles[one][-1] != piles[other][-1]:
        piles[one][-1], piles[other][-1] = piles[other][-1], piles[one][-1]
        changed = {planet: tuple(pile) for planet, pile in piles.items()}
        yield Twin(
            what=f"the lowest cards of {one} and {other} are exchanged",
            state=replace(state, piles={**state.piles, **changed}),
            orders=step.orders,
            knows=_landed(state, one, other),
            learns=_landed(step.after, one, other),
            surfaced=_moved(step, {planet: len(pile) - 1 for planet, pile in changed.items()}),
        )
    for planet in ring:
        pile = state.piles[planet]
        turned = len(pile) - len(step.after.piles[planet])
        if len(set(pile[turned:])) > 1:
            mixed = (*pile[:turned], *reversed(pile[turned:]))
            yield Twin(
                what=f"the cards of {planet} lie in another order",
                state=replace(state, piles={**state.piles, planet: mixed}),
                orders=step.orders,
                surfaced=_moved(step, {planet: turned}),
            )
            return


def hidden(_: str, step: Played) -> Iterator[Twin]:
    """Hidden resources are others (JGB-2, JG-13)."""
    state = step.before
    seats = state.table.seats
    holder = seats[step.number % len(seats)]
    mine = state.hidden[holder]

    def shown(*holders: str) -> Callable[[Outcome], bool]:
        def surfaced(end: Outcome) -> bool:
            lost = {event.data["seat"] for event in _kinds(end, "hidden-lost")}
            return end.state.table.over is not None and not {*holders} <= lost

        return surfaced

    for planet in state.table.ring:
        pile = state.piles[planet]
        if mine and pile and pile[-1] not in mine and step.after.piles[planet]:
            gone = sort_cards((*mine[1:], pile[-1]))
            yield Twin(
                what=f"a hidden card of {holder} lies on {planet}",
                state=replace(
                    state,
                    hidden={**state.hidden, holder: gone},
                    piles={**state.piles, planet: (*pile[:-1], mine[0])},
                ),
                orders=step.orders,
                knows=frozenset({holder}),
                surfaced=shown(holder),
            )
            break
    neighbour = seats[(step.number + 1) % len(seats)]
    theirs = state.hidden[neighbour]
    if mine and theirs and mine[0] != theirs[0]:
        changed = {
            holder: sort_cards((*mine[1:], theirs[0])),
            neighbour: sort_cards((*theirs[1:], mine[0])),
        }
        yield Twin(
            what=f"{holder} and {neighbour} hide each other's resource",
            state=replace(state, hidden={**state.hidden, **changed}),
            orders=step.orders,
            knows=frozenset(changed),
            surfaced=shown(*changed),
        )


STANDING = (
    Standing(),
    Standing(collect=("none",)),
    Standing(collect=("fame", "none"), black_hole="accept"),
    Standing(collect=("gem-red", "energel-dark"), black_hole="accept"),
    Standing(mark=("water", "none"), take=("fame", "none")),
    Standing(mark=("gem-red",), take=("none",)),
)


def _decided(*seats: str) -> Callable[[Outcome], bool]:
    """Whether one of these made a choice that all see, or was seen to be asked for it (JG-15)."""

    def surfaced(end: Outcome) -> bool:
        chose = [e.data["seat"] for e in _kinds(end, "collected", "left", "marked")]
        asked = [seat for e in _kinds(end, "asked") for seat in e.data["seats"]]
        return any(seat in seats for seat in (*chose, *asked))

    return surfaced


def standing(_: str, step: Played) -> Iterator[Twin]:
    """Somebody has other standing orders (JG-7, JG-13)."""
    state = step.before
    seats = state.table.seats
    holder = seats[step.number % len(seats)]
    wish = STANDING[step.number // len(seats) % len(STANDING)]
    if state.standing.get(holder, Standing()) == wish:
        return
    yield Twin(
        what=f"{holder} has other standing orders",
        state=replace(state, standing={**state.standing, holder: wish}),
        orders=step.orders,
        knows=frozenset({holder}),
        surfaced=_decided(holder),
    )


def unspoken(_: str, step: Played) -> Iterator[Twin]:
    """What a player wrote for the landing waits while others choose (JG-15)."""
    state = step.before
    if state.table.step == "collect" and state.take is not None:
        yield Twin(
            what="the lander will take something else",
            state=replace(state, take=("none",)),
            orders=step.orders,
            knows=frozenset({_active(step)}),
            seen=False,
            surfaced=_decided(_active(step)),
        )


def written(kind: str, step: Played) -> Iterator[Twin]:
    """An order says more than what comes of it (JG-5, JG-14, JG-15)."""
    for seat, sent in step.orders.items():
        for form in _rewritten(kind, step, seat, sent):
            yield Twin(
                what=f"{seat} wrote more",
                state=step.before,
                orders={**step.orders, seat: form},
                knows=frozenset({seat}),
                surfaced=_chose_otherwise(step),
            )


def _rewritten(kind: str, step: Played, seat: str, sent: Orders) -> Iterator[Orders]:
    wishes = ("mark", "collect")
    for key in wishes:
        if sent.get(key) and sent[key][-1] != "none":
            yield {**sent, key: [*sent[key], "fame", "none"]}
    if step.before.table.step != "turn":
        return
    yield {**sent, "standing": {"collect": ["water", "none"], "black_hole": "accept"}}
    actions = [dict(action) for action in sent.get("actions") or ()]
    if not actions:
        return
    for action in actions:
        for key in ("mark", "take"):
            if action.get(key) and action[key][-1] != "none":
                action[key] = [*action[key], "sand" if kind == SECOND else "water"]
    yield {**sent, "actions": actions}
    stopped = any(event.kind in ("asked", "negated") for event in step.events)
    hand = step.after.hands[seat]
    if stopped and hand:
        more = {"do": "research", "discard": [hand[0]]}
        yield {**sent, "actions": [*(sent["actions"]), more], "end": True}


def _chose_otherwise(step: Played) -> Callable[[Outcome], bool]:
    """Whether another choice or question came of it, which all see."""
    kinds = ("collected", "left", "marked", "asked")
    real = encode(list(_kinds(Outcome(step.after, step.events), *kinds)))
    return lambda end: encode(list(_kinds(end, *kinds))) != real


TWINS = (hands, deck, face_down, hidden, standing, unspoken, written)
