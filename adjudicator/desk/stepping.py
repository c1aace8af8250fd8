"""From one step to the next: what every change of the state has in common.

The closed step, the reports about it, the link that commits to both, the next step: written
together, in the caller's transaction.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from msgspec.structs import replace

from adjudicator.core.canonical import encode
from adjudicator.core.chain import Link, LinkKind, commitment, forge
from adjudicator.core.document import Seat
from adjudicator.core.game import Due, Over
from adjudicator.desk import deadlines
from adjudicator.desk.absent import beyond
from adjudicator.desk.case import Case
from adjudicator.desk.chaincheck import part_name
from adjudicator.desk.closing import Closing
from adjudicator.desk.deadlines import length
from adjudicator.desk.farewell import farewell
from adjudicator.desk.news import Executed, Outcome, mail, news_of, publish
from adjudicator.desk.settings import pace
from adjudicator.desk.values import Paper, Status, Step


def settle(
    case: Case,
    link: LinkKind,
    step: Step,
    outcome: Outcome,
    *,
    at: datetime,
    turn: Step | None,
    new: Sequence[Seat] = (),
) -> Closing:
    """Write down a closed step and everything that follows; `turn` is the step before it.

    `new`: the seats that the closing has given to other players.
    """
    books, game = case.books, case.game
    closed = replace(
        step,
        closed=at,
        state=encode(case.kind.rules.dump(outcome.state)),
        events=encode(outcome.events),
    )
    books.save_step(closed)
    opened = open_next(case, closed, outcome.state, turn=turn, new=new, at=at)
    case = case.now(
        open_step=opened.number if opened else None,
        next_number=max(game.next_number, closed.number + 1) + (1 if opened else 0),
        status=Status.OVER if opened is None else game.status,
    )
    news = news_of(case, closed, opened, outcome)
    papers = publish(case, news)
    for paper in papers:
        books.save_paper(paper)
    made = add_link(case, link, closed, commitments(case, closed, outcome.executed, papers))
    letters = mail(case, news, papers, at=at)
    if opened is None:
        letters += farewell(case, closed, at=at)
    return Closing(game=case.game, step=closed, opened=opened, links=(made,), letters=letters)


def open_next(
    case: Case,
    closed: Step,
    state: Any,
    *,
    turn: Step | None,
    new: Sequence[Seat] = (),
    at: datetime,
) -> Step | None:
    """The step in which the orders that this state waits for are taken; None: the game is over."""
    owed = case.kind.rules.due(state)
    if isinstance(owed, Over):
        return None
    due = case.due(state)
    number = max(case.game.next_number, closed.number + 1)
    phase = phase_of(due)
    step = Step(
        game=case.game.id,
        number=number,
        phase=phase,
        predecessor=closed.number,
        dice=f"{number}-{phase}",
        opened=at,
        deadline=deadline(case, due, turn, new, at),
    )
    case.books.save_step(step)
    return step


def phase_of(due: Mapping[Seat, Due]) -> str:
    """The name of the phase in which these forms are owed."""
    return next(iter(due.values())).form if due else "wait"


def deadline(
    case: Case, due: Mapping[Seat, Due], turn: Step | None, new: Sequence[Seat], at: datetime
) -> datetime | None:
    """When the orders are due: by the pace; in mid-turn with the turn, or soon.

    Never while somebody who owes them is away; whoever is new on a seat has a full deadline.
    """
    wanted = deadlines.deadline(pace(case.settings), at)
    if turn is not None and not any(seat in due for seat in new):
        clocks = {owed.clock for owed in due.values()}
        if clocks == {"kept"}:
            wanted = turn.deadline
        elif clocks == {"short"} and turn.deadline is not None:
            wanted = at.astimezone(UTC) + length(case.settings.interrupt_pace, "interrupt_pace")
    return beyond(case, due, wanted, at)


def commitments(
    case: Case, step: Step, executed: Executed, papers: Sequence[Paper]
) -> dict[str, str]:
    """What the link binds the house to, a part and a seat at a time."""
    seed, name = case.game.seed, step.name
    parts: list[tuple[str, Seat | None, bytes]] = [
        ("events", None, step.events),
        ("state", None, step.state or b""),
    ]
    parts += [("orders", seat, own.orders) for seat, own in executed.items()]
    parts += [("report", paper.seat, paper.document) for paper in papers]
    return {
        part_name(part, seat): commitment(seed, name, seat or "", part, content)
        for part, seat, content in parts
    }


def add_link(case: Case, kind: LinkKind, step: Step, committed: Mapping[str, str]) -> Link:
    """Forge the next link of the game's chain and write it down."""
    game = case.game.id
    before = step.predecessor
    after = None if before is None else case.books.step(game, before).name
    link = forge(
        case.books.last_link(game), kind=kind, step=step.name, after=after, commitments=committed
    )
    case.books.save_link(game, link)
    return link
