"""Take a rollback back: the steps that it struck count again, as they were played."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.desk.case import STARTED, Case, take
from adjudicator.desk.closing import Closing
from adjudicator.desk.ended import BACK
from adjudicator.desk.errors import Refused
from adjudicator.desk.kept_in import send_again
from adjudicator.desk.letters import notices, withdraw
from adjudicator.desk.log import log
from adjudicator.desk.missed import recount
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.seating import current
from adjudicator.desk.stage import stage
from adjudicator.desk.stepping import add_link, open_next
from adjudicator.desk.values import Letter, Note, Status, Step

ROLLBACK = "rollback"


class _Way(Struct, frozen=True):
    """From where the game stands to where it stood."""

    restored: tuple[Step, ...]
    """The steps that count again, the earliest first."""
    struck: tuple[Step, ...]
    """Those that were opened or played since."""


def unroll(books: Books, library: Library, game: str, step: str, *, at: datetime) -> Closing:
    """Let the steps count again that the last rollback, which went back to `step`, has struck.

    The step that was open then is opened anew, under a new number.
    """
    case = take(books, library, game, at=at, status=(*STARTED, Status.OVER))
    way = _way(case, _last(case, step), step)
    was_over = case.game.status is Status.OVER
    for one in way.struck:
        books.save_step(replace(one, void=True))
    withdraw(case, way.struck)
    for one in way.restored:
        books.save_step(replace(one, void=False))
    first, last = way.restored[0], replace(way.restored[-1], void=False)
    link = add_link(case, "restore", first, {})
    recount(case, last)
    opened = open_next(case, last, case.after(last), turn=None, at=at)
    status = Status.RUNNING if was_over else case.game.status
    case = case.now(
        open_step=opened.number if opened else None,
        next_number=opened.number + 1 if opened else case.game.next_number,
        status=Status.OVER if opened is None else status,
        paused=case.game.paused if opened else None,
    )
    names = [one.name for one in way.restored]
    data = {BACK: True, "restored": names, "opened": opened.name if opened else None}
    text = f"the rollback to before {first.name} was taken back"
    log(books, game, ROLLBACK, text, at=at, data=data)
    letters = (*_tell(case, way, names, opened, at), *send_again(case, way.restored, at))
    return Closing(
        game=case.game,
        step=replace(first, void=False),
        opened=opened,
        links=(link,),
        letters=letters,
        notes=(seed_is_known(game),) if was_over and opened else (),
    )


def seed_is_known(game: str) -> str:
    """What the GM should know who opens a game again."""
    return f"{game} was over and its seed has been told; whoever kept it can foresee the dice"


def _last(case: Case, step: str) -> Note:
    """The note of the last rollback, which must be the one that is meant."""
    notes = case.books.notes(case.game.id)
    last = next((one for one in reversed(notes) if one.act in (ROLLBACK, "start")), None)
    if last is None or BACK in last.data or last.act != ROLLBACK:
        raise Refused(f"{case.game.id}: no rollback is there to be taken back")
    if last.data["struck"][0] != step:
        first = last.data["struck"][0]
        raise Refused(
            f"{case.game.id}: the last rollback went back to before {first}; only that one can be "
            "taken back"
        )
    return last


def _way(case: Case, note: Note, step: str) -> _Way:
    steps: Mapping[str, Step] = {one.name: one for one in case.books.steps(case.game.id)}
    restored = tuple(steps[name] for name in note.data["struck"] if steps[name].closed)
    if not restored:
        raise Refused(f"{case.game.id}: nothing of {step} had been played")
    since = steps[note.data["opened"]].number
    struck = tuple(one for one in steps.values() if one.number >= since and not one.void)
    return _Way(restored, struck)


def _tell(
    case: Case, way: _Way, names: Sequence[str], opened: Step | None, at: datetime
) -> tuple[Letter, ...]:
    played = [one.name for one in way.struck if one.closed]
    lines = [
        f"The GM took the rollback back. What it had struck counts again: {', '.join(names)}.",
        *([f"What was played since then counts no longer: {', '.join(played)}."] if played else []),
    ]
    if opened is None:
        lines.append("With that the game is over, as it was before.")
    else:
        lines.append(f"The game goes on with {opened.name}, due: {{deadline}}.")
        lines.append(
            "Orders that you had sent for it, if any, stand in the form below, but are not in: "
            "send them again, as they are or changed."
        )
    seatings = current(case.books, case.game.id)
    subject = f"{names[0]} counts again"
    return notices(case, stage(case), subject, lines, seatings=seatings, at=at)
