"""How each value is saved: added once, or changed where that is allowed."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from adjudicator.adapters.store.cells import SQUEEZED_HEAD
from adjudicator.adapters.store.prepared import Addition, Prepared, Upsert
from adjudicator.adapters.store.statements.queue import RANK
from adjudicator.core.chain import Link
from adjudicator.desk.model import values as v
from adjudicator.desk.model.mail import Caller, Claim, ReturnedLetter


def _stay(table: str, *names: str) -> str:
    """Require that these columns stay as they are."""
    return " AND ".join(f'{table}."{name}" = excluded."{name}"' for name in names)


def _stay_documents(table: str, *names: str) -> str:
    """Require that documents stay; nobody rewrites one so old that it was packed or squeezed."""
    return " AND ".join(
        f"({table}.{name} $same excluded.{name}"
        f" OR substr({table}.{name}, 1, 1) IN ($packed, $squeezed))"
        for name in names
    )


# a step is closed once only, so that its outcome stays
_NOT_CLOSED_OTHERWISE = (
    f"steps.closed IS NULL OR {_stay('steps', 'closed')}"
    f" AND {_stay_documents('steps', 'state', 'events')}"
)
# orders on file are never rewritten; they only become ready or executed
_SAME_ORDERS = (
    f"{_stay('orders', 'luck', 'digest', 'arrived', 'by')}"
    f" AND {_stay_documents('orders', 'orders')}"
)
# a letter keeps its text and Message-ID, and is sent or withdrawn only once
_SAME_HEAD = (
    f"substr(outbox.content, 1, {SQUEEZED_HEAD}) = substr(excluded.content, 1, {SQUEEZED_HEAD})"
)
_SAME_LETTER = (
    f"{_stay('outbox', 'message_id', 'template', 'seating')}"
    f" AND {_stay_documents('outbox', 'document')}"
    ' AND outbox."to" $same excluded."to"'
    " AND (outbox.content IS NULL OR outbox.content $same excluded.content"
    f" OR substr(outbox.content, 1, 1) = $squeezed AND {_SAME_HEAD})"
    " AND (outbox.status IN ('queued', 'failed') OR outbox.status = excluded.status)"
)
CLAIM: Final = Upsert(
    "claims",
    Claim,
    "{name} is claimed",
    keys=("name",),
    guard="claims.owner = excluded.owner OR claims.until <= :at",
)
ADD_ANSWERS: Final = Prepared(
    "UPDATE callers SET answers = answers + :more WHERE address = :address AND day = :day"
)
SAVE: Final[Mapping[type[Struct], Addition]] = {
    v.Epoch: Upsert("epochs", v.Epoch, "epoch {number}", keys=("number",)),
    v.Player: Upsert("players", v.Player, "player {name}", keys=("name",)),
    v.Seating: Upsert(
        "seatings", v.Seating, "seat {seat} of {game}", keys=("game", "seat", "number")
    ),
    v.Press: Addition("press", v.Press, "{game} has a message {number} already"),
    v.PlanAhead: Upsert(
        "plans", v.PlanAhead, "plan {place} of {seat}", keys=("game", "seat", "number", "place")
    ),
    v.Absence: Upsert("absences", v.Absence, "absence of {seat}", keys=("game", "seat", "number")),
    v.Observer: Upsert("observers", v.Observer, "observer {address}", keys=("game", "address")),
    v.Signup: Upsert("signups", v.Signup, "{name}'s request to play", keys=("game", "address")),
    v.Step: Upsert(
        "steps",
        v.Step,
        "step {number}-{phase} of {game} is already closed; roll it back to change it",
        keys=("game", "number"),
        guard=_NOT_CLOSED_OTHERWISE,
    ),
    v.OrderSet: Upsert(
        "orders",
        v.OrderSet,
        "{game} has other orders of {seat} on file as number {number} of step {step}",
        keys=("game", "step", "seat", "number"),
        change=("ready", "not_ready", "executed"),
        guard=_SAME_ORDERS,
    ),
    v.Paper: Addition("papers", v.Paper, "{game} has a report {number} for {seat} already"),
    Link: Addition(
        "links", Link, "the chain of {game} has a link {number} already", more={"game": ":game"}
    ),
    v.HistoryNote: Addition(
        "notes", v.HistoryNote, "the history of {game} has an entry {number} already"
    ),
    v.OutgoingLetter: Upsert(
        "outbox",
        v.OutgoingLetter,
        "the {kind} {number} for {seat} in step {step} of {game} is already on its way; a letter "
        "goes out once",
        keys=("game", "step", "seat", "kind", "number"),
        change=("status", "content", "attempts", "not_before", "results"),
        guard=_SAME_LETTER,
        more={"rank": RANK},
    ),
    v.Arrival: Addition(
        "arrivals", v.Arrival, "the letter {message_id} of digest {digest} was read already"
    ),
    ReturnedLetter: Upsert(
        "returned", ReturnedLetter, "{message_id} came back", keys=("address", "message_id")
    ),
    v.IssuedKey: Upsert("keys", v.IssuedKey, "a key of {seat} in {game}", keys=("digest",)),
    Caller: Upsert("callers", Caller, "caller {address}", keys=("address",)),
    v.Heartbeat: Upsert("heartbeats", v.Heartbeat, "heartbeat of {name}", keys=("name",)),
}
"""By what is saved: how, and what is said where it cannot be, with the value's fields in it."""
