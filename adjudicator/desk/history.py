"""What happened at the desk, for `history`: acts, steps and links in the order of time."""

from adjudicator.core.document import Document
from adjudicator.desk.ports import Books


def history(books: Books, game: str) -> tuple[Document, ...]:
    """[{number, at, act, by, text, data}]: every act, the oldest first; no secrets."""
    raise NotImplementedError
