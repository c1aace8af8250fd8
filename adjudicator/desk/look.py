"""Read-only facts for the GM's screen; secrets only when they are asked for."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from adjudicator.core.canonical import decode, digest, encode
from adjudicator.core.document import Document, Seat
from adjudicator.desk.case import Case, step_named
from adjudicator.desk.case import look as at_hand
from adjudicator.desk.deadlines import local_text, words
from adjudicator.desk.errors import Refused, Unknown
from adjudicator.desk.inform import NOTHING, Standing, is_in, on_file, standings
from adjudicator.desk.line import line
from adjudicator.desk.log import log
from adjudicator.desk.new import advice
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.seating import current
from adjudicator.desk.values import Note, OrderSet, Seating, Step


def games(books: Books, library: Library) -> tuple[Document, ...]:
    """[{id, kind, title, status, step, deadline, seats, free, missing}], by id.

    deadline is {at, zone, text} in the game's zone, or null.
    """
    return tuple(_line(at_hand(books, library, game.id)) for game in books.games())


def _line(case: Case) -> Document:
    step = _open(case)
    taken = current(case.books, case.game.id)
    return {
        **case.names,
        "status": str(case.game.status),
        "step": step.name if step else None,
        "deadline": _deadline(case, step),
        "seats": list(case.game.seats),
        "free": [seat for seat in case.game.seats if seat not in taken],
        "missing": [s.seat for s in _standings(case, step) if not s.is_in] if step else [],
    }


def show(books: Books, library: Library, game: str, *, reveal: bool = False) -> Document:
    """{id, kind, title, status, verifiable, rules_digest, seed_digest, created, options, settings,
    step, deadline, seats: [{seat, player, kind, seating, missed, in, ready, why}], score, links,
    outside}; with `reveal` also {seed, luck, state, votes}.
    """
    case = at_hand(books, library, game)
    step = _open(case)
    facts: dict[str, Any] = {
        **case.names,
        "status": str(case.game.status),
        "verifiable": case.game.verifiable,
        "rules_digest": case.game.rules_digest,
        "seed_digest": digest(case.game.seed),
        "created": local_text(case.game.created, case.settings.zone),
        "options": dict(case.game.options),
        "settings": dict(case.game.settings),
        "step": step.name if step else None,
        "deadline": _deadline(case, step),
        "seats": _seats(case, step),
        "score": _score(case),
        "links": len(books.links(game)),
        "outside": list(advice(case.kind, len(case.game.seats))),
    }
    return {**facts, **_secrets(case)} if reveal else facts


def orders(
    books: Books, library: Library, game: str, *, step: str | None = None, reveal: bool = False
) -> Document:
    """{game, step, seats: [{seat, player, kind, due, in, ready, why, receipt, digest, sets}]}.

    With `reveal` every set is [{number, arrived, by, executed, ready, digest, orders}]; without
    it `sets` is how many there are.
    """
    case = at_hand(books, library, game)
    found = case.open_step() if step is None else step_named(books, game, step)
    sets = books.orders(game, found.number)
    stand = _standings(case, found)
    seatings = current(books, game)
    return {
        "game": game,
        "step": found.name,
        "seats": [_orders(case, one, seatings, sets, reveal=reveal) for one in stand],
    }


def report(
    books: Books, game: str, *, seat: Seat | None = None, step: str | None = None
) -> Document:
    """The latest report/1 document of a seat (None: the public's), or that of a step."""
    seats = books.game(game).seats
    if seat is not None and seat not in seats:
        raise Unknown(f'{game} has no seat "{seat}"; its seats are {", ".join(seats)}')
    number = step_named(books, game, step).number if step is not None else None
    counts = {one.number for one in books.steps(game) if not one.void}
    papers = [
        paper
        for paper in books.papers(game, number)
        if paper.seat == seat and (number is not None or paper.step in counts)
    ]
    if not papers:
        raise Refused(f"{game}: {_no_report(seat, step)}")
    document: Document = decode(max(papers, key=lambda paper: paper.number).document)
    return document


def _no_report(seat: Seat | None, step: str | None) -> str:
    if step is None:
        return "there is no report yet; the game must be started first"
    if seat is None:
        return f"there is no report of {step}"
    return (
        f"{seat} got no report of {step} by itself; if others were asked something then, "
        f"{seat}'s next report tells of it, too"
    )


def reveal(books: Books, game: str, what: str, *, at: datetime) -> Note:
    """Record that the GM looked at secrets; needs a writing transaction."""
    return log(books, game, "reveal", f"the GM looked at {what}", at=at)


def _open(case: Case) -> Step | None:
    return None if case.game.open_step is None else case.open_step()


def _deadline(case: Case, step: Step | None) -> Document | None:
    if step is None or step.deadline is None:
        return None
    zone = case.settings.zone
    return {
        "at": local_text(step.deadline, zone),
        "zone": zone,
        "text": words(step.deadline, zone),
    }


def _standings(case: Case, step: Step) -> Sequence[Standing]:
    """How the seats stand; nothing is owed in a step that no player plays (setup, ruling, end)."""
    game = case.game
    played = step.predecessor is not None and step.phase not in ("ruling", "end")
    return standings(
        game.seats,
        case.due(case.before(step)) if played else {},
        current(case.books, game.id),
        case.books.orders(game.id, step.number),
    )


def _seats(case: Case, step: Step | None) -> list[Document]:
    seatings = current(case.books, case.game.id)
    stand = {one.seat: one for one in _standings(case, step)} if step else {}
    made: list[Document] = []
    for seat in case.game.seats:
        seating = seatings.get(seat)
        one = stand.get(seat) or is_in(seat, None, seating, None)
        made.append(
            {
                "seat": seat,
                "player": seating.player if seating else None,
                "kind": seating.kind if seating else None,
                "seating": seating.number if seating else 0,
                "missed": seating.missed if seating else 0,
                "in": one.is_in,
                "ready": one.ready,
                "why": one.why if step else _nothing(seating),
            }
        )
    return made


def _nothing(seating: Seating | None) -> str:
    return "no step is open" if seating else "nobody has taken this seat yet"


def _state(case: Case) -> Any:
    """The present state; None before the start."""
    if case.game.open_step is not None:
        return case.before(case.open_step())
    counting = line(case.books.steps(case.game.id))
    return case.after(counting[0]) if counting else None


def _score(case: Case) -> Document:
    state = _state(case)
    return {} if state is None else dict(case.kind.rules.score(state))


def _secrets(case: Case) -> dict[str, Any]:
    state = _state(case)
    return {
        "seed": case.game.seed.hex(),
        "luck": dict(case.game.luck),
        "state": None if state is None else decode(encode(case.kind.rules.dump(state))),
        "votes": {
            seat: seating.vote for seat, seating in current(case.books, case.game.id).items()
        },
    }


def _orders(
    case: Case,
    one: Standing,
    seatings: dict[Seat, Seating],
    sets: Sequence[OrderSet],
    *,
    reveal: bool,
) -> Document:
    mine = [own for own in sets if own.seat == one.seat]
    on = on_file(sets, one.seat) or next((own for own in mine if own.executed), None)
    seating = seatings.get(one.seat)
    return {
        "seat": one.seat,
        "player": seating.player if seating else None,
        "kind": seating.kind if seating else None,
        "due": one.due.form if one.due else None,
        "in": one.is_in,
        "ready": one.ready,
        "why": one.why,
        "receipt": one.number,
        "digest": on.digest if on else None,
        "sets": [_set(case, own) for own in mine] if reveal else len(mine),
    }


def _set(case: Case, own: OrderSet) -> Document:
    return {
        "number": own.number,
        "arrived": local_text(own.arrived, case.settings.zone),
        "by": own.by,
        "executed": own.executed,
        "ready": own.ready,
        "digest": own.digest,
        "orders": None if own.orders == NOTHING else decode(own.orders),
    }
