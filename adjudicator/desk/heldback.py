"""Reports that wait: while somebody is asked in mid-turn, the others are not mailed.

Who prefers `mails: final` is mailed once a turn, unless something is due from them before. What
they would have been told stands in their next report, with that step's own events.
"""

from collections.abc import Iterable, Mapping, Sequence

from adjudicator.core.document import Seat
from adjudicator.core.game import Due
from adjudicator.desk.case import Case
from adjudicator.desk.prefer import each
from adjudicator.desk.values import Player, Step


def waits(due: Mapping[Seat, Due], seat: Seat | None) -> bool:
    """Whether a reader's report waits: others are asked in mid-turn, and this reader is not."""
    return bool(due) and seat not in due and all(owed.clock == "short" for owed in due.values())


def waits_for(player: Player | None, due: Mapping[Seat, Due], seat: Seat) -> bool:
    """Whether this person's report waits; in mid-turn no form that is owed can be missed."""
    patient = player is not None and not each(player)
    amid = bool(due) and seat not in due and not any(o.counts_as_missed for o in due.values())
    return waits(due, seat) or (patient and amid)


def untold(case: Case, step: Step, told: int) -> tuple[Step, ...]:
    """The steps from which this one came, after the step `told`; the oldest first.

    A ruling has a higher number than the step that goes on behind it, so numbers tell no order.
    """
    found = []
    for before in _back(case, step):
        if before.number == told:
            break
        found.append(before)
    return _reported(found)


def unseen(case: Case, step: Step) -> tuple[Step, ...]:
    """The steps before this one of which whoever looks on has not been mailed yet."""
    found = []
    for before in _back(case, step):
        if before.phase != "ruling" and not waits(case.due(case.after(before)), None):
            break
        found.append(before)
    return _reported(found)


def _back(case: Case, step: Step) -> Iterable[Step]:
    while step.predecessor is not None:
        step = case.books.step(case.game.id, step.predecessor)
        yield step


def _reported(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Of a ruling everybody has had a notice."""
    return tuple(step for step in reversed(steps) if step.phase != "ruling")
