"""The queue of letters out: who goes next, without a look at all that wait.

A letter of a game has a rank, which it gets when it is queued: its turn among those that wait for
the same reader, twice, and one less for a receipt. So each reader's oldest letter goes first, a
receipt before a report: nobody waits for what others caused, and who has just written least of
all. Press, and letters to observers and strangers, have no rank: they wait for all others.
"""

from functools import partial
from operator import itemgetter
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Select,
    Update,
    and_,
    bindparam,
    case,
    exists,
    func,
    literal_column,
    null,
    or_,
    select,
    true,
    union_all,
    update,
)

from adjudicator.adapters.store.prepared import Query, Row
from adjudicator.adapters.store.statements.making import list_columns
from adjudicator.adapters.store.tables import is_postponed, is_queued, is_ready, outbox
from adjudicator.desk.model.people import NOBODY, PUBLIC
from adjudicator.desk.model.values import OutgoingLetter

_box = outbox.c


def rank_letter() -> ColumnElement[Any]:
    """Rank a letter to be queued, by the parameters own_game, own_seat and own_kind.

    Its turn is the one that is served now, or the next after its reader's last.
    """
    game: Any = bindparam("own_game")
    seat: Any = bindparam("own_seat")
    kind: Any = bindparam("own_kind")
    is_patient = or_(kind == "press", seat == NOBODY, seat == PUBLIC)
    is_own = and_(is_queued, _box.game == game, _box.seat == seat)
    current = _ranks(is_ready).order_by(_box.rank)
    last = _ranks(is_own).order_by(_box.rank.desc())
    turns = union_all(
        select((current.scalar_subquery() // 2).label("turn")),
        select((last.scalar_subquery() // 2 + 1).label("turn")),
    ).subquery("turns")
    turn = func.coalesce(select(func.max(turns.c.turn)).scalar_subquery(), 0)
    return case((is_patient, null()), else_=2 * turn + case((kind == "receipt", 0), else_=1))


def _ranks(which: ColumnElement[bool]) -> Select[Any]:
    return select(_box.rank).where(which, _box.rank.is_not(None)).limit(1)


def _claim_letters(has_rank: ColumnElement[bool], *, by_turns: bool) -> Update:
    """Claim letters in one statement, so that no two senders get the same one.

    A claimed letter is not tried before its claim ends, which is also how one is postponed. Those
    whose time has come are chosen from beside as many that were never tried.
    """
    never = select(*_named).where(is_ready, has_rank).order_by(_box.rank, _box.id)
    again = select(*_named).where(is_postponed, has_rank, _box.not_before <= bindparam("at"))
    parts = [
        one.limit(bindparam("limit")).with_for_update(skip_locked=True).cte(name)
        for name, one in (("never", never), ("again", again.order_by(_box.not_before)))
    ]
    each = union_all(*(select(one) for one in parts)).subquery("each").c
    turn = func.row_number().over(partition_by=(each.game, each.seat), order_by=each.id)
    order = (turn, each.kind != "receipt", each.id) if by_turns else (each.id,)
    due = select(each.id).order_by(*order).limit(bindparam("limit"))
    claim: Update = (
        update(outbox)
        .where(_box.id.in_(due))
        .values(claimed_by=bindparam("owner"), not_before=bindparam("until"))
        .returning(_box.id, *list_columns(outbox, OutgoingLetter))
    )
    return claim


def _find_due(has_rank: ColumnElement[bool]) -> Select[Any]:
    """Find whether anything can be claimed: a row, or none."""
    again = and_(is_postponed, _box.not_before <= bindparam("at"))
    due = [exists(select(_box.id).where(which, has_rank)) for which in (is_ready, again)]
    return select(literal_column("1").label("due")).where(or_(*due))


_named = (_box.id, _box.game, _box.seat, _box.kind)
_by_age: Any = partial(sorted, key=itemgetter("id"))
_has_rank: Final = {None: true(), True: _box.rank.is_not(None), False: _box.rank.is_(None)}
"""By whether only urgent letters are wanted, or only the others."""
CLAIM_LETTERS: Final = {
    urgent: Query(OutgoingLetter, _claim_letters(has_rank, by_turns=urgent is True), _by_age)
    for urgent, has_rank in _has_rank.items()
}
DUE_LETTERS: Final = {
    urgent: Query(Row, _find_due(has_rank)) for urgent, has_rank in _has_rank.items()
}
