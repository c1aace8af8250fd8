"""Publish a closed step: who gets its report now, and who with a later one.

Who prefers `mails: final` is mailed once a turn, unless something is due from them before; who
prefers `mails: due`, only when something is. Their next report then contains the events of all
steps since their last one. A report that asks for orders recaps all steps since the reader's last
orders, so that nobody has to read back.
"""

from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any

from msgspec import Struct

from adjudicator.core.document import Document, Seat, decode, encode
from adjudicator.core.events import Event, list_visible
from adjudicator.core.game import Due
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.people import PUBLIC
from adjudicator.desk.model.values import OrderSet, Paper, Player, Seating, Step
from adjudicator.desk.outbox.form import form_facts
from adjudicator.desk.outbox.introduction import add_welcome, describe_table
from adjudicator.desk.outbox.queue import REPORT, queue_letter, queue_notice, queue_to_address
from adjudicator.desk.outbox.reader_preferences import DUE, MAILS, gets_every_letter
from adjudicator.desk.outbox.report import (
    ReportedStep,
    complete_report,
    decode_events,
    due_facts,
    make_game_part,
    report_facts,
    set_facts,
    since_facts,
)
from adjudicator.desk.steps.ahead import add_plans
from adjudicator.desk.steps.press import report_press

Executed = Mapping[Seat, OrderSet]


class Adjudication(Struct, frozen=True):
    """The result of an adjudication, for reports and notices."""

    state: Any
    events: tuple[Event, ...]
    executed: dict[Seat, OrderSet]


class StepNews(Struct, frozen=True):
    """The subject of reports: a closed step, its result, and who owes orders now."""

    step: Step
    next_step: Step | None
    due: Mapping[Seat, Due]
    outcome: Adjudication
    has_plans: bool = False
    """Whether anybody has filed orders ahead."""
    goes_on: bool = False
    """Whether the next step closes at once, so that its report tells seats of this one, too."""


def make_reports(context: Context, news: StepNews, *, only_held: bool = False) -> tuple[Paper, ...]:
    """Make the documents of the reports due now: the seats' and the public's.

    `only_held`: only those that waited for the end of an interruption, when a ruling ended it.
    """
    step, seatings, game = news.step, context.seatings, context.game
    last_reports = context.books.last_reports(game.id)
    readers: list[tuple[Seat | None, Player | None, int, Sequence[Step]]] = []
    for seat in game.seats:
        player = context.player(seatings.get(seat))
        if not news.goes_on and not is_held_back_for(player, news.due, seat):
            last = last_reports[seat]
            since = list_unreported_steps(context, step, last.step)
            if since or not only_held:
                readers.append((seat, player, (last.number or 0) + 1, since))
    if not only_held:
        readers.append((None, None, step.number, ()))
    papers = []
    for reader, player, number, earlier in readers:
        document = encode(_make_report(context, news, reader, player, number, earlier))
        papers.append(
            Paper(game=game.id, step=step.number, seat=reader, number=number, document=document)
        )
    return tuple(papers)


def _make_report(
    context: Context,
    news: StepNews,
    seat: Seat | None,
    player: Player | None,
    number: int,
    since: Sequence[Step],
) -> Document:
    """Make a reader's report, which also covers the steps `since` the last one."""
    step, outcome, game = news.step, news.outcome, context.game
    zone = context.zone(player)
    earlier: Sequence[Document] = ()
    first = (*since, step)[0]
    if player and seat in news.due and seat not in outcome.executed:
        since = max(since, _list_steps_without(context, step, seat), key=len)
    if since:
        sets = [own for one in since for own in context.books.orders(game.id, one.number)]
        labels = [context.label(one) for one in since]
        earlier = since_facts(since, labels, sets if seat else (), seat)
    facts = report_facts(
        kind=context.kind,
        game=game,
        seat=seat,
        player=player,
        number=number,
        step=step.name,
        due=due_facts(news.next_step, news.due, seat, zone),
        orders=report_orders(outcome.executed, seat, earlier),
        form=form_facts(game, news.next_step, 0, None) if news.next_step and seat else None,
        press=report_press(context, step, first, seat),
        since=earlier,
    )
    steps = [*_list_reported_steps(context, since, seat)] if since else []
    steps.append(_describe_step(context, step, outcome, seat))
    view = context.view(seat, news.outcome.state)
    return complete_report(make_game_part(context.kind.rules, view, seat, steps), facts)


def _list_reported_steps(
    context: Context, steps: Sequence[Step], seat: Seat | None
) -> Iterator[ReportedStep]:
    """Describe the earlier steps that a report covers, as they were played."""
    for step in steps:
        sets = context.books.orders(context.id, step.number)
        executed = {own.seat: own for own in sets if own.executed}
        outcome = Adjudication(context.after(step), decode_events([step]), executed)
        yield _describe_step(context, step, outcome, seat)


def _describe_step(
    context: Context, step: Step, outcome: Adjudication, seat: Seat | None
) -> ReportedStep:
    own = outcome.executed.get(seat) if seat else None
    return ReportedStep(
        before=context.view(seat, context.before(step)) if outcome.executed else None,
        after=context.view(seat, outcome.state),
        orders=decode(own.orders) if own else None,
        events=list_visible(outcome.events, seat),
    )


def report_orders(
    executed: Executed, seat: Seat | None, earlier: Sequence[Document]
) -> Document | None:
    """Name the reader's executed set; nothing for a reader who owed none in these steps."""
    if seat is None or not (seat in executed or any(one["digest"] for one in earlier)):
        return None
    return set_facts(executed.get(seat))


def mail_reports(context: Context, news: StepNews, papers: Sequence[Paper]) -> None:
    """Queue the reports to the people on the seats, and the public's to the observers."""
    step, seatings = news.step, context.seatings
    for paper in papers:
        player = context.player(seatings.get(paper.seat)) if paper.seat else None
        if paper.seat is None or player is None:
            continue
        document = add_welcome(context, paper, player.name) if paper.number == 1 else paper.document
        if news.has_plans:
            document = add_plans(context, paper.seat, document)
        queue_letter(context, step, paper.seat, REPORT, document, number=paper.number)
        if paper.number == 1 or step.predecessor is None:
            _introduce_players(context, step, seatings[paper.seat])
    to_all = None in map(attrgetter("seat"), papers) and not is_held_back(news.due, None)
    observers = context.observers if to_all else ()
    if observers:
        report = _make_report(
            context, news, None, None, step.number, list_unpublished_steps(context, step)
        )
        for one in observers:
            queue_to_address(context, one.address, REPORT, report, reader=PUBLIC, step=step)


def _introduce_players(context: Context, step: Step, seating: Seating) -> None:
    """Say in somebody's first report who plays, and with which options."""
    headline, lines = describe_table(context)
    if lines:
        queue_notice(context, step, seating.seat, headline, lines, seating=seating)


def is_held_back(due: Mapping[Seat, Due], seat: Seat | None) -> bool:
    """Whether a reader's report waits: others are asked in mid-turn, and this reader is not."""
    return seat not in due and set(map(attrgetter("clock"), due.values())) == {"short"}


def is_held_back_for(player: Player | None, due: Mapping[Seat, Due], seat: Seat) -> bool:
    """Whether this person's report waits; a form owed in mid-turn is always sent."""
    patient = player is not None and not gets_every_letter(player)
    amid = bool(due) and seat not in due
    if player is not None and player.preferences.get(MAILS) == DUE:
        return amid
    amid = amid and not any(o.counts_as_missed for o in due.values())
    return is_held_back(due, seat) or (patient and amid)


def list_unreported_steps(
    context: Context, step: Step, last_reported: int | None
) -> tuple[Step, ...]:
    """List the steps that led to this one after the step `last_reported`; the oldest first.

    A ruling has a higher number than the step that goes on behind it, so numbers tell no order.
    """
    steps = []
    while step.predecessor not in (None, last_reported):
        step = context.books.step(context.id, step.predecessor)
        if step.phase != "ruling":  # everybody has had a notice of a ruling
            steps.append(step)
    return tuple(reversed(steps))


def _list_steps_without(context: Context, step: Step, seat: Seat | None) -> tuple[Step, ...]:
    """List the steps that led to this one after the seat's last orders; the oldest first."""
    steps = []
    while step.predecessor is not None:
        step = context.books.step(context.id, step.predecessor)
        sets = context.books.orders(context.id, step.number)
        if step.predecessor is None or any(own.seat == seat and own.executed for own in sets):
            break
        if step.phase != "ruling":
            steps.append(step)
    return tuple(reversed(steps))


def list_unpublished_steps(context: Context, step: Step) -> tuple[Step, ...]:
    """List the steps before this one that observers have not been mailed yet."""
    steps = []
    while step.predecessor is not None:
        step = context.books.step(context.id, step.predecessor)
        if step.phase == "ruling":
            continue
        if not is_held_back(context.due_in(context.after(step)), None):
            break
        steps.append(step)
    return tuple(reversed(steps))
