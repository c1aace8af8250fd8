"""From one step to the next: what every change of the state has in common.

The closed step, the reports about it, the link that commits to both, the next step: written
together, in the caller's transaction.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.canonical import encode
from adjudicator.core.chain import Link, LinkKind, commitment, forge
from adjudicator.core.document import Document, Seat
from adjudicator.core.event import Event, visible
from adjudicator.core.game import Due, Over
from adjudicator.desk import deadlines
from adjudicator.desk.absent import beyond
from adjudicator.desk.case import Case
from adjudicator.desk.chaincheck import part_name
from adjudicator.desk.closing import Closing
from adjudicator.desk.deadlines import length
from adjudicator.desk.heldback import unseen, untold, waits, waits_for
from adjudicator.desk.letters import REPORT, notices, person, put, zone_for
from adjudicator.desk.observe import observers
from adjudicator.desk.observe import publish as show
from adjudicator.desk.press import for_reader, luck_words, since_report
from adjudicator.desk.report import (
    completed,
    due_facts,
    events_of,
    facts,
    form_facts,
    since_facts,
)
from adjudicator.desk.seating import PLAYER, current
from adjudicator.desk.settings import pace
from adjudicator.desk.tellgm import tell_gm
from adjudicator.desk.values import Letter, OrderSet, Paper, Seating, Status, Step

Executed = Mapping[Seat, OrderSet]


class Outcome(Struct, frozen=True):
    """What an adjudication came to, for whoever writes about it."""

    state: Any
    events: tuple[Event, ...]
    executed: dict[Seat, OrderSet]


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
    papers = publish(case, closed, opened, outcome)
    for paper in papers:
        books.save_paper(paper)
    made = add_link(case, link, closed, commitments(case, closed, outcome.executed, papers))
    letters = mail(case, closed, opened, outcome, papers, at=at)
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


def publish(case: Case, step: Step, opened: Step | None, outcome: Outcome) -> tuple[Paper, ...]:
    """The public's report and that of every seat whose report does not wait, as documents."""
    news = _news(case, step, opened, outcome)
    seats = [seat for seat in case.game.seats if not _waits(case, news, seat)]
    number = step.number
    shown = Paper(game=case.game.id, step=number, seat=None, number=number, document=b"")
    shown = replace(shown, document=encode(_report(case, news, None, number, ())))
    return (*(_paper(case, news, seat) for seat in seats), shown)


def catch_up(case: Case, step: Step, opened: Step, outcome: Outcome) -> tuple[Paper, ...]:
    """Reports that waited for the end of an interruption, when a ruling ended it."""
    news = _news(case, step, opened, outcome)
    return tuple(
        _paper(case, news, seat)
        for seat in case.game.seats
        if not _waits(case, news, seat) and _untold(case, step, seat)
    )


def _waits(case: Case, news: "_News", seat: Seat) -> bool:
    return waits_for(person(case, news.seatings.get(seat)), news.due, seat)


def _untold(case: Case, step: Step, seat: Seat) -> tuple[Step, ...]:
    return untold(case, step, case.books.last_reported(case.game.id, seat))


def _paper(case: Case, news: "_News", seat: Seat) -> Paper:
    game, step = case.game.id, news.step
    number = case.books.last_paper(game, seat) + 1
    document = _report(case, news, seat, number, _untold(case, step, seat))
    return Paper(game=game, step=step.number, seat=seat, number=number, document=encode(document))


class _News(Struct, frozen=True):
    """What reports tell of."""

    step: Step
    opened: Step | None
    due: Mapping[Seat, Due]
    outcome: Outcome
    seatings: Mapping[Seat, Seating]


def _news(case: Case, step: Step, opened: Step | None, outcome: Outcome) -> _News:
    due = case.due(outcome.state) if opened else {}
    return _News(step, opened, due, outcome, current(case.books, case.game.id))


def _report(
    case: Case, news: _News, seat: Seat | None, number: int, since: Sequence[Step]
) -> Document:
    """A reader's report, which also tells of the steps `since` the last one."""
    step, outcome, game = news.step, news.outcome, case.game
    player = person(case, news.seatings.get(seat)) if seat else None
    zone = zone_for(case, player)
    messages = since_report(case, step, (*since, step)[0], seat)
    known = facts(
        kind=case.kind,
        game=game,
        seat=seat,
        player=player,
        number=number,
        step=step.name,
        due=_due(news.opened, news.due, seat, zone),
        orders=_orders(step, outcome.executed, seat, since),
        form=form_facts(game.id, news.opened, 0, None) if news.opened and seat else None,
        press=[*luck_words(case, step, seat), *for_reader(messages, seat)],
        since=since_facts(since, _sets(case, since, seat), seat),
    )
    events = (*events_of(since), *outcome.events)
    return completed(game_part(case, replace(outcome, events=events), seat), known)


def _sets(case: Case, steps: Sequence[Step], seat: Seat | None) -> list[OrderSet]:
    if seat is None:
        return []
    return [one for step in steps for one in case.books.orders(case.game.id, step.number)]


def game_part(case: Case, outcome: Outcome, seat: Seat | None) -> Document:
    """What the game tells a reader, from what the reader may know and nothing else."""
    rules = case.kind.rules
    return rules.report(rules.view(outcome.state, seat), visible(outcome.events, seat))


def _due(
    opened: Step | None, due: Mapping[Seat, Due], seat: Seat | None, zone: str
) -> Document | None:
    if opened is None:
        return None
    owed = due.get(seat) if seat else None
    form = owed.form if owed else opened.phase
    return due_facts(opened, form, opened.deadline, zone, waiting=owed is not None)


def _orders(
    step: Step, executed: Executed, seat: Seat | None, since: Sequence[Step]
) -> Document | None:
    if seat is None or (step.phase in {"setup", "ruling", "end"} and not since):
        return None
    own = executed.get(seat)
    if own is None:
        return {"receipt": None, "digest": None}
    return {"receipt": own.number or None, "digest": own.digest}


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


def mail(
    case: Case,
    step: Step,
    opened: Step | None,
    outcome: Outcome,
    papers: Sequence[Paper],
    *,
    at: datetime,
) -> tuple[Letter, ...]:
    """Queue the reports to the people on the seats, and the public's to those who look on."""
    made = to_seats(case, step, papers, at=at)
    news = _news(case, step, opened, outcome)
    if waits(news.due, None) or not observers(case):
        return made
    since = unseen(case, step)
    return (*made, *show(case, step, _report(case, news, None, step.number, since), at=at))


def to_seats(
    case: Case, step: Step, papers: Sequence[Paper], *, at: datetime
) -> tuple[Letter, ...]:
    """Queue the reports to the people on the seats."""
    seatings = current(case.books, case.game.id)
    return tuple(
        put(case, step, paper.seat, REPORT, paper.number, paper.document, at=at)
        for paper in papers
        if paper.seat and person(case, seatings.get(paper.seat))
    )


def farewell(case: Case, step: Step, *, at: datetime) -> tuple[Letter, ...]:
    """Open the seed: from now on everybody can check every draw."""
    game = case.game
    opened = {"seed": game.seed.hex(), "luck": [list(pair) for pair in game.luck]}
    lines = [
        f"{game.id} is over. Its seed is told now; with it every draw can be checked:",
        f"seed {opened['seed']}",
        *(f"luck words of {seat}: {words}" for seat, words in game.luck),
        f"The chain ends with link {_last(case)}.",
        *_unmasked(case),
    ]
    if step.reason:
        lines.insert(0, f"It ended before its rules end it: {step.reason}.")
    if not game.verifiable:
        lines.append("The seed was chosen by the GM, so the draws prove nothing.")
    subject = "The game is over: seed and luck words"
    tell_gm(case, step, subject, lines, at=at)
    return notices(
        case,
        step,
        subject,
        lines,
        seatings=_last_people(case),
        at=at,
        opened=opened,
    )


def _unmasked(case: Case) -> list[str]:
    """Who played what, where nobody could know it until now."""
    if not case.settings.anonymous:
        return []
    return [
        f"{seating.seat} was played by {seating.player}."
        for seating in case.books.seatings(case.game.id)
        if seating.player
    ]


def _last_people(case: Case) -> dict[Seat, Seating]:
    """The last person on each seat, also where nobody sits any more: they may check, too."""
    seatings = case.books.seatings(case.game.id)
    return {seating.seat: seating for seating in seatings if seating.kind == PLAYER}


def _last(case: Case) -> str:
    link = case.books.last_link(case.game.id)
    return link.digest if link else "none"
