"""The answer document, answer/1: what a question, or a request to join, gets back.

answer     "answer/1"
game       {id, kind, title}
seat       the reader's seat; null for somebody who has none
player     the reader's name, or null
step       the step that is open, or the last one
label      the same for people, "turn 4, jump"
headline   one line for the subject
parts      [{title (or null), lines: [sentences], columns, rows: [[cells]], plain: [ready lines]}];
           `small: true` where a part is small print; `guide` names the template of a guide, with
           the `example` that stands in it, and `due`, the form that is explained below it
form       null, or the block to reply with, as in a receipt
"""

from collections.abc import Sequence
from typing import Any

from adjudicator.core.document import Document, Seat
from adjudicator.desk.model.context import Context, RequestOutcome, current_step
from adjudicator.desk.model.values import Step
from adjudicator.desk.outbox.form import form_facts, order_block

ANSWER_VERSION = "answer/1"


def answer_part(
    title: str | None,
    lines: Sequence[str] = (),
    *,
    columns: Sequence[str] = (),
    rows: Sequence[Sequence[Any]] = (),
    plain: Sequence[str] = (),
) -> dict[str, Any]:
    """Make one part of an answer."""
    return {
        "title": title,
        "lines": list(lines),
        "columns": list(columns),
        "rows": [list(row) for row in rows],
        "plain": list(plain),
    }


def outcome_parts(outcome: RequestOutcome, *, done: str | None = None) -> list[Document]:
    """Make the parts that say what was done, under this title, and what was not."""
    parts = [(done, outcome.done), ("REJECTED", outcome.not_taken)]
    return [answer_part(title, lines) for title, lines in parts if lines]


def reader_facts(context: Context, step: Step, seat: Seat | None, player: str | None) -> Document:
    """Collect what notices, answers and press say of their game, their reader and their step."""
    return {
        "game": context.names,
        "seat": seat,
        "player": player,
        "step": step.name,
        "label": context.label(step),
    }


def answer_document(
    context: Context,
    seat: Seat | None,
    player: str | None,
    headline: str,
    parts: Sequence[Document],
    form: Document | None,
) -> dict[str, Any]:
    """Make the whole document."""
    return {
        "answer": ANSWER_VERSION,
        **reader_facts(context, current_step(context), seat, player),
        "headline": headline,
        "parts": list(parts),
        "form": form,
    }


def seat_form(context: Context, seat: Seat) -> Document:
    """Make the block for a seat, also when nothing is due: a player can always write and ask."""
    if context.game.open_step is None:
        return bare_form(context)
    form = order_block(context, seat)
    return form if seat in context.due or form["orders"] is not None else {**form, "quiet": True}


def bare_form(context: Context) -> Document:
    """Make the envelope alone, which needs nothing of the rules."""
    return {
        **form_facts(context.game, current_step(context), 0, None),
        "prefill": False,
        "quiet": True,
    }


def gm_form(context: Context) -> Document:
    """Make the block for the GM, who can always act; the sender puts the GM's key in."""
    return {
        **form_facts(context.game, current_step(context), 0, None),
        "prefill": False,
        "comments": ["gm: [extend 24h preview]", "ask: [status, help]"],
        "example": {},
    }
