"""The history of a game: a note for every act, and the trace id of what causes what."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from adjudicator.core.document import Document, digest
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import HistoryNote

PRIVATE = "private"
"""In the data of a note: what only undoing needs; archives leave it out."""


def write_note(
    books: Books,
    game: str,
    act: str,
    text: str,
    *,
    at: datetime,
    by: str = "gm",
    data: Mapping[str, Any] | None = None,
) -> HistoryNote:
    """Record who did what; no orders, hands or seeds go into it."""
    number = books.last_note(game) + 1
    note = HistoryNote(game=game, number=number, at=at, act=act, by=by, text=text, data=data or {})
    books.save(note)
    return note


def list_history_lines(books: Books, game: str) -> tuple[Document, ...]:
    """List every act as {number, at, act, by, text, data}, the oldest first; no secrets."""
    books.game(game)
    return tuple(
        {
            "number": note.number,
            "at": note.at.isoformat(timespec="seconds"),
            "act": note.act,
            "by": note.by,
            "text": note.text,
            "data": find_public_data(note),
        }
        for note in books.notes(game)
    )


def find_public_data(note: HistoryNote) -> dict[str, Any]:
    """Return the data of a note as it may be read."""
    return {key: value for key, value in note.data.items() if key != PRIVATE}


_SIGNS = 10


def trace_id(*names: str | None) -> str:
    """Make the trace id from the first of these names that is one."""
    name = next(filter(None, names), "")
    return digest(name.encode("utf-8", "surrogatepass"))[:_SIGNS]


def act_trace_id(what: str, at: datetime) -> str:
    """Make the trace id of an act without a letter: the clock's, or one by hand."""
    return trace_id(f"{what} {at.isoformat()}")
