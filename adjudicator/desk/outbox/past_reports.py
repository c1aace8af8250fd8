"""The reports that a seat has received and that count."""

from typing import Any

from adjudicator.core.document import Document, Seat, decode
from adjudicator.desk.model.context import Context, current_step
from adjudicator.desk.model.errors import Refused, Unknown
from adjudicator.desk.model.values import Paper, Step
from adjudicator.desk.outbox.form import seat_form
from adjudicator.desk.outbox.queue import REPORTED, is_out
from adjudicator.desk.outbox.report import (
    complete_report,
    describe_due,
    due_facts,
    report_facts,
)


def choose_report(context: Context, seat: Seat, number: int | None) -> Paper:
    """Choose the report of this number, or the last; from an undone step only if it went out."""
    if number is None:
        newest = context.books.paper(context.id, seat)
        if newest is None:
            raise Refused(f"{context.id} has not begun, so there is no report yet")
        return newest
    paper = context.books.paper(context.id, seat, number)
    if paper is not None:
        _refuse_unread(context, paper)
        return paper
    last = context.books.last_reports(context.id)[seat].number or 0
    hint = f"they are numbered 1 to {last}" if last > 1 else f"there is only report {last}"
    raise Unknown(f"{seat} has no report {number}; {hint}")


def _refuse_unread(context: Context, paper: Paper) -> None:
    """Refuse a report undone before anybody read it: the step may be played again."""
    step = context.books.step(context.id, paper.step)
    if step.void and not was_mailed(context, paper):
        raise Refused(
            f"report {paper.number} covers {context.label(step)}; that step was undone "
            "before it went out"
        )


def was_mailed(context: Context, paper: Paper) -> bool:
    """Whether the reader may have the report."""
    return any(
        letter.seat == paper.seat
        and letter.template == REPORTED
        and is_out(letter)
        and decode(letter.document)["number"] == paper.number
        for letter in context.books.letters(context.id, paper.step)
    )


def position_document(context: Context, seat: Seat) -> dict[str, Any]:
    """Make a report of the position alone, as the seat sees it now."""
    step = current_step(context)
    state = context.state if context.game.open_step is not None else context.after(step)
    part = context.report_position(seat, state)
    choices = (part.get("form") or {}).get("choices")
    return {
        **complete_report(part, facts_now(context, seat, step)),
        "headline": "The position as it is now",
        "form": {**seat_form(context, seat), **({"choices": choices} if choices else {})},
        "alone": True,
    }


def facts_now(context: Context, seat: Seat, step: Step) -> Document:
    """Collect what the desk knows of a seat in this step, with what is due now."""
    return report_facts(
        kind=context.kind,
        game=context.game,
        seat=seat,
        player=context.player(context.seatings.get(seat)),
        step=step.name,
        due=due_now(context, seat),
    )


def report_as_resent(context: Context, seat: Seat | None, document: Document) -> dict[str, Any]:
    """Make a report to send again: its events as they were, but what is due, and the form, now."""
    form = seat_form(context, seat) if seat else None
    return {**document, "due": due_now(context, seat), "form": form}


def due_now(context: Context, seat: Seat | None) -> Document | None:
    """Make the facts of what is due now: the last report may be older than the open step."""
    if context.game.open_step is None:
        return None
    step = context.open_step()
    player = context.player(context.seatings.get(seat)) if seat else None
    facts = due_facts(step, context.due, seat, context.zone(player))
    return describe_due(context.report_position(seat), facts)
