"""One round of the clock for a game: what is due at this instant is done, and nothing else."""

from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.desk.case import STARTED, Case, take
from adjudicator.desk.close import close
from adjudicator.desk.closing import Closing
from adjudicator.desk.join import expire
from adjudicator.desk.moment import Before, Moment, jump, remember, remembered
from adjudicator.desk.outages import halt, mend, outage
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.reminders import turn
from adjudicator.desk.settling import is_over, is_settled, standing
from adjudicator.desk.tellgm import tell_gm
from adjudicator.desk.values import Status, Step
from adjudicator.desk.way import act, completed_by

_DAY = 24 * 3600.0


class Ticked(Struct, frozen=True, kw_only=True):
    """What a round did to a game."""

    acts: tuple[str, ...] = ()
    """The names of the acts, as the history has them."""
    closing: Closing | None = None
    """The step that was closed."""
    cause: str = ""
    """The way that this is on: of the letter that completed the step, or of the round itself."""


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
    cause = act(f"clock {game}", at)
    books.because(cause)
    ticked = _ticked(books, library, game, now)
    return ticked if ticked.cause else replace(ticked, cause=cause)


def _ticked(books: Books, library: Library, game: str, now: Moment) -> Ticked:
    status = books.locked(game).status
    before = remembered(books, game)
    if status is Status.OPEN:
        return _open(books, library, game, before, now)
    at = now.at
    if status not in STARTED:
        return Ticked()
    case = take(books, library, game, at=at)
    step = case.open_step()
    off = jump(before, now)
    remember(books, game, now, before, jumped=off is not None)
    if before is not None and off is not None:
        return Ticked(acts=halt(case, step, off, before, now))
    away = outage(case, step, before, now)
    if away is None:
        return _running(case, library, step, before, now)
    if not away.is_long and _may_settle(case, step, now):
        return _running(case, library, step, None, now)  # its deadline does not matter any more
    acts = mend(case, step, away, at=at)
    case = case.of(books.game(game))
    done = _running(case, library, case.open_step(), None, now)
    return replace(done, acts=acts + done.acts)


def _open(books: Books, library: Library, game: str, before: Before | None, now: Moment) -> Ticked:
    """Give up a game that nobody fills; a clock that jumped must go right for a day first."""
    if before is not None and jump(before, now) is not None and now.boot - before.boot < _DAY:
        return Ticked()
    remember(books, game, now, before)
    return Ticked(acts=("expire",) if expire(books, library, game, at=now.at) else ())


def _may_settle(case: Case, step: Step, now: Moment) -> bool:
    return case.game.status is Status.RUNNING and is_settled(case, step, standing(case, step), now)


def _running(
    case: Case, library: Library, step: Step, before: Before | None, now: Moment
) -> Ticked:
    """Close the step when its time has come, or remind those for whom it waits."""
    if case.game.status is not Status.RUNNING:
        return Ticked()
    stand = standing(case, step)
    settled = is_settled(case, step, stand, now)
    if is_over(case, step, now) or settled:
        game = case.game.id
        cause = completed_by(case, step, now) if settled else ""
        if cause:
            case.books.because(cause)
        closing = close(case.books, library, game, at=now.at, now=True, step=step.name, by="clock")
        if closing.notes:
            tell_gm(
                case.of(closing.game),
                closing.step,
                f"{step.name} was closed",
                closing.notes,
                at=now.at,
            )
        return Ticked(acts=("close",), closing=closing, cause=cause)
    return Ticked(acts=turn(case, step, stand, before, now))
