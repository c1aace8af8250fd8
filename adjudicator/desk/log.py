"""The history of a game: every act at the desk writes one note."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from adjudicator.desk.ports import Books
from adjudicator.desk.values import Note


def log(
    books: Books,
    game: str,
    act: str,
    text: str,
    *,
    at: datetime,
    by: str = "gm",
    data: Mapping[str, Any] | None = None,
) -> Note:
    """Write down who did what; no orders, hands or seeds go into it."""
    number = books.last_note(game) + 1
    note = Note(game=game, number=number, at=at, act=act, by=by, text=text, data=data or {})
    books.save_note(note)
    return note
