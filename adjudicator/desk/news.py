"""What is told of a step that has been closed: to whom now, and to whom with a later one."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.canonical import encode
from adjudicator.core.document import Document, Seat
from adjudicator.core.event import Event, visible
from adjudicator.core.game import Due
from adjudicator.desk.case import Case
from adjudicator.desk.heldback import unseen, untold, waits, waits_for
from adjudicator.desk.letters import REPORT, person, put, zone_for
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
from adjudicator.desk.seating import current
from adjudicator.desk.values import Letter, OrderSet, Paper, Seating, Step

Executed = Mapping[Seat, OrderSet]


class Outcome(Struct, frozen=True):
    """What an adjudication came to, for whoever writes about it."""

    state: Any
    events: tuple[Event, ...]
    executed: dict[Seat, OrderSet]


class News(Struct, frozen=True):
    """What reports tell of."""

    step: Step
    opened: Step | None
    due: Mapping[Seat, Due]
    outcome: Outcome
    seatings: Mapping[Seat, Seating]


def news_of(case: Case, step: Step, opened: Step | None, outcome: Outcome) -> News:
    """A closed step, what came of it, and who owes something now."""
    due = case.due(outcome.state) if opened else {}
    return News(step, opened, due, outcome, current(case.books, case.game.id))


def publish(case: Case, news: News) -> tuple[Paper, ...]:
    """The public's report and that of every seat whose report does not wait, as documents."""
    seats = [seat for seat in case.game.seats if not _waits(case, news, seat)]
    number = news.step.number
    document = encode(_report(case, news, None, number, ()))
    shown = Paper(game=case.game.id, step=number, seat=None, number=number, document=document)
    return (*(_paper(case, news, seat) for seat in seats), shown)


def catch_up(case: Case, news: News) -> tuple[Paper, ...]:
    """Reports that waited for the end of an interruption, when a ruling ended it."""
    return tuple(
        _paper(case, news, seat)
        for seat in case.game.seats
        if not _waits(case, news, seat) and _untold(case, news.step, seat)
    )


def _waits(case: Case, news: News, seat: Seat) -> bool:
    return waits_for(person(case, news.seatings.get(seat)), news.due, seat)


def _untold(case: Case, step: Step, seat: Seat) -> tuple[Step, ...]:
    return untold(case, step, case.books.last_reported(case.game.id, seat))


def _paper(case: Case, news: News, seat: Seat) -> Paper:
    game, step = case.game.id, news.step
    number = case.books.last_paper(game, seat) + 1
    document = _report(case, news, seat, number, _untold(case, step, seat))
    return Paper(game=game, step=step.number, seat=seat, number=number, document=encode(document))


def _report(
    case: Case, news: News, seat: Seat | None, number: int, since: Sequence[Step]
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


def mail(case: Case, news: News, papers: Sequence[Paper], *, at: datetime) -> tuple[Letter, ...]:
    """Queue the reports to the people on the seats, and the public's to those who look on."""
    step = news.step
    made = to_seats(case, step, papers, at=at)
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
