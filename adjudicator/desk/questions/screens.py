"""Read-only facts for the GM's screen; secrets only on request."""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Any

from adjudicator.core.document import Document, Seat, decode, digest, encode
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.deadlines import format_deadline, format_local
from adjudicator.desk.model.errors import Refused, Unknown
from adjudicator.desk.model.history import list_history_lines, write_note
from adjudicator.desk.model.lineage import find_step, find_turn, list_counting_steps
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.settings import NEXT
from adjudicator.desk.model.standing import (
    CLEARED,
    Standing,
    find_hindrances,
    find_orders_on_file,
    list_standings,
)
from adjudicator.desk.model.values import HistoryNote, OrderSet, Seating, Status, Step
from adjudicator.desk.outbox.form import spell_plan
from adjudicator.desk.steps.chance import describe_chance, find_hosts, find_luck_seats
from adjudicator.desk.steps.replay import find_changes
from adjudicator.desk.steps.start import list_players_advice

LOOK_ACT = "reveal"
"""The act of a GM who looked at secrets."""


def describe_progress(context: Context) -> dict[str, Any]:
    """Describe how far the open step is, as every overview shows it."""
    step = None if context.game.open_step is None else context.open_step()
    owing = [one for one in context.standings if one.due is not None]
    waits = find_hindrances(context.standings) if step else {}
    free = [seat for seat in context.game.seats if seat not in context.seatings]
    return {
        "step": step.name if step else None,
        "turn": find_turn(context.books, step) if step else None,
        "deadline": _describe_deadline(context, step),
        "due": len(owing),
        "received": sum(one.seat not in waits for one in owing),
        "waits": waits,
        "free": free,
        "for_gm": _waits_for_gm(context, step, waits, free),
        "rules_changed": has_changed_rules(context),
    }


def has_changed_rules(context: Context) -> bool:
    """Whether the GM has to accept rules before anything is adjudicated."""
    if context.game.status is Status.OVER:
        return False
    return bool(find_changes(context.books, context.game, context.kind))


def _waits_for_gm(
    context: Context, step: Step | None, waits: Collection[Seat], free: Sequence[Seat]
) -> bool:
    if context.game.status is Status.OPEN:
        return not free
    by_hand = step is not None and step.deadline is None
    return context.game.status is Status.RUNNING and by_hand and not waits


def show_game(
    books: Books,
    library: Library,
    game: str,
    *,
    reveal: bool = False,
    hosts: Collection[str] = (),
) -> Document:
    """Show a game and its seats; `reveal` adds {seed, luck, state, votes}.

    {id, kind, title, status, verifiable, chance, rules_digest, seed_digest, created, options,
    settings, next_settings, step, turn, deadline, due, received, waits, free, for_gm,
    rules_changed, seats: [{seat, player, kind, seating, missed, in, ready, why}], score, links,
    outside}. next_settings apply from the next step on.
    """
    context, last = Context(books, library, game), books.last_link(game)
    facts: dict[str, Any] = {
        **context.names,
        "status": str(context.game.status),
        "verifiable": context.game.verifiable,
        "chance": _describe_chance(context, hosts),
        "rules_digest": context.game.rules_digest,
        "seed_digest": digest(context.game.seed),
        "created": format_local(context.game.created, context.settings.zone),
        "options": dict(context.game.options),
        "settings": {k: v for k, v in context.game.settings.items() if k != NEXT},
        "next_settings": dict(context.game.settings.get(NEXT, {})),
        **describe_progress(context),
        "seats": _describe_seats(context),
        "score": _find_score(context),
        "links": last.number + 1 if last else 0,
        "outside": list(list_players_advice(context.kind, len(context.game.seats))),
    }
    return {**facts, **_list_secrets(context)} if reveal else facts


def show_orders(
    books: Books, library: Library, game: str, *, step: str | None = None, reveal: bool = False
) -> Document:
    """Show the orders of a step by seat; `reveal` shows their contents.

    {game, step, turn, label, zone, seats: [{seat, player, kind, due, in, ready, why, receipt,
    digest, sets}]}. With `reveal` every set is [{number, arrived, by, executed, ready, digest,
    orders}]; without it `sets` is how many there are.
    """
    context = Context(books, library, game)
    own_step = context.open_step() if step is None else find_step(books, game, step)
    sets = books.orders(game, own_step.number)
    stand = _find_standings(context, own_step)
    return {
        "game": game,
        "step": own_step.name,
        "turn": find_turn(books, own_step),
        "label": context.label(own_step),
        "zone": context.settings.zone,
        "seats": [_describe_orders(context, one, sets, reveal=reveal) for one in stand],
    }


def find_report(
    books: Books, game: str, *, seat: Seat | None = None, step: str | None = None
) -> Document:
    """Find the latest report/1 document of a seat (None: the public's), or that of a step."""
    seats = books.game(game).seats
    if seat is not None and seat not in seats:
        raise Unknown(f'{game} has no seat "{seat}"; its seats are {", ".join(seats)}')
    own_step = find_step(books, game, step) if step is not None else None
    if own_step is None:
        newest = books.paper(game, seat)
    else:
        own = [paper for paper in books.papers(game, own_step.number) if paper.seat == seat]
        newest = max(own, key=lambda paper: paper.number, default=None)
    if newest is None:
        raise Refused(f"{game}: {_no_report(seat, own_step)}")
    document: Document = decode(newest.document)
    return document


def _no_report(seat: Seat | None, step: Step | None) -> str:
    if step is None:
        return "there is no report yet; the game must be started first"
    if step.closed is None and not step.void:
        return f"there is no report of {step.name}: it is still open"
    if seat is None:
        return f"there is no report of {step.name}"
    return (
        f"{seat} got no separate report of {step.name}; where others were asked something in "
        f"mid-turn, {seat}'s next report covers it"
    )


def find_history(
    books: Books,
    game: str,
    *,
    step: str | None = None,
    turn: str | None = None,
    acts: Collection[str] = (),
    looks: bool = False,
    last: int | None = None,
) -> tuple[Document, ...]:
    """Find the lines of a game's history that are asked for, the oldest first."""
    lines = list_history_lines(books, game)
    if step is not None or turn is not None:
        steps = _find_steps_meant(books, game, step, turn)
        spans = [_find_span(books, one) for one in steps]
        lines = tuple(
            line
            for line, note in zip(lines, books.notes(game), strict=True)
            if any(start < note.at <= end or start == note.at == end for start, end in spans)
        )
    if acts:
        lines = tuple(line for line in lines if line["act"] in acts)
    elif not looks:
        lines = tuple(line for line in lines if line["act"] != LOOK_ACT)
    return lines[-last:] if last else lines


def _find_steps_meant(books: Books, game: str, step: str | None, turn: str | None) -> list[Step]:
    if step is not None:
        return [find_step(books, game, step)]
    number = (turn or "").split()[-1]
    steps = books.steps(game)
    candidates = [one for one in steps if (find_turn(books, one) or "").split()[-1:] == [number]]
    if not candidates:
        newest = next((label for one in reversed(steps) if (label := find_turn(books, one))), None)
        now = f"it is in {newest}" if newest else "it has not begun"
        raise Unknown(f'{game} has no turn "{turn}"; {now}')
    return candidates


def _find_span(books: Books, step: Step) -> tuple[datetime, datetime]:
    """Find from when to when a step was open; an undone open step lasts until the next."""
    if step.closed is not None:
        return step.opened, step.closed
    later = [one.opened for one in books.steps(step.game) if one.opened > step.opened]
    return step.opened, min(later, default=datetime.max.replace(tzinfo=UTC))


def record_look(books: Books, game: str, what: str, *, at: datetime) -> HistoryNote:
    """Record that the GM looked at secrets; needs a writing transaction."""
    return write_note(books, game, LOOK_ACT, f"the GM looked at {what}", at=at)


def _describe_chance(context: Context, hosts: Collection[str]) -> str:
    """Say who chose the dice; `hosts` are the GM's addresses."""
    books, game = context.books, context.game
    seats = find_luck_seats(
        game, books.seatings(game.id), books.first_step(game.id), find_hosts(books, hosts)
    )
    return describe_chance(game, seats)


def _describe_deadline(context: Context, step: Step | None) -> Document | None:
    if step is None or step.deadline is None:
        return None
    zone = context.settings.zone
    return {
        "at": format_local(step.deadline, zone),
        "zone": zone,
        "text": format_deadline(step.deadline, zone),
    }


def _find_standings(context: Context, step: Step) -> Sequence[Standing]:
    """Find how the seats stand; a step without players (setup, ruling, end) owes nothing."""
    game = context.game
    if step.number == game.open_step:
        return context.standings
    return list_standings(
        game.seats,
        context.due_in(context.before(step)) if step.is_played else {},
        context.seatings,
        find_orders_on_file(context.books.orders(game.id, step.number)),
    )


def _describe_seats(context: Context) -> list[Document]:
    is_open, documents = context.game.open_step is not None, list[Document]()
    for one in context.standings:
        seating = context.seatings.get(one.seat)
        nothing = "no step is open" if seating else "nobody has taken this seat yet"
        facts = {
            "seating": seating.number if seating else 0,
            "missed": seating.missed if seating else 0,
        }
        documents.append(
            {**_describe_seat(one, seating), **facts, **({} if is_open else {"why": nothing})}
        )
    return documents


def _describe_seat(one: Standing, seating: Seating | None) -> dict[str, Any]:
    """Describe who plays a seat and how it stands, as every screen shows it."""
    return {
        "seat": one.seat,
        "player": seating.player if seating else None,
        "kind": seating.kind if seating else None,
        "in": one.is_in,
        "ready": one.ready,
        "why": one.why,
    }


def _find_state(context: Context) -> Any:
    """Find the present state; None before the start."""
    if context.game.open_step is not None:
        return context.state
    counting = list_counting_steps(context.books.steps(context.id))
    return context.after(counting[0]) if counting else None


def _find_score(context: Context) -> Document:
    state = _find_state(context)
    return {} if state is None else dict(context.kind.rules.score(state))


def _list_secrets(context: Context) -> dict[str, Any]:
    state = _find_state(context)
    return {
        "seed": context.game.seed.hex(),
        "luck": dict(context.game.luck),
        "state": None if state is None else decode(encode(context.kind.rules.dump(state))),
        "votes": {seat: seating.vote for seat, seating in context.seatings.items()},
    }


def _describe_orders(
    context: Context, one: Standing, sets: Sequence[OrderSet], *, reveal: bool
) -> Document:
    own_sets = [own for own in sets if own.seat == one.seat]
    on_file = next((own for own in own_sets if own.number == one.number), None)
    on = on_file or next((own for own in own_sets if own.executed), None)
    return {
        **_describe_seat(one, context.seatings.get(one.seat)),
        "due": one.due.form if one.due else None,
        "receipt": one.number,
        "digest": on.digest if on else None,
        "sets": [_describe_set(context, own) for own in own_sets] if reveal else len(own_sets),
        **({"plans": _list_plans(context, one.seat)} if reveal else {}),
    }


def _list_plans(context: Context, seat: Seat) -> list[Document]:
    """List all orders ahead of a seat, and what became of them."""
    return [
        {
            "list": one.number,
            "plan": one.place,
            "status": one.status,
            "step": one.step,
            "reason": one.reason or None,
            "orders": spell_plan(context, one),
        }
        for one in context.books.plans(context.id)
        if one.seat == seat
    ]


def _describe_set(context: Context, own: OrderSet) -> Document:
    return {
        "number": own.number,
        "arrived": format_local(own.arrived, context.settings.zone),
        "by": own.by,
        "executed": own.executed,
        "ready": own.ready,
        "digest": own.digest,
        "orders": None if own.orders == CLEARED else decode(own.orders),
    }
