"""The statements about letters out and in, callers, and daemons' signs of life."""

from sqlalchemy import and_, bindparam, delete, func, or_, select, update

from adjudicator.adapters.store import tables as t
from adjudicator.adapters.store.prepared import Prepared, Query, Row
from adjudicator.adapters.store.statements.making import (
    find_highest,
    list_columns,
    make_conditions,
    make_query,
)
from adjudicator.adapters.store.tables import is_queued, is_sent
from adjudicator.desk.model import values as v
from adjudicator.desk.model.mail import Caller, Claim, ReturnedLetter

LETTERS = make_query(t.outbox, v.OutgoingLetter, "game", by=("id",))
LETTERS_OF_STEP = make_query(t.outbox, v.OutgoingLetter, "game", "step", by=("id",))
LETTER = make_query(t.outbox, v.OutgoingLetter, "game", "seat", "kind", "number", "step")
LAST_LETTER = find_highest(t.outbox, "game", "seat", "kind")
_caused = select(t.outbox.c.kind, t.outbox.c.seat, t.outbox.c.number)
CAUSED = Query(Row, _caused.where(t.outbox.c.cause == bindparam("cause")).order_by(t.outbox.c.id))
WAITING_LETTERS = Query(Row, select(func.count(t.outbox.c.id).label("number")).where(is_queued))
LAST_SENT = Query(
    v.OutgoingLetter,
    select(*list_columns(t.outbox, v.OutgoingLetter))
    .where(is_sent)
    .order_by(t.outbox.c.id.desc())
    .limit(1),
)
WITHDRAW_LETTERS = Prepared(
    update(t.outbox)
    .where(is_queued, *make_conditions(t.outbox, ("game", "step", "seat", "kind")))
    .values(status="withdrawn")
)
_unwritten = and_(
    is_queued,
    t.outbox.c.content.is_(None),
    *make_conditions(t.outbox, ("game", "step", "seat", "kind", "number")),
)
REWRITE_LETTER = Prepared(update(t.outbox).where(_unwritten).values(document=bindparam("written")))
DROP_LETTER = Prepared(delete(t.outbox).where(_unwritten))
_named = make_conditions(t.outbox, ("game", "step", "seat", "kind", "number", "message_id"))
_status = t.outbox.c.status
_open = or_(_status == "queued", _status == "failed", _status == bindparam("again"))
# its content stays as it is: to write it again would cost more than everything else
RECORD_RESULTS = Prepared(
    update(t.outbox).where(_open, *_named), ["status", "attempts", "not_before", "results"]
)
WITHDRAW_ALL = Prepared(update(t.outbox).where(is_queued).values(status="withdrawn"))
RELEASE_LETTERS = Prepared(
    update(t.outbox)
    .where(is_queued, t.outbox.c.claimed_by == bindparam("owner"))
    .values(claimed_by=None, not_before=None)
)
LETTER_HOLDERS = Query(
    Row,
    select(t.outbox.c.claimed_by.label("owner"))
    .where(is_queued, t.outbox.c.claimed_by.is_not(None))
    .distinct(),
)
ARRIVALS = make_query(t.arrivals, v.Arrival, by=("id",))
ARRIVALS_OF_GAME = make_query(t.arrivals, v.Arrival, "game", by=("id",))
ARRIVAL = make_query(t.arrivals, v.Arrival, "message_id", "digest")
ARRIVAL_OF = make_query(t.arrivals, v.Arrival, "game", "seat", "number", newest="id")
_read = select(t.arrivals.c.id).where(
    *make_conditions(t.arrivals, ("game", "seat")), t.arrivals.c.read >= bindparam("since")
)
LETTERS_READ = Query(
    Row,
    select(func.count().label("number")).select_from(_read.limit(bindparam("most")).subquery()),
)
ANSWERED_BY = make_query(t.arrivals, v.Arrival, "answer", newest="id")
LAST_ARRIVAL = make_query(t.arrivals, v.Arrival, newest="id")
RETURNED = make_query(t.returned, ReturnedLetter, "address", by=("message_id",))
FORGET_RETURNED = Prepared(delete(t.returned).where(*make_conditions(t.returned, ("address",))))
KEY = make_query(t.keys, v.IssuedKey, "digest")
ANY_KEY = Query(Row, select(t.keys.c.digest).limit(1))
CALLER = make_query(t.callers, Caller, "address")
_name = t.heartbeats.c.name
HEARTBEATS = Query(
    v.Heartbeat,
    select(*list_columns(t.heartbeats, v.Heartbeat))
    .where(_name >= bindparam("low"), _name < bindparam("high"))
    .order_by(_name),
)
HEARTBEAT = make_query(t.heartbeats, v.Heartbeat, "name")
FORGET_HEARTBEAT = Prepared(delete(t.heartbeats).where(*make_conditions(t.heartbeats, ("name",))))
CLAIMS = make_query(t.claims, Claim, by=("name",))
RELEASE_CLAIMS = Prepared(delete(t.claims).where(*make_conditions(t.claims, ("owner",))))
