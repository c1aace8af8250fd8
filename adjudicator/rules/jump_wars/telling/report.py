"""The game's part of a report; orders/jump_wars/report.yaml describes its data.

What `position` and the data of events hold is described in orders/jump_wars/report.yaml.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.document import Document, Seat, to_plain
from adjudicator.core.events import (
    NEGATED,
    Event,
    EventText,
    Facts,
    Teller,
    fold_companions,
    format_count,
    format_list,
    format_rank,
    report_done,
    report_end,
    report_event,
    report_negation,
    tell_by,
)
from adjudicator.core.memo import Latest
from adjudicator.rules.jump_wars.orders import prefill
from adjudicator.rules.jump_wars.phases.ending import rank_seats
from adjudicator.rules.jump_wars.position.components import Components
from adjudicator.rules.jump_wars.position.space import Space
from adjudicator.rules.jump_wars.position.state import Table, View, order_seats
from adjudicator.rules.jump_wars.telling.chart import list_changes
from adjudicator.rules.jump_wars.telling.headline import choose_headline
from adjudicator.rules.jump_wars.telling.sentences import Reader, tell
from adjudicator.rules.jump_wars.telling.tables import make_sections

COMPANIONS: Final = {
    "drew-cards": ("drew",),
    "traded-cards": ("traded",),
    "stolen-card": ("stolen",),
}
"""Private events that name the cards of the public one before them."""

_PARTIES: Final = ("seat", "side", "by", "to", "thief", "victim", "of", "who", "player", "home")

_DUE: Final = {
    "homeworlds": "a ranked list of spaces for your homeworld",
    "plan": "turn {turn}, plan orders",
    "jump": "turn {turn}, jump orders",
    "reveal": "turn {turn}, an answer to the revealed jump orders",
}


def report(view: View, events: Sequence[Event], components: Components) -> Document:
    """Make the game's part of a report/1 document."""
    events = [_sort_lists(e, view.table) if e.kind == "revealed" else e for e in events]
    to_everybody: list[Event] = []
    fights: dict[Space, Facts] = {}
    for event in events:
        if event.seen_by is None:
            to_everybody.append(event)
            if event.kind == "fight":
                fights[event.data["at"]] = event.data
    public = tuple(to_everybody)
    common, reader, table = iter(_tell_public(public)), Reader(view.seat), view.table
    home = table.homes.get(view.seat) if view.seat else None
    merged = fold_companions(events, COMPANIONS)
    own: list[Document] = []
    happened: list[Document] = []
    for number, event in enumerate(merged, start=1):
        to_all = next(common) if event.seen_by is None else None
        writer = to_all.writer if to_all else find_writer(event)
        if view.seat and writer == view.seat:
            own.append({**describe_outcome(number, event), **_find_loss(event, fights)})
        else:
            happened.append(_report_happening(number, event, reader, to_all, home))
    # whoever has no seat cannot ask for the terrain; others read it once, and when they ask
    is_new = view.seat is None or not events or (table.turn == 1 and table.step == "plan")
    over = None
    if table.winners is not None:
        over = report_end(table.winners, f"in turn {table.turn}")
    return {
        **({"standing": _describe_standing(view, view.seat, components)} if view.seat else {}),
        "turn": f"turn {_find_turn(table)}",
        "headline": choose_headline(view, merged, _find_turn(table)),
        "due": {"what": _DUE.get(table.step, "nothing").format(turn=table.turn)},
        "over": over,
        "orders": {"entries": own},
        "events": happened,
        "position": {
            **_report_position(table, view.hand_sizes, view.deck_size, public),
            "hand": list(view.hand) if view.seat else None,
        },
        "sections": make_sections(view, components, whole=is_new),
        "form": prefill.offer_form(view, components),
    }


def _find_loss(event: Event, fights: Mapping[Space, Facts]) -> Document:
    """Find what the writer of a jump lost in the fight where it led to."""
    fight = fights.get(event.data["to"]) if event.kind == "jumped" else None
    losses = fight["lost"].get(event.data["seat"], 0) if fight else 0
    if fight is None or not losses:
        return {}
    rest = fight["left"].get(event.data["seat"])
    return {
        "then": f"{losses} of {losses + rest} lost" if rest else f"all {event.data['fleets']} lost"
    }


_rank_seats: Final = Latest(rank_seats)
"""Everybody's place (the same for every reader)."""


_RANKED: Final = "by homeworlds, mining, fleets, RT (JW-62)"


def _describe_standing(view: View, seat: Seat, components: Components) -> str:
    """Sum up how the reader stands: the rank is that of JW-62."""
    table = view.table
    fleets = sum(table.fleets.get(seat, {}).values())
    is_remembered = bool(table.past) and table.past[-1].turn == _find_turn(table)
    past = table.past[:-1] if is_remembered else table.past
    change = fleets - past[-1].fleets.get(seat, 0) if past else 0
    words = f"{format_count(fleets, 'fleet')}{f' ({change:+d})' if change else ''}"
    rank = format_rank(_rank_seats(table, components), seat)
    return f"{words}, {table.players[seat].tokens} RT, {rank} {_RANKED}"


def _sort_lists(event: Event, table: Table) -> Event:
    """Sort revealed lists by JW-8, since storing sorts them by name."""
    lists = event.data["orders"]
    orders = {seat: lists[seat] for seat in order_seats(table) if seat in lists}
    return replace(event, data={**event.data, "orders": orders})


class _Public(Struct, frozen=True):
    """An event as everybody may read it; whom it does not name reads the same."""

    told: EventText
    words: str
    parties: Sequence[Any]
    writer: Seat | None


@Latest
def _tell_public(events: tuple[Event, ...]) -> Sequence[_Public]:
    """Describe public events in the words of somebody without a seat."""
    public_events = []
    for event in events:
        text = tell(event, Reader(None))
        words = "\n".join((text.text, *text.details))
        public_events.append(_Public(text, words, _list_parties(event), find_writer(event)))
    return public_events


def _report_happening(
    number: int, event: Event, reader: Reader, to_all: _Public | None, home: Space | None
) -> Document:
    seat = reader.seat
    is_same = to_all is not None and (seat is None or seat not in to_all.words)
    text = to_all.told if to_all and is_same else tell(event, reader)
    parties = to_all.parties if to_all else _list_parties(event)
    lands = home is not None and event.kind == "jumped" and event.data["to"] == home
    concerns = lands or (seat is not None and seat in parties)
    return report_event(number, event, text, concerns=concerns)


def _list_parties(event: Event) -> Sequence[Any]:
    """List the seats that an event is about, leaving out its other facts."""
    parties = [fact for key in _PARTIES if (fact := event.data.get(key)) is not None]
    if event.kind == "raided":
        parties += event.data["by"]
    if event.kind == "fight":
        parties += [one["side"] for one in event.data["sides"]]
    return parties


def _find_turn(table: Table) -> int:
    """Find the turn to report: the one that ended, when a new one has just been dealt."""
    return max(1, table.turn - 1) if table.step == "plan" and table.winners is None else table.turn


@Latest
def _report_position(
    table: Table, hand_sizes: Mapping[Seat, int], deck: int, public: tuple[Event, ...]
) -> Document:
    """Report the public position (the same for every reader)."""
    spaces: dict[str, Any] = dict(table.terrain)
    spaces |= {space: {"home": side} for side, space in table.homes.items()}
    players = table.players
    return {
        "grid": table.options.grid,
        "map": spaces,
        "fleets": to_plain(table.fleets),
        "held": dict(table.held),
        "levels": {seat: dict(player.levels) for seat, player in players.items()},
        "raised": {seat: dict(player.raised) for seat, player in players.items()},
        "specials": {seat: list(player.specials) for seat, player in players.items()},
        "tokens": {seat: player.tokens for seat, player in players.items()},
        "hand_sizes": dict(hand_sizes),
        "deck": deck,
        "discard": list(table.discard),
        "ally": {"of": table.ally.of, "is": table.ally.who} if table.ally else None,
        "empire": to_plain(table.hold),
        "past": to_plain(table.past),
        "changes": list_changes(table, public),
    }


def find_writer(event: Event) -> Seat | None:
    """Find the seat whose order the event is the outcome of; None when it is nobody's."""
    entry = _ORDERS.get(event.kind)
    if entry is None and event.kind != NEGATED:
        return None
    seat: Seat = event.data[entry[0] if entry else "seat"]
    return seat


def describe_outcome(number: int, event: Event) -> Document:
    """Make the entry under `orders` of a report; the number is that of the event."""
    facts = event.data
    if event.kind == NEGATED:
        # A time jump that comes to nothing breaks JW-49 too, but only jump orders have a number.
        outcome = "struck" if event.rule == "JW-49" and "number" in facts else "negated"
        entry = report_negation(number, event, outcome)
        return {**entry, "text": _add_number(facts, facts["order"])}
    done_entry = report_done(number, event, _ORDERS[event.kind][1], Reader(None))
    if event.kind == "built" and facts["asked"] != "max" and facts["asked"] > facts["fleets"]:
        why = f"{facts['asked']} were asked for; a fleet costs {facts['price']} RT."
        return {**done_entry, "outcome": "part", "why": why}
    return done_entry


def _add_number(facts: Facts, order: str) -> str:
    """Add to jump orders the number by which a reveal step names them (JW-46)."""
    return f"order {facts['number']}: {order}" if facts.get("number") else order


def _describe_traded(facts: Facts, _: Reader) -> str:
    goods = [f"{facts['rt']} RT"] if facts["rt"] else []
    return f"{'gift' if facts['gift'] else 'trade'} to {facts['to']}: {_list_goods(facts, goods)}"


def _list_goods(facts: Facts, goods: Sequence[str]) -> str:
    cards = facts.get("named") or ([format_count(facts["cards"], "card")] if facts["cards"] else [])
    return format_list([*goods, *cards])


_ORDERS: Final[Mapping[str, tuple[str, Teller[Reader]]]] = {
    "jumped": ("seat", lambda facts, _: _add_number(facts, facts["order"])),
    "homeworld-moved": ("seat", "homeworld from {from} to {to}"),
    "raised": (
        "seat",
        tell_by(
            "card",
            {None: "leadership: {tech} {level} until the turn ends"},
            "cutting edge: {tech} {level} until the turn ends",
        ),
    ),
    "advanced": (
        "seat",
        tell_by(
            "cards",
            {1: "advance {tech}: now {level}", 2: "pair {tech}: now {level}"},
        ),
    ),
    "gained": ("seat", "advance {special}: the ability is yours"),
    "traded": ("by", _describe_traded),
    "stolen": ("thief", "steal from {victim}: {named:and|a card}"),
    "allied": ("of", "ally this turn: {who}"),
    "melted": ("seat", "mine with {cards:and}"),
    "built": ("seat", "build at {at}: {fleets:fleet} for {paid} RT"),
    "sabotaged": ("seat", "sabotage with {card}: 1 fleet of {side} at {at}"),
    "ruins": ("seat", "progenitor ruins discarded for more cards"),
    "brains": ("seat", "positronic brains: {paid} RT for a card"),
    "espionage": ("seat", ("cancel order {number}, {cancelled}", ", {rewritten} instead")),
    "time-jump": ("seat", "time jump with {discard}: {player}'s order {number}, {order}"),
}
"""Per kind of event, which of its facts names the seat that gave the order, and the words."""
