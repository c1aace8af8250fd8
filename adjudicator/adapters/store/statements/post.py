"""The statements about letters out and in, callers, and daemons' signs of life."""

from adjudicator.adapters.store.prepared import Prepared, Query, Row, list_columns
from adjudicator.adapters.store.statements.queries import find_highest, make_query, require
from adjudicator.desk.model import values as v
from adjudicator.desk.model.mail import Caller, Claim, ReturnedLetter

LETTERS = make_query("outbox", v.OutgoingLetter, "game", by=("id",))
LETTERS_OF_STEP = make_query("outbox", v.OutgoingLetter, "game", "step", by=("id",))
LETTER = make_query("outbox", v.OutgoingLetter, "game", "seat", "kind", "number", "step")
LAST_LETTER = find_highest("outbox", "game", "seat", "kind")
CAUSED = Query(Row, "SELECT kind, seat, number FROM outbox WHERE cause = :cause ORDER BY id")
WAITING_LETTERS = Query(Row, "SELECT count(id) AS number FROM outbox WHERE status = 'queued'")
LAST_SENT = Query(
    v.OutgoingLetter,
    f"SELECT {list_columns('outbox', v.OutgoingLetter)} FROM outbox"
    " WHERE status = 'sent' ORDER BY id DESC LIMIT 1",
)
_name = require("outbox", "game", "step", "seat", "kind", "number")
WITHDRAW_LETTERS = Prepared(
    "UPDATE outbox SET status = 'withdrawn'"
    f"{require('outbox', 'game', 'step', 'seat', 'kind')} AND status = 'queued'"
)
_unwritten = f"{_name} AND status = 'queued' AND content IS NULL"
REWRITE_LETTER = Prepared(f"UPDATE outbox SET document = :written{_unwritten}")
DROP_LETTER = Prepared(f"DELETE FROM outbox{_unwritten}")
# its content stays as it is: to write it again would cost more than everything else
RECORD_RESULTS = Prepared(
    "UPDATE outbox SET status = :status, attempts = :attempts, not_before = :not_before,"
    f" results = :results{_name} AND message_id = :message_id"
    " AND (status IN ('queued', 'failed') OR status = :status)",
    v.OutgoingLetter,
)
WITHDRAW_ALL = Prepared("UPDATE outbox SET status = 'withdrawn' WHERE status = 'queued'")
RELEASE_LETTERS = Prepared(
    "UPDATE outbox SET claimed_by = NULL, not_before = NULL"
    " WHERE status = 'queued' AND claimed_by = :owner"
)
LETTER_HOLDERS = Query(
    Row,
    "SELECT DISTINCT claimed_by AS owner FROM outbox"
    " WHERE status = 'queued' AND claimed_by IS NOT NULL",
)
ARRIVALS = make_query("arrivals", v.Arrival, by=("id",))
ARRIVALS_OF_GAME = make_query("arrivals", v.Arrival, "game", by=("id",))
ARRIVAL = make_query("arrivals", v.Arrival, "message_id", "digest")
ARRIVAL_OF = make_query("arrivals", v.Arrival, "game", "seat", "number", newest="id")
_read = "SELECT id FROM arrivals WHERE game = :game AND seat = :seat AND read >= :since LIMIT :most"
LETTERS_READ = Query(Row, f"SELECT count(*) AS number FROM ({_read}) AS latest")
ANSWERED_BY = make_query("arrivals", v.Arrival, "answer", newest="id")
LAST_ARRIVAL = make_query("arrivals", v.Arrival, newest="id")
RETURNED = make_query("returned", ReturnedLetter, "address", by=("message_id",))
FORGET_RETURNED = Prepared("DELETE FROM returned WHERE address = :address")
KEY = make_query("keys", v.IssuedKey, "digest")
ANY_KEY = Query(Row, "SELECT digest FROM keys LIMIT 1")
CALLER = make_query("callers", Caller, "address")
HEARTBEATS = Query(
    v.Heartbeat,
    f"SELECT {list_columns('heartbeats', v.Heartbeat)} FROM heartbeats"
    " WHERE name >= :low AND name < :high ORDER BY name",
)
HEARTBEAT = make_query("heartbeats", v.Heartbeat, "name")
FORGET_HEARTBEAT = Prepared("DELETE FROM heartbeats WHERE name = :name")
CLAIMS = make_query("claims", Claim, by=("name",))
RELEASE_CLAIMS = Prepared("DELETE FROM claims WHERE owner = :owner")
