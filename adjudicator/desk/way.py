"""The id of a way: of a letter, and of everything that it causes, in books and logs alike."""

from datetime import datetime

from adjudicator.core.canonical import digest
from adjudicator.desk.case import Case
from adjudicator.desk.moment import Moment
from adjudicator.desk.settling import last_change
from adjudicator.desk.values import Step

_SIGNS = 10


def way(*names: str | None) -> str:
    """The id that goes with the first of these names that is one."""
    name = next((name for name in names if name), "")
    return digest(name.encode("utf-8", "surrogatepass"))[:_SIGNS]


def act(what: str, at: datetime) -> str:
    """The id of what nobody wrote a letter for: the clock's acts, and those by hand."""
    return way(f"{what} {at.isoformat()}")


def completed_by(case: Case, step: Step, now: Moment) -> str:
    """The way of whatever completed a step: of the letter whose receipt came last, in most cases.

    Empty when nothing was written since the step opened, as where only bots play.
    """
    last = last_change(case, step, now)
    letters = case.books.letters(case.game.id, step.number)
    causes = [one.cause for one in letters if one.made == last and one.cause]
    return causes[-1] if causes else ""
