"""Go on with rules that have changed."""

from datetime import datetime

from msgspec.structs import replace

from adjudicator.desk.case import Case, look
from adjudicator.desk.errors import Refused
from adjudicator.desk.letters import notices
from adjudicator.desk.log import log
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.replay import ACCEPT
from adjudicator.desk.seating import current
from adjudicator.desk.values import Game


def accept(books: Books, library: Library, game: str, *, at: datetime) -> Game:
    """Let the game go on under the rules as they are now; earlier steps stay as they are."""
    found = books.locked(game)
    kind = library.kind(found.kind, found.components)
    if kind.digest == found.rules_digest:
        raise Refused(f"{game}: its rules are those it was played by; there is nothing to accept")
    since = found.next_number if found.open_step is None else found.open_step
    accepted = replace(found, rules_digest=kind.digest)
    books.save_game(accepted)
    data = {"since": since, "rules_digest": kind.digest, "before": found.rules_digest}
    text = f"changed rules accepted; steps before number {since} stay as they were adjudicated"
    log(books, game, ACCEPT, text, at=at, data=data)
    if accepted.open_step is not None:
        _tell(look(books, library, game), at)
    return accepted


def _tell(case: Case, at: datetime) -> None:
    """The players should know, since results change."""
    step = case.open_step()
    told = (
        "The program has changed since this game began, in a way that changes results; the GM "
        f"goes on with it from {step.name}. Earlier steps stay as they were adjudicated."
    )
    lines = [told, "The deadline is {deadline}."]
    seatings = current(case.books, case.game.id)
    notices(case, step, "The rules have changed", lines, seatings=seatings, at=at)
