"""One round of the clock for a game: what is due at this instant is done, and nothing else."""

from datetime import datetime

from msgspec import Struct

from adjudicator.desk.case import STARTED, Case, take
from adjudicator.desk.close import close
from adjudicator.desk.closing import Closing
from adjudicator.desk.moment import Moment, remember, remembered
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.settling import is_over, is_settled, standing
from adjudicator.desk.values import Status


class Ticked(Struct, frozen=True, kw_only=True):
    """What a round did to a game."""

    acts: tuple[str, ...] = ()
    """The names of the acts, as the history has them."""
    closing: Closing | None = None
    """The step that was closed."""


def tick(
    books: Books,
    library: Library,
    game: str,
    *,
    at: datetime,
    read_until: datetime | None,
    boot: float,
    machine: str = "",
) -> Ticked:
    """Do what is due in this game now.

    `read_until`: every postbox was read to its end at or after this instant (`at` in a house
    without post). `boot`: CLOCK_BOOTTIME; `machine`: the id of the boot that it counts from.
    """
    now = Moment(at=at, read_until=read_until, boot=boot, machine=machine)
    status = books.locked(game).status
    if status not in STARTED:
        return Ticked()
    done = _round(take(books, library, game, at=at), library, now)
    remember(books, game, now, remembered(books, game))
    return done


def _round(case: Case, library: Library, now: Moment) -> Ticked:
    if case.game.status is not Status.RUNNING:
        return Ticked()
    step = case.open_step()
    if is_over(case, step, now) or is_settled(case, step, standing(case, step), now):
        closing = close(
            case.books, library, case.game.id, at=now.at, now=True, step=step.name, by="clock"
        )
        return Ticked(acts=("close",), closing=closing)
    return Ticked()
