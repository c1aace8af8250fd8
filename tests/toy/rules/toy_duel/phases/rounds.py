"""The course of a round: cards are turned up, somebody scores, a card is taken, all draw."""

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Orders, Seat
from adjudicator.core.events import Event, make_negation
from adjudicator.core.game import Due, Over
from adjudicator.rules.toy_duel.position.components import Box, Card
from adjudicator.rules.toy_duel.position.state import State

Outcome = tuple[State, list[Event]]


def due(state: State) -> dict[Seat, Due] | Over:
    """Who owes what."""
    if state.winners is not None:
        return Over(state.winners)
    if state.step == "prize" and state.scorer:
        return {state.scorer: Due("prize", clock="short", counts_as_missed=False)}
    if state.step == "pick":
        return {seat: Due("pick") for seat in state.seats if state.hands[seat]}
    return {}


def resolve(box: Box, state: State, orders: Orders, dice: Dice, *, cut: bool) -> Outcome:
    """To the next point where somebody owes orders."""
    state = _with_standing(state, orders)
    if state.step == "prize":
        state, events = _take(box, state, orders, dice)
    else:
        state, events = _reveal(box, state, orders)
        if state.scorer and _asks(state, state.scorer):
            return replace(state, step="prize"), events
    state = replace(state, scorer=None, step="draw")
    state, drawn = _next(box, state, cut=cut)
    return state, [*events, *drawn]


def _with_standing(state: State, orders: Orders) -> State:
    standing = dict(state.standing)
    for seat in state.seats:
        if wish := orders.get(seat, {}).get("standing"):
            standing[seat] = {**standing.get(seat, {}), **wish}
    return replace(state, standing=standing)


def _asks(state: State, seat: Seat) -> bool:
    waived = state.standing.get(seat, {}).get("prize") == "pass"
    return not waived and any(state.hands[s] for s in state.seats if s != seat)


def _without(cards: Sequence[Card], card: Card) -> tuple[Card, ...]:
    left = list(cards)
    left.remove(card)
    return tuple(left)


def _pick(hand: Sequence[Card], form: Document, seat: Seat) -> tuple[Card, list[Event]]:
    wanted = form.get("play")
    if wanted is None:
        return hand[0], []  # TD-3
    if wanted in hand:
        return wanted, []
    why = f"you have no {wanted}; your weakest card was played in its place"
    return hand[0], [
        make_negation(seat, "TD-4", f"play {wanted}", why, seen_by=(seat,), path=("play",))
    ]


def _reveal(box: Box, state: State, orders: Orders) -> Outcome:
    events: list[Event] = []
    played: dict[Seat, Card] = {}
    hands = dict(state.hands)
    for seat in state.seats:
        if not hands[seat]:
            continue
        played[seat], faults = _pick(hands[seat], orders.get(seat, {}), seat)
        hands[seat] = _without(hands[seat], played[seat])
        data = {"seat": seat, "card": played[seat], "value": box.cards[played[seat]].value}
        events += [*faults, Event(kind="played", rule="TD-2", seen_by=None, data=data)]
    state = replace(state, played=box.in_order((*state.played, *played.values())))
    scorer = _highest(box, played)
    if scorer is None:
        events.append(Event(kind="tied", rule="TD-5", seen_by=None))
        return replace(state, hands=hands, scorer=None), events
    value = box.cards[played[scorer]].value
    events.append(
        Event(kind="scored", rule="TD-5", seen_by=None, data={"seat": scorer, "points": value})
    )
    scores = {**state.scores, scorer: state.scores[scorer] + value}
    return replace(state, hands=hands, scores=scores, scorer=scorer), events


def _highest(box: Box, played: dict[Seat, Card]) -> Seat | None:
    values = Counter(box.cards[card].value for card in played.values())
    top = max(values)
    if values[top] > 1:
        return None
    return next(seat for seat, card in played.items() if box.cards[card].value == top)


def _take(box: Box, state: State, orders: Orders, dice: Dice) -> Outcome:
    thief = state.scorer or ""
    victim = orders.get(thief, {}).get("from")
    if victim is None:
        return state, []
    if victim == thief or not state.hands[victim]:
        why = "that is your own hand" if victim == thief else f"{victim} has no card"
        order = f"from {victim}"
        return state, [make_negation(thief, "TD-6", order, why, seen_by=(thief,), path=("from",))]
    card = dice.draw("take", thief).choice(state.hands[victim])
    hands = dict(state.hands)
    hands[victim] = _without(hands[victim], card)
    hands[thief] = box.in_order((*hands[thief], card))
    who = {"seat": thief, "from": victim}
    seen = tuple(s for s in state.seats if s in (thief, victim))
    return replace(state, hands=hands), [
        Event(kind="took", rule="TD-6", seen_by=None, data=who),
        Event(kind="card_taken", rule="TD-6", seen_by=seen, data={**who, "card": card}),
    ]


def _next(box: Box, state: State, *, cut: bool) -> Outcome:
    if state.round >= state.options.rounds:
        return _over(state)
    if cut:
        return state, []
    hands, deck = dict(state.hands), list(state.deck)
    events = []
    for seat in state.seats:  # TD-7
        if deck:
            card = deck.pop(0)
            hands[seat] = box.in_order((*hands[seat], card))
            data = {"seat": seat, "card": card}
            events.append(Event(kind="drew", rule="TD-7", seen_by=(seat,), data=data))
    state = replace(state, round=state.round + 1, step="pick", hands=hands, deck=tuple(deck))
    if any(hands.values()):
        return state, events
    return _over(state)


def _over(state: State) -> Outcome:
    top = max(state.scores.values())
    winners = tuple(seat for seat in state.seats if state.scores[seat] == top)
    event = Event(kind="over", rule="TD-7", seen_by=None, data={"winners": list(winners)})
    return replace(state, winners=winners), [event]
