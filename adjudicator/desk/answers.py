"""The answer document, answer/1: what a question, or a wish to join, gets back.

answer     "answer/1"
game       {id, kind, title}
seat       the reader's seat; null for somebody who has none
player     the reader's name, or null
step       the step that is open, or the last one
headline   one line for the subject
parts      [{title (or null), lines: [sentences], columns, rows: [[cells]], plain: [ready lines]}]
form       null, or the block to reply with, as in a receipt
"""

from collections.abc import Sequence
from typing import Any

from adjudicator.core.document import Document, Seat
from adjudicator.desk.case import Case
from adjudicator.desk.form import block
from adjudicator.desk.report import form_facts
from adjudicator.desk.stage import stage

VERSION = "answer/1"


def part(
    title: str | None,
    lines: Sequence[str] = (),
    *,
    columns: Sequence[str] = (),
    rows: Sequence[Sequence[Any]] = (),
    plain: Sequence[str] = (),
) -> dict[str, Any]:
    """One thing that an answer tells."""
    return {
        "title": title,
        "lines": list(lines),
        "columns": list(columns),
        "rows": [list(row) for row in rows],
        "plain": list(plain),
    }


def answer(
    case: Case,
    seat: Seat | None,
    player: str | None,
    headline: str,
    parts: Sequence[Document],
    form: Document | None,
) -> dict[str, Any]:
    """The whole document."""
    return {
        "answer": VERSION,
        "game": case.names,
        "seat": seat,
        "player": player,
        "step": stage(case).name,
        "headline": headline,
        "parts": list(parts),
        "form": form,
    }


def form_of(case: Case, seat: Seat) -> Document:
    """The block for a seat, also when nothing is due: one can always write and ask."""
    step = stage(case)
    if case.game.open_step is not None:
        form = block(case, step, seat)
        owes = seat in case.due(case.before(case.open_step()))
        return form if owes or form["orders"] is not None else {**form, "quiet": True}
    return bare_form(case)


def bare_form(case: Case) -> Document:
    """The envelope alone, which needs nothing of the rules."""
    return {**form_facts(case.game.id, stage(case), 0, None), "prefill": False, "quiet": True}


def gm_form(case: Case) -> Document:
    """The block for the GM, who can always do something; the sender puts the GM's key in."""
    return {
        **form_facts(case.game.id, stage(case), 0, None),
        "prefill": False,
        "comments": ["gm: [extend 24h preview]", "ask: [status, help]"],
        "example": {},
    }
