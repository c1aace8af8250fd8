"""Go back to a step and play it again."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from msgspec.structs import replace

from adjudicator.core.canonical import decode
from adjudicator.desk.case import STARTED, Case, take
from adjudicator.desk.closing import Closing
from adjudicator.desk.ended import begun, how_over
from adjudicator.desk.errors import Refused, Unknown
from adjudicator.desk.letters import REPORTED, is_out, notices, withdraw
from adjudicator.desk.line import line
from adjudicator.desk.log import log
from adjudicator.desk.missed import recount
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.seating import current
from adjudicator.desk.stepping import add_link, open_next
from adjudicator.desk.unrollback import seed_is_known, unroll
from adjudicator.desk.values import Letter, Status, Step


def rollback(
    books: Books,
    library: Library,
    game: str,
    step: str,
    *,
    same_dice: bool,
    at: datetime,
    back: bool = False,
) -> Closing:
    """Strike a closed step and all after it; its orders come back as a form to send again.

    `back` takes the last rollback back, which went to before this step.
    """
    if back:
        return unroll(books, library, game, step, at=at)
    case = take(books, library, game, at=at, status=(*STARTED, Status.OVER))
    if not begun(books, game):
        raise Refused(f"{game}: it {how_over(books, game)}, so there is no step to go back to")
    steps = {s.number: s for s in books.steps(game)}
    struck = _struck(game, steps, step)
    target = struck[-1]
    if same_dice:
        _refuse_known(case, struck)
    for one in struck:
        books.save_step(replace(one, void=True))
    withdraw(case, struck)
    was_over = case.game.status is Status.OVER
    link = add_link(case, "rollback", target, {})
    if target.predecessor is not None:
        recount(case, steps[target.predecessor])
    opened = _open(case, steps, target, same_dice=same_dice, at=at)
    case = case.now(
        open_step=opened.number,
        next_number=opened.number + 1,
        status=Status.RUNNING if was_over else case.game.status,
    )
    names = [one.name for one in reversed(struck)]
    data = {"struck": names, "opened": opened.name, "same_dice": same_dice}
    log(books, game, "rollback", f"back to before {target.name}", at=at, data=data)
    return Closing(
        game=case.game,
        step=replace(target, void=True),
        opened=opened,
        links=(link,),
        letters=_tell(case, names, opened, at),
        notes=_warnings(game, opened, target, was_over=was_over, same_dice=same_dice),
    )


def _struck(game: str, steps: Mapping[int, Step], name: str) -> list[Step]:
    """The steps from the last one back to the named one, which must have happened and count."""
    counting = line(steps.values())
    names = [step.name for step in counting]
    if name not in names:
        past = [s.name for s in reversed(counting) if s.closed and s.predecessor is not None]
        known = ", ".join(past) or "none yet"
        raise Unknown(f'{game}: no step "{name}" counts; one can go back to {known}')
    target = counting[names.index(name)]
    if target.closed is None:
        raise Refused(f"{game}: {name} is still open, so there is nothing to take back")
    if target.predecessor is None:
        raise Refused(f"{game}: {name} is the setup; `start --back` takes it back")
    return counting[: names.index(name) + 1]


def _refuse_known(case: Case, struck: Sequence[Step]) -> None:
    """The same dice are for a step whose results nobody has read yet."""
    names = {step.name for step in struck}
    for letter in case.books.letters(case.game.id):
        if letter.template != REPORTED or not is_out(letter):
            continue
        name = decode(letter.document)["step"]
        if name in names:
            raise Refused(
                f"{case.game.id}: reports of {name} went out, so its dice are known; roll back "
                "without --same-dice"
            )


def _open(
    case: Case, steps: Mapping[int, Step], target: Step, *, same_dice: bool, at: datetime
) -> Step:
    """The step that is played in the place of the one struck."""
    assert target.predecessor is not None
    base = steps[target.predecessor]
    opened = open_next(case, base, case.after(base), turn=None, at=at)  # deadlines begin anew
    assert opened is not None, "a step was played from this state, so it is not over"
    if same_dice and opened.phase == target.phase:
        opened = replace(opened, dice=target.dice)
        case.books.save_step(opened)
    return opened


def _tell(case: Case, names: Sequence[str], opened: Step, at: datetime) -> tuple[Letter, ...]:
    lines = [
        (
            f"The GM went back to before {names[0]}. What happened since then counts no longer: "
            f"{', '.join(names)}."
        ),
        f"The game goes on with {opened.name}, due: {{deadline}}.",
        (
            "Orders that you had sent for it, if any, stand in the form below, but are not in: "
            "send them again, as they are or changed."
        ),
    ]
    subject = f"Back to before {names[0]}"
    return notices(case, opened, subject, lines, seatings=current(case.books, case.game.id), at=at)


def _warnings(
    game: str, opened: Step, target: Step, *, was_over: bool, same_dice: bool
) -> tuple[str, ...]:
    told = []
    if was_over:
        told.append(seed_is_known(game))
    if same_dice and opened.dice != target.dice:
        told.append(f"{opened.name} is another phase than {target.name}, so its dice are new")
    return tuple(told)
