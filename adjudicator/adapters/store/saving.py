"""How each value is saved: added once, or changed where that is allowed."""

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct
from sqlalchemy import ColumnElement, LargeBinary, and_, bindparam, func, literal, or_, update

from adjudicator.adapters.store import tables as t
from adjudicator.adapters.store.prepared import Addition, Prepared, Upsert
from adjudicator.adapters.store.statements.queue import rank_letter
from adjudicator.adapters.store.types import (
    REFERENCE_MARK,
    SQUEEZED_HEAD,
    SQUEEZED_MARK,
    Instant,
)
from adjudicator.core.chain import Link
from adjudicator.desk.model import values as v
from adjudicator.desk.model.mail import Caller, ReturnedLetter


def _is_same(old: ColumnElement[Any], new: ColumnElement[Any]) -> ColumnElement[bool]:
    """Require that a document stays; nobody rewrites one so old that it was packed."""
    mark = func.substr(old, 1, 1)
    is_packed = mark == literal(REFERENCE_MARK.encode(), LargeBinary)
    is_squeezed = mark == literal(SQUEEZED_MARK, LargeBinary)
    has_same_head = func.substr(old, 1, SQUEEZED_HEAD) == func.substr(new, 1, SQUEEZED_HEAD)
    return or_(old.is_not_distinct_from(new), is_packed, and_(is_squeezed, has_same_head))


def _not_closed_otherwise(new: Any) -> ColumnElement[bool]:
    """Require that a step is closed once only, so that its outcome stays."""
    old = t.steps.c
    same = and_(
        old.closed == new.closed,
        _is_same(old.state, new.state),
        _is_same(old.events, new.events),
    )
    return or_(old.closed.is_(None), same)


def _same_orders(new: Any) -> ColumnElement[bool]:
    """Require that orders on file are never rewritten; they only become ready or executed."""
    old = t.orders.c
    same = (old[name] == new[name] for name in ("luck", "digest", "arrived", "by"))
    return and_(_is_same(old.orders, new.orders), *same)


def _same_letter(new: Any) -> ColumnElement[bool]:
    """Require that a letter keeps its text and Message-ID, and is sent or withdrawn only once."""
    old = t.outbox.c
    return and_(
        *(old[name] == new[name] for name in ("message_id", "template", "seating")),
        _is_same(old.document, new.document),
        old.to.is_not_distinct_from(new.to),
        or_(old.content.is_(None), _is_same(old.content, new.content)),
        or_(old.status == "queued", old.status == "failed", old.status == new.status),
    )


def _free_claim(new: Any) -> ColumnElement[bool]:
    """Require that nobody else holds it."""
    old = t.claims.c
    return or_(old.owner == new.owner, old.until <= bindparam("at", type_=Instant))


CLAIM: Final = Upsert(t.claims, "{name} is claimed", guard=_free_claim)
ADD_ANSWERS: Final = Prepared(
    update(t.callers)
    .where(t.callers.c.address == bindparam("address"), t.callers.c.day == bindparam("day"))
    .values(answers=t.callers.c.answers + bindparam("more"))
)
SAVE: Final[Mapping[type[Struct], Addition]] = {
    v.Epoch: Upsert(t.epochs, "epoch {number}"),
    v.Player: Upsert(t.players, "player {name}"),
    v.Seating: Upsert(t.seatings, "seat {seat} of {game}"),
    v.Press: Addition(t.press, "{game} has a message {number} already"),
    v.PlanAhead: Upsert(t.plans, "plan {place} of {seat}"),
    v.Absence: Upsert(t.absences, "absence of {seat}"),
    v.Observer: Upsert(t.observers, "observer {address}"),
    v.Signup: Upsert(t.signups, "{name}'s request to play"),
    v.Step: Upsert(
        t.steps,
        "step {number}-{phase} of {game} is already closed; roll it back to change it",
        guard=_not_closed_otherwise,
    ),
    v.OrderSet: Upsert(
        t.orders,
        "{game} has other orders of {seat} on file as number {number} of step {step}",
        change=("ready", "not_ready", "executed"),
        guard=_same_orders,
    ),
    v.Paper: Addition(t.papers, "{game} has a report {number} for {seat} already"),
    Link: Addition(t.links, "the chain of {game} has a link {number} already"),
    v.HistoryNote: Addition(t.notes, "the history of {game} has an entry {number} already"),
    v.OutgoingLetter: Upsert(
        t.outbox,
        "the {kind} {number} for {seat} in step {step} of {game} is already on its way; a letter "
        "goes out once",
        keys=("game", "step", "seat", "kind", "number"),
        change=("status", "content", "attempts", "not_before", "results"),
        guard=_same_letter,
        reckoned={"rank": rank_letter()},
    ),
    v.Arrival: Addition(t.arrivals, "the letter {message_id} of digest {digest} was read already"),
    ReturnedLetter: Upsert(t.returned, "{message_id} came back"),
    v.IssuedKey: Upsert(t.keys, "a key of {seat} in {game}"),
    Caller: Upsert(t.callers, "caller {address}"),
    v.Heartbeat: Upsert(t.heartbeats, "heartbeat of {name}"),
}
"""By what is saved: how, and what is said where it cannot be, with the value's fields in it."""
