"""The queue of letters out: who goes next, without a look at all that wait.

A letter of a game has a rank, which it gets when it is queued: its turn among those that wait for
the same reader, twice, and one less for a receipt. So each reader's oldest letter goes first, a
receipt before a report: nobody waits for what others caused, and who has just written least of
all. Press, and letters to observers and strangers, have no rank: they wait for all others.
"""

from functools import partial
from operator import itemgetter
from typing import Any, Final

from adjudicator.adapters.store.prepared import Query, Row, list_columns
from adjudicator.desk.model.people import NOBODY, PUBLIC
from adjudicator.desk.model.values import OutgoingLetter

_IS_READY = "status = 'queued' AND not_before IS NULL"
_IS_DUE_AGAIN = "status = 'queued' AND not_before IS NOT NULL AND not_before <= :at"
_current = f"SELECT rank FROM outbox WHERE {_IS_READY} AND rank IS NOT NULL ORDER BY rank LIMIT 1"
_last = (
    "SELECT rank FROM outbox WHERE status = 'queued' AND game = :game AND seat = :seat"
    " AND rank IS NOT NULL ORDER BY rank DESC LIMIT 1"
)
_turns = f"SELECT ({_current}) / 2 AS turn UNION ALL SELECT ({_last}) / 2 + 1 AS turn"
RANK: Final = (
    f"CASE WHEN :kind = 'press' OR :seat IN ('{NOBODY}', '{PUBLIC}') THEN NULL"
    f" ELSE 2 * coalesce((SELECT max(turn) FROM ({_turns}) AS turns), 0)"
    " + CASE WHEN :kind = 'receipt' THEN 0 ELSE 1 END END"
)
"""Of a letter to be queued: its turn is the one that is served now, or the next after its reader's
last."""


def _claim_letters(has_rank: str, *, by_turns: bool) -> str:
    """Claim letters in one statement, so that no two senders get the same one.

    A claimed letter is not tried before its claim ends, which is also how one is postponed. Those
    whose time has come are chosen from beside as many that were never tried.
    """
    letters = "SELECT id, game, seat, kind FROM outbox WHERE"
    turn = "row_number() OVER (PARTITION BY game, seat ORDER BY id)"
    order = f"{turn}, kind <> 'receipt', id" if by_turns else "id"
    return (
        f"WITH never AS ({letters} {_IS_READY}{has_rank}"
        " ORDER BY rank, id LIMIT :limit $skip_locked),"
        f" again AS ({letters} {_IS_DUE_AGAIN}{has_rank}"
        " ORDER BY not_before LIMIT :limit $skip_locked)"
        " UPDATE outbox SET claimed_by = :owner, not_before = :until WHERE id IN ("
        "SELECT id FROM (SELECT * FROM never UNION ALL SELECT * FROM again) AS due"
        f" ORDER BY {order} LIMIT :limit)"
        f" RETURNING id, {list_columns('outbox', OutgoingLetter)}"
    )


def _find_due(has_rank: str) -> str:
    """Find whether anything can be claimed: a row, or none."""
    return (
        f"SELECT 1 AS due WHERE EXISTS (SELECT id FROM outbox WHERE {_IS_READY}{has_rank})"
        f" OR EXISTS (SELECT id FROM outbox WHERE {_IS_DUE_AGAIN}{has_rank})"
    )


_by_age: Any = partial(sorted, key=itemgetter("id"))
_HAS_RANK: Final = {None: "", True: " AND rank IS NOT NULL", False: " AND rank IS NULL"}
"""By whether only urgent letters are wanted, or only the others."""
CLAIM_LETTERS: Final = {
    urgent: Query(OutgoingLetter, _claim_letters(has_rank, by_turns=urgent is True), _by_age)
    for urgent, has_rank in _HAS_RANK.items()
}
DUE_LETTERS: Final = {
    urgent: Query(Row, _find_due(has_rank)) for urgent, has_rank in _HAS_RANK.items()
}
