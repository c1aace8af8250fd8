"""What happened at the desk, for `history`: every act in the order of time."""

from adjudicator.core.document import Document
from adjudicator.desk.ports import Books


def history(books: Books, game: str) -> tuple[Document, ...]:
    """[{number, at, act, by, text, data}]: every act, the oldest first; no secrets."""
    books.game(game)
    return tuple(
        {
            "number": note.number,
            "at": note.at.isoformat(timespec="seconds"),
            "act": note.act,
            "by": note.by,
            "text": note.text,
            "data": dict(note.data),
        }
        for note in books.notes(game)
    )
